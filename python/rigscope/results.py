"""Results: findings, causes, conversions, comparisons, fixes, retargeted clips and posed meshes.

All are frozen dataclasses: they can be compared, copied, pickled, and turned into dictionaries.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from ._rigscope import Model
from .types import Floats

#: A function and its arguments that make a model again: results don't contain models, so that a list of results doesn't
#: fill the memory.
Origin: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]


class Result:
    """Base class of results."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as a dictionary that ``json.dumps`` accepts: arrays become lists, paths become text, and numbers
        that JSON doesn't have become ``None``. The contents of files are left out."""
        return {
            own.name: _plain(getattr(self, own.name))
            for own in dataclasses.fields(self)  # type: ignore[arg-type]
            if own.metadata.get("in_dict", True)
        }


    def __getstate__(self) -> dict[str, Any]:
        # Without the contents of files, which `origin` may have.
        return {name: None if name in ("origin", "origins") else value for name, value in vars(self).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def _left_out() -> Any:
    """A field that isn't part of dictionaries, comparisons and texts."""
    return field(default=None, repr=False, compare=False, metadata={"in_dict": False})


@dataclass(frozen=True, repr=False)
class Note(Result):
    """A finding."""

    #: The kind of finding, a stable code in kebab-case.
    code: str
    severity: Literal["info", "warning", "error"]
    group: Literal["file", "skin", "mesh", "animation", "collision"]
    #: Details of the first occurrence.
    message: str
    #: The place of the first occurrence, as text.
    place: str
    #: The byte offset of the place, if it is an offset in the file.
    offset: int | None
    #: Number of occurrences.
    count: int
    #: The meaning of this kind of finding.
    meaning: str
    #: The effect on the image or on runtimes.
    effect: str
    #: How to fix the file.
    fix: str

    @property
    def mend(self) -> str:
        """The former name of :attr:`fix`."""
        return self.fix

    def __repr__(self) -> str:
        return f"<{self.severity} {self.code}: {self.message} at {self.place}>"


class Notes(list[Note]):
    """A list of findings, which notebooks show as a table."""

    __slots__ = ()

    def to_dicts(self) -> list[dict[str, Any]]:
        """Each finding as a dictionary: the rows of a table."""
        return [note.to_dict() for note in self]

    def _repr_html_(self) -> str:
        from . import result_views

        return result_views.findings(self)

    def __reduce__(self) -> Any:
        return Notes, (list(self),)


@dataclass(frozen=True, repr=False)
class Cause(Result):
    """The cause of faults in a model."""

    #: A stable name in kebab-case.
    name: str
    #: The share of the evidence that vanishes without the fault, from 0 to 1.
    certainty: float
    #: The fault, as a sentence.
    message: str
    #: Measurements: dictionaries with ``name``, ``meaning``, ``before`` (with the fault), ``after`` (without it) and
    #: ``unit``.
    evidence: list[dict[str, Any]]
    #: What to change in the exporter.
    fix: str
    #: Codes of the findings that are symptoms of the cause.
    explains: list[str]
    #: Names of other causes that explain the evidence about as well.
    rivals: list[str]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.message}>"


@dataclass(frozen=True, repr=False)
class Conversion(Result):
    """The result of a conversion."""

    #: Missing data, as phrases: left out by the format, changed by more than its precision, or dropped when the source
    #: was read.
    losses: list[str]
    #: The bones and nodes that were added because the format needs them, as phrases.
    added: list[str]
    #: Deviations: ``position``, ``skinned``, ``skinned_at_keys`` and ``extent`` in display units, the parts
    #: ``of_extent`` and ``of_extent_at_keys``, ``normal_deg``, ``uv``, ``weight``; ``None`` if not measured.
    errors: dict[str, float | None] | None
    #: The errors as one line for people.
    summary: str | None
    #: The writer's findings, worst first.
    notes: list[Note]
    #: Path and bytes of each file; the requested file is the last one.
    files: list[tuple[Path, bytes]] = field(repr=False, metadata={"in_dict": False})
    overwrite: bool = field(repr=False, metadata={"in_dict": False})
    #: The files that the source was read from, which are never overwritten.
    inputs: list[Path] = field(repr=False, metadata={"in_dict": False})
    #: How the source was made; ``None`` after pickling.
    origin: Origin | None = _left_out()

    @property
    def paths(self) -> list[Path]:
        """The output paths; the requested file is the last one."""
        return [path for path, _ in self.files]

    @property
    def data(self) -> bytes:
        """The bytes of the requested file."""
        return self.files[-1][1]

    def to_dict(self) -> dict[str, Any]:
        """The fields as a dictionary that ``json.dumps`` accepts, with paths and sizes of the files."""
        files = [{"path": str(path), "num_bytes": len(data)} for path, data in self.files]
        return {**super().to_dict(), "files": files}

    def save(self) -> list[Path]:
        """Writes all files, each whole or not at all, and returns their paths.

        :raises rigscope.errors.WriteError: if a file exists and ``overwrite`` was false, or is an input
        """
        from . import _rigscope

        _rigscope._save(self.files, self.overwrite, self.inputs)
        return self.paths

    def _repr_html_(self) -> str:
        from . import result_views

        return result_views.conversion(self)

    def __repr__(self) -> str:
        num_bytes = sum(len(data) for _, data in self.files)
        return f"<Conversion to {str(self.paths[-1])!r}: {num_bytes} bytes, {len(self.losses)} losses>"


@dataclass(frozen=True, repr=False)
class Difference(Result):
    """One difference."""

    #: The kind of difference, a stable code in kebab-case.
    code: str
    #: A description of both sides.
    what: str
    #: The place in b of the largest or first difference.
    place: str | None
    #: The largest amount, in the unit of the kind.
    amount: float | None
    #: Number of elements that exceed the tolerance.
    count: int
    #: Whether the difference exceeds the tolerance.
    exceeds: bool

    def __repr__(self) -> str:
        return f"<{self.code}: {self.what}>"


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Result):
    """The differences between two models."""

    #: Whether no difference exceeds the tolerance.
    is_equal: bool
    #: All differences, largest first.
    differences: list[Difference]
    #: Diagonal of the bounding box of a, in display units.
    extent: float
    #: The largest differences; ``None`` if there was nothing to compare.
    max: dict[str, float | None]
    #: (n,) float32: distance of each vertex of b, over all meshes, from its matching vertex; infinite for unmatched
    #: vertices. In display units.
    per_vertex_position: Floats
    #: How the models were made, which may be large; ``None`` after pickling.
    origins: tuple[Origin | None, Origin | None] | None = _left_out()
    #: The options of the comparison.
    options: dict[str, Any] | None = _left_out()

    def _repr_html_(self) -> str:
        from . import result_views

        return result_views.comparison(self)

    def __repr__(self) -> str:
        return "<Comparison: equal>" if self.is_equal else f"<Comparison: {len(self.differences)} differences>"


@dataclass(frozen=True, repr=False)
class Fixed(Result):
    """The result of fixing a file."""

    #: The applied fixes: dictionaries with ``name``, ``kind`` (``"finding"``, ``"cause"`` or ``"piece"``), ``is_cause``,
    #: ``action`` and ``count``.
    applied: list[dict[str, Any]]
    #: Fixes that weren't applied, as pairs of name and reason.
    refused: list[tuple[str, str]]
    #: Fixes that are only applied if ``rules`` or ``causes`` names them, because they are guesses or change parts of the
    #: model: dictionaries like those of ``applied``, with ``is_guess``.
    offered: list[dict[str, Any]]
    #: Findings without a fix, most severe first.
    unfixable: list[Note]
    #: Whether only the affected bytes differ from the source.
    is_patched: bool
    #: Number of bytes that differ from the source; ``None`` if the file was rewritten or nothing was fixed.
    num_changed: int | None
    #: Losses of a rewritten file, as phrases.
    losses: list[str]
    #: The largest distance that a vertex moved, relative to the size of the model; 0 if none moved.
    moved: float
    #: Path and bytes of each file, the requested one last; empty if nothing was fixed.
    files: list[tuple[Path, bytes]] = field(repr=False, metadata={"in_dict": False})
    overwrite: bool = field(repr=False, metadata={"in_dict": False})
    #: The files that were read, which are never overwritten.
    inputs: list[Path] = field(repr=False, metadata={"in_dict": False})

    @property
    def paths(self) -> list[Path]:
        """The output paths, the requested one last; empty if nothing was fixed."""
        return [path for path, _ in self.files]

    def save(self) -> list[Path]:
        """Writes all files, each whole or not at all, and returns their paths.

        :raises rigscope.errors.WriteError: if a file exists and ``overwrite`` was false, or is an input
        """
        from . import _rigscope

        _rigscope._save(self.files, self.overwrite, self.inputs)
        return self.paths

    def __repr__(self) -> str:
        names = ", ".join(fix["name"] for fix in self.applied)
        return f"<Fixed: {names or 'nothing'}>"


@dataclass(frozen=True)
class BonePair(Result):
    """Two corresponding bones."""

    from_name: str
    to_name: str
    #: Numbers of the bones in the skeletons.
    from_bone: int
    to_bone: int
    #: Why they correspond: by an entry of the bone map, by the same name, by a name that differs only in case and
    #: namespace, as the same part of a body, by the same words, or by the place in the hierarchy.
    reason: Literal["map", "name", "plain-name", "body", "words", "place", "order"]
    #: How sure the pair is, from 0 to 1; an estimate.
    certainty: float
    #: The part of the body; ``None`` if it isn't known.
    body: str | None


@dataclass(frozen=True, repr=False)
class BonePairs(Result):
    """The corresponding bones of two models."""

    #: In the order of the first model.
    pairs: list[BonePair]
    #: Names of the first model's bones that are in no pair.
    unpaired_from: list[str]
    #: Names of the second model's bones that are in no pair.
    unpaired_to: list[str]
    #: Findings about the bone map next to the second model.
    notes: list[Note]

    def __repr__(self) -> str:
        num_unpaired = len(self.unpaired_from), len(self.unpaired_to)
        return f"<BonePairs: {len(self.pairs)}; without a pair: {num_unpaired[0]} and {num_unpaired[1]}>"


@dataclass(frozen=True)
class BoneAngle(Result):
    """An angle between a bone and its source."""

    #: Name of the model's bone.
    bone: str
    angle_deg: float
    #: On the time axis of the clip; ``None`` for the rest pose.
    time_secs: float | None


@dataclass(frozen=True)
class FootQuality(Result):
    """The motion of a foot while the foot of the source stands, as fractions of the leg."""

    side: Literal["left", "right"]
    #: How far it slides.
    slide: float
    #: How far the foot of the source slides in that time.
    source_slide: float
    #: How much deeper it goes than the foot of the source, relative to the first moment.
    sinks: float


@dataclass(frozen=True)
class HandQuality(Result):
    """The smallest distance of a hand from the line between hips and head, as a fraction of the arm."""

    side: Literal["left", "right"]
    nearest: float
    #: The same distance in the source.
    source_nearest: float
    time_secs: float


@dataclass(frozen=True, repr=False)
class RetargetedClip(Result):
    """How well a clip agrees with its source."""

    #: Number of the clip in the model.
    clip: int
    name: str
    #: Angle between the directions of a bone and its source: the median over bones and times.
    median_angle_deg: float
    #: The largest such angle; ``None`` if no bone has a direction.
    worst: BoneAngle | None
    #: Left and right, if both skeletons have feet.
    feet: list[FootQuality]
    #: Left and right, if both skeletons have arms, hips and a head.
    hands: list[HandQuality]
    #: Knees and elbows that bend to another side than in the source.
    bent_joints: list[BoneAngle]
    #: Bone keys in the source.
    source_keys: int
    #: Bone keys in the result.
    keys: int

    def __repr__(self) -> str:
        worst = f", at most {self.worst.angle_deg:.3g}° ({self.worst.bone})" if self.worst else ""
        return f"<RetargetedClip {self.name!r}: {self.median_angle_deg:.3g}° off (median){worst}>"


@dataclass(frozen=True, repr=False)
class RetargetedFile(Result):
    """The clips of one file on the model."""

    #: Name of the file.
    file: str
    #: Number of bone pairs.
    pairs: int
    #: Names of the file's bones that are in no pair.
    unpaired_from: list[str]
    #: Names of the model's bones that are in no pair.
    unpaired_to: list[str]
    #: The factor for positions.
    scale: float
    #: If the rest poses differ, so that the model was first turned into the rest pose of the file: where they differ
    #: most.
    turned: BoneAngle | None
    clips: list[RetargetedClip]
    #: Findings, such as bones without a counterpart.
    notes: list[Note]

    def __repr__(self) -> str:
        return f"<RetargetedFile {self.file!r}: {self.pairs} pairs, {len(self.clips)} clips>"


@dataclass(frozen=True, repr=False)
class Retargeted(Result):
    """A model with clips of other skeletons."""

    #: One for each model or file with clips.
    files: list[RetargetedFile]
    #: The model with the clips.
    model: Model = field(compare=False, metadata={"in_dict": False})

    def __repr__(self) -> str:
        return f"<Retargeted: {self.files}>"


@dataclass(frozen=True, repr=False, eq=False)
class PosedMesh(Result):
    """The vertices of one mesh in a pose, or in several poses, in display space. For several, the arrays have another
    dimension in front."""

    #: (n, 3) or (poses, n, 3) float32.
    positions: Floats
    #: (n, 3) or (poses, n, 3) float32, of unit length or zero.
    normals: Floats
    #: (n, 4) or (poses, n, 4) float32: direction, and the sign of the bitangent.
    tangents: Floats

    def __repr__(self) -> str:
        return f"<PosedMesh: positions {self.positions.shape}>"


