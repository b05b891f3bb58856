"""id Tech 4 MD5: ``.md5mesh`` and ``.md5anim`` of Doom 3, Quake 4 and the Cube 2 engines.

Text of tokens that are separated by white space; ``//`` starts a comment. Both files begin with ``MD5Version 10`` and
``commandline "…"``:

=========================  ============================================================================================
``.md5mesh``
``numJoints``,             the counts of what follows
``numMeshes``
``joints { … }``           ``"name" parent ( x y z ) ( qx qy qz )`` for each joint, in model space
``mesh { … }``             ``shader "material"``; then, each after its count: ``vert number ( u v ) firstWeight
                           numWeights``, ``tri number a b c``, ``weight number joint weight ( x y z )``
``.md5anim``
``numFrames``,             the counts of what follows
``numJoints``,
``frameRate``,
``numAnimatedComponents``
``hierarchy { … }``        ``"name" parent flags firstComponent``; the flags 1 to 32 are the animated components of
                           x, y, z, qx, qy, qz
``bounds { … }``           a box for each frame; not read
``baseframe { … }``        ``( x y z ) ( qx qy qz )`` for each joint, relative to the parent
``frame number { … }``     the animated components
=========================  ============================================================================================

Quaternions are stored without w, which is the negative root of 1 - qx² - qy² - qz². A weight has a position in the
space of its joint; a vertex is the weighted sum of its weights. Triangles are clockwise, v is 0 at the top of the
image. Right-handed, Z up, without a unit (Doom 3: inches). Normals aren't stored. They are computed here as in the
game: smooth, also across UV seams.

Sources: the Doom 3 source code (https://github.com/id-Software/DOOM-3, ``neo/renderer/Model_md5.cpp`` and
``neo/d3xp/anim/Anim.cpp``), and David Henry, "MD5Mesh and MD5Anim files formats", 2005
(http://tfc.duke.free.fr/coding/md5-specs-en.html).

Ambiguous: Weights of one vertex can have different positions in the bind pose. Skinning with a single bind position
isn't exact for such a vertex, so it is reported.

Ambiguous: Weights that don't sum to 1. The game doesn't scale them, which moves the vertex towards the origin or
away. The position in the bind pose is that of the game, and the weights are read as they are stored.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import local_files, reader
from ._math import Floats, check_finite, check_parents, conjugate, material, multiply, rotate, smooth_normals

_TOKEN = re.compile(r'"[^"\n]*"?|//[^\n]*|[(){}]|(?:[^\s(){}"/]|/(?!/))+')
_STRING_OR_COMMENT = re.compile(r'("[^"\n]*"?|//[^\n]*)')

#: Largest distance of the positions of one vertex, as a fraction of the size of the mesh, that is taken for rounding.
SAME_POSITION = 1e-3


def read(path: Path) -> dict[str, Any]:
    """Reads an id Tech 4 MD5 mesh or animation."""
    return parse(local_files.read(path), path.stem)


def parse(data: bytes, name: str = "") -> dict[str, Any]:
    """Reads an MD5 file from memory; the clip of an animation gets the name of the file."""
    tokens = _Tokens(reader.decode(data))
    # Blender exporters change the order of these lines or leave them out, and the Cube 2 engines accept that.
    while (keyword := tokens.peek()) in ("MD5Version", "commandline"):
        tokens.next()
        if keyword == "commandline":
            tokens.string()
        elif (version := tokens.integer()) != 10:
            raise tokens.error(f"MD5 version {version} isn't supported, only 10", back=1)
    if keyword == "numJoints":
        model = _mesh_file(tokens, name)
    elif keyword == "numFrames":
        model = _anim_file(tokens, name)
    else:
        raise tokens.error("not an MD5 file: expected MD5Version, numJoints or numFrames")
    if tokens.peek() is not None:
        reader.warn(f"{tokens.place()}: ignored {reader.shortened(str(tokens.peek()))} and what follows it")
    return {"name": name, "up": "z", "handedness": "right", **model}


class _Tokens:
    """A cursor over tokens that can check and convert many at once."""

    def __init__(self, text: str) -> None:
        self._text = text
        # The tokens of `_TOKEN` except comments, ten times as fast.
        self._tokens: list[str] = []
        for number, part in enumerate(_STRING_OR_COMMENT.split(text)):
            if number % 2 == 0:
                for brace in "(){}":
                    part = part.replace(brace, f" {brace} ")
                self._tokens += part.split()
            elif part.startswith('"'):
                self._tokens.append(part)
        self._next = 0

    def peek(self) -> str | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def next(self) -> str:
        if self._next >= len(self._tokens):
            raise self.error("the file ends here and is truncated")
        self._next += 1
        return self._tokens[self._next - 1]

    def expect(self, *expected: str) -> None:
        for token in expected:
            found = self.next()
            if found != token:
                self._next -= 1
                raise self.error(f"expected {token!r}, found {reader.shortened(found)}")

    def string(self) -> str:
        return self.next().strip('"')

    def integer(self) -> int:
        token = self.next()
        try:
            value = int(token)
        except ValueError:
            value = 2**31
        if abs(value) >= 2**31:
            self._next -= 1
            raise self.error(f"expected an integer, found {reader.shortened(token)}")
        return value

    def count(self, keyword: str) -> int:
        """Reads a keyword and a count. Every counted item has at least one token."""
        self.expect(keyword)
        count = self.integer()
        if not 0 <= count <= len(self._tokens):
            self._next -= 1
            raise self.error(f"{keyword} {count:,} exceeds the size of the file")
        return count

    def rows(self, count: int, pattern: str) -> Floats:
        """Reads rows with the tokens of a pattern, where `#` is a number; returns (rows, numbers)."""
        parts = pattern.split()
        width = len(parts)
        block = self._tokens[self._next : self._next + count * width]
        columns = []
        try:
            if len(block) < count * width:
                raise ValueError
            for at, part in enumerate(parts):
                column = block[at::width]
                if part == "#":
                    columns.append(np.fromiter(map(float, column), float, count))
                elif column.count(part) != count:
                    raise ValueError
        except ValueError:
            raise self._row_error(count, parts) from None
        self._next += count * width
        return np.stack(columns, axis=1) if columns else np.empty((count, 0))

    def _row_error(self, count: int, parts: list[str]) -> reader.Error:
        for _ in range(count):
            for part in parts:
                found = self.next()
                try:
                    if part == "#":
                        float(found)
                    elif part != found:
                        raise ValueError
                except ValueError:
                    self._next -= 1
                    expected = "a number" if part == "#" else repr(part)
                    return self.error(f"expected {expected}, found {reader.shortened(found)}")
        return self.error("the rows can't be read")

    def place(self) -> str:
        """The line of the next token. Computed only for messages."""
        number = 0
        for match in _TOKEN.finditer(self._text):
            if not match.group().startswith("//"):
                if number == self._next:
                    return f"line {self._text.count(chr(10), 0, match.start()) + 1}"
                number += 1
        return f"line {self._text.count(chr(10)) + 1}"

    def error(self, message: str, back: int = 0) -> reader.Error:
        """An error at the next token, or at one before it."""
        self._next -= back
        place = self.place()
        return reader.Error(f"{place}: {message}", place=place)


def _indices(values: Floats, limit: int, what: str, tokens: _Tokens) -> NDArray[np.int64]:
    """Checks that numbers are integers from 0 and below a limit."""
    valid = (values >= 0) & (values < limit) & (values == np.floor(values))
    if not valid.all():
        row = int(np.argwhere(~valid)[0][0])
        raise tokens.error(f"{what} {row} refers to {values[~valid][0]:g}, but there are {limit:,}")
    return values.astype(np.int64)


def _with_w(rotation: Floats) -> Floats:
    """Adds the component that isn't stored."""
    w = -np.sqrt(np.maximum(0, 1 - (rotation**2).sum(axis=-1, keepdims=True)))
    full = np.concatenate([rotation, w], axis=-1)
    return np.asarray(full / np.linalg.norm(full, axis=-1, keepdims=True))


# ---------------------------------------------------------------------------------------------------------------------
# .md5mesh


def _mesh_file(tokens: _Tokens, name: str) -> dict[str, Any]:
    num_joints = tokens.count("numJoints")
    num_meshes = tokens.count("numMeshes")
    names, parents, values = [], [], []
    tokens.expect("joints", "{")
    for joint in range(num_joints):
        if tokens.peek() == "}":
            raise tokens.error(f"numJoints is {num_joints}, but there are {joint} joints")
        names.append(tokens.string())
        parents.append(max(tokens.integer(), -1))
        values.append(tokens.rows(1, "( # # # ) ( # # # )")[0])
    tokens.expect("}")
    check_parents(parents, "joint")
    joints = np.array(values).reshape(-1, 6)
    check_finite(joints, "joint")
    positions, rotations = joints[:, :3], _with_w(joints[:, 3:])
    bones = []
    for joint in range(num_joints):
        position, rotation = positions[joint], rotations[joint]
        if parents[joint] >= 0:
            inverse = conjugate(rotations[parents[joint]])
            position = rotate(inverse, position - positions[parents[joint]])
            rotation = multiply(inverse, rotation)
        bones.append({"name": names[joint], "parent": parents[joint], "translation": position, "rotation": rotation})
    meshes: list[dict[str, Any]] = []
    material_of: dict[str, int] = {}
    for number in range(num_meshes):
        if tokens.peek() is None and meshes:
            reader.warn(f"The file declares {num_meshes} meshes and has {number}.")
            break
        meshes.append(_mesh(tokens, number, positions, rotations, material_of))
    return {"bones": bones, "materials": [material(name) for name in material_of], "meshes": meshes}


def _mesh(
    tokens: _Tokens, number: int, joint_positions: Floats, joint_rotations: Floats, material_of: dict[str, int]
) -> dict[str, Any]:
    tokens.expect("mesh", "{")
    strings = {"name": "", "shader": ""}
    while (keyword := tokens.peek()) in strings:
        tokens.next()
        strings[keyword] = tokens.string()
    vertices = tokens.rows(tokens.count("numverts"), "vert # ( # # ) # #")
    triangles = tokens.rows(tokens.count("numtris"), "tri # # # #")
    weights = tokens.rows(tokens.count("numweights"), "weight # # # ( # # # )")
    tokens.expect("}")
    check_finite(vertices, f"mesh {number}, vertex")
    check_finite(weights, f"mesh {number}, weight")
    corners = _indices(triangles[:, 1:], len(vertices), f"mesh {number}: triangle", tokens)
    joints = _indices(weights[:, 1], len(joint_positions), f"mesh {number}: the joint of weight", tokens)
    starts = _indices(vertices[:, 3], len(weights) + 1, f"mesh {number}: the first weight of vertex", tokens)
    counts = _indices(vertices[:, 4], len(weights) + 1, f"mesh {number}: the weight count of vertex", tokens)
    over = np.flatnonzero(starts + counts > len(weights))
    if len(over):
        raise tokens.error(f"mesh {number}: vertex {over[0]} has weights beyond the {len(weights):,} of the mesh")
    first = np.concatenate([[0], np.cumsum(counts)])
    if first[-1] > 64 * (len(weights) + len(vertices)):
        counted = f"the vertices share {first[-1]:,} weights, but only {len(weights):,} are stored"
        raise tokens.error(f"mesh {number}: {counted}")
    # The weight of each influence, in the order of vertices.
    used = np.arange(first[-1]) + np.repeat(starts - first[:-1], counts)
    vertex_of = np.repeat(np.arange(len(vertices)), counts)
    share = weights[used, 2]
    joint = joints[used]
    placed = rotate(joint_rotations[joint], weights[used, 3:]) + joint_positions[joint]
    sums = np.bincount(vertex_of, share, len(vertices))
    weighted = [np.bincount(vertex_of, share * placed[:, axis], len(vertices)) for axis in range(3)]
    # The game doesn't scale weights to a sum of 1.
    positions = np.stack(weighted, axis=1)
    _check_spread(number, positions / np.where(sums != 0, sums, 1)[:, None], placed, vertex_of, share)
    triangles_of_file = corners[:, ::-1].astype(np.uint32)
    return {
        "name": strings["name"] or f"mesh {number}",
        "positions": positions,
        "normals": _normals(positions, triangles_of_file),
        "uvs": vertices[:, 1:3],
        "triangles": triangles_of_file,
        "subsets": [[0, len(corners), material_of.setdefault(strings["shader"], len(material_of))]],
        "influences": (first, joint.astype(np.uint32), share),
    }


def _check_spread(number: int, means: Floats, placed: Floats, vertex_of: NDArray[Any], share: Floats) -> None:
    if len(placed) == 0:
        return
    distance = np.linalg.norm(placed - means[vertex_of], axis=1) * (share != 0)
    size = float(np.linalg.norm(np.ptp(means, axis=0)))
    far = distance > SAME_POSITION * size
    if far.any():
        count = len(np.unique(vertex_of[far]))
        reader.warn(
            f"Mesh {number}: the weights of {count:,} vertices have positions that differ by up to "
            f"{distance.max():.3g} units in the bind pose, so their animation deviates."
        )


def _normals(positions: NDArray[Any], triangles: NDArray[Any]) -> Floats:
    # Vertices are doubled at UV seams; the game welds them by position.
    points: NDArray[Any] = np.zeros(len(positions), np.int64)
    for column in np.round(positions, 4).T:
        values = np.unique(column, return_inverse=True)[1].reshape(-1)
        points = np.unique(points * len(positions) + values, return_inverse=True)[1].reshape(-1)
    normals = smooth_normals(points[triangles].reshape(-1, 3), positions[triangles].reshape(-1, 3, 3))
    missing = len(positions) and int(points.max()) + 1 - len(normals)
    all_normals: Floats = np.concatenate([normals, np.tile([0.0, 0.0, 1.0], (missing, 1))])
    return np.asarray(all_normals[points])


# ---------------------------------------------------------------------------------------------------------------------
# .md5anim


def _anim_file(tokens: _Tokens, name: str) -> dict[str, Any]:
    num_frames = tokens.count("numFrames")
    num_joints = tokens.count("numJoints")
    tokens.expect("frameRate")
    frame_rate = float(tokens.rows(1, "#")[0, 0])
    if not 0 < frame_rate < 1e6:
        reader.warn(f"The frame rate {frame_rate:g} is unusable; 24 is used instead.")
        frame_rate = 24.0
    num_components = tokens.count("numAnimatedComponents")
    names, parents, flags, firsts = [], [], [], []
    tokens.expect("hierarchy", "{")
    for joint in range(num_joints):
        if tokens.peek() == "}":
            raise tokens.error(f"numJoints is {num_joints}, but there are {joint} joints")
        names.append(tokens.string())
        parents.append(max(tokens.integer(), -1))
        flags.append(tokens.integer())
        firsts.append(tokens.integer())
        if flags[-1] and not 0 <= firsts[-1] <= num_components - (flags[-1] & 63).bit_count():
            raise tokens.error(f"the components of joint {joint} are beyond the {num_components:,} of a frame")
    tokens.expect("}")
    check_parents(parents, "joint")
    tokens.expect("bounds", "{")
    # Exporters write boxes of more frames than there are.
    while tokens.peek() == "(":
        tokens.rows(1, "( # # # ) ( # # # )")
    tokens.expect("}", "baseframe", "{")
    base = tokens.rows(num_joints, "( # # # ) ( # # # )")
    tokens.expect("}")
    check_finite(base, "baseframe: joint")
    if num_frames * num_components > num_frames + len(tokens._tokens):
        raise tokens.error(f"{num_frames:,} frames of {num_components:,} components exceed the size of the file")
    if num_frames * num_joints > 64 * len(tokens._tokens):
        raise tokens.error(f"{num_frames:,} frames of {num_joints:,} joints exceed the size of the file")
    components = np.zeros((num_frames, num_components))
    seen = np.zeros(num_frames, bool)
    for _ in range(num_frames):
        tokens.expect("frame")
        frame = tokens.integer()
        if not 0 <= frame < num_frames or seen[frame]:
            raise tokens.error(f"frame {frame} is repeated or beyond the {num_frames:,} frames")
        seen[frame] = True
        tokens.expect("{")
        components[frame] = tokens.rows(num_components, "#").ravel()
        tokens.expect("}")
    check_finite(components, "frame")
    values = np.repeat(base[None], num_frames, axis=0)
    for joint in range(num_joints):
        columns = [column for column in range(6) if flags[joint] >> column & 1]
        values[:, joint, columns] = components[:, firsts[joint] : firsts[joint] + len(columns)]
    rest = _with_w(base[:, 3:])
    bones = [
        {"name": names[joint], "parent": parents[joint], "translation": base[joint, :3], "rotation": rest[joint]}
        for joint in range(num_joints)
    ]
    clips = []
    if num_frames:
        keys = {"translations": values[..., :3], "rotations": _with_w(values[..., 3:])}
        clips.append({"name": name, "times": np.arange(num_frames) / frame_rate, **keys})
    return {"bones": bones, "clips": clips}
