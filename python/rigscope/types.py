"""Types of arguments and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._rigscope import Model

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
#: Pairs of bones: a file, or names with their counterparts, with ``None`` or ``False`` for bones without one.
BoneMap: TypeAlias = Union[str, PathLike[str], Mapping[str, Union[str, Literal[False], None]]]
#: How values between keys are computed.
Interpolation: TypeAlias = Literal["linear", "step", "nlerp", "matrix", "cubic"]


class MorphShapeArrays(TypedDict, total=False):
    """An in-between shape of a morph target."""

    full_weight: float
    vertices: ArrayLike
    position_offsets: ArrayLike
    normal_offsets: ArrayLike


class MorphTargetArrays(TypedDict, total=False):
    """A morph target for :func:`rigscope.build`."""

    name: str
    default_weight: float
    vertices: ArrayLike
    position_offsets: ArrayLike
    normal_offsets: ArrayLike
    shapes: Sequence[MorphShapeArrays]


class LooseArrays(TypedDict, total=False):
    """Lines or points outside triangles."""

    kind: Literal["lines", "points"]
    indices: ArrayLike
    material: int | None


class MeshArrays(TypedDict, total=False):
    """A mesh for :func:`rigscope.build`."""

    name: str
    positions: ArrayLike
    normals: ArrayLike
    tangents: ArrayLike
    colors: ArrayLike
    uvs: ArrayLike | Sequence[ArrayLike]
    uv_names: Sequence[str]
    triangles: ArrayLike
    subsets: Sequence[tuple[int, int, int | None]]
    loose: Sequence[LooseArrays]
    joints: ArrayLike
    weights: ArrayLike
    influences: tuple[ArrayLike, ArrayLike, ArrayLike]
    influence_positions: ArrayLike
    influence_normals: ArrayLike
    skin_bones: ArrayLike
    inverse_bind_matrices: ArrayLike
    blending: Literal["linear", "dual-quaternion"] | ArrayLike
    attached_to: int
    hidden: bool
    morph_targets: Sequence[MorphTargetArrays]


class BoneArrays(TypedDict, total=False):
    """A bone for :func:`rigscope.build`."""

    name: str
    parent: int | None
    rest: ArrayLike
    translation: ArrayLike
    rotation: ArrayLike
    scale: ArrayLike
    kind: Literal["bone", "node", "helper"]
    box_size: ArrayLike


class TrackArrays(TypedDict, total=False):
    """The keys of one bone."""

    bone: int
    times: ArrayLike
    translations: ArrayLike
    rotations: ArrayLike
    scales: ArrayLike
    interpolation: Interpolation
    in_tangents: ArrayLike
    out_tangents: ArrayLike


class MorphTrackArrays(TypedDict, total=False):
    """The weights of one morph target."""

    mesh: int
    target: int
    times: ArrayLike
    weights: ArrayLike
    interpolation: Interpolation
    in_tangents: ArrayLike
    out_tangents: ArrayLike


class MaterialTrackArrays(TypedDict, total=False):
    """The values of one property of a material."""

    material: int
    property: str
    times: ArrayLike
    values: ArrayLike
    interpolation: Interpolation
    in_tangents: ArrayLike
    out_tangents: ArrayLike


class VertexAnimationArrays(TypedDict):
    """Vertex positions over time."""

    mesh: int
    times: ArrayLike
    positions: ArrayLike


class EventArrays(TypedDict, total=False):
    """An event in a clip."""

    time: float
    name: str
    value: str
    bone: int | None


class ClipArrays(TypedDict, total=False):
    """A clip for :func:`rigscope.build`."""

    name: str
    start: float
    duration: float
    loops: bool
    step: bool
    times: ArrayLike
    matrices: ArrayLike
    translations: ArrayLike
    rotations: ArrayLike
    scales: ArrayLike
    tracks: Sequence[TrackArrays]
    skin_matrices: ArrayLike
    local_matrices: ArrayLike
    interval: float
    bind_pair: bool
    vertex_animation: VertexAnimationArrays
    morph_tracks: Sequence[MorphTrackArrays]
    material_tracks: Sequence[MaterialTrackArrays]
    events: Sequence[EventArrays]
    frame_bounds: ArrayLike


class DrawState(TypedDict, total=False):
    """Draw order and depth state of a material."""

    order: int | None
    tests_depth: bool
    writes_depth: bool


class TextureArrays(TypedDict, total=False):
    """A texture of a material."""

    role: str
    path: str
    image: int | None
    uv_set: int
    wrap: Sequence[Literal["repeat", "clamp", "mirror"]]
    transform: ArrayLike
    found_by_name: bool


class MaterialArrays(TypedDict, total=False):
    """A material for :func:`rigscope.build`."""

    name: str
    base_color: ArrayLike
    metallic: float
    roughness: float
    emissive: ArrayLike
    alpha: Literal["opaque", "mask", "blend"]
    alpha_cutoff: float | None
    two_sided: bool
    unlit: bool
    depth_only: bool
    normal_scale: float
    occlusion_strength: float
    ior: float
    specular: float
    specular_color: ArrayLike
    clearcoat: float
    clearcoat_roughness: float
    sheen_color: ArrayLike
    sheen_roughness: float
    transmission: float
    draw: DrawState
    textures: Mapping[str, str | tuple[str, bytes] | TextureArrays] | Sequence[TextureArrays]


class ImageArrays(TypedDict, total=False):
    """An image for :func:`rigscope.build`."""

    name: str
    data: bytes | Bytes
    is_embedded: bool


class BoundsArrays(TypedDict):
    """Bounds as a file stores them."""

    min: ArrayLike
    max: ArrayLike
    center: ArrayLike
    radius: float


class ModelArrays(TypedDict):
    """The keywords of :func:`rigscope.build`, as :meth:`rigscope.Model.to_arrays` returns them.

    The dictionaries in the lists have the keys of :class:`MeshArrays`, :class:`BoneArrays` and so on. Their values are
    `Any`, because they are always arrays, which can be calculated with, while ``build`` also accepts lists.
    """

    meshes: list[Any]
    bones: list[Any]
    clips: list[Any]
    materials: list[Any]
    images: list[Any]
    name: str
    copyright: str | None
    up: Literal["y", "z"]
    handedness: Literal["right", "left"]
    winding: Literal["counter-clockwise", "clockwise"]
    faces_backward: bool
    unit_meters: float | None
    has_hierarchy: bool
    default_pose: Literal["rest", "first-key"]
    normal_matrix: Literal["inverse-transpose", "inverse-transpose-per-bone", "same", "cofactor"]
    hulls: list[Floats]
    occluder: tuple[Floats, Ints] | None
    stored_bounds: BoundsArrays | None
    like: Model | None
