"""Animations of COLLADA files: channels of matrices, of single transforms and of morph weights."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from .. import reader
from ._dae_document import Document, damaged, numbers
from ._dae_scene import Node, Scene, decomposed
from ._math import Floats

#: Samples per second of curves and of angles.
SAMPLE_RATE = 60.0
#: Largest number of samples between two keys.
MAX_SAMPLES = 240
#: Seconds before a step at which the old value is stored.
STEP = 1e-5
#: Relative shear up to which it counts as rounding.
MAX_SHEAR = 1e-3

_TARGET = re.compile(r"([^().]*)(?:\.(\w+)|((?:\(\d+\))+))?")
_MEMBERS = {
    "translate": {"X": 0, "Y": 1, "Z": 2},
    "scale": {"X": 0, "Y": 1, "Z": 2},
    "rotate": {"X": 0, "Y": 1, "Z": 2, "ANGLE": 3},
    "skew": {"ANGLE": 0},
}


@dataclass
class Morphs:
    """The first morph target of a `<morph>` in each mesh that has it."""

    meshes: list[tuple[int, int]]
    num_targets: int


class Curve:
    """The keys of a `<sampler>`."""

    def __init__(self, document: Document, sampler: Element) -> None:
        inputs = document.inputs(sampler, "INPUT", "OUTPUT")
        self.times = inputs["INPUT"].values.reshape(-1)
        self.values = inputs["OUTPUT"].values
        count = len(self.times)
        if len(self.values) != count:
            raise damaged(sampler, f"{count:,} times for {len(self.values):,} values")
        if count == 0:
            raise damaged(sampler, "there are no keys")
        if (np.diff(self.times) < 0).any():
            raise damaged(sampler, "the times of keys don't rise")
        names = inputs["INTERPOLATION"].names if "INTERPOLATION" in inputs else []
        self.modes = np.array([*names, *(["LINEAR"] * count)][:count])
        curved = np.isin(self.modes, ["BEZIER", "HERMITE"])
        controls = None
        if curved.any():
            controls = [self._controls(inputs, name) for name in ("OUT_TANGENT", "IN_TANGENT")]
        if controls is None or controls[0] is None or controls[1] is None:
            unknown = curved
            self.after = self.before = np.empty(0)
        else:
            unknown = np.zeros(count, bool)
            self.after, self.before = controls[0], controls[1]
        unknown |= ~np.isin(self.modes, ["LINEAR", "STEP", "BEZIER", "HERMITE"])
        #: Number of keys by interpolation that is read as linear.
        self.unknown = Counter(self.modes[unknown].tolist())
        self.modes[unknown] = "LINEAR"

    def _controls(self, inputs: dict[str, Any], semantic: str) -> Floats | None:
        """(keys, values, 2) control points with time and value; `None` if they have another form."""
        tangents = inputs[semantic].values if semantic in inputs else np.empty((0, 0))
        width = self.values.shape[1]
        sign = 1 if semantic == "OUT_TANGENT" else -1
        gaps = np.diff(self.times)
        gaps = np.append(gaps, 0.0) if sign > 0 else np.insert(gaps, 0, 0.0)
        own = np.stack([np.repeat(self.times[:, None], width, axis=1), self.values], axis=2)
        if tangents.shape == (len(self.times), 2 * width):
            points = tangents.reshape(-1, width, 2)
        elif tangents.shape == (len(self.times), width):
            # COLLADA 1.4.0: values only, at a third of the interval.
            points = np.stack([own[:, :, 0] + sign * gaps[:, None] / 3, tangents], axis=2)
        else:
            return None
        hermite = (self.modes == "HERMITE")[:, None, None]
        return np.where(hermite, own + sign * points / 3, points)

    @property
    def is_curved(self) -> bool:
        return bool(np.isin(self.modes[:-1], ["BEZIER", "HERMITE"]).any())

    def sample(self, times: Floats) -> Floats:
        """(times, values); the first and last values continue outside the keys."""
        count = len(self.times)
        start = np.clip(np.searchsorted(self.times, times, "right") - 1, 0, count - 1)
        end = np.minimum(start + 1, count - 1)
        gap = self.times[end] - self.times[start]
        share = np.where(gap > 0, (times - self.times[start]) / np.where(gap > 0, gap, 1), 0).clip(0, 1)[:, None]
        mode = self.modes[start]
        share[mode == "STEP"] = 0
        result = self.values[start] + share * (self.values[end] - self.values[start])
        curved = np.flatnonzero(np.isin(mode, ["BEZIER", "HERMITE"]) & (gap > 0))
        if len(curved):
            first, last = start[curved], end[curved]
            at, until = self.times[first][:, None], self.times[last][:, None]
            x1 = np.clip(self.after[first, :, 0], at, until)
            x2 = np.clip(self.before[last, :, 0], at, until)
            wanted = np.clip(times[curved][:, None], at, until)
            low, high = np.zeros_like(x1), np.ones_like(x1)
            for _ in range(50):
                middle = (low + high) / 2
                is_early = _bezier(at, x1, x2, until, middle) < wanted
                low, high = np.where(is_early, middle, low), np.where(is_early, high, middle)
            y1, y2 = self.after[first, :, 1], self.before[last, :, 1]
            result[curved] = _bezier(self.values[first], y1, y2, self.values[last], (low + high) / 2)
        return np.asarray(result)


def _bezier(a: Floats, b: Floats, c: Floats, d: Floats, t: Floats) -> Floats:
    s = 1 - t
    return np.asarray(s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d)


@dataclass
class _Channel:
    """A curve and the values of a transform that it replaces."""

    transform: int
    columns: list[int]
    curve: Curve


class Animations:
    """The clips of a file."""

    def __init__(self, document: Document, scene: Scene, morphs: dict[str, Morphs]) -> None:
        self._document = document
        self._scene = scene
        self._morphs = morphs
        self._curves: dict[Element, Curve] = {}
        self._nodes: dict[str, list[int]] = {}
        self._skipped: Counter[str] = Counter()
        self._sheared: set[int] = set()

    def clips(self, name: str) -> list[dict[str, Any]]:
        """The clips of the file, or one with all animations that gets a name."""
        document = self._document
        found = []
        for element in document.root.findall("library_animation_clips/animation_clip"):
            parts = [document.target(part, tag="animation") for part in element.findall("instance_animation")]
            channels = [channel for part in parts for channel in part.iter("channel")]
            clip = self._clip(element.get("name") or element.get("id") or name, channels)
            if clip is not None:
                self._set_range(clip, element)
                found.append(clip)
        if not found:
            channels = [
                part for library in document.root.findall("library_animations") for part in library.iter("channel")
            ]
            clip = self._clip(name, channels)
            found = [] if clip is None else [clip]
        unknown = sum((curve.unknown for curve in self._curves.values()), Counter[str]())
        for mode, count in unknown.items():
            reader.warn(f"{count:,} keys with {reader.shortened(mode)} interpolation are read as linear.")
        if self._skipped:
            listed = ", ".join(f"{target} ({count})" for target, count in self._skipped.most_common(5))
            reader.warn(f"{self._skipped.total():,} animation channels are skipped: {listed}.")
        if self._sheared:
            example = reader.shortened(self._scene.nodes[min(self._sheared)].name)
            reader.warn(f"The animation shears {len(self._sheared):,} nodes, such as {example}; shear is left out.")
        return found

    def _set_range(self, clip: dict[str, Any], element: Element) -> None:
        times = [track["times"] for track in clip["tracks"] + clip.get("morph_tracks", [])]
        first, last = min(part[0] for part in times), max(part[-1] for part in times)
        limits = []
        for attribute, default in (("start", first), ("end", last)):
            part = Element(attribute)
            part.text = element.get(attribute)
            limits.append(numbers(part, 1)[0] if part.text else default)
        if limits[1] < limits[0]:
            raise damaged(element, f"the end, {limits[1]:g} s, is before the start, {limits[0]:g} s")
        clip["start"], clip["duration"] = limits[0], limits[1] - limits[0]

    def _clip(self, name: str, channels: list[Element]) -> dict[str, Any] | None:
        by_node: dict[int, list[_Channel]] = {}
        morph_tracks: list[dict[str, Any]] = []
        for element in channels:
            nodes, transform, columns = self._target(element)
            if nodes:
                channel = self._channel(element, transform, columns)
                for node in nodes:
                    by_node.setdefault(node, []).append(channel)
            else:
                morph_tracks += self._morph_tracks(element)
        tracks = [self._track(number, found) for number, found in sorted(by_node.items())]
        if not tracks and not morph_tracks:
            return None
        clip: dict[str, Any] = {"name": name, "tracks": tracks}
        return {**clip, "morph_tracks": morph_tracks} if morph_tracks else clip

    def _curve(self, channel: Element) -> Curve:
        sampler = self._document.target(channel, "source", "sampler")
        if sampler not in self._curves:
            self._curves[sampler] = Curve(self._document, sampler)
        return self._curves[sampler]

    def _target(self, channel: Element) -> tuple[list[int], int, list[int]]:
        """The nodes, the transform and its values that a channel animates; no nodes if it is something else."""
        path, member, index = _parsed(channel)
        node_path, slash, sid = path.rpartition("/")
        if node_path not in self._nodes:
            self._nodes[node_path] = self._nodes_at(node_path)
        numbers_of = self._nodes[node_path]
        if not numbers_of or not slash:
            return [], 0, []
        transforms = self._scene.nodes[numbers_of[0]].transforms
        at = next((number for number, part in enumerate(transforms) if part.sid == sid), None)
        if at is None:
            return [], 0, []
        # Instances of a node have the same transforms, except that roots can have one for the axes in front.
        same = [number for number in numbers_of if len(self._scene.nodes[number].transforms) == len(transforms)]
        size = len(transforms[at].values)
        if member:
            column = _MEMBERS.get(transforms[at].kind, {}).get(member)
            return ([], 0, []) if column is None else (same, at, [column])
        if len(index) > 1:
            return [], 0, []
        if index and index[0] >= size:
            raise damaged(channel, f"<{transforms[at].kind}> has {size} values, so there is no value {index[0]}")
        return same, at, index or list(range(size))

    def _nodes_at(self, path: str) -> list[int]:
        """The nodes with an id, or the first one below that each further sid leads to."""
        first, *sids = path.split("/")
        element = self._document.by_id.get(first)
        found = [] if element is None else self._scene.by_element.get(element, [])
        for sid in sids:
            below = self._scene.below(found)
            found = [number for number in below if self._scene.nodes[number].element.get("sid") == sid][:1]
        return found

    def _channel(self, element: Element, transform: int, columns: list[int]) -> _Channel:
        curve = self._curve(element)
        width = curve.values.shape[1]
        if width != len(columns):
            raise damaged(element, f"the transform needs {len(columns)} values per key, but the curve has {width}")
        return _Channel(transform, columns, curve)

    def _track(self, number: int, channels: list[_Channel]) -> dict[str, Any]:
        node = self._scene.nodes[number]
        times, is_step = _sample_times(node, channels)
        animated: dict[int, Floats] = {}
        for channel in channels:
            stored = node.transforms[channel.transform].values
            values = animated.setdefault(channel.transform, np.tile(stored, (len(times), 1)))
            values[:, channel.columns] = channel.curve.sample(times)
        translations, rotations, scales, shear = decomposed(node.local(animated, len(times)))
        if (shear > MAX_SHEAR).any():
            self._sheared.add(number)
        track = {"bone": number, "times": times, "interpolation": "step" if is_step else "linear"}
        return {**track, "translations": translations, "rotations": rotations, "scales": scales}

    def _morph_tracks(self, channel: Element) -> list[dict[str, Any]]:
        path, _, index = _parsed(channel)
        morphs = next((self._morphs[part] for part in path.split("/") if part in self._morphs), None)
        if morphs is None:
            self._skipped[channel.get("target") or "without a target"] += 1
            return []
        curve = self._curve(channel)
        width = curve.values.shape[1]
        targets = index[:1] or list(range(morphs.num_targets))
        if targets[-1] >= morphs.num_targets or width != len(targets):
            raise damaged(channel, f"the morph has {morphs.num_targets} targets, and the curve {width} values per key")
        times = _subdivided(curve.times) if curve.is_curved else curve.times
        is_step = bool((curve.modes == "STEP").all())
        if not is_step:
            times = _with_steps(times, [curve])
        times = np.unique(times)
        weights = curve.sample(times)
        interpolation = "step" if is_step else "linear"
        return [
            {
                "mesh": mesh,
                "target": first + target,
                "times": times,
                "weights": weights[:, column],
                "interpolation": interpolation,
            }
            for mesh, first in morphs.meshes
            for column, target in enumerate(targets)
        ]


def _parsed(channel: Element) -> tuple[str, str, list[int]]:
    """The path, the member and the indices of the target of a channel."""
    text = (channel.get("target") or "").strip()
    head, _, last = text.rpartition("/")
    match = _TARGET.fullmatch(last)
    if match is None:
        return text, "", []
    path = f"{head}/{match.group(1)}" if head else match.group(1)
    return path, match.group(2) or "", [min(int(part), 2**31) for part in re.findall(r"\d{1,12}", match.group(3) or "")]


def _sample_times(node: Node, channels: list[_Channel]) -> tuple[Floats, bool]:
    """The times at which the matrices of a node are computed, and whether all channels are steps."""
    curves = [channel.curve for channel in channels]
    times = np.unique(np.concatenate([curve.times for curve in curves]))
    if all((curve.modes == "STEP").all() for curve in curves):
        return times, True
    kinds = {node.transforms[channel.transform].kind for channel in channels}
    if any(curve.is_curved for curve in curves) or kinds & {"rotate", "skew", "lookat"}:
        times = _subdivided(times)
    return _with_steps(times, curves), False


def _with_steps(times: Floats, curves: list[Curve]) -> Floats:
    """Adds a time before each step, up to which the old value is held."""
    steps = [curve.times[1:][curve.modes[:-1] == "STEP"] - STEP for curve in curves]
    # Keys with the same time are steps, too.
    doubled = [curve.times[1:][np.diff(curve.times) == 0] - STEP for curve in curves]
    return np.unique(np.concatenate([times, *steps, *doubled]))


def _subdivided(times: Floats) -> Floats:
    gaps = np.diff(times)
    counts = np.clip(np.ceil(gaps * SAMPLE_RATE), 1, MAX_SAMPLES).astype(np.int64)
    step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    inner = np.repeat(times[:-1], counts) + step * np.repeat(gaps / counts, counts)
    return np.append(inner, times[-1])
