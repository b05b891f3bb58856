"""Opening files and building models, and how models reach other processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from . import _rigscope
from ._rigscope import Model
from .errors import UnreadableError
from .types import BoneArrays, ClipArrays, Companion, MaterialArrays, MeshArrays, Source

#: Size in bytes and time of the last change in nanoseconds.
_Stamp = tuple[int, int]
#: Values of these keys aren't arrays.
_NOT_ARRAYS = {"name", "parent", "bone", "mesh", "target", "subsets", "attached_to", "loops", "step", "textures"}


def open(
    source: Source,
    *,
    companions: Sequence[Companion] = (),
    without: Sequence[str] | None = None,
    no_effect: bool = False,
    fps: float | None = None,
    up: Literal["y", "z"] | None = None,
    format: str | None = None,
) -> Model:
    """Opens a file of any readable format with its related files: buffers, textures, skeletons.

    :param source: a path; bytes; or a pair of name and bytes, where the name helps to detect the format
    :param companions: additional related files and folders: paths, or pairs of name and bytes
    :param without: related files to ignore, by name or by path relative to the folder of the file
    :param no_effect: show a mesh inside an effect without the materials of the effect
    :param fps: frames per second, for formats that count frames but don't store a rate
    :param up: the axis that points up, instead of the one that the format defines
    :param format: id of the format, instead of detecting it

    :raises rigscope.errors.Error: if the file cannot be read or parsed; ``offset`` is the position of the error
    :raises TypeError: for a value of another type
    :raises ValueError: for a value out of range
    """
    options = {"without": without, "no_effect": no_effect, "fps": fps, "up": up, "format": format}
    is_path = isinstance(source, (str, os.PathLike))
    stamp = _stamp(source) if is_path else None
    absolute = os.path.abspath(source) if isinstance(source, (str, os.PathLike)) else source
    origin = (absolute, stamp, [_absolute(companion) for companion in companions], options)
    return _rigscope.open(source, companions=list(companions), origin=(reopen, origin), **options)


def build(
    meshes: Sequence[MeshArrays] = (),
    *,
    bones: Sequence[BoneArrays] = (),
    clips: Sequence[ClipArrays] = (),
    materials: Sequence[MaterialArrays] = (),
    name: str = "",
    up: Literal["y", "z"] = "y",
    handedness: Literal["right", "left"] = "right",
    unit_meters: float | None = None,
) -> Model:
    """Builds a model from arrays. It is checked as if it came from a file: values that are out of range or not finite
    are fixed and listed in its ``notes``. :func:`convert` writes it in any format.

    :param meshes: one dictionary per mesh: ``positions`` (n, 3), ``normals`` (n, 3), ``tangents`` (n, 4), ``colors``
        (n, 4) linear, ``uvs`` (n, 2) or a list of these, with v down, ``triangles`` (m, 3), ``subsets`` as (first
        triangle, number of triangles, material or ``None``), ``joints`` and ``weights`` (n, k) or ``influences`` as
        (first (n + 1,), joints, weights), ``skin_bones`` (s,) the bone of each joint number (by default the same
        number), ``inverse_bind_matrices`` (s, 4, 4) (by default the mesh is bound in the rest pose), ``attached_to`` a
        bone, ``morph_targets`` and ``name``; everything except ``positions`` is optional
    :param bones: one dictionary per bone: ``name``, ``parent`` (a number, -1 or ``None``), and relative to the parent
        either ``rest`` (4, 4) or ``translation`` (3,), ``rotation`` (4,) as x y z w and ``scale`` (3,)
    :param clips: one dictionary per clip: ``name``, ``times`` (k,) seconds, ``matrices`` (k, b, 4, 4) relative to the
        parent, or ``translations`` (k, b, 3), ``rotations`` (k, b, 4) as x y z w and ``scales`` (k, b, 3), or
        ``tracks``: dictionaries with ``bone``, ``times``, ``translations`` (k, 3), ``rotations`` (k, 4), ``scales``
        (k, 3); ``morph_tracks``: dictionaries with ``mesh``, ``target``, ``times``, ``weights`` (k,); ``loops``;
        ``step``
    :param materials: one dictionary per material: ``name``, ``base_color`` (4,) linear, ``metallic``, ``roughness``,
        ``emissive`` (3,), ``two_sided``, ``textures`` from role to path, or to name and bytes of an image
    :param up: the axis that points up
    :param handedness: ``"right"`` or ``"left"``
    :param unit_meters: metres per unit; ``None`` if unknown
    """
    arguments: dict[str, Any] = {
        "bones": _copy(bones),
        "clips": _copy(clips),
        "materials": _copy(materials),
        "name": name,
        "up": up,
        "handedness": handedness,
        "unit_meters": unit_meters,
    }
    own_meshes = _copy(meshes)
    origin = (_rebuild, (own_meshes, arguments))
    return _rigscope.build(own_meshes, origin=origin, **arguments)


def reduce(model: Model) -> tuple[Callable[..., Model], tuple[Any, ...]]:
    """What pickle stores of a model: a function and its arguments."""
    origin: tuple[Callable[..., Model], tuple[Any, ...]] | None = model._origin
    if origin is None:
        raise TypeError("this model can't be pickled; open the file with rigscope.open")
    return origin


def reopen(
    source: Source, stamp: _Stamp | None, companions: Sequence[Companion], options: dict[str, Any]
) -> Model:
    """Opens the file of a pickled model again, unless it has changed since."""
    if stamp is not None and stamp != _stamp(source):
        path = str(source)
        message = f"{path} has changed since the model was opened; open it again before sending it"
        raise UnreadableError(message, code="unreadable", path=path)
    return open(source, companions=companions, **options)


def _rebuild(meshes: Any, arguments: dict[str, Any]) -> Model:
    return build(meshes, **arguments)


def _stamp(source: Any) -> _Stamp | None:
    """Identifies a version of a file; ``None`` for a folder or a file that can't be read."""
    try:
        found = os.stat(source)
    except (OSError, ValueError):
        return None
    return None if os.path.isdir(source) else (found.st_size, found.st_mtime_ns)


def _absolute(companion: Companion) -> Companion:
    return os.path.abspath(companion) if isinstance(companion, (str, os.PathLike)) else companion


def _copy(value: Any, key: str = "") -> Any:
    """A copy that doesn't change if the caller changes the arrays afterwards."""
    if isinstance(value, dict):
        return {name: _copy(item, name) for name, item in value.items()}
    if key in _NOT_ARRAYS or isinstance(value, (str, bytes, int, float, type(None))):
        return value
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        is_flat = all(isinstance(item, (int, float)) for item in value)
        return type(value)(value) if is_flat else [_copy(item) for item in value]
    return value
