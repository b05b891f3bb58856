"""Opens packed skinned meshes byte for byte, poses, judges, converts and draws them.

>>> import rigscope
>>> model = rigscope.open("character.bsm2")
>>> model.meshes[0].positions.shape
(1732, 3)
>>> walk = model.pose("walk", 0.3)
>>> rigscope.convert(model, "character.glb").losses
[]

Arrays are NumPy's. Those that show the model's own memory are read-only views, which keep the model
alive; copy what is to be changed. Matrices are written ``m[row, column]`` and multiply columns from
the right. Names such as ``model_from_bone`` say which space a matrix leads to, and from which.

Whatever takes long lets other threads run, and models may be used from any thread: they never change.
"""

from __future__ import annotations

from ._rigscope import (
    BonePose,
    Bone,
    Clip,
    Comparison,
    Conversion,
    Difference,
    Event,
    HAS_RENDER,
    Image,
    Material,
    Mesh,
    Model,
    MorphTarget,
    Note,
    PosedMesh,
    Skeleton,
    Texture,
    __version__,
    build,
    convert,
    diff,
    formats,
    open,
)
from .arrays import KEY, PACKED_VERTEX
from .catalog import catalog_columns, catalog_row
from .errors import Error
from .look import render, validate

__all__ = [
    "Bone",
    "BonePose",
    "Clip",
    "Comparison",
    "Conversion",
    "Difference",
    "Error",
    "Event",
    "HAS_RENDER",
    "Image",
    "KEY",
    "Material",
    "Mesh",
    "Model",
    "MorphTarget",
    "Note",
    "PACKED_VERTEX",
    "PosedMesh",
    "Skeleton",
    "Texture",
    "__version__",
    "build",
    "catalog_columns",
    "catalog_row",
    "convert",
    "diff",
    "formats",
    "open",
    "render",
    "validate",
]
