"""Stages about SkelAnimation: joints, keys, and the prim that binds the animation."""

from pxr import Gf, Sdf, UsdGeom, Vt

from . import arm
from .registry import fault, sound


def character(scene, keys, **options):
    """A character and its animation."""
    result = arm.Arm(scene.stage, animated=False)
    result.animation = arm.add_animation(scene.stage, "/Model/Animation", keys, **options)
    arm.bind_animation(result.skeleton, result.animation)
    return result


BENDS = ((0, 0), (12, 70), (24, -40))


@sound
def sparse_animation(scene):
    """An animation of one joint; the others keep the rest pose, which differs from the bind pose."""
    result = character(scene, BENDS, joints=["Shoulder/Elbow"])
    rest = arm.rest_transforms()
    rest[2] = arm.rotation((0, 0, 1), 30) * rest[2]
    result.skeleton.GetRestTransformsAttr().Set(rest)


@sound
def other_joint_order(scene):
    """An animation that lists the joints in another order than the skeleton."""
    character(scene, BENDS, joints=[arm.JOINTS[2], arm.JOINTS[0], arm.JOINTS[1]])


@sound
def sparse_in_other_order(scene):
    """An animation of two joints in another order than the skeleton."""
    character(scene, BENDS, joints=[arm.JOINTS[2], arm.JOINTS[0]])


@sound
def single_key(scene):
    """An animation with one key, whose pose applies at all times."""
    character(scene, ((10, 60),))


@sound
def default_values(scene):
    """An animation with default values only: a static pose."""
    character(scene, ((None, 60),))


@sound
def default_values_and_keys(scene):
    """An animation with default values and keys, which take precedence at every time code."""
    character(scene, ((None, 90), *BENDS))


@sound
def keys_at_different_times(scene):
    """Translations, rotations and scales with keys at different times."""
    result = character(scene, BENDS)
    translations, _, scales = arm.pose(0)
    result.animation.GetTranslationsAttr().Clear()
    result.animation.GetTranslationsAttr().Set(translations, 3)
    result.animation.GetTranslationsAttr().Set(Vt.Vec3fArray([(0.5, 0, 0), *translations[1:]]), 21)
    result.animation.GetScalesAttr().Clear()
    result.animation.GetScalesAttr().Set(scales)


@sound
def animated_scale(scene):
    """Keys of non-uniform scale, which USD stores in half precision."""
    result = character(scene, BENDS)
    result.animation.GetScalesAttr().Set(Vt.Vec3hArray([(1, 1, 1), (1.3, 0.7, 1), (0.9, 2, 1.1)]), 24)


@sound
def quaternion_signs(scene):
    """Consecutive rotation keys of opposite signs. USD rotates the shorter way."""
    result = character(scene, BENDS)
    rotations = result.animation.GetRotationsAttr()
    rotations.Set(Vt.QuatfArray([-rotation for rotation in rotations.Get(12)]), 12)


@sound
def wide_rotation(scene):
    """Two rotation keys that are 170° apart, for which slerp and nlerp differ."""
    character(scene, ((0, 0), (24, 170)))


@sound
def unevenly_spaced_keys(scene):
    """Keys at fractional time codes."""
    character(scene, ((0.25, 0), (1.5, 50), (17.75, -30), (23.125, 20)))


@sound
def keys_in_pairs(scene):
    """Two keys in quick succession, which is how USD files express steps: they have no step interpolation."""
    character(scene, ((0, 0), (11.999, 0), (12, 70), (23.999, 70), (24, -40)))


@sound
def animation_source_on_skel_root(scene):
    """skel:animationSource on the SkelRoot, which the skeleton inherits."""
    result = arm.Arm(scene.stage, animated=False)
    arm.bind_animation(result.root, arm.add_animation(scene.stage, "/Model/Animation"))


@sound
def animation_source_on_mesh(scene):
    """skel:animationSource on the mesh, which has no effect: the skeleton doesn't inherit it."""
    result = arm.Arm(scene.stage, animated=False)
    arm.bind_animation(result.mesh, arm.add_animation(scene.stage, "/Model/Animation"))


@sound
def animation_source_replaced_below(scene):
    """skel:animationSource on the SkelRoot and another one on the skeleton, which takes precedence."""
    result = arm.Arm(scene.stage)
    arm.bind_animation(result.root, arm.add_animation(scene.stage, "/Model/Other", ((0, 0), (24, 120))))


@sound
def animation_child_of_skeleton(scene):
    """An animation that is a child of the skeleton, as in files of Apple and of Blender."""
    result = arm.Arm(scene.stage, animated=False)
    arm.bind_animation(result.skeleton, arm.add_animation(scene.stage, "/Model/Skeleton/Animation"))


@sound
def unbound_animations(scene):
    """Two animations, of which only the first is bound."""
    arm.Arm(scene.stage)
    arm.add_animation(scene.stage, "/Model/Unused", ((0, 10), (24, 100)))


@sound
def shared_animation(scene):
    """Two characters with the same animation."""
    first = arm.Arm(scene.stage, "/Model/First")
    UsdGeom.Xform.Define(scene.stage, "/Model")
    second = arm.Arm(scene.stage, "/Model/Second", animated=False)
    second.root.AddTranslateOp().Set((3, 0, 0))
    arm.bind_animation(second.skeleton, first.animation)


@sound
def blocked_keys(scene):
    """An animation whose translations are blocked, so that UsdSkel ignores it and shows the rest pose."""
    result = character(scene, BENDS)
    result.animation.GetTranslationsAttr().Block()


@sound
def blocked_sample(scene):
    """A blocked sample of rotations at time code 12: until the next key, UsdSkel shows the rest pose."""
    result = character(scene, BENDS)
    result.animation.GetRotationsAttr().Set(Sdf.ValueBlock(), 12)


@sound
def inactive_animation(scene):
    """A deactivated animation, so that UsdSkel shows the rest pose."""
    character(scene, BENDS).animation.GetPrim().SetActive(False)


@fault("animation-joint-unknown")
def animation_joint_unknown(scene):
    """An animation with a joint that the skeleton doesn't have. UsdSkel ignores the joint."""
    result = character(scene, BENDS)
    joints = [*arm.JOINTS[:2], "Shoulder/Elbow/Hand"]
    result.animation.GetJointsAttr().Set(joints)


@fault("rest-transforms-missing")
def rest_missing_under_sparse_animation(scene):
    """A sparse animation of a skeleton without restTransforms. UsdSkel can't compute a pose."""
    result = character(scene, BENDS, joints=["Shoulder/Elbow"])
    result.skeleton.GetPrim().RemoveProperty("restTransforms")


@fault("animation-values-missing")
def scales_missing(scene):
    """An animation without scales. UsdSkel ignores it."""
    result = character(scene, BENDS)
    result.animation.GetPrim().RemoveProperty("scales")


@fault("animation-size-mismatch")
def translations_too_short(scene):
    """Translations for two of the three joints. UsdSkel ignores the animation."""
    attribute = character(scene, BENDS).animation.GetTranslationsAttr()
    for time_code, _ in BENDS:
        attribute.Set(attribute.Get(time_code)[:2], time_code)


@fault("rotations-not-normalized")
def rotations_not_normalized(scene):
    """Quaternions of length 1.5, which scale the joints, because UsdSkel doesn't normalise them."""
    attribute = character(scene, BENDS).animation.GetRotationsAttr()
    for time_code, _ in BENDS:
        attribute.Set(Vt.QuatfArray([Gf.Quatf(1.5 * value.GetReal(), 1.5 * value.GetImaginary())
                                     for value in attribute.Get(time_code)]), time_code)
