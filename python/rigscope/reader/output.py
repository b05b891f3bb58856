"""The output of readers: JSON, or a GLB file."""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._rigscope import Model
from ..writing import convert
from .messages import Error, take_warnings
from .models import SCHEMA, Data


def write(result: Data | Model | bytes) -> bytes:
    """Returns a model as Rigscope reads it from a reader: JSON for a dictionary, GLB for a model.

    :raises Error: if a number isn't finite, which JSON can't store
    """
    if isinstance(result, (bytes, Model)):
        for text in take_warnings():
            print(text, file=sys.stderr)
    if isinstance(result, bytes):
        return result
    if isinstance(result, Model):
        files = convert(result, "model.glb", save=False).files
        return next(bytes(data) for path, data in files if path.suffix == ".glb")
    if not isinstance(result, Mapping):
        raise TypeError(f"a reader returns a dictionary, a model or bytes, not {type(result).__name__}")
    # `like` is a model, of which JSON stores only the parts that are arrays.
    data = {"schema": SCHEMA, **{key: value for key, value in result.items() if key != "like"}}
    found = [*data.get("findings", ()), *take_warnings()]
    if found:
        data["findings"] = found
    if "meshes" in data:
        data["meshes"] = [_with_rows(_with_more_uvs(mesh)) for mesh in data["meshes"]]
    parts: list[str] = []
    _write_value(data, "", parts)
    parts.append("\n")
    return "".join(parts).encode()


def _with_more_uvs(mesh: Mapping[str, Any]) -> Mapping[str, Any]:
    """Moves the UV sets after the first, which are a list in Python, to `more_uvs`."""
    uvs = mesh.get("uvs")
    if not isinstance(uvs, (list, tuple)) or not uvs or np.ndim(uvs[0]) != 2:
        return mesh
    return {**mesh, "uvs": uvs[0], "more_uvs": [*uvs[1:], *(mesh.get("more_uvs") or ())]}


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
    elif isinstance(value, (bytes, bytearray)):
        parts.append(json.dumps(base64.b64encode(value).decode()))
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
    """Numbers as text. Nine digits are exact for 32-bit floats, which Rigscope stores, except for times."""
    if values.dtype.kind in "iu":
        return [str(value) for value in values.tolist()]
    if values.dtype.kind == "b":
        return ["true" if value else "false" for value in values.tolist()]
    if values.dtype.kind != "f":
        raise TypeError(f"{path}: an array of {values.dtype} can't be written as JSON")
    if not np.isfinite(values).all():
        raise Error(f"{path}: a number isn't finite")
    digits = "%.17g" if path.endswith(".times") else "%.9g"
    return [digits % value for value in values.tolist()]
