"""Layouts of packed bytes, for ``array.view(dtype)``."""

import numpy as np

#: One vertex of ``Mesh.packed``: ``mesh.packed.view(PACKED_VERTEX)[:, 0]["weights"]``.
PACKED_VERTEX = np.dtype(
    [
        ("position", "<f4", 3),
        ("normal", "<u4"),
        ("tangent", "<u4"),
        ("uv", "<u2", 2),
        ("bones", "u1", 4),
        ("weights", "u1", 4),
    ]
)

#: One matrix of ``Clip.key_bytes``: ``clip.key_bytes.view(KEY)[..., 0]["rows"]``.
KEY = np.dtype([("rows", "<f4", (3, 4))])
