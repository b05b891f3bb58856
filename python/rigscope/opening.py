"""Opening files and building models, and how models reach other processes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from . import _rigscope, arguments, sources
from ._rigscope import BonePose, Model
from .errors import NotUnderstoodError, UnreadableError
from .types import BoneArrays, ClipArrays, Companion, MaterialArrays, MeshArrays, Number, Sampling, Source

#: Size in bytes and time of the last change in nanoseconds.
_Stamp = tuple[int, int]


@dataclass(frozen=True)
class Opened:
    """How a model was opened; pickle stores this instead of the model."""

    #: With absolute paths, because other processes may have another working folder.
    source: sources.Plain
    companions: Sequence[sources.PlainCompanion]
    #: The other keywords of :func:`open`.
    options: dict[str, Any]
    #: Versions of the source and the companions.
    stamps: Sequence[_Stamp | None]

    @classmethod
    def of(cls, model: Model) -> Opened | None:
        """``None`` for a model that wasn't opened by :func:`open`."""
        origin = model._origin
        return next((part for part in origin[1] if isinstance(part, cls)), None) if origin else None

    def changed_files(self) -> Iterator[sources.Plain]:
        """The source and companions that have changed since, without those that no longer exist."""
        for file, stamp in zip((self.source, *self.companions), self.stamps):
            if stamp is not None and _stamp(file) not in (stamp, None):
                yield file


def open(
    source: Source,
    *,
    companions: Sequence[Companion] = (),
    without: Sequence[str] | None = None,
    no_effect: bool = False,
    fps: Number | None = None,
    up: Literal["y", "z"] | None = None,
    bones_by_order: bool = False,
    format: str | None = None,
) -> Model:
    """Opens a file of any readable format with its related files: buffers, textures, skeletons.

    :param source: a path; bytes, a ``bytearray`` or a ``memoryview``; an open file; or a pair of name and bytes, where the
        name helps to detect the format
    :param companions: additional related files and folders: paths, open files, or pairs of name and bytes
    :param without: related files to ignore, by name or by path relative to the folder of the file
    :param no_effect: show a mesh inside an effect without the materials of the effect
    :param fps: frames per second, for formats that count frames but don't store a rate
    :param up: the axis that points up, instead of the one that the format defines
    :param bones_by_order: match the bones of an additional animation by their order if no name matches, even if
        hierarchies or bone lengths differ
    :param format: id of the format, instead of detecting it

    :raises rigscope.errors.Error: if the file cannot be read or parsed; ``offset`` is the position of the error
    :raises TypeError: for a value of another type
    :raises ValueError: for a value out of range
    """
    options = {
        "without": without,
        "no_effect": no_effect,
        "fps": fps,
        "up": up,
        "bones_by_order": bones_by_order,
        "format": format,
    }
    source = sources.plain(source)
    related = companion_list(companions)
    files = [_absolute(file) for file in (source, *related)]
    opened = Opened(files[0], files[1:], options, [_stamp(file) for file in files])
    try:
        return _rigscope.open(source, companions=related, origin=(_reopen, (opened,)), **options)
    except NotUnderstoodError as error:
        raise _with_reader(error, source) from None


def _with_reader(error: NotUnderstoodError, source: sources.Plain) -> NotUnderstoodError:
    """The error with a better remedy, if one of the readers in Python reads the format."""
    from .readers import FORMATS

    if isinstance(source, bytes):
        return error
    name = os.fspath(source[0] if isinstance(source, tuple) else source)
    extension = os.path.splitext(name)[1].lstrip(".").lower()
    for reader in FORMATS.values():
        if extension in reader.extensions:
            read = f"rigscope.reader.open({name!r}, rigscope.readers.FORMATS[{reader.id!r}].read)"
            message = f"{error.path or name}: rigscope.open doesn't read {reader.name}; {read} does"
            return NotUnderstoodError(message, code=error.code, path=error.path)
    return error


def model_of(source: Model | Source) -> Model:
    """The model, or the model in a file."""
    return source if isinstance(source, Model) else open(source)


def build(
    meshes: Sequence[MeshArrays] = (),
    *,
    bones: Sequence[BoneArrays] = (),
    clips: Sequence[ClipArrays] = (),
    materials: Sequence[MaterialArrays] = (),
    name: str = "",
    up: Literal["y", "z"] = "y",
    handedness: Literal["right", "left"] = "right",
    unit_meters: Number | None = None,
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
    keywords: dict[str, Any] = {
        "bones": _copy(arguments.dictionaries("bones", bones)),
        "clips": _copy(arguments.dictionaries("clips", clips)),
        "materials": _copy(arguments.dictionaries("materials", materials)),
        "name": arguments.text("name", name),
        "up": arguments.text("up", up),
        "handedness": arguments.text("handedness", handedness),
        "unit_meters": None if unit_meters is None else arguments.number("unit_meters", unit_meters),
    }
    if unit_meters is not None and unit_meters <= 0:
        raise ValueError(f"unit_meters must be more than 0, not {unit_meters}")
    own_meshes = _copy(arguments.dictionaries("meshes", meshes))
    return _rigscope.build(own_meshes, origin=(partial(build, **keywords), (own_meshes,)), **keywords)


def reduce(model: Model) -> tuple[Callable[..., Model], tuple[Any, ...]]:
    """The function and the arguments with which pickle makes the model again."""
    origin: tuple[Callable[..., Model], tuple[Any, ...]] | None = model._origin
    if origin is None:
        raise TypeError("this model can't be pickled; open the file with rigscope.open")
    return origin


def part(model: Model, path: Sequence[str | int]) -> Any:
    """A part of a model: pickle stores the names and numbers that lead to it."""
    found: Any = model
    for step in path:
        found = getattr(found, step) if isinstance(step, str) else found[step]
    return found


def sampled(model: Model, clip: int | None, time: float | None, key: int | None, sampling: Sampling) -> BonePose:
    """The pose of bones that was pickled."""
    return model.sample(clip, time, key=key, sampling=sampling)


def companion_list(companions: Sequence[Companion]) -> list[sources.PlainCompanion]:
    """The related files in a list; a single file is a mistake that would be split into letters."""
    if isinstance(companions, (str, bytes, bytearray, os.PathLike)) or not isinstance(companions, Iterable):
        raise arguments.wrong_type("companions", "a list of paths or pairs of name and bytes", companions)
    found = list(companions)
    plain: list[sources.PlainCompanion] = []
    for number, companion in enumerate(found):
        if isinstance(companion, (str, os.PathLike)):
            plain.append(companion)
            continue
        named = None if isinstance(companion, (bytes, bytearray, memoryview)) else sources.plain(companion)
        if not isinstance(named, tuple):
            raise arguments.wrong_type(f"companions[{number}]", "a path or a pair of name and bytes", companion)
        plain.append(named)
    return plain


def _reopen(opened: Opened) -> Model:
    """Opens the files of a pickled model again, unless they have changed since."""
    for file in opened.changed_files():
        message = f"{file!s}: the file has changed since the model was opened; open it again before sending it"
        raise UnreadableError(message, code="unreadable", path=str(file))
    return open(opened.source, companions=opened.companions, **opened.options)


def _stamp(file: sources.Plain) -> _Stamp | None:
    """Identifies a version of a file; ``None`` for a folder, for bytes, and for a file that can't be read."""
    if not isinstance(file, (str, os.PathLike)):
        return None
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return None
    return None if stat.S_ISDIR(found.st_mode) else (found.st_size, found.st_mtime_ns)


def _absolute(file: Any) -> Any:
    return os.path.abspath(file) if isinstance(file, (str, os.PathLike)) else file


def _copy(value: Any) -> Any:
    """A copy that doesn't change if the caller changes the arrays afterwards."""
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        is_flat = all(isinstance(item, (int, float)) for item in value)
        return type(value)(value if is_flat else [_copy(item) for item in value])
    # Arrays of NumPy and other libraries.
    return np.array(value) if hasattr(value, "__array__") else value
