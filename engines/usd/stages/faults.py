"""Stages with one fault in the data of a skinned character: sizes, indices, and poses that contradict each other.

Faults that belong to a subject of another module are there.
"""

from pxr import Gf, Vt

from . import arm
from .registry import fault


@fault("binding-joint-unknown")
def binding_joint_unknown(scene):
    """skel:joints of a mesh with a joint that the skeleton doesn't have. UsdSkel gives it the identity."""
    arm.Arm(scene.stage, joints=["Shoulder", "Shoulder/Elbow", "Shoulder/Elbow/Hand"])


@fault("joint-parent-missing")
def joint_without_ancestor(scene):
    """A joint path of which no ancestor is in the list, so that the joint is a root."""
    character = arm.Arm(scene.stage)
    joints = ["Shoulder", "Shoulder/Elbow", "Arm/Elbow/Wrist"]
    character.skeleton.GetJointsAttr().Set(joints)
    character.animation.GetJointsAttr().Set(joints)


@fault("joint-duplicate")
def joint_duplicate(scene):
    """A joint that is listed twice."""
    character = arm.Arm(scene.stage)
    joints = ["Shoulder", "Shoulder/Elbow", "Shoulder/Elbow"]
    character.skeleton.GetJointsAttr().Set(joints)
    character.animation.GetJointsAttr().Set(joints)


@fault("bind-and-rest-swapped")
def bind_and_rest_swapped(scene):
    """bindTransforms relative to the parent joint and restTransforms in world space: each has the other's values."""
    skeleton = arm.Arm(scene.stage).skeleton
    skeleton.GetBindTransformsAttr().Set(arm.rest_transforms())
    skeleton.GetRestTransformsAttr().Set(arm.bind_transforms())


@fault("bind-transposed")
def bind_transposed(scene):
    """bindTransforms for column vectors, with the translation in the last column."""
    skeleton = arm.Arm(scene.stage).skeleton
    skeleton.GetBindTransformsAttr().Set(Vt.Matrix4dArray([bind.GetTranspose() for bind in arm.bind_transforms()]))


@fault("bind-inverted")
def bind_inverted(scene):
    """bindTransforms with the inverse matrices, as glTF stores them."""
    skeleton = arm.Arm(scene.stage).skeleton
    skeleton.GetBindTransformsAttr().Set(Vt.Matrix4dArray([bind.GetInverse() for bind in arm.bind_transforms()]))


@fault("bind-singular")
def bind_singular(scene):
    """A bind transform with a scale of 0, which has no inverse."""
    skeleton = arm.Arm(scene.stage).skeleton
    bind = arm.bind_transforms()
    bind[1] = Gf.Matrix4d().SetScale(Gf.Vec3d(0, 1, 1)) * bind[1]
    skeleton.GetBindTransformsAttr().Set(bind)


@fault("bind-transforms-missing")
def bind_transforms_missing(scene):
    """A skeleton without bindTransforms. UsdSkel can't skin the mesh."""
    arm.Arm(scene.stage).skeleton.GetPrim().RemoveProperty("bindTransforms")


@fault("bind-size-mismatch")
def bind_transforms_too_short(scene):
    """bindTransforms for two of three joints. UsdSkel can't skin the mesh."""
    arm.Arm(scene.stage).skeleton.GetBindTransformsAttr().Set(arm.bind_transforms()[:2])


@fault("rest-size-mismatch")
def rest_transforms_too_short(scene):
    """restTransforms for two of three joints, which UsdSkel treats like missing ones."""
    arm.Arm(scene.stage, animated=False).skeleton.GetRestTransformsAttr().Set(arm.rest_transforms()[:2])


@fault("element-size-mismatch")
def element_size_does_not_divide(scene):
    """84 influences with an elementSize of 5. UsdSkel can't skin the mesh."""
    arm.Arm(scene.stage).rebind(5, *arm.influences(2))


@fault("element-size-mismatch")
def element_size_differs(scene):
    """jointIndices with an elementSize of 2, jointWeights with one of 4. UsdSkel treats the mesh as unskinned."""
    character = arm.Arm(scene.stage)
    character.binding.GetJointWeightsPrimvar().SetElementSize(4)


@fault("element-size-missing")
def element_size_missing(scene):
    """Two influences per point without elementSize, which is 1 by default."""
    character = arm.Arm(scene.stage)
    for primvar in (character.binding.GetJointIndicesPrimvar(), character.binding.GetJointWeightsPrimvar()):
        primvar.GetAttr().ClearMetadata("elementSize")


@fault("influence-interpolation-invalid")
def influence_interpolation_invalid(scene):
    """Influences of uniform interpolation. UsdSkel treats the mesh as unskinned."""
    character = arm.Arm(scene.stage)
    character.rebind(2, *arm.influences(2), "uniform")


@fault("influence-size-mismatch")
def influences_too_few(scene):
    """Influences for 40 of the 42 points. UsdSkel can't skin the mesh."""
    indices, weights = arm.influences(2)
    arm.Arm(scene.stage).rebind(2, indices[:80], weights[:80])


@fault("influence-size-mismatch")
def weights_too_few(scene):
    """Fewer weights than indices. UsdSkel can't skin the mesh."""
    indices, weights = arm.influences(2)
    arm.Arm(scene.stage).rebind(2, indices, weights[:80])


@fault("joint-index-out-of-range")
def joint_index_out_of_range(scene):
    """A joint index beyond the last joint, in the middle of the mesh. UsdSkel stops there."""
    indices, weights = arm.influences(2)
    indices[40] = 3
    arm.Arm(scene.stage).rebind(2, indices, weights)


@fault("joint-index-out-of-range")
def joint_index_out_of_range_without_weight(scene):
    """A joint index beyond the last joint whose weight is 0."""
    indices, weights = arm.influences(4)
    indices[-1] = 255
    arm.Arm(scene.stage, per_point=4).rebind(4, indices, weights)


@fault("joint-index-out-of-range")
def joint_index_negative(scene):
    """A joint index of -1 for an unused influence, as some exporters write."""
    indices, weights = arm.influences(4)
    indices = [-1 if weight == 0 else index for index, weight in zip(indices, weights)]
    arm.Arm(scene.stage, per_point=4).rebind(4, indices, weights)


@fault("points-not-finite")
def points_not_finite(scene):
    """A point that isn't a number."""
    attribute = arm.Arm(scene.stage).mesh.GetPointsAttr()
    points = attribute.Get()
    points[3] = (float("nan"), 0, 0)
    attribute.Set(points)


@fault("skeleton-target-invalid")
def skeleton_target_invalid(scene):
    """skel:skeleton that refers to a prim that isn't a skeleton."""
    arm.Arm(scene.stage).binding.GetSkeletonRel().SetTargets(["/Model"])


@fault("normal-count-mismatch")
def normals_too_few(scene):
    """Fewer normals than points."""
    arm.Arm(scene.stage).mesh.GetNormalsAttr().Set(arm.normals()[:10])
