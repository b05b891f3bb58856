"""Valve StudioMdl Data: ``.smd`` reference models and animations of GoldSrc and Source.

Text, one command per line. A reference file has all three blocks, an animation only the first two:

=================================================  ====================================================================
``version 1``                                      the only version
``nodes`` … ``end``                                ``number "name" parent``; -1 without a parent
``skeleton`` … ``end``                             ``time frame``, then ``bone x y z rx ry rz`` for each bone
``triangles`` … ``end``                            a material, then three vertices: ``bone x y z nx ny nz u v``,
                                                   optionally with ``links bone weight bone weight …``
``vertexanimation`` … ``end``                      shapes of a ``.vta`` file; not read
=================================================  ====================================================================

Positions and rotations of bones are relative to the parent. Rotations are radians about the fixed axes x, then y,
then z. The first frame of a reference file is the bind pose. Vertices are in model space, triangles are
counter-clockwise, and v is 0 at the bottom of the image, so it is inverted here. Right-handed, Z up. The unit is that
of the game (an inch in Source at the scale of characters) and isn't stored.

Sources: "SMD", Valve Developer Community (https://developer.valvesoftware.com/wiki/SMD), and studiomdl of the Source
SDK 2013 for what the page leaves open (``utils/studiomdl/v1support.cpp``).

Ambiguous: The frame rate is in the ``.qc`` file. Frames are read at 30 per second, the default of ``$sequence``.

Ambiguous: Links whose weights don't sum to 1. studiomdl scales them, and other importers assign the rest to the bone
in front of the position. The weights are read as they are stored.

Ambiguous: A bone that a frame leaves out keeps the transform of the previous frame, as in studiomdl.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .. import local_files, reader
from ._math import Floats, about_axes, check_parents, material

#: Frames per second of `$sequence` in a `.qc` file without `fps`.
FRAME_RATE = 30.0
#: Largest bone number. studiomdl allows 128 to 512 bones; numbers may have gaps.
MAX_BONE_NUMBER = 65535


def read(path: Path) -> dict[str, Any]:
    """Reads a Valve SMD reference model or animation."""
    return parse(local_files.read(path), path.stem)


def parse(data: bytes, name: str = "") -> dict[str, Any]:
    """Reads an SMD file from memory; the clip of an animation gets the name of the file."""
    text = reader.Text(data)
    nodes = _Nodes()
    frames: _Frames | None = None
    mesh: dict[str, Any] | None = None
    materials: list[dict[str, Any]] = []
    num_blocks = 0
    for line in text.rest():
        words = line.split()
        keyword = words[0].lower()
        if _is_comment(line):
            continue
        if keyword == "version":
            if words[1:] != ["1"]:
                raise text.error(f"version {reader.shortened(' '.join(words[1:]))} isn't supported, only 1")
        elif keyword == "nodes":
            if nodes.names:
                raise text.error("a second block of nodes")
            nodes.parse(text)
        elif keyword == "skeleton":
            if frames is not None:
                raise text.error("a second skeleton block")
            frames = _Frames(text, nodes)
        elif keyword == "triangles":
            if mesh is not None:
                raise text.error("a second block of triangles")
            mesh, materials = _triangles(text, nodes)
        elif keyword == "vertexanimation":
            reader.warn("The block vertexanimation is skipped; shapes of VTA files aren't supported.")
            _skip_block(text)
        else:
            expected = "nodes, skeleton or triangles" if num_blocks else '"version 1"'
            raise text.error(f"expected {expected}, found {reader.shortened(line)}")
        num_blocks += 1
    if not nodes.names:
        raise text.error("the file has no nodes and is truncated, or isn't an SMD file")
    if frames is None:
        raise text.error("the file has no skeleton block and is truncated")
    bones = [
        {"name": bone, "parent": parent, "translation": translation, "rotation": rotation}
        for bone, parent, translation, rotation in zip(
            nodes.names, nodes.parents, frames.translations[0], frames.rotations[0]
        )
    ]
    model: dict[str, Any] = {"name": name, "up": "z", "handedness": "right", "bones": bones}
    if mesh is not None:
        model |= {"materials": materials, "meshes": [{"name": name, **mesh}]}
    if mesh is None or len(frames.times) > 1:
        clip = {"translations": frames.translations, "rotations": frames.rotations}
        model["clips"] = [{"name": name, "times": frames.times, **clip}]
    return model


def _is_comment(line: str) -> bool:
    return line.startswith(("//", "#", ";"))


class _Nodes:
    """Bones in the order of the file. Their numbers may have gaps."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.parents: list[int] = []
        self.of_number: dict[str, int] = {}

    def parse(self, text: reader.Text) -> None:
        parent_numbers = []
        lines = []
        while (line := text.next()).lower() != "end":
            if _is_comment(line):
                continue
            number, _, rest = line.partition('"')
            name, quote, parent = rest.rpartition('"')
            if not quote:
                # Names without quotation marks, from old exporters.
                words = line.split()
                if len(words) != 3:
                    raise text.error(f'expected a number, a "name" and a parent, found {reader.shortened(line)}')
                number, name, parent = words
            bone = text.integer(number, "the number of a bone")
            if not 0 <= bone <= MAX_BONE_NUMBER:
                raise text.error(f"bone number {bone} is out of range")
            if str(bone) in self.of_number:
                raise text.error(f"a second bone with the number {bone}")
            self.of_number[str(bone)] = len(self.names)
            self.names.append(name)
            parent_numbers.append(text.integer(parent, "the number of a parent"))
            lines.append(text.line)
        for parent_number, at in zip(parent_numbers, lines):
            if parent_number >= 0 and str(parent_number) not in self.of_number:
                raise text.error(f"there is no bone {parent_number}", at)
            self.parents.append(-1 if parent_number < 0 else self.of_number[str(parent_number)])
        if not self.names:
            raise text.error("the block of nodes is empty")
        check_parents(self.parents, f"nodes before line {text.line}, bone")

    def bone(self, part: str, text: reader.Text) -> int:
        bone = self.of_number.get(part)
        if bone is None:
            number = str(text.integer(part, "the number of a bone"))
            bone = self.of_number.get(number)
            if bone is None:
                raise text.error(f"there is no bone {number}")
        return bone


class _Frames:
    """The skeleton block: (frames, bones, 3) translations and (frames, bones, 4) rotations."""

    def __init__(self, text: reader.Text, nodes: _Nodes) -> None:
        numbers: list[int] = []
        words: list[str] = []
        places: list[tuple[int, int, int]] = []
        while (line := text.next()).lower() != "end":
            row = line.split()
            if row[0].lower() == "time":
                if len(row) != 2:
                    raise text.error(f'expected a frame number after "time", found {reader.shortened(line)}')
                number = text.integer(row[1], "a frame number")
                if numbers and number <= numbers[-1]:
                    raise text.error(f"frame {number} follows frame {numbers[-1]}; frame numbers must rise")
                numbers.append(number)
            elif _is_comment(line):
                continue
            elif not numbers:
                raise text.error(f'expected "time", found {reader.shortened(line)}')
            elif len(row) != 7:
                raise text.error(f"expected a bone and 6 numbers, found {reader.shortened(line)}")
            else:
                places.append((len(numbers) - 1, nodes.bone(row[0], text), text.line))
                words += row[1:]
        rows = _numbers(text, words, 6, [line for _, _, line in places])
        if not numbers:
            raise text.error("the skeleton block has no frames")
        num_bones = len(nodes.names)
        if len(numbers) * num_bones > max(64 * len(rows), 100_000):
            raise text.error(f"{len(numbers):,} frames of {num_bones:,} bones have only {len(rows):,} transforms")
        # The row of each bone in each frame; a bone that is left out refers to its last row.
        latest = np.full((len(numbers), num_bones), -1)
        if places:
            frame, bone, _ = np.array(places).T
            latest[frame, bone] = np.arange(len(rows))
        latest = np.maximum.accumulate(latest, axis=0)
        if missing := int((latest[0] < 0).sum()):
            reader.warn(f"The first frame lacks {missing} of {num_bones} bones; they are at the origin of the parent.")
        values = np.concatenate([rows, np.zeros((1, 6))])[latest]
        self.times = (np.array(numbers, float) - numbers[0]) / FRAME_RATE
        self.translations = values[..., :3]
        self.rotations = about_axes(values[..., [5, 4, 3]], (2, 1, 0))


def _triangles(text: reader.Text, nodes: _Nodes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    # Equal lines are equal vertices: comparing text is faster than comparing numbers, and exact.
    vertices: dict[str, int] = {}
    lines: list[int] = []
    corners: list[int] = []
    material_of: dict[str, int] = {}
    materials: list[int] = []
    while True:
        line = text.next()
        if line.lower() == "end":
            break
        if line.startswith("//"):
            continue
        materials.append(material_of.setdefault(line, len(material_of)))
        for _ in range(3):
            line = text.next()
            vertex = vertices.setdefault(line, len(vertices))
            if vertex == len(lines):
                lines.append(text.line)
            corners.append(vertex)
    values, influences = _vertices(text, list(vertices), lines, nodes)
    triangles = np.array(corners, np.uint32).reshape(-1, 3)
    of_triangle = np.array(materials, np.intp)
    order = np.argsort(of_triangle, kind="stable")
    counts = np.bincount(of_triangle, minlength=len(material_of)).tolist()
    starts = np.cumsum([0, *counts]).tolist()
    mesh = {
        "positions": values[:, 0:3],
        "normals": values[:, 3:6],
        "uvs": values[:, 6:8] * [1, -1] + [0, 1],
        "triangles": triangles[order],
        "subsets": [[start, count, number] for number, (start, count) in enumerate(zip(starts, counts))],
        "influences": influences,
    }
    return mesh, [material(name) for name in material_of]


def _vertices(text: reader.Text, vertices: list[str], lines: list[int], nodes: _Nodes) -> tuple[Any, Any]:
    numbers: list[str] = []
    first, joints, weights = [0], [], []
    num_partial = 0
    for line, place in zip(vertices, lines):
        words = line.split()
        if len(words) < 9:
            raise text.error(f"expected a bone and 8 numbers, found {reader.shortened(line)}", place)
        numbers += words[1:9]
        num_links = 0
        if len(words) > 9:
            try:
                num_links = int(words[9])
                links = [(int(words[at]), float(words[at + 1])) for at in range(10, 10 + 2 * num_links, 2)]
            except (ValueError, IndexError):
                found = reader.shortened(line)
                raise text.error(f"expected links, each a bone and a weight, found {found}", place) from None
        if num_links > 0:
            total = 0.0
            for number, weight in links:
                bone = nodes.of_number.get(str(number))
                if bone is None or not abs(weight) < 1e30:
                    raise text.error(f"a link to bone {number} with weight {weight:g} is out of range", place)
                joints.append(bone)
                weights.append(weight)
                total += weight
            num_partial += abs(total - 1) > 0.01
        else:
            bone = nodes.of_number.get(words[0].lstrip("0") or "0")
            if bone is None:
                raise text.error(f"there is no bone {reader.shortened(words[0])}", place)
            joints.append(bone)
            weights.append(1.0)
        first.append(len(joints))
    values = _numbers(text, numbers, 8, lines)
    if num_partial:
        reader.warn(f"The weights of {num_partial:,} vertices don't sum to 1. studiomdl scales them.")
    return values, (np.array(first), np.array(joints, np.uint32), np.array(weights))


def _numbers(text: reader.Text, words: list[str], width: int, lines: list[int]) -> Floats:
    """Parses rows of finite numbers at once, and one by one only to find an error."""
    try:
        values = np.fromiter(map(float, words), float, len(words)).reshape(-1, width)
        if (np.abs(values) < 3.4e38).all():
            return values
    except ValueError:
        pass
    for row, line in enumerate(lines):
        try:
            text.numbers(words[row * width : (row + 1) * width])
        except reader.Error as error:
            raise text.error(str(error).partition(": ")[2], line) from None
    raise AssertionError("all rows are finite numbers")


def _skip_block(text: reader.Text) -> None:
    while text.next().lower() != "end":
        pass
