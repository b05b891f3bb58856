"""Stages about skeletons: bind and rest poses, joint names, and transforms above the skeleton."""

from pxr import Gf, UsdGeom, UsdSkel, Vt

from . import arm
from .registry import fault, sound


@sound
def skinned(scene):
    """A skinned character with the same bind and rest pose and an animation of all joints."""
    arm.Arm(scene.stage)


@sound
def without_animation(scene):
    """A skinned character without an animation, in a rest pose that differs from the bind pose."""
    character = arm.Arm(scene.stage, animated=False)
    rest = arm.rest_transforms()
    rest[1] = arm.rotation((0, 0, 1), 60) * rest[1]
    character.skeleton.GetRestTransformsAttr().Set(rest)


@sound
def rest_differs_from_bind(scene):
    """A rest pose that differs from the bind pose under an animation of all joints, which replaces it."""
    character = arm.Arm(scene.stage)
    rest = arm.rest_transforms()
    rest[2] = arm.rotation((1, 0, 0), 45) * rest[2] * arm.translation(0, 0, 0.5)
    character.skeleton.GetRestTransformsAttr().Set(rest)


@sound
def rest_missing_under_full_animation(scene):
    """A skeleton without restTransforms under an animation of all joints, which doesn't need them."""
    arm.Arm(scene.stage).skeleton.GetPrim().RemoveProperty("restTransforms")


@sound
def several_root_joints(scene):
    """A skeleton of three root joints."""
    character = arm.Arm(scene.stage, animated=False)
    joints = ["Shoulder", "Elbow", "Wrist"]
    character.skeleton.GetJointsAttr().Set(joints)
    character.skeleton.GetRestTransformsAttr().Set(arm.bind_transforms())
    animation = arm.add_animation(scene.stage, "/Model/Animation")
    animation.GetJointsAttr().Set(joints)
    arm.bind_animation(character.skeleton, animation)


@sound
def joint_below_missing_parent(scene):
    """A joint whose path skips a level: its parent is the nearest ancestor in the list."""
    joints = ["Shoulder", "Shoulder/Elbow", "Shoulder/Elbow/Forearm/Twist/Wrist"]
    character = arm.Arm(scene.stage)
    character.skeleton.GetJointsAttr().Set(joints)
    character.animation.GetJointsAttr().Set(joints)


@fault("joint-path-invalid")
def joint_names_with_namespaces(scene):
    """Joint names with colons and dots, which aren't valid in paths of prims. UsdSkel makes each joint a root."""
    joints = ["rig:Shoulder", "rig:Shoulder/rig:Elbow.L", "rig:Shoulder/rig:Elbow.L/rig:Wrist"]
    character = arm.Arm(scene.stage)
    character.skeleton.GetJointsAttr().Set(joints)
    character.skeleton.CreateJointNamesAttr(["shoulder", "elbow", "wrist"])
    character.animation.GetJointsAttr().Set(joints)


@sound
def many_joints(scene):
    """A skeleton of 300 joints, more than a byte can count; the mesh uses the last three."""
    character = arm.Arm(scene.stage, animated=False)
    names = [f"Extra{number}" for number in range(297)] + arm.JOINTS
    extra = [arm.translation(0, number / 100, 0) for number in range(297)]
    character.skeleton.GetJointsAttr().Set(names)
    character.skeleton.GetBindTransformsAttr().Set(Vt.Matrix4dArray([*extra, *arm.bind_transforms()]))
    character.skeleton.GetRestTransformsAttr().Set(Vt.Matrix4dArray([*extra, *arm.rest_transforms()]))
    indices, weights = arm.influences(2)
    character.rebind(2, [index + 297 for index in indices], weights)
    arm.bind_animation(character.skeleton, arm.add_animation(scene.stage, "/Model/Animation"))


@sound
def scaled_rest(scene):
    """Non-uniform scale in the rest and bind pose of joints whose children are rotated, which shears."""
    character = arm.Arm(scene.stage, animated=False)
    rest = arm.rest_transforms()
    rest[0] = Gf.Matrix4d().SetScale(Gf.Vec3d(1, 2, 0.5)) * rest[0]
    bind = [rest[0], rest[1] * rest[0], rest[2] * rest[1] * rest[0]]
    character.skeleton.GetBindTransformsAttr().Set(Vt.Matrix4dArray(bind))
    rest[1] = arm.rotation((0, 0, 1), 70) * rest[1]
    character.skeleton.GetRestTransformsAttr().Set(rest)


@sound
def bind_with_reflection(scene):
    """A bind pose with a mirrored joint, as rigs have that mirror the left side."""
    character = arm.Arm(scene.stage, animated=False)
    mirror = Gf.Matrix4d().SetScale(Gf.Vec3d(-1, 1, 1))
    bind = arm.bind_transforms()
    bind[2] = mirror * bind[2]
    rest = arm.rest_transforms()
    rest[2] = mirror * arm.rotation((0, 1, 0), 40) * rest[2]
    character.skeleton.GetBindTransformsAttr().Set(bind)
    character.skeleton.GetRestTransformsAttr().Set(rest)


@sound
def skeleton_with_transform(scene):
    """A transform on the skeleton, which moves the skinned mesh."""
    skeleton = arm.Arm(scene.stage).skeleton
    skeleton.AddTranslateOp().Set((1, 2, 3))
    skeleton.AddRotateXYZOp().Set((30, 0, 60))
    skeleton.AddScaleOp().Set((1, 1.5, 1))


@sound
def mesh_with_transform(scene):
    """A transform on the skinned mesh, which has no effect."""
    mesh = arm.Arm(scene.stage).mesh
    mesh.AddTranslateOp().Set((1, 2, 3))
    mesh.AddRotateXOp().Set(45)


@sound
def mesh_with_animated_transform(scene):
    """An animated transform on the skinned mesh, which has no effect."""
    operation = arm.Arm(scene.stage).mesh.AddTranslateOp()
    operation.Set((0, 0, 0), 0)
    operation.Set((5, 0, 0), 24)


@sound
def root_with_animated_transform(scene):
    """An animated transform on the SkelRoot, which moves the skeleton and thus the mesh."""
    operation = arm.Arm(scene.stage).root.AddTranslateOp()
    operation.Set((0, 0, 0), 0)
    operation.Set((3, 0, 1), 24)


@sound
def transforms_between(scene):
    """Different transforms between the SkelRoot and the skeleton, and between the SkelRoot and the mesh."""
    stage = scene.stage
    root = UsdSkel.Root.Define(stage, "/Model")
    root.AddRotateYOp().Set(25)
    UsdGeom.Xform.Define(stage, "/Model/Rig").AddTranslateOp().Set((0, 1, 0))
    UsdGeom.Xform.Define(stage, "/Model/Geometry").AddTranslateOp().Set((7, 7, 7))
    skeleton = arm.add_skeleton(stage, "/Model/Rig/Skeleton")
    arm.bind(arm.add_tube(stage, "/Model/Geometry/Tube"), skeleton)
    arm.bind_animation(skeleton, arm.add_animation(stage, "/Model/Rig/Animation"))


@sound
def animated_xform_above_skeleton(scene):
    """An animated Xform between the SkelRoot and the skeleton; the mesh isn't below it, but follows."""
    stage = scene.stage
    UsdSkel.Root.Define(stage, "/Model")
    operation = UsdGeom.Xform.Define(stage, "/Model/Rig").AddRotateZOp()
    operation.Set(0, 0)
    operation.Set(90, 24)
    skeleton = arm.add_skeleton(stage, "/Model/Rig/Skeleton")
    arm.bind(arm.add_tube(stage, "/Model/Tube"), skeleton)
    arm.bind_animation(skeleton, arm.add_animation(stage, "/Model/Rig/Animation"))


@fault("joints-out-of-order")
def joints_out_of_order(scene):
    """A skeleton whose children come before their parents, which UsdSkelTopology rejects."""
    character = arm.Arm(scene.stage)
    order = [2, 0, 1]
    character.skeleton.GetJointsAttr().Set([arm.JOINTS[joint] for joint in order])
    for attribute in (character.skeleton.GetBindTransformsAttr(), character.skeleton.GetRestTransformsAttr()):
        values = attribute.Get()
        attribute.Set(Vt.Matrix4dArray([values[joint] for joint in order]))
    indices, weights = arm.influences(2)
    character.rebind(2, [order.index(index) for index in indices], weights)
