"""Reads skinned meshes of packed engine formats, FBX and glTF, and poses, validates, converts and renders them.

>>> import rigscope
>>> model = rigscope.open("character.bsm2")
>>> model.meshes[0].positions.shape
(1732, 3)
>>> walk = model.pose("walk", 0.3)
>>> rigscope.convert(model, "character.glb", step_keys=True).losses
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
    Event,
    HAS_RENDER,
    Image,
    Material,
    Mesh,
    Model,
    MorphTarget,
    Skeleton,
    Texture,
    __version__,
    formats,
)
from .arrays import KEY, PACKED_VERTEX
from .catalog import catalog_columns, catalog_row
from .checking import causes, diagnose, diff, rules, runtimes, unexplained, validate
from .drawing import render
from .errors import Error
from .opening import build, open
from .parts import Parts
from .results import Cause, Comparison, Conversion, Difference, Fixed, Note, Notes, PosedMesh, Result
from .writing import convert, fix

__all__ = [
    "Bone",
    "BonePose",
    "Cause",
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
    "Notes",
    "PACKED_VERTEX",
    "Parts",
    "PosedMesh",
    "Result",
    "Skeleton",
    "Texture",
    "__version__",
    "build",
    "catalog_columns",
    "catalog_row",
    "causes",
    "convert",
    "diagnose",
    "diff",
    "fix",
    "formats",
    "open",
    "render",
    "rules",
    "runtimes",
    "unexplained",
    "validate",
]
