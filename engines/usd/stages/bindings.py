"""Stages about SkelBindingAPI: the prim that binds the skeleton, the influences, and the skinning method."""

from pxr import Gf, UsdGeom, UsdSkel

from . import arm
from .registry import fault, sound


@sound
def bound_on_skel_root(scene):
    """skel:skeleton and skel:animationSource on the SkelRoot, which the mesh and the skeleton inherit."""
    character = arm.Arm(scene.stage)
    for prim, name in ((character.mesh, "skel:skeleton"), (character.skeleton, "skel:animationSource")):
        prim.GetPrim().RemoveProperty(name)
    binding = arm.bind_animation(character.root, character.animation)
    binding.CreateSkeletonRel().SetTargets([character.skeleton.GetPath()])


@sound
def bound_on_intermediate_xform(scene):
    """skel:skeleton, skel:joints, geomBindTransform and influences on an Xform above two meshes, which inherit them."""
    stage = scene.stage
    UsdSkel.Root.Define(stage, "/Model")
    group = UsdGeom.Xform.Define(stage, "/Model/Geometry")
    skeleton = arm.add_skeleton(stage, "/Model/Skeleton")
    arm.bind(group, skeleton, weights=([0], [1.0]), per_point=1, geom_bind=arm.translation(0, 0, 1),
             joints=["Shoulder/Elbow"])
    binding = UsdSkel.BindingAPI(group)
    for primvar in (binding.GetJointIndicesPrimvar(), binding.GetJointWeightsPrimvar()):
        primvar.SetInterpolation(UsdGeom.Tokens.constant)
    arm.add_tube(stage, "/Model/Geometry/Left")
    arm.add_tube(stage, "/Model/Geometry/Right", arm.points(offset=(2, 0, 0)))
    arm.bind_animation(skeleton, arm.add_animation(stage, "/Model/Animation"))


@fault("outside-skel-root")
def animation_source_above_skel_root(scene):
    """skel:animationSource on an Xform above the SkelRoot, which the skeleton inherits nevertheless."""
    group = UsdGeom.Xform.Define(scene.stage, "/Model")
    arm.Arm(scene.stage, "/Model/Character", animated=False)
    arm.bind_animation(group, arm.add_animation(scene.stage, "/Model/Animation"))


@fault("outside-skel-root")
def skeleton_bound_above_skel_root(scene):
    """skel:skeleton on an Xform above the SkelRoot, which has no effect."""
    group = UsdGeom.Xform.Define(scene.stage, "/Model")
    character = arm.Arm(scene.stage, "/Model/Character")
    character.mesh.GetPrim().RemoveProperty("skel:skeleton")
    UsdSkel.BindingAPI.Apply(group.GetPrim()).CreateSkeletonRel().SetTargets([character.skeleton.GetPath()])


@sound
def binding_replaced_below(scene):
    """A mesh whose skel:skeleton replaces the one that it inherits."""
    stage = scene.stage
    character = arm.Arm(stage)
    other = arm.add_skeleton(stage, "/Model/Other")
    arm.bind_animation(other, arm.add_animation(stage, "/Model/OtherAnimation", ((0, 0), (24, -90))))
    UsdSkel.BindingAPI.Apply(character.root.GetPrim()).CreateSkeletonRel().SetTargets([other.GetPath()])
    arm.bind(arm.add_tube(stage, "/Model/Second", arm.points(offset=(0, 0, 2))))


@sound
def joint_subset(scene):
    """A mesh that names two of the three joints in another order; its indices count in its skel:joints."""
    character = arm.Arm(scene.stage, joints=["Shoulder/Elbow/Wrist", "Shoulder"])
    indices, weights = [], []
    for point in arm.points():
        indices += [1, 0]
        weights += [1 - point[1] / arm.HEIGHT, point[1] / arm.HEIGHT]
    character.rebind(2, indices, weights)


@sound
def joint_reorder_per_mesh(scene):
    """Two meshes with skel:joints in different orders."""
    character = arm.Arm(scene.stage)
    order = [2, 0, 1]
    indices, weights = arm.influences(2)
    arm.bind(arm.add_tube(scene.stage, "/Model/Second", arm.points(offset=(2, 0, 0))), character.skeleton,
             weights=([order.index(index) for index in indices], weights),
             joints=[arm.JOINTS[joint] for joint in order])


@sound
def one_influence(scene):
    """One influence per point."""
    arm.Arm(scene.stage, per_point=1)


@sound
def four_influences(scene):
    """Four influences per point, of which the last is unused."""
    arm.Arm(scene.stage, per_point=4)


@sound
def eight_influences(scene):
    """Eight influences per point, all of them used: joints repeat."""
    character = arm.Arm(scene.stage)
    indices = [slot % 3 for _ in arm.points() for slot in range(8)]
    weights = [share for point in arm.points() for share in _eight_shares(point[1] / arm.HEIGHT)]
    character.rebind(8, indices, weights)


def _eight_shares(height):
    shares = [1 + height * slot for slot in range(8)]
    return [share / sum(shares) for share in shares]


@sound
def rigid(scene):
    """Constant influences: the whole mesh follows one joint."""
    arm.Arm(scene.stage).rebind(1, [2], [1.0], UsdGeom.Tokens.constant)


@sound
def rigid_with_two_joints(scene):
    """Constant influences of two joints, so that the whole mesh has the average of two transforms."""
    arm.Arm(scene.stage).rebind(2, [1, 2], [0.25, 0.75], UsdGeom.Tokens.constant)


@sound
def geom_bind_transform(scene):
    """A geomBindTransform with rotation, translation and non-uniform scale."""
    scale = Gf.Matrix4d().SetScale(Gf.Vec3d(0.5, 1, 2))
    arm.Arm(scene.stage, geom_bind=scale * arm.rotation((1, 1, 0), 50) * arm.translation(0.3, 0.2, -0.1))


@sound
def dual_quaternion(scene):
    """Dual quaternion skinning (primvars:skel:skinningMethod = "dualQuaternion")."""
    arm.Arm(scene.stage).binding.CreateSkinningMethodAttr(UsdSkel.Tokens.dualQuaternion)


@sound
def dual_quaternion_with_scale(scene):
    """Dual quaternion skinning with joints of different scales."""
    character = arm.Arm(scene.stage)
    character.binding.CreateSkinningMethodAttr(UsdSkel.Tokens.dualQuaternion)
    for time_code, scales in ((0, [(1, 1, 1)] * 3), (24, [(1, 1, 1), (2, 0.5, 1), (1.5, 1.5, 1.5)])):
        character.animation.GetScalesAttr().Set(scales, time_code)
    character.animation.GetScalesAttr().ClearAtTime(12)


@sound
def dual_quaternion_inherited(scene):
    """skinningMethod on the SkelRoot, which the mesh inherits."""
    character = arm.Arm(scene.stage)
    UsdSkel.BindingAPI.Apply(character.root.GetPrim()).CreateSkinningMethodAttr(UsdSkel.Tokens.dualQuaternion)


@sound
def skinned_and_unskinned(scene):
    """An unskinned mesh and a skinned one below the same SkelRoot."""
    arm.Arm(scene.stage)
    mesh = arm.add_tube(scene.stage, "/Model/Rock", arm.points(offset=(2, 0, 0)))
    mesh.AddTranslateOp().Set((0, 1, 0))


@sound
def influences_without_skeleton(scene):
    """A mesh with influences and no skeleton, which stays unskinned."""
    arm.Arm(scene.stage).mesh.GetPrim().RemoveProperty("skel:skeleton")


@fault("weights-not-normalized")
def weights_not_normalized(scene):
    """Weights that sum to 0.8 or 1.3. UsdSkel uses them as they are."""
    character = arm.Arm(scene.stage)
    indices, weights = arm.influences(2)
    character.rebind(2, indices, [weight * (0.8 if slot < 40 else 1.3) for slot, weight in enumerate(weights)])


@fault("weights-zero")
def weights_zero(scene):
    """Points whose weights are all 0, which UsdSkel moves to the origin of the skeleton."""
    character = arm.Arm(scene.stage)
    indices, weights = arm.influences(2)
    character.rebind(2, indices, [0.0 if slot < 12 else weight for slot, weight in enumerate(weights)])


@fault("missing-binding-api")
def binding_api_not_applied(scene):
    """Binding properties on a mesh without SkelBindingAPI. UsdSkel 26.11 ignores them."""
    remove_api(arm.Arm(scene.stage).mesh)


@fault("missing-binding-api")
def animation_source_without_binding_api(scene):
    """skel:animationSource on a skeleton without SkelBindingAPI."""
    remove_api(arm.Arm(scene.stage).skeleton)


def remove_api(schema):
    """Removes the list of API schemas, so that the prim looks like one of an old exporter."""
    schema.GetPrim().ClearMetadata("apiSchemas")
