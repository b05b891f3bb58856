"""Conversion from file space to Blender space, and placement of bones.

Blender is right-handed with Z up; display space, which the library converts to, has Y up.

A Blender bone has a position and a rotation but no scale, and its pose is relative to that. Bones are therefore placed
where they look right, and each pose is the skinning matrix times that placement, so that vertices move as in the file
regardless of the placement.
"""

from __future__ import annotations

import numpy as np

#: (x, y, z) with Y up becomes (x, -z, y) with Z up.
BLENDER_FROM_DISPLAY = np.array(
    [[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], dtype=np.float64
)

#: Length of a bone without children, relative to the size of the model.
LEAF_LENGTH = 0.03


def blender_from_file(model) -> np.ndarray:
    """(4, 4) float64."""
    return BLENDER_FROM_DISPLAY @ model.display_from_file.astype(np.float64)


def moved(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Transforms (n, 3) points by a matrix."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def inverse(matrix: np.ndarray) -> np.ndarray:
    """The inverse, or the pseudoinverse of a singular matrix, such as one that scales to zero."""
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(matrix)


def turn_of(matrix: np.ndarray) -> np.ndarray:
    """The rotation nearest to a matrix, (3, 3), never a reflection."""
    u, _, v = np.linalg.svd(matrix[:3, :3])
    u[:, 2] *= np.sign(np.linalg.det(u @ v)) or 1.0
    return u @ v


class Binding:
    """The bind pose of bones and meshes.

    ``model_from_bone`` (b, 4, 4) is the bind pose of each bone in file space; ``bound`` is whether a skin defines it;
    ``model_from_mesh[m]`` transforms the vertices of a mesh to the place where its skin binds them.
    """

    def __init__(self, model) -> None:
        num = len(model.skeleton)
        rest = _rest(model)
        self.model_from_bone = rest.copy()
        self.bound = np.zeros(num, dtype=bool)
        self.model_from_mesh = []
        self.unfit = []
        for mesh in model.meshes:
            inverse_binds = mesh.inverse_bind_matrices
            if mesh.skin != "inverse-bind" or inverse_binds is None:
                continue
            for bone, bone_from_mesh in zip(mesh.skin_bones, inverse_binds.astype(np.float64)):
                if not self.bound[bone]:
                    self.model_from_bone[bone] = inverse(bone_from_mesh)
                    self.bound[bone] = True
        for number, mesh in enumerate(model.meshes):
            through = np.eye(4)
            if mesh.skin == "attached":
                through = self.model_from_bone[mesh.skin_bones[0]]
            elif mesh.skin == "inverse-bind" and mesh.inverse_bind_matrices is not None:
                bones = self.model_from_bone[mesh.skin_bones]
                ways = bones @ mesh.inverse_bind_matrices.astype(np.float64)
                if len(ways):
                    through = ways[0]
                    size = max(np.abs(through).max(), 1e-12)
                    if np.abs(ways - through).max() > 1e-3 * size:
                        self.unfit.append(number)
            self.model_from_mesh.append(through)


def _rest(model) -> np.ndarray:
    """(b, 4, 4) float64: rest transforms of bones, file space."""
    parents, own = model.skeleton.parents, model.skeleton.rest.astype(np.float64)
    rest = np.zeros_like(own)
    done = np.zeros(len(own), dtype=bool)

    for start in range(len(own)):
        path = [start]
        while parents[path[-1]] >= 0 and not done[path[-1]]:
            path.append(int(parents[path[-1]]))
        for bone in reversed(path):
            if not done[bone]:
                parent = parents[bone]
                rest[bone] = own[bone] if parent < 0 else rest[parent] @ own[bone]
                done[bone] = True
    return rest


def heads(model, binding: Binding) -> np.ndarray:
    """(b, 3): heads of bones in file space: at their bind pose, or, without one, at the centre of their
    vertices."""
    places = binding.model_from_bone[:, :3, 3].copy()
    if model.skeleton.has_hierarchy or binding.bound.any():
        return places
    sums, totals = np.zeros_like(places), np.zeros(len(places))
    for mesh in model.meshes:
        first, slots, weights = mesh.influences
        vertices = np.repeat(np.arange(mesh.num_vertices), np.diff(first.astype(np.int64)))
        bones = mesh.skin_bones[slots]
        np.add.at(sums, bones, mesh.positions[vertices] * weights[:, None])
        np.add.at(totals, bones, weights)
    moving = totals > 0
    places[moving] = sums[moving] / totals[moving, None]
    return places


def tails(
    parents: np.ndarray,
    places: np.ndarray,
    turns: np.ndarray,
    extent: float,
    keeps_axes: np.ndarray,
) -> np.ndarray:
    """(b, 3): tails of bones: at the child, at the centre of several children, or else in the direction of the
    parent. Bones that must keep their axes end along one of them."""
    num = len(places)
    leaf = LEAF_LENGTH * extent if extent > 0 else 1.0
    children: list[list[int]] = [[] for _ in range(num)]
    for bone, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(bone)
    ends = np.empty_like(places)
    waiting = [bone for bone in range(num) if parents[bone] < 0]
    while waiting:
        bone = waiting.pop()
        waiting += children[bone]
        way = None
        if children[bone]:
            way = places[children[bone]].mean(axis=0) - places[bone]
            if np.linalg.norm(way) < 0.2 * leaf:
                way = None
        if way is None and parents[bone] >= 0:
            onward = ends[parents[bone]] - places[parents[bone]]
            length = np.linalg.norm(onward)
            if length > 0:
                way = onward / length * max(min(0.5 * length, 3 * leaf), leaf)
        if way is None:
            way = turns[bone][:, 1] * leaf
        if keeps_axes[bone]:
            along = turns[bone].T @ way
            axis = int(np.abs(along).argmax())
            way = turns[bone][:, axis] * (np.sign(along[axis]) or 1.0) * np.linalg.norm(way)
        ends[bone] = places[bone] + way
    return ends


def scales_unevenly(ways: np.ndarray) -> np.ndarray:
    """(b,) bool: whether any of the (k, b, 4, 4) matrices scales a bone non-uniformly."""
    if not len(ways):
        return np.zeros(ways.shape[1], dtype=bool)
    sizes = np.linalg.svd(ways[..., :3, :3], compute_uv=False)
    return (sizes[..., 0] > sizes[..., 2] * (1 + 1e-5) + 1e-9).any(axis=0)
