"""Types of arguments and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.uint32]
Bytes: TypeAlias = NDArray[np.uint8]

class Readable(Protocol):
    """An open file, or a similar object."""

    def read(self) -> bytes: ...


class Writable(Protocol):
    """An open file, or a similar object."""

    def write(self, data: bytes, /) -> object: ...


#: The contents of a file.
Content: TypeAlias = Union[bytes, bytearray, memoryview]
#: A path, bytes, an open file, or bytes with a file name, which helps to detect the format.
Source: TypeAlias = Union[str, PathLike[str], Content, Readable, tuple[str, Content]]
#: A related file: a path, an open file, or name and bytes.
Companion: TypeAlias = Union[str, PathLike[str], Readable, tuple[str, Content]]
#: A file to write: a path, or an open file.
Target: TypeAlias = Union[str, PathLike[str], Writable]
#: A number of Python or NumPy.
Number: TypeAlias = Union[float, np.floating[Any], np.integer[Any]]
#: A whole number of Python or NumPy.
Count: TypeAlias = Union[int, np.integer[Any]]
#: Names in a list, or in one text separated by commas.
Names: TypeAlias = Union[str, Sequence[str]]
Sampling: TypeAlias = Literal["player", "step", "linear", "decomposed"]
Normals: TypeAlias = Literal["runtime", "exact"]


class MorphTargetArrays(TypedDict, total=False):
    """A morph target for :func:`rigscope.build`."""

    name: str
    vertices: ArrayLike
    position_offsets: ArrayLike
    normal_offsets: ArrayLike


class MeshArrays(TypedDict, total=False):
    """A mesh for :func:`rigscope.build`."""

    name: str
    positions: ArrayLike
    normals: ArrayLike
    tangents: ArrayLike
    colors: ArrayLike
    uvs: ArrayLike | Sequence[ArrayLike]
    triangles: ArrayLike
    subsets: Sequence[tuple[int, int, int | None]]
    joints: ArrayLike
    weights: ArrayLike
    influences: tuple[ArrayLike, ArrayLike, ArrayLike]
    skin_bones: ArrayLike
    inverse_bind_matrices: ArrayLike
    attached_to: int
    morph_targets: Sequence[MorphTargetArrays]


class BoneArrays(TypedDict, total=False):
    """A bone for :func:`rigscope.build`."""

    name: str
    parent: int | None
    rest: ArrayLike
    translation: ArrayLike
    rotation: ArrayLike
    scale: ArrayLike


class TrackArrays(TypedDict, total=False):
    """The keys of one bone."""

    bone: int
    times: ArrayLike
    translations: ArrayLike
    rotations: ArrayLike
    scales: ArrayLike


class MorphTrackArrays(TypedDict, total=False):
    """The weights of one morph target."""

    mesh: int
    target: int
    times: ArrayLike
    weights: ArrayLike


class ClipArrays(TypedDict, total=False):
    """A clip for :func:`rigscope.build`."""

    name: str
    times: ArrayLike
    matrices: ArrayLike
    translations: ArrayLike
    rotations: ArrayLike
    scales: ArrayLike
    tracks: Sequence[TrackArrays]
    morph_tracks: Sequence[MorphTrackArrays]
    loops: bool
    step: bool


class MaterialArrays(TypedDict, total=False):
    """A material for :func:`rigscope.build`."""

    name: str
    base_color: Sequence[float]
    metallic: float
    roughness: float
    emissive: Sequence[float]
    two_sided: bool
    textures: Mapping[str, str | tuple[str, bytes]]
