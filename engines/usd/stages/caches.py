"""Stages about point caches: points with time samples."""

from pxr import UsdGeom, Vt

from . import arm
from .meshes import model
from .registry import fault, sound


def wave(time_code):
    """The points of the tube at a time code."""
    points = arm.points()
    return Vt.Vec3fArray([(x + 0.3 * time_code / 24 * y, y, z - 0.01 * time_code * (index % 3))
                          for index, (x, y, z) in enumerate(points)])


def add_cache(scene, path="/Model/Tube", times=(0, 8, 24)):
    mesh = arm.add_tube(scene.stage, path)
    mesh.GetPointsAttr().Clear()
    mesh.GetExtentAttr().Clear()
    for time_code in times:
        mesh.GetPointsAttr().Set(wave(time_code), time_code)
        mesh.GetExtentAttr().Set(UsdGeom.PointBased.ComputeExtent(wave(time_code)), time_code)
    return mesh


@sound
def point_cache(scene):
    """Points with time samples, which USD interpolates."""
    model(scene)
    add_cache(scene)


@sound
def point_cache_with_normals(scene):
    """Points and normals with time samples, below an animated Xform."""
    operation = model(scene).AddTranslateOp()
    operation.Set((0, 0, 0), 0)
    operation.Set((0, 3, 0), 24)
    mesh = add_cache(scene)
    mesh.GetNormalsAttr().Clear()
    for time_code, tilt in ((0, 0.0), (24, 1.0)):
        tilted = [(normal + (tilt, 0, 0)) for normal in arm.normals()]
        mesh.GetNormalsAttr().Set(Vt.Vec3fArray([normal.GetNormalized() for normal in tilted]), time_code)


@sound
def point_cache_with_default(scene):
    """Points with a default value and time samples, which take precedence at every time code."""
    model(scene)
    add_cache(scene).GetPointsAttr().Set(arm.points(offset=(0, 5, 0)))


@sound
def point_cache_every_frame(scene):
    """Points with a sample per time code."""
    model(scene)
    add_cache(scene, times=range(25))


@sound
def point_cache_with_velocities(scene):
    """Points with velocities, which only motion blur uses."""
    model(scene)
    mesh = add_cache(scene)
    for time_code in (0, 8, 24):
        mesh.CreateVelocitiesAttr().Set(Vt.Vec3fArray([(0.1, 0, 0)] * 42), time_code)


@sound
def changing_topology(scene):
    """Points and faces that change at time code 12. USD doesn't interpolate arrays of different sizes."""
    model(scene)
    mesh = add_cache(scene, times=(0, 8))
    faces = arm.quads()
    for time_code, count in ((0, 36), (12, 18)):
        mesh.GetFaceVertexCountsAttr().Set([4] * count, time_code)
        mesh.GetFaceVertexIndicesAttr().Set([index for face in faces[:count] for index in face], time_code)
    mesh.GetPointsAttr().Set(wave(12)[:24], 12)
    mesh.GetPrim().RemoveProperty("normals")


@sound
def skinned_point_cache(scene):
    """A skinned mesh whose points have time samples, to which the joints apply."""
    character = arm.Arm(scene.stage)
    character.mesh.GetPointsAttr().Clear()
    for time_code in (0, 10, 24):
        character.mesh.GetPointsAttr().Set(wave(time_code), time_code)


@fault("point-count-mismatch")
def face_index_out_of_range(scene):
    """A face that refers to a point beyond the last."""
    model(scene)
    mesh = arm.add_tube(scene.stage, "/Model/Tube")
    indices = mesh.GetFaceVertexIndicesAttr().Get()
    indices[5] = 99
    mesh.GetFaceVertexIndicesAttr().Set(indices)
