"""Matches the vertices of Rigscope with the points of USD by the way they move.

Rigscope splits points whose face corners differ, drops points that no face uses, and orders vertices differently. So a
vertex counts as right if it stays within the tolerance of one point in all poses, and a point counts as present if one
vertex stays close to it in all poses. A vertex that is near one point in one pose and near another one in the next
deviates.
"""

from typing import NamedTuple

import numpy as np

# Rows of the distance matrix that are computed at once.
BLOCK = 512


class Match(NamedTuple):
    """The result of a comparison, in the units of the points."""

    deviation: float
    # For each vertex, the index of the nearest point.
    nearest: np.ndarray


def distances(some, others):
    """The largest distance over all poses, for each pair. Arrays are by pose, vertex and axis."""
    result = np.zeros((some.shape[1], others.shape[1]))
    for here, there in zip(some, others):
        np.maximum(result, np.linalg.norm(here[:, None] - there[None], axis=2), out=result)
    return result


def match(vertices, points, required):
    """Compares vertices with points. `required` is true for points that need a vertex.

    Vertices and points are arrays by pose, index and axis, with the same poses. The deviation is infinite if a side has
    nothing and the other one does.
    """
    if not vertices.shape[1] or not points.shape[1]:
        is_missing = vertices.shape[1] or (points.shape[1] and required.any())
        return Match(np.inf if is_missing else 0.0, np.zeros(0, int))
    nearest, deviation = [], 0.0
    best_of_points = np.full(points.shape[1], np.inf)
    for start in range(0, vertices.shape[1], BLOCK):
        block = distances(vertices[:, start:start + BLOCK], points)
        nearest.append(block.argmin(axis=1))
        deviation = max(deviation, block.min(axis=1).max())
        np.minimum(best_of_points, block.min(axis=0), out=best_of_points)
    if required.any():
        deviation = max(deviation, best_of_points[required].max())
    return Match(float(deviation), np.concatenate(nearest))


def size(points):
    """The diagonal of the box around all points of the first pose; 1 if there is no box."""
    if not points.shape[1]:
        return 1.0
    return float(np.linalg.norm(np.ptp(points[0], axis=0))) or 1.0


def normal_deviation(vertices, vertex_normals, points, normals, point_of_normal, tolerance):
    """The largest angle in radians between the normal of a vertex and the best normal of a point at the same place.

    All arrays are by pose. Points at the same place may have different normals, so a vertex may have any of them. The
    normal of a vertex must be the same one in all poses.
    """
    worst = 0.0
    for start in range(0, vertices.shape[1], BLOCK):
        is_near = distances(vertices[:, start:start + BLOCK], points)[:, point_of_normal] <= tolerance
        chords = distances(unit(vertex_normals[:, start:start + BLOCK]), unit(normals))
        chords[~is_near] = np.inf
        best = chords.min(axis=1)
        best = best[np.isfinite(best)]
        if len(best):
            worst = max(worst, float((2 * np.arcsin(np.minimum(best / 2, 1))).max()))
    return worst


def unit(vectors):
    lengths = np.linalg.norm(vectors, axis=2, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)
