"""The times at which a stage is evaluated."""

from pxr import Usd, UsdGeom

# Shares of the clip range. They avoid the keys of the test stages, except at both ends.
SHARES = (0, 0.13, 0.25, 0.37, 0.6, 0.75, 0.91, 1)


def clip_range(stage):
    """The first and last time code of the clip, or None for a stage without animation.

    The authored range of the layer takes precedence over the range of the keys
    (https://openusd.org/release/api/class_usd_stage.html, UsdStage::HasAuthoredTimeCodeRange).
    """
    times = key_times(stage)
    if not times:
        return None
    if stage.HasAuthoredTimeCodeRange():
        return stage.GetStartTimeCode(), stage.GetEndTimeCode()
    return times[0], times[-1]


def key_times(stage):
    """The time codes at which attributes that move points have keys, including splines and value clips."""
    times = set()
    for prim in all_prims(stage):
        for attribute in prim.GetAttributes():
            if moves_points(prim, attribute.GetName()):
                # A single key counts, too: its value differs from that at the default time code.
                times.update(attribute.GetTimeSamples())
                if attribute.HasSpline():
                    times.update(attribute.GetSpline().GetKnots().keys())
    return sorted(times)


def moves_points(prim, name):
    """Whether animating the attribute can move points. Visibility is included because it hides them."""
    return (name.startswith(("xformOp:", "primvars:skel:")) or name in ("points", "normals", "visibility")
            or prim.GetTypeName() == "SkelAnimation")


def all_prims(stage):
    """All prims that are active, loaded, defined and not abstract, inside of instances, too.

    Prims of instances are visited as instance proxies
    (https://openusd.org/release/api/_usd__page__scenegraph_instancing.html), because their paths and transforms differ.
    """
    return Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies())


def sampled_times(stage):
    """Eight time codes over the clip range, one for a range of length 0, or an empty list without animation."""
    found = clip_range(stage)
    if found is None:
        return []
    start, end = found
    return sorted({start + (end - start) * share for share in SHARES})


def is_shown(prim, time):
    """Whether renderers draw the prim by default: it is visible, and for no other use than rendering."""
    imageable = UsdGeom.Imageable(prim)
    return (imageable.ComputeVisibility(time) != UsdGeom.Tokens.invisible
            and imageable.ComputePurpose() in (UsdGeom.Tokens.default_, UsdGeom.Tokens.render))
