"""A second opinion about skinned meshes: `UsdSkel.BakeSkinning`, which replaces skinning by keys of points.

`UsdSkelBakeSkinning` (https://openusd.org/release/api/bake_skinning_8h.html) shares only the innermost functions with
the skinning queries. It bakes at the keys of a stage, and baked points are interpolated linearly between them. So the
stage gets keys at all requested times first. They don't change the animation, because their values are interpolated.
"""

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdSkel

from animation_times import all_prims, moves_points
from evaluation import points_of_normals, transformed, transformed_normals
from skinning import normals_of


def baked_stage(path, times):
    """A flattened copy of a stage without skinning. Instances become ordinary prims, which can be baked."""
    source = Usd.Stage.Open(str(path))
    make_uninstanced(source)
    stage = Usd.Stage.Open(source.Flatten())
    # All values are read before the first is set, because a key replaces a spline.
    values = []
    for prim in all_prims(stage):
        for attribute in source.GetPrimAtPath(prim.GetPath()).GetAttributes():
            if moves_points(prim, attribute.GetName()) and attribute.ValueMightBeTimeVarying():
                target = prim.GetAttribute(attribute.GetName())
                values += [(target, time, attribute.Get(time)) for time in times]
    for attribute, time, value in values:
        if value is not None:
            attribute.Set(value, time)
    # Baking into the layer that has the points would remove the keys of points before it reads them. USD scales the
    # time codes of layers if their rate differs from the root layer's.
    stage.GetSessionLayer().timeCodesPerSecond = stage.GetTimeCodesPerSecond()
    stage.SetEditTarget(stage.GetSessionLayer())
    interval = Gf.Interval(min(times), max(times)) if times else Gf.Interval.GetFullInterval()
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Root):
            UsdSkel.BakeSkinning(UsdSkel.Root(prim), interval)
    return stage


def make_uninstanced(stage):
    """Makes all instances ordinary prims, in the session layer, including instances inside of instances."""
    stage.SetEditTarget(stage.GetSessionLayer())
    while instances := [prim for prim in all_prims(stage) if prim.IsInstance() and not prim.IsInstanceProxy()]:
        for prim in instances:
            prim.SetInstanceable(False)


class BakedMesh:
    """A mesh of a baked stage. Without skinning, only its transform places it in the world."""

    def __init__(self, stage, path):
        self.mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))

    def points(self, time):
        return transformed(self.mesh.GetPointsAttr().Get(time), self.world(time))

    def normals(self, time):
        """Normals and the indices of their points, or None for normals that `BakeSkinning` leaves as they are.

        It skins the attribute `normals`, but not `primvars:normals`, which hides it.
        """
        primvar = UsdGeom.PrimvarsAPI(self.mesh).GetPrimvar("normals")
        normals, interpolation = normals_of(self.mesh, time)
        num_points = len(self.mesh.GetPointsAttr().Get(time))
        found = points_of_normals(self.mesh, normals, interpolation, num_points, time)
        if found is None or (primvar and primvar.HasAuthoredValue()):
            return None
        return transformed_normals(normals, self.world(time)), np.asarray(found)

    def world(self, time):
        return UsdGeom.Xformable(self.mesh).ComputeLocalToWorldTransform(time)
