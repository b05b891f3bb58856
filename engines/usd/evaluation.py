"""The meshes of a stage in world space, at any time, as Pixar's library evaluates them."""

from typing import NamedTuple

import numpy as np
from pxr import UsdGeom

from animation_times import all_prims
from skinning import (Bindings, Deformer, blend_weights, inverse_transpose, normals_of, skeleton_transforms,
                      skinned_normals, skinned_points)

# Types of prims that aren't meshes but have a place in the world. Lights are recognised by their names.
OTHER_TYPES = ("Camera", "BasisCurves", "NurbsCurves", "HermiteCurves", "Points", "NurbsPatch", "PointInstancer",
               "Cube", "Sphere", "Cylinder", "Cone", "Capsule", "Plane", "TetMesh", "Volume")
# Beyond this, in the units of the stage, positions are the result of a division by 0.
HUGE = 1e30


class MeshPose(NamedTuple):
    """The points and normals of a mesh in one pose, in world space and in the units of the stage."""

    # None if UsdSkel can't compute them.
    points: np.ndarray | None = None
    # None without normals, and for interpolations that UsdSkel doesn't skin: it skins normals per point and per face
    # corner, but not per face.
    normals: np.ndarray | None = None
    # The index of the point of each normal.
    point_of_normal: np.ndarray | None = None
    # Why there are no points.
    failure: str | None = None


class StageMeshes:
    """All meshes of a stage, except prototypes of point instancers, which only the instancers draw."""

    def __init__(self, stage):
        self.stage = stage
        self.bindings = Bindings(stage)
        self.meshes = [UsdGeom.Mesh(prim) for prim in all_prims(stage)
                       if prim.IsA(UsdGeom.Mesh) and not has_ancestor(prim, UsdGeom.PointInstancer)]
        self.deformers = {}

    def other_prims(self):
        """The paths and types of cameras, lights, curves and other prims that have a place in the world."""
        return [{"path": str(prim.GetPath()), "type": prim.GetTypeName()} for prim in all_prims(self.stage)
                if prim.GetTypeName() in OTHER_TYPES or prim.GetTypeName().endswith("Light")]

    def evaluate(self, mesh, time, pose="clip"):
        """The mesh at a time. `pose` is "clip", "rest" or "bind", of which the last two replace the animation."""
        points = mesh.GetPointsAttr().Get(time)
        if points is None:
            return MeshPose(failure="there are no points at this time")
        normals, interpolation = normals_of(mesh, time)
        point_of_normal = points_of_normals(mesh, normals, interpolation, len(points), time)
        if point_of_normal is None:
            normals = None
        world_from_points = UsdGeom.Xformable(mesh).ComputeLocalToWorldTransform(time)
        binding = self.bindings.find(mesh.GetPrim())
        if binding:
            # Offsets of normals are per point, so they don't apply to normals of face corners.
            deformed_normals = None if interpolation == UsdGeom.Tokens.faceVarying else normals
            failure = self._deform(mesh, binding, points, deformed_normals, time, pose)
            if failure:
                return MeshPose(failure=failure)
        if binding and binding.moves_points:
            transforms = skeleton_transforms(binding.skeleton, pose, time)
            if not transforms:
                return MeshPose(failure="the skeleton has no pose")
            if not skinned_points(binding.skinning, transforms, points, time):
                return MeshPose(failure="the influences are invalid")
            # GfMatrix4d::GetInverse returns a scale of FLT_MAX for a singular matrix.
            if (np.abs(np.asarray(points)) > HUGE).any():
                return MeshPose(failure="a bind transform has no inverse")
            if normals is not None and not skinned_normals(binding.skinning, transforms, normals, point_of_normal,
                                                           len(points), time):
                normals = None
            # UsdSkel ignores the transform of the mesh if joints deform it.
            world_from_points = UsdGeom.Xformable(binding.skeleton_prim).ComputeLocalToWorldTransform(time)
        return MeshPose(transformed(points, world_from_points), transformed_normals(normals, world_from_points),
                        None if normals is None else np.asarray(point_of_normal))

    def _deform(self, mesh, binding, points, normals, time, pose):
        """Applies the blend shapes, whose weights are 0 in rest and bind pose. Returns the reason of a failure."""
        weights = blend_weights(binding, time) if pose == "clip" else None
        if weights is None:
            return None
        path = mesh.GetPath()
        if path not in self.deformers:
            self.deformers[path] = Deformer(mesh.GetPrim())
        return self.deformers[path].deform(points, normals, weights)


def points_of_normals(mesh, normals, interpolation, num_points, time):
    """The index of the point of each normal, or None for normals that don't belong to points."""
    if normals is None:
        return None
    if interpolation in (UsdGeom.Tokens.vertex, UsdGeom.Tokens.varying) and len(normals) == num_points:
        return range(num_points)
    corners = mesh.GetFaceVertexIndicesAttr().Get(time)
    if interpolation == UsdGeom.Tokens.faceVarying and len(normals) == len(corners):
        return corners
    return None


def points_of_faces(mesh, time):
    """The indices of the points that faces use, except those that only holes use, in ascending order."""
    counts = np.array(mesh.GetFaceVertexCountsAttr().Get(time) or [], int)
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get(time) or [], int)
    holes = np.array(mesh.GetHoleIndicesAttr().Get(time) or [], int)
    face_of_corner = np.repeat(np.arange(len(counts)), counts)
    length = min(len(face_of_corner), len(corners))
    return np.unique(corners[:length][~np.isin(face_of_corner[:length], holes)])


def has_ancestor(prim, schema):
    parent = prim.GetParent()
    while parent:
        if parent.IsA(schema):
            return True
        parent = parent.GetParent()
    return False


def transformed(points, matrix):
    """Points in double precision. USD multiplies row vectors by matrices from the right."""
    rows = np.array(matrix)
    return np.asarray(points, float).reshape(-1, 3) @ rows[:3, :3] + rows[3, :3]


def transformed_normals(normals, matrix):
    """Unit normals, which need the inverse transpose of the matrix; None without normals."""
    if normals is None:
        return None
    array = np.asarray(normals, float).reshape(-1, 3) @ np.array(inverse_transpose(matrix))
    lengths = np.linalg.norm(array, axis=1)
    return array / np.where(lengths > 0, lengths, 1)[:, None]
