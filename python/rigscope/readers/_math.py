"""Arithmetic that several readers share: quaternions as x, y, z, w; normals; names of textures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import reader

Floats: TypeAlias = NDArray[np.float64]

#: Names with these extensions are texture files; others are names of materials that an engine looks up.
IMAGE_EXTENSIONS = (".bmp", ".dds", ".jpeg", ".jpg", ".pcx", ".png", ".tga", ".tif", ".tiff", ".webp")


def multiply(a: Floats, b: Floats) -> Floats:
    """The rotation `a` after the rotation `b`."""
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        axis=-1,
    )


def conjugate(rotation: Floats) -> Floats:
    return rotation * [-1.0, -1.0, -1.0, 1.0]


def rotate(rotation: Floats, vector: Floats) -> Floats:
    axis, w = rotation[..., :3], rotation[..., 3:]
    twice = 2 * np.cross(axis, vector)
    return vector + w * twice + np.cross(axis, twice)


def about_axes(angles: Floats, axes: Sequence[int]) -> Floats:
    """Rotations about axes (0 to 2), where the last is applied to a vector first; radians in the last dimension."""
    result = np.zeros((*angles.shape[:-1], 4))
    result[..., 3] = 1
    for column, axis in enumerate(axes):
        turn = np.zeros_like(result)
        turn[..., axis] = np.sin(angles[..., column] / 2)
        turn[..., 3] = np.cos(angles[..., column] / 2)
        result = multiply(result, turn)
    return result


def check_parents(parents: Sequence[int], place: str = "bone") -> list[int]:
    """Checks that parents exist and aren't descendants; returns the bones so that parents come first."""
    children: list[list[int]] = [[] for _ in parents]
    order = []
    for bone, parent in enumerate(parents):
        if parent >= len(parents):
            raise reader.Error(f"{place} {bone}: there is no parent {parent}; the file has {len(parents)} bones")
        if parent < 0:
            order.append(bone)
        else:
            children[parent].append(bone)
    for bone in order:
        order.extend(children[bone])
    if len(order) != len(parents):
        cyclic = min(set(range(len(parents))) - set(order))
        raise reader.Error(f"{place} {cyclic}: its parents form a cycle")
    return order


def smooth_normals(corners: NDArray[Any], positions: Floats) -> Floats:
    """Normals of shared points: the mean of the adjacent triangles, weighted by their area.

    :param corners: (triangles, 3) numbers of points; corners with the same number get the same normal
    :param positions: (triangles, 3, 3) positions of the corners
    :returns: (points, 3), up to the largest number in `corners`
    """
    faces = np.cross(positions[:, 1] - positions[:, 0], positions[:, 2] - positions[:, 0])
    num = int(corners.max()) + 1 if corners.size else 0
    flat, weights = corners.ravel(), np.repeat(faces, 3, axis=0)
    sums = np.stack([np.bincount(flat, weights[:, axis], num) for axis in range(3)], axis=1)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(lengths > 0, sums / np.where(lengths > 0, lengths, 1), [0.0, 0.0, 1.0])


def material(name: str) -> dict[str, Any]:
    """A material with a name, which may also be the name of a texture."""
    result: dict[str, Any] = {"name": name}
    if name.lower().endswith(IMAGE_EXTENSIONS):
        result["textures"] = {"base-color": name.replace("\\", "/")}
    return result


def check_finite(values: NDArray[Any], what: str) -> None:
    """Raises an error for infinite values, NaN, and values beyond 32-bit floats."""
    finite = np.abs(values) < 3.4e38
    if not finite.all():
        raise reader.Error(f"{what} {int(np.argwhere(~finite)[0][0])} isn't finite")
