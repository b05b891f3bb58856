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
from .results import (
    BoneAngle,
    BonePair,
    BonePairs,
    Cause,
    Comparison,
    Conversion,
    Difference,
    Fixed,
    FootQuality,
    HandQuality,
    Note,
    Notes,
    PosedMesh,
    Result,
    Retargeted,
    RetargetedClip,
    RetargetedFile,
)
from .retargeting import bones, retarget
from .writing import convert, fix

__all__ = [
    "Bone",
    "BoneAngle",
    "BonePair",
    "BonePairs",
    "BonePose",
    "Cause",
    "Clip",
    "Comparison",
    "Conversion",
    "Difference",
    "Error",
    "Event",
    "Fixed",
    "FootQuality",
    "HAS_RENDER",
    "HandQuality",
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
    "Retargeted",
    "RetargetedClip",
    "RetargetedFile",
    "Skeleton",
    "Texture",
    "__version__",
    "bones",
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
    "retarget",
    "rules",
    "runtimes",
    "unexplained",
    "validate",
]
