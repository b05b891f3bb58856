"""Types of the compiled module; see the docstrings for descriptions (``help(rigscope.Model)``)."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.uint32]
Bytes: TypeAlias = NDArray[np.uint8]
Source: TypeAlias = str | PathLike[str] | bytes | tuple[str, bytes]
Sampling: TypeAlias = Literal["player", "step", "linear", "decomposed"]
Normals: TypeAlias = Literal["runtime", "exact"]

__version__: str
HAS_RENDER: bool

class MorphTargetArrays(TypedDict, total=False):
    name: str
    vertices: ArrayLike
    position_offsets: ArrayLike
    normal_offsets: ArrayLike

class MeshArrays(TypedDict, total=False):
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
    name: str
    parent: int | None
    rest: ArrayLike

class ClipArrays(TypedDict, total=False):
    name: str
    times: ArrayLike
    matrices: ArrayLike
    translations: ArrayLike
    rotations: ArrayLike
    scales: ArrayLike
    loops: bool
    step: bool

class MaterialArrays(TypedDict, total=False):
    name: str
    base_color: Sequence[float]
    metallic: float
    roughness: float
    emissive: Sequence[float]
    two_sided: bool
    textures: Mapping[str, str | tuple[str, bytes]]

@final
class Model:
    @property
    def name(self) -> str: ...
    @property
    def format(self) -> str | None: ...
    @property
    def num_bytes(self) -> int: ...
    @property
    def num_vertices(self) -> int: ...
    @property
    def num_triangles(self) -> int: ...
    @property
    def up(self) -> Literal["y", "z"]: ...
    @property
    def handedness(self) -> Literal["right", "left"]: ...
    @property
    def unit_meters(self) -> float | None: ...
    @property
    def reverses_winding(self) -> bool: ...
    @property
    def display_from_file(self) -> Floats: ...
    @property
    def meshes(self) -> list[Mesh]: ...
    @property
    def skeleton(self) -> Skeleton: ...
    @property
    def clips(self) -> list[Clip]: ...
    @property
    def materials(self) -> list[Material]: ...
    @property
    def images(self) -> list[Image]: ...
    @property
    def hulls(self) -> list[Floats]: ...
    @property
    def occluder(self) -> tuple[Floats, Ints] | None: ...
    @property
    def notes(self) -> list[Note]: ...
    @property
    def companions(self) -> list[dict[str, Any]]: ...
    @property
    def details(self) -> dict[str, str | int | bool]: ...
    @property
    def preserved(self) -> list[tuple[str, str, bytes]]: ...
    def pose(
        self,
        clip: int | str | None = None,
        time: float | None = None,
        *,
        key: int | None = None,
        sampling: Sampling = "player",
        normals: Normals = "runtime",
        runtime: str | None = None,
    ) -> list[PosedMesh]: ...
    def sample(
        self,
        clip: int | str | None = None,
        time: float | None = None,
        *,
        key: int | None = None,
        sampling: Sampling = "player",
    ) -> BonePose: ...
    def find_clip(self, clip: int | str) -> Clip: ...
    def validate(
        self,
        *,
        rules: str | Sequence[str] | None = None,
        allow: str | Sequence[str] | None = None,
        runtimes: str | Sequence[str] | None = None,
    ) -> list[Note]: ...

@final
class Mesh:
    @property
    def name(self) -> str: ...
    @property
    def num_vertices(self) -> int: ...
    @property
    def num_triangles(self) -> int: ...
    @property
    def positions(self) -> Floats: ...
    @property
    def normals(self) -> Floats | None: ...
    @property
    def tangents(self) -> Floats | None: ...
    @property
    def colors(self) -> Floats | None: ...
    @property
    def uvs(self) -> list[Floats]: ...
    @property
    def uv_names(self) -> list[str]: ...
    @property
    def triangles(self) -> Ints: ...
    @property
    def packed(self) -> Bytes | None: ...
    @property
    def subsets(self) -> list[tuple[int, int, int | None]]: ...
    @property
    def skin(self) -> Literal["inverse-bind", "bone-local", "attached", "none"]: ...
    @property
    def blending(self) -> Literal["linear", "dual-quaternion", "mixed"]: ...
    @property
    def skin_bones(self) -> Ints: ...
    @property
    def inverse_bind_matrices(self) -> Floats | None: ...
    @property
    def influences(self) -> tuple[Ints, Ints, Floats]: ...
    @property
    def joints_and_weights(self) -> tuple[Ints, Floats]: ...
    @property
    def joints(self) -> Ints: ...
    @property
    def weights(self) -> Floats: ...
    @property
    def morph_targets(self) -> list[MorphTarget]: ...

@final
class MorphTarget:
    @property
    def name(self) -> str: ...
    @property
    def default_weight(self) -> float: ...
    @property
    def shapes(self) -> list[tuple[float, Ints, Floats, Floats | None]]: ...

@final
class Skeleton:
    @property
    def bones(self) -> list[Bone]: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def parents(self) -> NDArray[np.int64]: ...
    @property
    def rest(self) -> Floats: ...
    @property
    def has_hierarchy(self) -> bool: ...
    def __len__(self) -> int: ...

@final
class Bone:
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def parent(self) -> int | None: ...
    @property
    def rest(self) -> Floats: ...
    @property
    def kind(self) -> str: ...
    @property
    def is_helper(self) -> bool: ...

@final
class Clip:
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def start(self) -> float: ...
    @property
    def duration(self) -> float: ...
    @property
    def is_looping(self) -> bool: ...
    @property
    def frames_per_second(self) -> float: ...
    @property
    def num_keys(self) -> int | None: ...
    @property
    def interval(self) -> float | None: ...
    @property
    def motion(
        self,
    ) -> Literal["skin-matrices", "local-matrices", "tracks", "curves", "vertex-cache"]: ...
    @property
    def events(self) -> list[Event]: ...
    @property
    def key_bytes(self) -> Bytes | None: ...
    def sample(self, time: float, *, sampling: Sampling = "player") -> BonePose: ...

@final
class Event:
    @property
    def time(self) -> float: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def bone(self) -> int | None: ...

@final
class Material:
    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def textures(self) -> list[Texture]: ...
    @property
    def look(self) -> dict[str, Any] | None: ...

@final
class Texture:
    @property
    def role(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def image(self) -> int | None: ...
    @property
    def uv_set(self) -> int: ...
    @property
    def wrap(self) -> list[str]: ...

@final
class Image:
    @property
    def name(self) -> str: ...
    @property
    def is_embedded(self) -> bool: ...
    @property
    def data(self) -> Bytes: ...

@final
class PosedMesh:
    @property
    def positions(self) -> Floats: ...
    @property
    def normals(self) -> Floats: ...
    @property
    def tangents(self) -> Floats: ...

@final
class BonePose:
    @property
    def parent_from_bone(self) -> Floats | None: ...
    @property
    def model_from_bone(self) -> Floats | None: ...
    def model_from_mesh(self, mesh: int = 0) -> Floats: ...
    @property
    def morph_weights(self) -> list[Floats]: ...

@final
class Note:
    @property
    def code(self) -> str: ...
    @property
    def severity(self) -> Literal["info", "warning", "error"]: ...
    @property
    def group(self) -> Literal["file", "skin", "mesh", "animation", "collision"]: ...
    @property
    def message(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def offset(self) -> int | None: ...
    @property
    def count(self) -> int: ...
    @property
    def meaning(self) -> str: ...
    @property
    def effect(self) -> str: ...
    @property
    def fix(self) -> str: ...
    @property
    def mend(self) -> str: ...

@final
class Conversion:
    @property
    def losses(self) -> list[str]: ...
    @property
    def errors(self) -> dict[str, float | None] | None: ...
    @property
    def summary(self) -> str | None: ...
    @property
    def notes(self) -> list[Note]: ...
    @property
    def paths(self) -> list[Path]: ...
    @property
    def files(self) -> list[tuple[Path, bytes]]: ...
    def save(self) -> list[Path]: ...

@final
class Comparison:
    @property
    def is_equal(self) -> bool: ...
    @property
    def differences(self) -> list[Difference]: ...
    @property
    def extent(self) -> float: ...
    @property
    def max(self) -> dict[str, float | None]: ...
    @property
    def per_vertex_position(self) -> Floats: ...

@final
class Difference:
    @property
    def code(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def place(self) -> str | None: ...
    @property
    def amount(self) -> float | None: ...
    @property
    def count(self) -> int: ...
    @property
    def exceeds(self) -> bool: ...

def open(
    source: Source,
    *,
    companions: Sequence[str | PathLike[str] | tuple[str, bytes]] = ...,
    without: Sequence[str] | None = None,
    no_effect: bool | None = None,
    fps: float | None = None,
    up: Literal["y", "z"] | None = None,
    format: str | None = None,
) -> Model: ...
def formats() -> list[dict[str, Any]]: ...
def build(
    meshes: Sequence[MeshArrays] = ...,
    *,
    bones: Sequence[BoneArrays] = ...,
    clips: Sequence[ClipArrays] = ...,
    materials: Sequence[MaterialArrays] = ...,
    name: str = ...,
    up: Literal["y", "z"] = "y",
    handedness: Literal["right", "left"] = "right",
    unit_meters: float | None = None,
) -> Model: ...
def catalog_row(
    source: Source,
    *,
    around: object | None = None,
    companions: Sequence[str | PathLike[str] | tuple[str, bytes]] = ...,
    without: Sequence[str] | None = None,
    no_effect: bool | None = None,
    fps: float | None = None,
    up: Literal["y", "z"] | None = None,
    format: str | None = None,
) -> str: ...
def catalog_columns() -> str: ...
def may_open(name: str, front: Callable[[], bytes | None]) -> bool: ...
def convert(
    source: Model | Source,
    to: str | PathLike[str],
    *,
    save: bool = True,
    overwrite: bool = False,
    check: bool = True,
    part: str | None = None,
    clip: str | None = None,
    rate: float | None = None,
    step_keys: bool = False,
    scale: float | None = None,
    merge: bool = False,
    weld: bool = False,
    limit_influences: int | None = None,
    flip_v: bool = False,
    hierarchy: bool = False,
    last_bones: bool = False,
    make_hulls: bool = False,
    make_occluder: bool = False,
    textures: Literal["copy", "reference", "none"] = "copy",
) -> Conversion: ...
class Fixed:
    @property
    def applied(self) -> list[dict[str, str | bool | int]]: ...
    @property
    def refused(self) -> list[tuple[str, str]]: ...
    @property
    def unfixable(self) -> list[Note]: ...
    @property
    def is_patched(self) -> bool: ...
    @property
    def num_changed(self) -> int | None: ...
    @property
    def losses(self) -> list[str]: ...
    @property
    def moved(self) -> float: ...
    @property
    def paths(self) -> list[Path]: ...

def fix(
    path: str | PathLike[str],
    to: str | PathLike[str],
    *,
    rules: Sequence[str] | None = None,
    causes: Sequence[str] | None = None,
    good: Model | Source | None = None,
    save: bool = True,
    overwrite: bool = False,
) -> Fixed: ...
def diff(
    a: Model | Source,
    b: Model | Source,
    *,
    tolerance: float | None = None,
    match_by: Literal["auto", "index", "position"] | None = None,
    ignore: str | Sequence[str] | None = None,
    only: str | Sequence[str] | None = None,
    max_moments: int | None = None,
) -> Comparison: ...
def render(
    source: Model | Source,
    *,
    size: tuple[int, int] = (1280, 800),
    clip: int | str | None = None,
    time: float | None = None,
    key: int | None = None,
    sampling: Sampling = "player",
    normals: Normals = "runtime",
    runtime: str | None = None,
    angles: tuple[float, float] | None = None,
    show: str | None = None,
    transparent: bool = False,
) -> Bytes: ...
