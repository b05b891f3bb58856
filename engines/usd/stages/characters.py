"""Stages with several characters: SkelRoots, skeletons and instances."""

from pxr import UsdGeom, UsdSkel

from . import arm
from .registry import fault, sound

OTHER_BENDS = ((0, 0), (6, -50), (24, 90))


@sound
def two_skel_roots(scene):
    """Two SkelRoots with separate skeletons and animations."""
    UsdGeom.Xform.Define(scene.stage, "/Model")
    arm.Arm(scene.stage, "/Model/First")
    second = arm.Arm(scene.stage, "/Model/Second", animated=False)
    second.root.AddTranslateOp().Set((3, 0, 0))
    arm.bind_animation(second.skeleton, arm.add_animation(scene.stage, "/Model/Second/Animation", OTHER_BENDS))


@sound
def two_skeletons(scene):
    """Two skeletons below one SkelRoot, each with a mesh and an animation."""
    character = arm.Arm(scene.stage)
    skeleton = arm.add_skeleton(scene.stage, "/Model/OtherSkeleton")
    skeleton.AddTranslateOp().Set((3, 0, 0))
    arm.bind_animation(skeleton, arm.add_animation(scene.stage, "/Model/OtherAnimation", OTHER_BENDS))
    arm.bind(arm.add_tube(scene.stage, "/Model/OtherTube"), skeleton, per_point=3)
    assert character.skeleton.GetPath() != skeleton.GetPath()


@sound
def two_meshes(scene):
    """Two meshes with the same skeleton and different numbers of influences."""
    character = arm.Arm(scene.stage)
    arm.bind(arm.add_tube(scene.stage, "/Model/Second", arm.points(offset=(1.5, 0, 0))), character.skeleton, 4)


@sound
def skeleton_of_another_branch(scene):
    """A mesh whose skeleton is in another branch of the same SkelRoot, below an Xform."""
    UsdSkel.Root.Define(scene.stage, "/Model").AddTranslateOp().Set((0, 1, 0))
    UsdGeom.Xform.Define(scene.stage, "/Model/A").AddRotateYOp().Set(30)
    UsdGeom.Xform.Define(scene.stage, "/Model/B").AddTranslateOp().Set((4, 0, 0))
    skeleton = arm.add_skeleton(scene.stage, "/Model/A/Skeleton")
    arm.bind(arm.add_tube(scene.stage, "/Model/B/Tube"), skeleton)
    arm.bind_animation(skeleton, arm.add_animation(scene.stage, "/Model/A/Animation"))


def add_prototype(scene, animated):
    """A character outside of the model that is only there to be referenced."""
    scene.stage.CreateClassPrim("/Prototypes")
    return arm.Arm(scene.stage, "/Prototypes/Character", animated)


def add_instance(scene, path, offset, instanceable=True):
    prim = scene.stage.DefinePrim(path)
    prim.GetReferences().AddInternalReference("/Prototypes/Character")
    prim.SetInstanceable(instanceable)
    UsdGeom.Xformable(prim).AddTranslateOp().Set(offset)
    return prim


@sound
def instanced_characters(scene):
    """Three instances of an animated character."""
    add_prototype(scene, animated=True)
    UsdGeom.Xform.Define(scene.stage, "/Model")
    for number in range(3):
        add_instance(scene, f"/Model/Instance{number}", (3 * number, 0, number))


@sound
def instances_with_animations(scene):
    """Instances whose animations differ: skel:animationSource on the instances, which their skeletons inherit."""
    character = add_prototype(scene, animated=False)
    UsdSkel.BindingAPI.Apply(character.root.GetPrim())
    UsdGeom.Xform.Define(scene.stage, "/Model")
    for number, bends in enumerate((((0, 0), (24, 80)), OTHER_BENDS)):
        instance = add_instance(scene, f"/Model/Instance{number}", (3 * number, 0, 0))
        arm.bind_animation(instance, arm.add_animation(scene.stage, f"/Model/Animation{number}", bends))


@sound
def instance_next_to_copy(scene):
    """An instance next to a reference that isn't instanceable and overrides a transform."""
    add_prototype(scene, animated=True)
    UsdGeom.Xform.Define(scene.stage, "/Model")
    add_instance(scene, "/Model/Instance", (0, 0, 0))
    add_instance(scene, "/Model/Copy", (3, 0, 0), instanceable=False)
    skeleton = UsdGeom.Xformable(scene.stage.OverridePrim("/Model/Copy/Skeleton"))
    skeleton.AddTranslateOp().Set((0, 2, 0))


@sound
def instanced_mesh(scene):
    """Instances of an unskinned mesh with different transforms."""
    scene.stage.CreateClassPrim("/Prototypes")
    UsdGeom.Xform.Define(scene.stage, "/Prototypes/Character")
    arm.add_tube(scene.stage, "/Prototypes/Character/Tube")
    UsdGeom.Xform.Define(scene.stage, "/Model")
    for number in range(3):
        prim = add_instance(scene, f"/Model/Instance{number}", (2 * number, 0, 0))
        UsdGeom.Xformable(prim).AddRotateZOp().Set(30.0 * number)


@sound
def nested_skel_roots(scene):
    """A SkelRoot below another SkelRoot, which UsdSkel treats like an Xform."""
    UsdSkel.Root.Define(scene.stage, "/Model").AddTranslateOp().Set((0, 0, 2))
    arm.Arm(scene.stage, "/Model/Inner")


@fault("mesh-below-mesh")
def mesh_below_skinned_mesh(scene):
    """A mesh that is a child of a skinned mesh. UsdSkel doesn't skin it, and gprims must not be nested."""
    character = arm.Arm(scene.stage)
    arm.bind(arm.add_tube(scene.stage, "/Model/Tube/Inner", arm.points(offset=(2, 0, 0))), character.skeleton)


@fault("outside-skel-root")
def mesh_outside_skel_root(scene):
    """A skinned mesh without a SkelRoot among its ancestors. UsdSkel doesn't skin it."""
    UsdGeom.Xform.Define(scene.stage, "/Model")
    character = arm.Arm(scene.stage, "/Model/Rig")
    scene.stage.RemovePrim("/Model/Rig/Tube")
    arm.bind(arm.add_tube(scene.stage, "/Model/Tube"), character.skeleton)


@fault("outside-skel-root")
def skeleton_outside_skel_root(scene):
    """A skeleton without a SkelRoot among its ancestors; the mesh has one."""
    UsdGeom.Xform.Define(scene.stage, "/Model").AddTranslateOp().Set((0, 0, 1))
    skeleton = arm.add_skeleton(scene.stage, "/Model/Skeleton")
    arm.bind_animation(skeleton, arm.add_animation(scene.stage, "/Model/Animation"))
    UsdSkel.Root.Define(scene.stage, "/Model/Character").AddTranslateOp().Set((5, 0, 0))
    arm.bind(arm.add_tube(scene.stage, "/Model/Character/Tube"), skeleton)


@fault("outside-skel-root")
def no_skel_root(scene):
    """A skinned character below an Xform instead of a SkelRoot. UsdSkel doesn't skin it."""
    arm.Arm(scene.stage)
    UsdGeom.Xform.Define(scene.stage, "/Model")
    scene.stage.GetPrimAtPath("/Model").RemoveProperty("extent")
