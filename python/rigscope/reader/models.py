"""Models of dictionaries with the keys of the JSON format."""

from __future__ import annotations

import base64
import os
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from .. import opening
from .._rigscope import Model
from .messages import Error, take_warnings

#: The value of the first key of the JSON output.
SCHEMA = "rigscope.model/1"

#: A model as a dictionary, with the keys of the JSON format.
Data: TypeAlias = Mapping[str, Any]


def open(path: str | os.PathLike[str], read: Callable[[Path], Data]) -> Model:
    """Opens a file with a reader.

    >>> model = rigscope.reader.open("hero.psk", rigscope.readers.psk.read)
    """
    return build(read(Path(path)))


def build(data: Data) -> Model:
    """Builds a model from a dictionary with the keys of the JSON format.

    Warnings of the reader are issued as Python warnings.

    :raises Error: if values contradict each other, such as parents that form a cycle
    """
    options = {key: value for key, value in data.items() if value is not None}
    schema = options.pop("schema", SCHEMA)
    if schema != SCHEMA:
        raise Error(f"unknown schema {schema!r}; this version reads {SCHEMA!r}")
    for text in [*options.pop("findings", ()), *take_warnings()]:
        warnings.warn(text, stacklevel=2)
    meshes = [_mesh(mesh) for mesh in options.pop("meshes", ())]
    options["images"] = [_image(image) for image in options.get("images", ())]
    try:
        return opening.build(meshes, **options)
    except ValueError as error:
        raise Error(str(error)) from error


def _mesh(mesh: Mapping[str, Any]) -> Any:
    """Converts the keys that `rigscope.build` stores differently: UV sets, subsets, and joints in rows of any length."""
    built = {key: value for key, value in mesh.items() if value is not None}
    first, more = built.pop("uvs", None), built.pop("more_uvs", ())
    if first is not None or more:
        is_list = isinstance(first, (list, tuple)) and len(first) > 0 and np.ndim(first[0]) == 2
        sets = [*([] if first is None else first if is_list else [first]), *more]
        built["uvs"] = [np.asarray(uvs, np.float32).reshape(-1, 2) for uvs in sets]
    if "subsets" in built:
        built["subsets"] = [tuple(subset) for subset in built["subsets"]]
    joints = built.get("joints")
    if joints is not None and not (isinstance(joints, np.ndarray) and joints.ndim == 2):
        rows, weights = built.pop("joints"), built.pop("weights", ())
        first = np.cumsum([0, *map(len, rows)])
        built["influences"] = (first, _flat(rows, np.uint32), _flat(weights, np.float32))
    return built


def _image(image: Mapping[str, Any]) -> Any:
    """In JSON, bytes are encoded as base64."""
    data = image.get("data")
    return {**image, "data": base64.b64decode(data)} if isinstance(data, str) else image


def _flat(rows: Any, kind: type[np.generic]) -> Any:
    return np.array([value for row in rows for value in row], kind)
