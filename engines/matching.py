"""Finds the vertices of an engine in Rigscope's pose, for formats whose loaders split and reorder vertices.

Vertices match if they are at the same place in a pose in which both agree: the first one in which every vertex of each
side has a partner on the other. Vertices at the same place may have different weights, so a vertex may have several
partners; the one that deviates least over all poses counts. If there is no such pose, each vertex is compared with the
nearest one, and the result is only a lower bound of the deviation.
"""

import numpy as np

# Relative to the size of the model. Engines compute in single precision.
SAME_PLACE = 2e-6
ROWS = 256


def partners(points, others, tolerance):
    """For each point, the indices of the others within the tolerance; None if there aren't any for some point."""
    order = np.argsort(others[:, 0])
    first = np.searchsorted(others[order, 0], points[:, 0] - tolerance)
    last = np.searchsorted(others[order, 0], points[:, 0] + tolerance)
    found = []
    for point, start, end in zip(points, first, last):
        block = order[start:end]
        block = block[np.linalg.norm(others[block] - point, axis=1) <= tolerance]
        if not len(block):
            return None
        found.append(block)
    return found


def best_distances(points, others, found):
    """For each pose, the largest distance of a point from its partner. Both arrays are by pose, vertex and axis."""
    distances = []
    for index, block in enumerate(found):
        by_partner = np.linalg.norm(others[:, block] - points[:, index, None], axis=2)
        distances.append(by_partner[:, by_partner.max(axis=0).argmin()])
    return np.max(distances, axis=0)


def nearest_distance(points, others):
    """The largest distance of a point from the nearest other one."""
    points, others = np.unique(points, axis=0), np.unique(others, axis=0)
    rows = (points[start:start + ROWS, None] for start in range(0, len(points), ROWS))
    return max(np.linalg.norm(row - others, axis=2).min(axis=1).max() for row in rows)


def matched(expected, actual):
    """The deviation of each pose, relative to the size as loaded, and whether the vertices were matched."""
    expected, actual = np.array(expected), np.array(actual)
    # A single point has no size.
    size = np.linalg.norm(np.ptp(expected[0], axis=0)) or 1
    for here, there in zip(expected, actual):
        of_actual = partners(there, here, size * SAME_PLACE)
        of_expected = of_actual and partners(here, there, size * SAME_PLACE)
        if of_expected:
            forth = best_distances(actual, expected, of_actual)
            back = best_distances(expected, actual, of_expected)
            return list(np.maximum(forth, back) / size), True
    pairs = zip(expected, actual)
    return [max(nearest_distance(a, b), nearest_distance(b, a)) / size for a, b in pairs], False
