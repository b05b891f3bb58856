"""Stages about prims that aren't shown or aren't meshes: visibility, purpose, cameras, lights and curves."""

from pxr import UsdGeom, UsdLux

from . import arm
from .meshes import model
from .registry import sound


def add_row(scene, *names):
    """A row of tubes below </Model>."""
    model(scene)
    return [arm.add_tube(scene.stage, f"/Model/{name}", arm.points(offset=(2 * number, 0, 0)))
            for number, name in enumerate(names)]


@sound
def visibility(scene):
    """A visible mesh, an invisible one, and one whose parent is invisible."""
    _, hidden = add_row(scene, "Shown", "Hidden")
    hidden.CreateVisibilityAttr(UsdGeom.Tokens.invisible)
    group = UsdGeom.Xform.Define(scene.stage, "/Model/Group")
    group.CreateVisibilityAttr(UsdGeom.Tokens.invisible)
    arm.add_tube(scene.stage, "/Model/Group/Inner", arm.points(offset=(4, 0, 0)))


@sound
def animated_visibility(scene):
    """A mesh that is invisible from time code 12 on."""
    _, blinking = add_row(scene, "Shown", "Blinking")
    blinking.CreateVisibilityAttr().Set(UsdGeom.Tokens.inherited, 0)
    blinking.GetVisibilityAttr().Set(UsdGeom.Tokens.invisible, 12)


@sound
def purposes(scene):
    """A mesh per purpose: default, render, proxy and guide."""
    for mesh, purpose in zip(add_row(scene, "Default", "Render", "Proxy", "Guide"),
                             ("default", "render", "proxy", "guide")):
        mesh.CreatePurposeAttr(purpose)


@sound
def inherited_purpose(scene):
    """A mesh below an Xform of the purpose guide."""
    add_row(scene, "Shown")
    UsdGeom.Xform.Define(scene.stage, "/Model/Guides").CreatePurposeAttr(UsdGeom.Tokens.guide)
    arm.add_tube(scene.stage, "/Model/Guides/Inner", arm.points(offset=(3, 0, 0)))


@sound
def inactive_prims(scene):
    """A deactivated mesh, and one whose parent is deactivated."""
    _, inactive = add_row(scene, "Shown", "Inactive")
    inactive.GetPrim().SetActive(False)
    group = UsdGeom.Xform.Define(scene.stage, "/Model/Group")
    arm.add_tube(scene.stage, "/Model/Group/Inner", arm.points(offset=(4, 0, 0)))
    group.GetPrim().SetActive(False)


@sound
def hidden_character(scene):
    """An invisible skinned mesh next to a visible one."""
    character = arm.Arm(scene.stage)
    mesh = arm.add_tube(scene.stage, "/Model/Hidden", arm.points(offset=(2, 0, 0)))
    arm.bind(mesh, character.skeleton).GetPrim()
    mesh.CreateVisibilityAttr(UsdGeom.Tokens.invisible)


@sound
def cameras_and_lights(scene):
    """A camera and lights next to a mesh."""
    add_row(scene, "Tube")
    camera = UsdGeom.Camera.Define(scene.stage, "/Model/Camera")
    camera.AddTranslateOp().Set((0, 1.5, 10))
    camera.CreateFocalLengthAttr(35)
    UsdLux.DistantLight.Define(scene.stage, "/Model/Sun").CreateIntensityAttr(2)
    UsdLux.SphereLight.Define(scene.stage, "/Model/Bulb").CreateRadiusAttr(0.1)
    UsdLux.DomeLight.Define(scene.stage, "/Model/Sky")


@sound
def curves_and_points(scene):
    """Curves and points next to a mesh; they aren't meshes."""
    add_row(scene, "Tube")
    curves = UsdGeom.BasisCurves.Define(scene.stage, "/Model/Hair")
    curves.CreateTypeAttr(UsdGeom.Tokens.linear)
    curves.CreatePointsAttr([(0, 3, 0), (0, 4, 1), (1, 3, 0), (1, 4, 1)])
    curves.CreateCurveVertexCountsAttr([2, 2])
    curves.CreateWidthsAttr([0.1] * 4)
    points = UsdGeom.Points.Define(scene.stage, "/Model/Dust")
    points.CreatePointsAttr([(2, 2, 2), (3, 3, 3)])
    points.CreateWidthsAttr([0.2, 0.1])


@sound
def solids(scene):
    """Implicit surfaces next to a mesh; they have no points."""
    add_row(scene, "Tube")
    UsdGeom.Cube.Define(scene.stage, "/Model/Cube").CreateSizeAttr(1)
    UsdGeom.Sphere.Define(scene.stage, "/Model/Sphere").CreateRadiusAttr(0.5)
    UsdGeom.Capsule.Define(scene.stage, "/Model/Capsule")


@sound
def point_instancer(scene):
    """A PointInstancer next to a mesh. Its prototype is drawn only at the places of the instances."""
    add_row(scene, "Tube")
    instancer = UsdGeom.PointInstancer.Define(scene.stage, "/Model/Forest")
    arm.add_tube(scene.stage, "/Model/Forest/Tree")
    instancer.CreatePrototypesRel().SetTargets(["/Model/Forest/Tree"])
    instancer.CreateProtoIndicesAttr([0, 0])
    instancer.CreatePositionsAttr([(5, 0, 0), (7, 0, 0)])
