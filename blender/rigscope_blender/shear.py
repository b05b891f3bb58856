"""Poses with shear, which need two bones, because one has only position, rotation and scale.

Each sheared matrix is a rotation and a scale along axes that aren't those of the bone (polar decomposition). A second
bone, the parent of the first, rotates and scales along those axes, and the first rotates back.
"""

from __future__ import annotations

import numpy as np

#: Tolerance for shear, relative to the largest entry of the matrix.
TOLERANCE = 1e-5


def is_sheared(own: np.ndarray) -> bool:
    """Whether any of the (k, 4, 4) matrices is more than a translation, a rotation and a scale."""
    columns = own[:, :3, :3]
    between = np.swapaxes(columns, 1, 2) @ columns
    largest = np.maximum(np.abs(between).max(axis=(1, 2)), 1e-30)
    across = np.abs(between - between * np.eye(3)).max(axis=(1, 2))
    return bool((across > TOLERANCE * largest).any())


def split(own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(k, 4, 4) outer and inner matrices, whose products are `own`: the outer ones translate, rotate and scale, the
    inner ones rotate. Axes are continuous from key to key if possible."""
    outer, inner = np.tile(np.eye(4), (2, len(own), 1, 1))
    axes = np.eye(3)
    for key, matrix in enumerate(own):
        u, sizes, v = np.linalg.svd(matrix[:3, :3])
        turn = u @ v
        if np.linalg.det(turn) < 0:
            u[:, 2], sizes[2] = -u[:, 2], -sizes[2]
            turn = u @ v
        stretch = v.T @ np.diag(sizes) @ v
        seen = axes.T @ stretch @ axes
        largest = max(np.abs(sizes).max(), 1e-30)
        if np.abs(seen - np.diag(np.diag(seen))).max() > TOLERANCE * largest:
            axes = _nearest(v.T, axes)
            seen = axes.T @ stretch @ axes
        outer[key, :3, :3] = turn @ axes @ np.diag(np.diag(seen))
        outer[key, :3, 3] = matrix[:3, 3]
        inner[key, :3, :3] = axes.T
    return outer, inner


def _nearest(found: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The columns of `found`, ordered and signed to be nearest to those of `before`, as a rotation."""
    likeness = before.T @ found
    axes = np.empty_like(found)
    free = [0, 1, 2]
    for axis in np.argsort(-np.abs(likeness).max(axis=1)):
        best = max(free, key=lambda column: abs(likeness[axis, column]))
        free.remove(best)
        axes[:, axis] = found[:, best] * (np.sign(likeness[axis, best]) or 1.0)
    if np.linalg.det(axes) < 0:
        weakest = np.abs((before * axes).sum(axis=0)).argmin()
        axes[:, weakest] = -axes[:, weakest]
    return axes
