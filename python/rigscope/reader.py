"""Reads your own file format into Rigscope, as a reader for the program or in Python.

A reader is a function from a path to a dictionary with the arguments of :func:`rigscope.build`. :func:`run` turns it
into a program that Rigscope starts for files of the format:

>>> from rigscope import reader
>>> def read(path):
...     data = reader.Bytes(path.read_bytes())
...     data.expect(b"HERO")
...     vertices = data.array("f4", data.u32(), 3)
...     triangles = data.array("u4", data.u32(), 3)
...     return {"meshes": [{"positions": vertices, "triangles": triangles}]}
>>> if __name__ == "__main__":
...     reader.run(read)

The dictionary has the keys of the JSON format ``rigscope.model/1``: ``name``, ``up``, ``handedness``,
``unit_meters``, ``findings``, ``bones``, ``materials``, ``meshes`` and ``clips``. Arrays can be lists, tuples or
NumPy arrays. The chapter "Your own format" of the book describes every key.
"""

from __future__ import annotations

import argparse
import json
import os
import struct
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _rigscope
from .errors import Error as _BaseError
from .errors import NotUnderstoodError

__all__ = ["SCHEMA", "Bytes", "Data", "Error", "Text", "build", "open", "run", "warn", "write"]

#: The value of the first key of the JSON output.
SCHEMA = "rigscope.model/1"

#: A model as a dictionary, with the keys of the JSON format.
Data: TypeAlias = Mapping[str, Any]


class _Warnings(threading.local):
    """Warnings of the file that is read at present, in each thread."""

    def __init__(self) -> None:
        self.texts: list[str] = []


_warnings = _Warnings()


class Error(NotUnderstoodError):
    """The file is damaged, or uses a feature that the reader doesn't support.

    :func:`run` prints the message without a traceback. Name the place and what is wrong there:
    ``line 12: expected 3 numbers after "time"``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "not-understood",
        path: str | None = None,
        place: str | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message, code=code, path=path, place=place, offset=offset)


def warn(text: str) -> None:
    """Reports a problem of the file that doesn't prevent it from being read.

    Rigscope lists it with the findings of the model.
    """
    _warnings.texts.append(" ".join(text.split()))


def _take_warnings() -> list[str]:
    taken, _warnings.texts = _warnings.texts, []
    return taken


class Bytes:
    """A cursor over binary data that checks every access.

    Reading past the end raises :class:`Error` with the offset. Counts are compared with the remaining bytes before
    memory is allocated, so a damaged count can't exhaust it.

    >>> data = Bytes(b"HERO" + bytes([2, 0, 0, 0]))
    >>> data.expect(b"HERO")
    >>> data.u32()
    2
    """

    def __init__(self, data: bytes | bytearray | memoryview, *, big_endian: bool = False) -> None:
        self._bytes = bytes(data)
        self._data = memoryview(self._bytes)
        self._order: Literal["<", ">"] = ">" if big_endian else "<"
        self._offset = 0

    @property
    def offset(self) -> int:
        """The position in bytes."""
        return self._offset

    @property
    def size(self) -> int:
        """The size of the whole data in bytes."""
        return len(self._data)

    @property
    def remaining(self) -> int:
        """The number of bytes from the position to the end."""
        return len(self._data) - self._offset

    def seek(self, offset: int) -> None:
        """Moves to a position, for example one that the file stores."""
        if not 0 <= offset <= len(self._data):
            raise self.error(f"offset {offset} is outside the file of {len(self._data)} bytes")
        self._offset = offset

    def skip(self, count: int) -> None:
        """Skips bytes."""
        self.raw(count)

    def raw(self, count: int) -> bytes:
        """Reads bytes."""
        return bytes(self._take(count))

    def expect(self, magic: bytes) -> None:
        """Reads bytes that must have a given value, such as a magic number."""
        start = self._offset
        if bytes(self._data[start : start + len(magic)]) != magic:
            found = bytes(self._data[start : start + len(magic)])
            raise Error(f"expected {magic!r} at offset 0x{start:x}, found {found!r}", offset=start)
        self._offset += len(magic)

    def u8(self) -> int:
        """Reads an unsigned 8-bit integer."""
        return int(self._number("B", 1))

    def i8(self) -> int:
        """Reads a signed 8-bit integer."""
        return int(self._number("b", 1))

    def u16(self) -> int:
        """Reads an unsigned 16-bit integer."""
        return int(self._number("H", 2))

    def i16(self) -> int:
        """Reads a signed 16-bit integer."""
        return int(self._number("h", 2))

    def u32(self) -> int:
        """Reads an unsigned 32-bit integer."""
        return int(self._number("I", 4))

    def i32(self) -> int:
        """Reads a signed 32-bit integer."""
        return int(self._number("i", 4))

    def u64(self) -> int:
        """Reads an unsigned 64-bit integer."""
        return int(self._number("Q", 8))

    def f32(self) -> float:
        """Reads a 32-bit float."""
        return self._number("f", 4)

    def f64(self) -> float:
        """Reads a 64-bit float."""
        return self._number("d", 8)

    def text(self, count: int | None = None) -> str:
        """Reads text of a fixed number of bytes, up to the first zero byte; without a number, up to a zero byte.

        Text that isn't valid UTF-8 is read as Latin-1.
        """
        if count is None:
            start, end = self._offset, self._bytes.find(0, self._offset)
            if end < 0:
                raise self.error("text without a terminating zero byte")
            self._offset = end + 1
            return decode(self._bytes[start:end])
        return decode(self.raw(count).partition(b"\0")[0])

    def array(self, dtype: DTypeLike, count: int, columns: int | None = None) -> NDArray[Any]:
        """Reads an array of ``count`` items, or of ``count`` rows with ``columns`` items.

        :param dtype: a NumPy type, such as ``"f4"``, ``"u2"`` or a structured type; the byte order is that of the
            cursor
        """
        kind = np.dtype(dtype)
        if kind.hasobject or kind.itemsize == 0:
            raise TypeError(f"{kind} isn't a type of fixed size")
        kind = kind.newbyteorder(self._order)
        items = count * (1 if columns is None else columns)
        data = self._take(items * kind.itemsize)
        array = np.frombuffer(data, kind, items).astype(kind.newbyteorder("="), copy=True)
        return array if columns is None else array.reshape(count, columns)

    def error(self, message: str) -> Error:
        """Returns an error with the current position: ``raise data.error("unknown version 7")``."""
        return Error(f"{message} at offset 0x{self._offset:x}", offset=self._offset)

    def _take(self, count: int) -> memoryview:
        if count < 0:
            raise self.error(f"negative size {count}")
        if count > self.remaining:
            bytes_needed = f"{count:,} byte{'s' if count != 1 else ''} needed"
            raise Error(
                f"truncated at offset 0x{self._offset:x}: {bytes_needed}, {self.remaining:,} left",
                offset=self._offset,
            )
        start = self._offset
        self._offset += count
        return self._data[start : self._offset]

    def _number(self, code: str, size: int) -> float:
        return cast(float, struct.unpack(self._order + code, self._take(size))[0])


class Text:
    """A cursor over the lines of a text file, for error messages with line numbers.

    Blank lines, white space around lines and comments are skipped.

    >>> text = Text(b"bones 2\\n\\n0 1 2 # the first\\n", comment="#")
    >>> text.next()
    'bones 2'
    >>> text.numbers(text.next(), 3)
    [0.0, 1.0, 2.0]
    >>> text.line
    3
    """

    def __init__(self, data: bytes | str, *, comment: str | None = None) -> None:
        if isinstance(data, bytes):
            data = decode(data.removeprefix(b"\xef\xbb\xbf"))
        self._lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._comment = comment
        self._next = 0
        self._line = 0

    @property
    def line(self) -> int:
        """The number of the line that was read last, from 1."""
        return self._line

    def next(self) -> str:
        """Reads the next line that isn't blank."""
        line = self.next_or_none()
        if line is None:
            raise self.error("the file ends here and is truncated")
        return line

    def next_or_none(self) -> str | None:
        """Reads the next line that isn't blank; ``None`` at the end of the file."""
        lines, comment = self._lines, self._comment
        for at in range(self._next, len(lines)):
            line = lines[at]
            if comment is not None:
                line = line.partition(comment)[0]
            line = line.strip()
            if line:
                self._line = self._next = at + 1
                return line
        self._next = len(lines)
        self._line = len(lines)
        return None

    def rest(self) -> Iterator[str]:
        """Reads the remaining lines."""
        while (line := self.next_or_none()) is not None:
            yield line

    def numbers(self, line: str | Iterable[str], count: int | None = None) -> list[float]:
        """Parses finite numbers that are separated by white space.

        :param count: the required number of values
        """
        parts = line.split() if isinstance(line, str) else list(line)
        if count is not None and len(parts) != count:
            raise self.error(f"expected {count} numbers, found {len(parts)} values")
        try:
            values = [float(part) for part in parts]
        except ValueError:
            raise self.error(f"expected numbers, found {shortened(' '.join(parts))}") from None
        if not all(abs(value) < 3.4e38 for value in values):
            raise self.error(f"a number isn't finite: {shortened(' '.join(parts))}")
        return values

    def integer(self, part: str, what: str = "an integer") -> int:
        """Parses an integer of 32 bits."""
        try:
            value = int(part)
        except ValueError:
            raise self.error(f"expected {what}, found {shortened(part)}") from None
        if not -(2**31) <= value < 2**32:
            raise self.error(f"{what}: {shortened(part)} is out of range")
        return value

    def error(self, message: str, line: int | None = None) -> Error:
        """Returns an error with the number of the current line: ``raise text.error("expected a name")``."""
        place = f"line {self._line if line is None else line}"
        return Error(f"{place}: {message}", place=place)


def decode(data: bytes) -> str:
    """Decodes text as UTF-8, or as Latin-1 if it isn't valid UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def shortened(text: str, limit: int = 60) -> str:
    """Quotes text of a file for a message."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


# ---------------------------------------------------------------------------------------------------------------------
# Programs


def run(read: Callable[[Path], Data | _rigscope.Model | bytes], arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs a reader as a program: reads the file that the command line names and writes the model to standard output.

    Errors about the file are printed as one line to standard error with exit code 1. Rigscope adds the path of the
    file. Other exceptions are printed with a traceback. ``--summary`` prints a description of the model instead.

    :param read: a function that returns a dictionary, a model, or the bytes of a GLB file
    :param arguments: the command line without the program; that of the process by default
    """
    about = (read.__doc__ or "Reads a model for Rigscope.").strip().partition("\n")[0]
    parser = argparse.ArgumentParser(description=about, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to read")
    parser.add_argument("--summary", action="store_true", help="print the contents of the model as text")
    options = parser.parse_args(arguments)
    try:
        _take_warnings()
        # Lines on standard error become findings of the model.
        with np.errstate(all="ignore"):
            result = read(options.file)
            output = summary(result).encode() if options.summary else write(result)
    except (_BaseError, OSError, struct.error, EOFError, MemoryError) as error:
        print(_reason(error), file=sys.stderr)
        sys.exit(1)
    try:
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The program that reads the output, such as `head`, needs no more of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return "the model needs more memory than there is"
    text = " ".join(str(error).split())
    if isinstance(error, (struct.error, EOFError)):
        return f"truncated ({text})" if text else "truncated"
    return text


def write(result: Data | _rigscope.Model | bytes) -> bytes:
    """Returns a model as Rigscope reads it from a reader: JSON for a dictionary, GLB for a model.

    :raises Error: if a number isn't finite, which JSON can't store
    """
    if isinstance(result, (bytes, _rigscope.Model)):
        for text in _take_warnings():
            print(text, file=sys.stderr)
    if isinstance(result, bytes):
        return result
    if isinstance(result, _rigscope.Model):
        files = _rigscope.convert(result, "model.glb", save=False).files
        return next(bytes(data) for path, data in files if path.suffix == ".glb")
    if not isinstance(result, Mapping):
        raise TypeError(f"a reader returns a dictionary, a model or bytes, not {type(result).__name__}")
    data = {"schema": SCHEMA, **result}
    found = [*data.get("findings", ()), *_take_warnings()]
    if found:
        data["findings"] = found
    if "meshes" in data:
        data["meshes"] = [_with_rows(mesh) for mesh in data["meshes"]]
    parts: list[str] = []
    _write_value(data, "", parts)
    parts.append("\n")
    return "".join(parts).encode()


def _with_rows(mesh: Mapping[str, Any]) -> Mapping[str, Any]:
    """Replaces `influences`, which are for Python, by a list for each vertex."""
    if mesh.get("influences") is None:
        return mesh
    first, joints, weights = (np.asarray(values) for values in mesh["influences"])
    rest = {key: value for key, value in mesh.items() if key != "influences"}
    return {**rest, "joints": _Rows(first, joints), "weights": _Rows(first, weights)}


class _Rows:
    """Rows of different lengths in one array; the row `i` begins at `first[i]`."""

    def __init__(self, first: NDArray[Any], values: NDArray[Any]) -> None:
        self.first = first.tolist()
        self.values = values

    def text(self, path: str) -> str:
        numbers = _number_texts(self.values, path)
        ends = zip(self.first[:-1], self.first[1:])
        return "[" + ",".join("[" + ",".join(numbers[start:end]) + "]" for start, end in ends) + "]"


def _write_value(value: Any, path: str, parts: list[str]) -> None:
    if isinstance(value, Mapping):
        before = "{"
        for key, item in value.items():
            parts.append(f"{before}{json.dumps(str(key))}:")
            _write_value(item, f"{path}.{key}" if path else str(key), parts)
            before = ","
        parts.append("}" if value else "{}")
    elif isinstance(value, _Rows):
        parts.append(value.text(path))
    elif isinstance(value, np.ndarray):
        parts.append(_array_text(value, path))
    elif isinstance(value, np.generic):
        _write_value(value.item(), path, parts)
    elif isinstance(value, os.PathLike):
        parts.append(json.dumps(Path(value).as_posix()))
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes, list, tuple)):
        _write_value(list(value), path, parts)
    else:
        try:
            parts.append(json.dumps(value, allow_nan=False, separators=(",", ":")))
        except (ValueError, TypeError) as error:
            if not isinstance(value, (list, tuple)):
                if isinstance(error, TypeError):
                    raise TypeError(f"{path}: {type(value).__name__} can't be written as JSON") from None
                raise Error(f"{path}: a number isn't finite") from None
            # A list with arrays in it, or with the number that isn't finite.
            parts.append("[")
            for number, item in enumerate(value):
                if number:
                    parts.append(",")
                _write_value(item, f"{path}[{number}]", parts)
            parts.append("]")


def _array_text(array: NDArray[Any], path: str) -> str:
    numbers = _number_texts(array.ravel(), path)
    for width in reversed(array.shape):
        if array.size == 0:
            return json.dumps(array.tolist())
        numbers = ["[" + ",".join(numbers[at : at + width]) + "]" for at in range(0, len(numbers), width)]
    return numbers[0]


def _number_texts(values: NDArray[Any], path: str) -> list[str]:
    """Numbers as text. Nine digits are exact for 32-bit floats, which Rigscope stores."""
    if values.dtype.kind in "iu":
        return [str(value) for value in values.tolist()]
    if values.dtype.kind == "b":
        return ["true" if value else "false" for value in values.tolist()]
    if values.dtype.kind != "f":
        raise TypeError(f"{path}: an array of {values.dtype} can't be written as JSON")
    if not np.isfinite(values).all():
        raise Error(f"{path}: a number isn't finite")
    return ["%.9g" % value for value in values.tolist()]


def summary(result: Data | _rigscope.Model | bytes) -> str:
    """Describes the contents of a model in a few lines, to check a reader while writing it."""
    found = _take_warnings()
    if isinstance(result, bytes):
        model = _rigscope.open(("model.glb", result))
    elif isinstance(result, _rigscope.Model):
        model = result
    else:
        found = [*result.get("findings", ()), *found]
        model = build({**result, "findings": ()})
    lines = [f"{model.name or 'model'}: {model.up.upper()} up, {model.handedness}-handed"]
    for mesh in model.meshes:
        low, high = (mesh.positions.min(axis=0), mesh.positions.max(axis=0)) if mesh.num_vertices else ((), ())
        lines.append(f"mesh {mesh.name!r}: {mesh.num_vertices:,} vertices, {mesh.num_triangles:,} triangles")
        lines.append(f"  from {_vector(low)} to {_vector(high)}, skin: {mesh.skin}, UV sets: {len(mesh.uvs)}")
    for bone in model.skeleton.bones:
        parent = "" if bone.parent is None else f", child of bone {bone.parent}"
        lines.append(f"bone {bone.index} {bone.name!r}{parent}, at {_vector(bone.rest[:3, 3])}")
    for clip in model.clips:
        lines.append(f"clip {clip.name!r}: {clip.duration:.3g} s, {clip.num_keys or 'no'} keys")
    for material in model.materials:
        lines.append(f"material {material.name!r}: {', '.join(t.path for t in material.textures) or 'no textures'}")
    lines.extend(f"{note.severity}: {note.message}" for note in model.notes)
    lines.extend(f"warning: {text}" for text in found)
    return "\n".join(lines) + "\n"


def _vector(values: Iterable[float]) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in values) + ")"


# ---------------------------------------------------------------------------------------------------------------------
# Models


def open(path: str | os.PathLike[str], read: Callable[[Path], Data]) -> _rigscope.Model:
    """Opens a file with a reader.

    >>> model = rigscope.reader.open("hero.psk", rigscope.readers.psk.read)
    """
    return build(read(Path(path)))


def build(data: Data) -> _rigscope.Model:
    """Builds a model from a dictionary with the keys of the JSON format.

    Warnings of the reader are issued as Python warnings.
    """
    schema = data.get("schema", SCHEMA)
    if schema != SCHEMA:
        raise Error(f"unknown schema {schema!r}; this version reads {SCHEMA!r}")
    for text in [*data.get("findings", ()), *_take_warnings()]:
        warnings.warn(text, stacklevel=2)
    bones = [dict(bone) for bone in data.get("bones", ())]
    rests = [_rest_of(bone) for bone in bones]
    built = [
        {"name": bone.get("name") or "", "parent": bone.get("parent"), "rest": rest} for bone, rest in zip(bones, rests)
    ]
    known = ("name", "up", "handedness", "unit_meters", "materials")
    options = {key: data[key] for key in known if data.get(key) is not None}
    worlds = _world_matrices([bone.get("parent") for bone in bones], rests)
    meshes = [_mesh_arrays(mesh, worlds) for mesh in data.get("meshes", ())]
    clips = [_clip_arrays(clip, bones, rests) for clip in data.get("clips", ())]
    return _rigscope.build(cast(Any, meshes), bones=cast(Any, built), clips=cast(Any, clips), **options)


def _rest_of(bone: Mapping[str, Any]) -> NDArray[np.float64]:
    if bone.get("rest") is not None:
        return np.asarray(bone["rest"], float)
    rest = np.eye(4)
    rotation = bone.get("rotation")
    x, y, z, w = (0, 0, 0, 1) if rotation is None else rotation
    length = x * x + y * y + z * z + w * w
    s = 2 / length if length > 0 else 0
    rest[:3, :3] = [
        [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
    ]
    scale = bone.get("scale")
    rest[:3, :3] *= np.ones(3) if scale is None else np.asarray(scale, float)
    translation = bone.get("translation")
    rest[:3, 3] = 0 if translation is None else translation
    return rest


def _world_matrices(parents: Sequence[int | None], locals_: Sequence[NDArray[Any]]) -> list[NDArray[np.float64]]:
    """Multiplies the matrices of each bone and its ancestors; parents may come after their children."""
    worlds: list[NDArray[np.float64] | None] = [None] * len(locals_)
    for start in range(len(locals_)):
        chain: list[int] = []
        bone: int | None = start
        while bone is not None and bone >= 0 and worlds[bone] is None:
            if len(chain) > len(locals_):
                raise Error(f"bone {start}: its parents form a cycle")
            chain.append(bone)
            parent = parents[bone]
            if parent is not None and parent >= len(locals_):
                raise Error(f"bone {bone}: there is no parent {parent}; the model has {len(locals_)} bones")
            bone = parent
        world = np.eye(4) if bone is None or bone < 0 else worlds[bone]
        for link in reversed(chain):
            world = cast(NDArray[np.float64], world) @ locals_[link]
            worlds[link] = world
    return cast(list[NDArray[np.float64]], worlds)


def _mesh_arrays(mesh: Mapping[str, Any], worlds: Sequence[NDArray[np.float64]]) -> dict[str, Any]:
    built = dict(mesh)
    more = built.pop("more_uvs", None)
    if more:
        first = np.asarray(built["uvs"], np.float32).reshape(-1, 2)
        built["uvs"] = [first, *(np.asarray(uvs, np.float32).reshape(-1, 2) for uvs in more)]
    elif built.get("uvs") is not None:
        built["uvs"] = np.asarray(built["uvs"], np.float32).reshape(-1, 2)
    if built.get("subsets") is not None:
        built["subsets"] = [tuple(None if value is None else int(value) for value in part) for part in built["subsets"]]
    joints = built.get("joints")
    if joints is not None and not (isinstance(joints, np.ndarray) and joints.ndim == 2):
        rows = [list(row) for row in joints]
        first = np.cumsum([0, *map(len, rows)])
        joint = np.array([value for row in rows for value in row], np.uint32)
        weight = np.array([value for row in built.pop("weights") for value in row], np.float32)
        built["influences"] = (first, joint, weight)
        del built["joints"]
    if built.get("joints") is not None or built.get("influences") is not None:
        bones = built.get("skin_bones")
        bones = list(range(len(worlds))) if bones is None else [int(bone) for bone in bones]
        built["skin_bones"] = bones
        if built.get("inverse_bind_matrices") is None:
            built["inverse_bind_matrices"] = np.array([_inverse(worlds[bone]) for bone in bones]).reshape(-1, 4, 4)
    return {key: value for key, value in built.items() if value is not None}


def _inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    try:
        return np.linalg.inv(matrix).astype(float)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(matrix).astype(float)


def _clip_arrays(
    clip: Mapping[str, Any], bones: Sequence[Mapping[str, Any]], rests: Sequence[NDArray[np.float64]]
) -> dict[str, Any]:
    """Samples tracks at the times of all their keys, which `rigscope.build` has in common for all bones."""
    built = {key: value for key, value in clip.items() if value is not None}
    tracks = built.pop("tracks", None)
    if built.pop("morph_tracks", None):
        warnings.warn(f"clip {clip.get('name')!r}: weights of morph targets are left out", stacklevel=3)
    if not tracks:
        return built
    step = bool(built.get("step"))
    own = [built["times"]] if "times" in built else []
    own += [track["times"] for track in tracks if track.get("times") is not None]
    times = np.unique(np.concatenate([np.asarray(values, float).ravel() for values in own]))
    translations = np.array([rest[:3, 3] for rest in rests])
    scales = np.array([_scale(rest[:3, :3]) for rest in rests])
    rotations = np.array([_quaternion(rest[:3, :3], scale) for rest, scale in zip(rests, scales)])
    shape = (len(times), len(rests), -1)
    values = {
        "translations": np.broadcast_to(translations, (len(times), *translations.shape)).reshape(shape).copy(),
        "rotations": np.broadcast_to(rotations, (len(times), *rotations.shape)).reshape(shape).copy(),
        "scales": np.broadcast_to(scales, (len(times), *scales.shape)).reshape(shape).copy(),
    }
    for track in tracks:
        keys = np.asarray(track["times"] if track.get("times") is not None else built["times"], float)
        for part, result in values.items():
            if track.get(part) is not None:
                result[:, int(track["bone"])] = _sampled(keys, np.asarray(track[part], float), times, step)
    return {**built, "times": times, **values}


def _sampled(keys: NDArray[Any], values: NDArray[Any], times: NDArray[Any], step: bool) -> NDArray[Any]:
    if len(keys) != len(values):
        raise Error(f"a track has {len(keys)} times and {len(values)} values")
    after = np.clip(np.searchsorted(keys, times, side="right"), 1, max(len(keys) - 1, 1))
    before = after - 1
    after = np.minimum(after, len(keys) - 1)
    span = keys[after] - keys[before]
    share = np.clip((times - keys[before]) / np.where(span > 0, span, 1), 0, 1)[:, None]
    share = np.floor(share) if step else share
    a, b = values[before], values[after]
    if values.shape[1] != 4:
        return cast(NDArray[Any], a + (b - a) * share)
    dot = (a * b).sum(axis=1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), 0, 1))
    sine = np.sin(angle)
    near = sine < 1e-6
    safe = np.where(near, 1, sine)
    first = np.where(near, 1 - share, np.sin((1 - share) * angle) / safe)
    second = np.where(near, share, np.sin(share * angle) / safe)
    return cast(NDArray[Any], a * first + b * second)


def _scale(matrix: NDArray[Any]) -> NDArray[np.float64]:
    scale = np.linalg.norm(matrix, axis=0)
    return cast(NDArray[np.float64], -scale if np.linalg.det(matrix) < 0 else scale)


def _quaternion(rotation: NDArray[Any], scale: NDArray[Any]) -> NDArray[np.float64]:
    """A rotation matrix, with the scale of its columns divided out, as x, y, z, w."""
    m = rotation / np.where(scale != 0, scale, 1)
    # The eigenvector of the largest eigenvalue: Bar-Itzhack, "New method for extracting the quaternion from a rotation
    # matrix", 2000. It has no special cases.
    (a, b, c), (d, e, f), (g, h, i) = m
    symmetric = np.array(
        [
            [a - e - i, b + d, c + g, h - f],
            [b + d, e - a - i, f + h, c - g],
            [c + g, f + h, i - a - e, d - b],
            [h - f, c - g, d - b, a + e + i],
        ]
    )
    return cast(NDArray[np.float64], np.linalg.eigh(symmetric)[1][:, -1])
