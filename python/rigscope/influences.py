"""Which bones move which vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._rigscope import Bone, Model


def table(model: Model) -> list[dict[str, Any]]:
    """A row for each bone; see :meth:`Model.influence_table`."""
    num_bones = len(model.skeleton)
    num_vertices = np.zeros(num_bones, np.int64)
    total, largest = np.zeros(num_bones), np.zeros(num_bones)
    for mesh in model.meshes:
        first, slots, weights = mesh.influences
        bones = mesh.skin_bones[slots]
        vertices = np.repeat(np.arange(mesh.num_vertices), np.diff(first))
        is_used = weights > 0
        pairs = np.unique(np.stack([bones, vertices], axis=1)[is_used], axis=0)
        num_vertices += np.bincount(pairs[:, 0], minlength=num_bones)
        total += np.bincount(bones, weights, minlength=num_bones)
        np.maximum.at(largest, bones, weights)
    return [
        {
            "bone": bone.index,
            "name": bone.name,
            "kind": bone.kind,
            "num_vertices": int(num_vertices[bone.index]),
            "total_weight": float(total[bone.index]),
            "largest_weight": float(largest[bone.index]),
        }
        for bone in model.skeleton
    ]


def unweighted(model: Model) -> list[Bone]:
    """Bones that move no vertex; see :attr:`Model.unweighted_bones`."""
    rows = [row for row in table(model) if row["kind"] == "bone" and row["num_vertices"] == 0]
    return [model.skeleton[row["bone"]] for row in rows]
