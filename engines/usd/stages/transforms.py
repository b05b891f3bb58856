"""Stages about the transforms of unskinned meshes. They author each kind of transform operation once."""

from pxr import Gf, Ts, UsdGeom

from . import arm
from .meshes import model
from .registry import sound


def tube(scene, parent="/Model"):
    """A tube below an Xform with a transform, as an Xformable."""
    UsdGeom.XformCommonAPI(model(scene)).SetTranslate((0.5, -1, 2))
    return arm.add_tube(scene.stage, f"{parent}/Tube")


@sound
def translate_rotate_scale(scene):
    """Translation, rotateXYZ and non-uniform scale on a mesh."""
    mesh = tube(scene)
    mesh.AddTranslateOp().Set((1, 2, 3))
    mesh.AddRotateXYZOp().Set((30, -40, 70))
    mesh.AddScaleOp().Set((1, 2, 0.5))


@sound
def pivots(scene):
    """The operations that Maya exports: separate pivots of rotation and scale, each followed by its inverse."""
    mesh = tube(scene)
    mesh.AddTranslateOp().Set((1, 0, 0))
    mesh.AddTranslateOp(opSuffix="rotatePivotTranslate").Set((0.1, 0.2, 0.3))
    mesh.AddTranslateOp(opSuffix="rotatePivot").Set((0, 1.5, 0))
    mesh.AddRotateXYZOp().Set((20, 50, -30))
    mesh.AddTranslateOp(opSuffix="rotatePivot", isInverseOp=True)
    mesh.AddTranslateOp(opSuffix="scalePivot").Set((0.5, 3, 0))
    mesh.AddScaleOp().Set((2, 0.5, 1.5))
    mesh.AddTranslateOp(opSuffix="scalePivot", isInverseOp=True)


@sound
def common_pivot(scene):
    """The operations of UsdGeomXformCommonAPI, with `!invert!xformOp:translate:pivot` at the end."""
    tube(scene)
    api = UsdGeom.XformCommonAPI(scene.stage.GetPrimAtPath("/Model/Tube"))
    api.SetXformVectors((1, 2, 3), (40, 10, -70), (1, 3, 0.5), (0, 1, 0.5), UsdGeom.XformCommonAPI.RotationOrderZXY, 0)
    for name, value in (("translate", (1, 2, 3)), ("rotateZXY", (40, 10, -70)), ("scale", (1, 3, 0.5))):
        attribute = scene.stage.GetPrimAtPath("/Model/Tube").GetAttribute(f"xformOp:{name}")
        attribute.Clear()
        attribute.Set(value)


@sound
def orient(scene):
    """A rotation as a quaternion in single precision, and one in double precision."""
    mesh = tube(scene)
    mesh.AddOrientOp().Set(arm.quaternion((1, 2, 3), 77))
    mesh.AddOrientOp(UsdGeom.XformOp.PrecisionDouble, "second").Set(Gf.Quatd(0.6, 0, 0.8, 0))


@sound
def matrix(scene):
    """A matrix with shear."""
    tube(scene).AddTransformOp().Set(Gf.Matrix4d(1, 0.2, 0, 0, -0.5, 2, 0.3, 0, 0, 0.7, 0.5, 0, 4, 5, 6, 1))


@sound
def mirrored(scene):
    """A negative scale, which mirrors the mesh and its faces."""
    mesh = tube(scene)
    mesh.AddRotateYOp().Set(30)
    mesh.AddScaleOp().Set((-1, 1, 1.5))


@sound
def reset_xform_stack(scene):
    """A mesh that ignores the transforms of its ancestors (`!resetXformStack!`)."""
    mesh = tube(scene)
    mesh.SetResetXformStack(True)
    mesh.AddTranslateOp().Set((0, 0, 3))


@sound
def rotation_orders(scene):
    """A mesh per order of Euler angles."""
    model(scene)
    for number, order in enumerate(("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")):
        mesh = arm.add_tube(scene.stage, f"/Model/Tube{order}", arm.points(offset=(3 * number, 0, 0)))
        getattr(mesh, f"AddRotate{order}Op")().Set((25, 50, -35))


@sound
def single_axis_operations(scene):
    """Rotations about single axes in double and half precision, after a translation in half precision."""
    mesh = tube(scene)
    mesh.AddTranslateOp(UsdGeom.XformOp.PrecisionHalf).Set(Gf.Vec3h(1, 0.5, 0.25))
    mesh.AddRotateXOp(UsdGeom.XformOp.PrecisionDouble).Set(30.0)
    mesh.AddRotateZOp(UsdGeom.XformOp.PrecisionHalf).Set(45.0)


@sound
def single_component_operations(scene):
    """Translation and scale along single axes (`xformOp:translateX`, `xformOp:scaleY`)."""
    mesh = tube(scene)
    mesh.AddTranslateXOp().Set(1.5)
    mesh.AddTranslateZOp().Set(-2.0)
    mesh.AddScaleYOp().Set(0.5)


@sound
def unlisted_operation(scene):
    """An operation that isn't in xformOpOrder and has no effect."""
    mesh = tube(scene)
    translate = mesh.AddTranslateOp()
    translate.Set((1, 0, 0))
    mesh.AddScaleOp().Set((7, 7, 7))
    mesh.SetXformOpOrder([translate])


@sound
def animated_operations(scene):
    """Translation, rotation and scale with keys at different times."""
    mesh = tube(scene)
    translate, rotate, scale = mesh.AddTranslateOp(), mesh.AddRotateXYZOp(), mesh.AddScaleOp()
    for time_code, value in ((0, (0, 0, 0)), (10, (1, 0, 0)), (24, (1, 4, 0))):
        translate.Set(value, time_code)
    for time_code, value in ((6, (0, 0, 0)), (18, (0, 350, 90))):
        rotate.Set(value, time_code)
    scale.Set((1, 1, 1), 0)
    scale.Set((2, 1, 0.5), 24)


@sound
def animated_matrix(scene):
    """A matrix with keys. USD interpolates its elements."""
    operation = tube(scene).AddTransformOp()
    for time_code, degrees in ((0, 0), (12, 100), (24, -60)):
        operation.Set(arm.rotation((1, 2, 0), degrees) * arm.translation(degrees / 50, 0, 0), time_code)


@sound
def animated_orientation(scene):
    """A quaternion with keys of opposite signs, which USD interpolates spherically."""
    operation = tube(scene).AddOrientOp()
    for time_code, degrees, sign in ((0, 10, 1), (8, 80, -1), (24, -50, 1)):
        operation.Set(arm.quaternion((1, 1, 0), degrees) * sign, time_code)


@sound
def animated_parents(scene):
    """Animated transforms on two ancestors of a mesh."""
    mesh = UsdGeom.Xform.Define(scene.stage, "/Model/Swing/Arm")
    model(scene).AddRotateZOp().Set(20)
    swing = UsdGeom.Xform.Define(scene.stage, "/Model/Swing").AddRotateXOp()
    lift = mesh.AddTranslateOp()
    for time_code, degrees in ((0, 0), (16, 90), (24, 45)):
        swing.Set(degrees, time_code)
        lift.Set((0, degrees / 30, 0), time_code)
    arm.add_tube(scene.stage, "/Model/Swing/Arm/Tube")


@sound
def splines(scene):
    """A rotation and a translation animated with splines: Bezier, linear and held segments."""
    mesh = tube(scene)
    for operation, type_name, values in ((mesh.AddTranslateXOp(), "double", (0.0, 2.0, -1.0, 1.0)),
                                         (mesh.AddRotateZOp(), "float", (0.0, 80.0, -30.0, 20.0))):
        spline = Ts.Spline(type_name)
        for time_code, value, interpolation in zip((0, 8, 16, 24), values,
                                                   (Ts.InterpCurve, Ts.InterpLinear, Ts.InterpHeld, Ts.InterpHeld)):
            knot = Ts.Knot(type_name)
            knot.SetTime(time_code)
            knot.SetValue(value)
            knot.SetNextInterpolation(interpolation)
            knot.SetPreTanWidth(2.0)
            knot.SetPostTanWidth(2.0)
            knot.SetPostTanSlope(value / 8 + 0.25)
            spline.SetKnot(knot)
        operation.GetAttr().SetSpline(spline)
