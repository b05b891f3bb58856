"""Reads skinned meshes of packed engine formats, FBX and glTF, and poses, validates, converts and renders them.

>>> import rigscope
>>> model = rigscope.open("character.bsm2")
>>> model.meshes[0].positions.shape
(1732, 3)
>>> walk = model.pose("walk", 0.3)
>>> rigscope.convert(model, "character.glb").losses
[]

Arrays are NumPy arrays. Views of model memory are read-only and keep the model alive; copy them to make
changes. Matrices are indexed ``m[row, column]`` and multiplied by column vectors on the right. A name such
as ``model_from_bone`` is a transform from bone space to model space.

Models are immutable and can be used from any thread, copied, pickled and sent to other processes. Long operations
release the GIL.
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
    Fixed,
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
    formats,
)
from .arrays import KEY, PACKED_VERTEX
from .catalog import catalog_columns, catalog_row
from .checking import diff, validate
from .drawing import render
from .errors import Error
from .opening import build, open
from .writing import convert, fix

__all__ = [
    "Bone",
    "BonePose",
    "Clip",
    "Comparison",
    "Conversion",
    "Difference",
    "Error",
    "Event",
    "Fixed",
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
    "fix",
    "formats",
    "open",
    "render",
    "validate",
]
