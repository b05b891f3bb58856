"""Opening files and building models, and how models reach other processes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _rigscope, arguments, sources
from ._rigscope import BonePose, Model
from .errors import NotUnderstoodError, UnreadableError
from .types import (
    BoneArrays,
    BoundsArrays,
    ClipArrays,
    Companion,
    ImageArrays,
    MaterialArrays,
    MeshArrays,
    Number,
    Sampling,
    Source,
)

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
    images: Sequence[ImageArrays] = (),
    name: str = "",
    copyright: str | None = None,
    up: Literal["y", "z"] = "y",
    handedness: Literal["right", "left"] = "right",
    winding: Literal["counter-clockwise", "clockwise"] = "counter-clockwise",
    faces_backward: bool = False,
    unit_meters: Number | None = None,
    has_hierarchy: bool = True,
    default_pose: Literal["rest", "first-key"] = "rest",
    normal_matrix: Literal["inverse-transpose", "inverse-transpose-per-bone", "same", "cofactor"] = "inverse-transpose",
    hulls: Sequence[ArrayLike] = (),
    occluder: tuple[ArrayLike, ArrayLike] | None = None,
    stored_bounds: BoundsArrays | None = None,
    like: Model | None = None,
) -> Model:
    """Builds a model from arrays. It is checked as if it came from a file: values that are out of range or not finite
    are fixed and listed in its ``notes``. :func:`convert` writes it in any format.

    :meth:`Model.to_arrays` returns these keywords for a model. ``None`` counts as a missing key everywhere.

    :param meshes: one dictionary per mesh, of which only ``positions`` is required

        - ``name``, ``positions`` (n, 3), ``normals`` (n, 3), ``tangents`` (n, 4), ``colors`` (n, 4) linear, ``uvs``
          (n, 2) or a list of these, with v down, ``uv_names``
        - ``triangles`` (m, 3); ``subsets`` as (first triangle, number of triangles, material or ``None``); ``loose``:
          dictionaries with ``kind`` (``"lines"`` or ``"points"``), ``indices`` (k, 2) or (k,), and ``material``
        - ``joints`` and ``weights`` (n, k), or ``influences`` as (first (n + 1,), joints, weights); ``skin_bones`` (s,)
          the bone of each joint number (by default the same number); ``inverse_bind_matrices`` (s, 4, 4), by default of
          the rest pose, and empty if the keys of clips contain them; ``blending``: ``"linear"``,
          ``"dual-quaternion"``, or the share of the latter (n,)
        - ``influence_positions`` and ``influence_normals`` (e, 3) in the space of the bone of each of the ``influences``
          (The Sims), instead of ``skin_bones`` and ``inverse_bind_matrices``
        - ``attached_to`` a bone; ``hidden``
        - ``morph_targets``: dictionaries with ``name``, ``default_weight``, ``vertices`` (all by default),
          ``position_offsets`` and ``normal_offsets``; for in-between shapes, a list ``shapes`` of dictionaries with
          ``full_weight`` and the last three keys
    :param bones: one dictionary per bone: ``name``, ``parent`` (a number, -1 or ``None``), and relative to the parent
        either ``rest`` (4, 4) or ``translation`` (3,), ``rotation`` (4,) as x y z w and ``scale`` (3,); ``kind``:
        ``"bone"``, ``"node"`` of a scene outside the skeleton, or ``"helper"``; ``box_size`` (3,)
    :param clips: one dictionary per clip

        - ``name``, ``loops``; ``start`` and ``duration`` in seconds, by default those of the keys; ``times`` (k,) in
          seconds; ``step``: whether values are held until the next key, unless a track has its own ``interpolation``
        - keys of all bones: ``matrices`` (k, b, 4, 4) relative to the parent, or ``translations`` (k, b, 3),
          ``rotations`` (k, b, 4) as x y z w and ``scales`` (k, b, 3)
        - keys of single bones: ``tracks``, dictionaries with ``bone``, ``times``, and ``translations`` (k, 3),
          ``rotations`` (k, 4) or ``scales`` (k, 3). A bone can have several with different properties
        - ``interpolation`` of a track: ``"linear"``, ``"step"``, ``"nlerp"`` (linear, then normalized), ``"matrix"``
          (composed matrices are blended), or ``"cubic"`` with ``in_tangents`` and ``out_tangents`` in the shape of the
          values, as in glTF; a cubic track has one property
        - matrices as stored: ``skin_matrices`` (k, b, 4, 4), which contain bind pose and parents, or
          ``local_matrices``, for evenly spaced ``times`` from 0; ``interval`` in seconds for a single key;
          ``bind_pair``: key 0 is the pose and key 1 the inverse bind pose
        - ``vertex_animation``: a dictionary with ``mesh``, ``times`` and ``positions`` (k, n, 3) in model space
        - ``morph_tracks``: dictionaries with ``mesh``, ``target``, ``times``, ``weights`` (k,)
        - ``material_tracks``: dictionaries with ``material``, ``property`` (a key with numbers of a material),
          ``times``, ``values`` (k,) or (k, c)
        - ``events``: dictionaries with ``time``, ``name``, ``value`` and ``bone``; ``frame_bounds`` (k, 2, 3), the
          corners of a box per frame
    :param materials: one dictionary per material: ``name``, ``base_color`` (4,) linear, ``metallic``, ``roughness``,
        ``emissive`` (3,), ``two_sided``, the other keys of :attr:`Material.look`, and ``draw``, a dictionary with
        ``order``, ``tests_depth`` and ``writes_depth``. Without any of these, the material states none.
        ``textures`` is a dictionary from role to path, to name and bytes of an image, or to a dictionary; or a list of
        dictionaries with ``role``, ``path``, ``image`` (a number), ``uv_set``, ``wrap`` for u and v, ``transform``
        (3, 3) of UVs, and ``found_by_name``
    :param images: one dictionary per image: ``name``, ``data`` (the bytes of a PNG, JPEG or KTX file), ``is_embedded``
    :param copyright: the notice in the file
    :param up: the axis that points up
    :param handedness: ``"right"`` or ``"left"``
    :param winding: order of the corners of a triangle that is seen from the front
    :param faces_backward: whether the front of the model is at the far side (VRM 0)
    :param unit_meters: metres per unit; ``None`` if unknown
    :param has_hierarchy: ``False`` for formats that store bones without parents
    :param default_pose: the pose without a clip: that of the bones, or the first key of the first clip
    :param normal_matrix: the matrix for normals, as in the runtime of the format
    :param hulls: points (n, 3) of convex hulls
    :param occluder: positions (n, 3) and triangles (m, 3) of an occlusion mesh
    :param stored_bounds: the bounds in the file: ``min``, ``max``, ``center`` of the sphere, ``radius``
    :param like: a model whose other facts are taken over: light, avatar, values of the game, details, bytes that are
        preserved for its format, and more. Those that refer to bones, meshes, materials or images by number are left
        out if the new model has another number of them

    :raises TypeError: for a value of another type
    :raises ValueError: for an array of another shape, or a number out of range
    """
    keywords: dict[str, Any] = {
        "bones": _copy(arguments.dictionaries("bones", bones)),
        "clips": _copy(arguments.dictionaries("clips", clips)),
        "materials": _copy(arguments.dictionaries("materials", materials)),
        "images": _copy(arguments.dictionaries("images", images)),
        "name": arguments.text("name", name),
        "copyright": copyright,
        "up": arguments.text("up", up),
        "handedness": arguments.text("handedness", handedness),
        "winding": winding,
        "faces_backward": faces_backward,
        "unit_meters": None if unit_meters is None else arguments.number("unit_meters", unit_meters),
        "has_hierarchy": has_hierarchy,
        "default_pose": default_pose,
        "normal_matrix": normal_matrix,
        "hulls": _copy(hulls),
        "occluder": _copy(occluder),
        "stored_bounds": _copy(stored_bounds),
    }
    if unit_meters is not None and unit_meters <= 0:
        raise ValueError(f"unit_meters must be more than 0, not {unit_meters}")
    if like is not None and not isinstance(like, Model):
        raise arguments.wrong_type("like", "a model", like)
    own_meshes = _copy(arguments.dictionaries("meshes", meshes))
    origin = (partial(build, **keywords, like=like), (own_meshes,))
    # Numbers that are too large for 32 bits are reported like all that aren't finite.
    with np.errstate(over="ignore"):
        return _rigscope.build({"meshes": own_meshes, **keywords}, like=like, origin=origin)


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


def like_of(model: Model) -> Model | None:
    """The model that has the facts without arrays of a model: itself, or the one that it was built like.

    Not a model that was built, which would keep all models alive from which it was derived.
    """
    if model.format is not None:
        return model
    function = model._origin[0] if model._origin else None
    return function.keywords["like"] if isinstance(function, partial) else None


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
