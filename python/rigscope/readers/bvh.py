"""Biovision hierarchy: ``.bvh`` motion capture data.

Text in two sections:

=================================  ====================================================================================
``HIERARCHY``
``ROOT name { … }``                a joint without a parent; there may be several
``JOINT name { … }``               a child of the joint around it
``End Site { … }``                 the end of the last bone of a chain, with an offset
``OFFSET x y z``                   the position in the rest pose, relative to the parent
``CHANNELS n name …``              the values of this joint in a frame: ``Xposition``, ``Yrotation``, in any order
``MOTION``
``Frames: n``                      the number of frames
``Frame Time: s``                  the time from one frame to the next in seconds
numbers                            for each frame, the channels of all joints, in the order of the hierarchy
=================================  ====================================================================================

Rotations are degrees. The first rotation channel is the outermost: ``Zrotation Xrotation Yrotation`` rotates a vector
about y, then x, then z. The rest pose has no rotations. Right-handed, Y up by convention. The unit isn't stored;
inches, centimetres and metres are all common. An end site is read as a bone named after its parent.

Sources: "Biovision BVH", University of Wisconsin
(https://research.cs.wisc.edu/graphics/Courses/cs-838-1999/Jeff/BVH.html), and M. Meredith and S. Maddock, "Motion
Capture File Formats Explained", University of Sheffield, 2001.

Ambiguous: Position channels. The Wisconsin page adds them to the offset for the root. Files with position channels
for other joints store the whole position, and Blender and assimp replace the offset for all joints. So does this
reader; the two differ only if the root has an offset.

Ambiguous: Z-up files exist, and can't be told from the content. Open them with ``--up z``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import local_files, reader
from ._math import about_axes, check_finite

#: Deepest nesting of joints; a limit against damaged files.
MAX_JOINTS = 65535

_CHANNEL = re.compile(r"([XYZ])(position|rotation)", re.IGNORECASE)


@dataclass
class _Joint:
    name: str
    parent: int
    offset: list[float] | None = None
    #: Pairs of axis and column in a frame.
    positions: list[tuple[int, int]] = field(default_factory=list)
    rotations: list[tuple[int, int]] = field(default_factory=list)


def read(path: Path) -> dict[str, Any]:
    """Reads Biovision (BVH) motion capture data."""
    return parse(local_files.read(path), path.stem)


def parse(data: bytes, name: str = "") -> dict[str, Any]:
    """Reads a BVH file from memory; its clip gets the name of the file."""
    text = reader.Text(data)
    line = text.next()
    if line.upper() != "HIERARCHY":
        raise text.error(f"not a BVH file: expected HIERARCHY, found {reader.shortened(line)}")
    joints, num_channels = _hierarchy(text)
    bones = [
        {"name": joint.name, "parent": joint.parent, "translation": joint.offset or [0.0, 0.0, 0.0]} for joint in joints
    ]
    model: dict[str, Any] = {"name": name, "up": "y", "handedness": "right", "bones": bones}
    times, frames = _motion(text, num_channels)
    if len(times):
        tracks = [_track(number, joint, frames) for number, joint in enumerate(joints)]
        moving = [track for track in tracks if len(track) > 1]
        model["clips"] = [{"name": name, "times": times, "tracks": moving}]
    return model


def _hierarchy(text: reader.Text) -> tuple[list[_Joint], int]:
    """Reads up to the line MOTION; returns the joints and the number of channels."""
    joints: list[_Joint] = []
    open_joints: list[int] = []
    num_channels = 0
    has_brace = True
    while True:
        line = text.next()
        for part in _parts(line):
            words = part.split()
            keyword = words[0].upper()
            if not has_brace and keyword != "{":
                raise text.error(f"expected '{{' after a joint, found {reader.shortened(part)}")
            if keyword == "{":
                if has_brace:
                    raise text.error("'{' without a joint")
                has_brace = True
            elif keyword == "}":
                if not open_joints:
                    raise text.error("'}' without a joint")
                joint = joints[open_joints.pop()]
                if joint.offset is None:
                    raise text.error(f"joint {joint.name!r} has no OFFSET")
            elif keyword in ("ROOT", "JOINT") or (keyword == "END" and len(words) > 1 and words[1].upper() == "SITE"):
                if (keyword == "ROOT") != (not open_joints):
                    where = "inside a joint" if open_joints else "outside of a root"
                    raise text.error(f"{keyword} {where}")
                if len(joints) >= MAX_JOINTS:
                    raise text.error(f"more than {MAX_JOINTS:,} joints")
                parent = open_joints[-1] if open_joints else -1
                name = part[len(keyword) :].strip() if keyword != "END" else f"{joints[parent].name}_end"
                open_joints.append(len(joints))
                joints.append(_Joint(name, parent))
                has_brace = False
            elif keyword == "OFFSET" and open_joints:
                if joints[open_joints[-1]].offset is not None:
                    raise text.error("a joint has a second OFFSET")
                joints[open_joints[-1]].offset = text.numbers(words[1:], 3)
            elif keyword == "CHANNELS" and open_joints:
                num_channels = _channels(text, words[1:], joints[open_joints[-1]], num_channels)
            elif keyword == "MOTION":
                if open_joints:
                    raise text.error(f"MOTION inside joint {joints[open_joints[-1]].name!r}; a '}}' is missing")
                if not joints:
                    raise text.error("the hierarchy has no joints")
                return joints, num_channels
            else:
                raise text.error(f"expected a joint, OFFSET, CHANNELS or MOTION, found {reader.shortened(part)}")


def _parts(line: str) -> list[str]:
    """Splits braces off, which some programs write on the same line."""
    if line in ("{", "}"):
        return [line]
    if line.upper().startswith(("ROOT", "JOINT")) and not line.endswith("{"):
        return [line]
    return [part.strip() for part in re.split(r"([{}])", line) if part.strip()]


def _channels(text: reader.Text, words: list[str], joint: _Joint, num_channels: int) -> int:
    if joint.positions or joint.rotations:
        raise text.error("a joint has a second list of CHANNELS")
    if not words:
        raise text.error("expected the number of CHANNELS")
    count = text.integer(words[0], "the number of CHANNELS")
    if count != len(words) - 1:
        raise text.error(f"expected {count} channels, found {len(words) - 1}")
    for word in words[1:]:
        match = _CHANNEL.fullmatch(word)
        if match is None:
            raise text.error(f"unknown channel {reader.shortened(word)}")
        axis = "XYZ".index(match[1].upper())
        channels = joint.positions if match[2].lower() == "position" else joint.rotations
        if any(axis == other for other, _ in channels):
            raise text.error(f"the channel {word} occurs twice")
        channels.append((axis, num_channels))
        num_channels += 1
    return num_channels


def _motion(text: reader.Text, num_channels: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The times of the frames and the values of the channels, (frames, channels)."""
    frames, frame_time = text.next(), text.next()
    key, _, count = frames.partition(":")
    if key.strip().lower() != "frames":
        raise text.error(f'expected "Frames: number", found {reader.shortened(frames)}', text.line - 1)
    num_frames = text.integer(count.strip(), "the number of frames")
    key, _, seconds = frame_time.partition(":")
    if key.strip().lower() != "frame time":
        raise text.error(f'expected "Frame Time: seconds", found {reader.shortened(frame_time)}')
    [interval] = text.numbers(seconds, 1)
    if not 1e-6 < interval < 1e6:
        reader.warn(f"The frame time {interval:g} is unusable; 1/30 s is used instead.")
        interval = 1 / 30
    first_line = text.line
    lines = list(text.rest())
    words = " ".join(lines).split()
    try:
        values = np.fromiter(map(float, words), float, len(words))
    except ValueError:
        again = next(line for line in lines if not _is_numbers(line))
        place = first_line + 1 + lines.index(again)
        raise text.error(f"expected numbers, found {reader.shortened(again)}", place) from None
    check_finite(values, "the value")
    if num_channels == 0:
        if len(values):
            raise text.error("the joints have no channels, but there are frames")
        return np.empty(0), np.empty((0, 0))
    found, partial = divmod(len(values), num_channels)
    if partial:
        counts = f"frame {found} has {partial} of {num_channels} values"
        raise text.error(f"{counts}; the file is truncated")
    if found != num_frames:
        reader.warn(f"The file declares {num_frames:,} frames and has {found:,}, which are shown.")
    return np.arange(found) * interval, values.reshape(found, num_channels)


def _is_numbers(line: str) -> bool:
    try:
        return all(float(word) is not None for word in line.split())
    except ValueError:
        return False


def _track(number: int, joint: _Joint, frames: NDArray[Any]) -> dict[str, Any]:
    track: dict[str, Any] = {"bone": number}
    if joint.positions:
        translations = np.tile(np.array(joint.offset or [0.0] * 3), (len(frames), 1))
        for axis, column in joint.positions:
            translations[:, axis] = frames[:, column]
        track["translations"] = translations
    if joint.rotations:
        angles = np.radians(frames[:, [column for _, column in joint.rotations]])
        track["rotations"] = about_axes(angles, [axis for axis, _ in joint.rotations])
    return track
