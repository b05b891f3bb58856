#!/usr/bin/env python3
"""Compares the poses of engines with Rigscope's predictions, for all models of a folder.

A file is compared as loaded, at eight times of its first clip, and at four times of others. An engine agrees with the
specification, or deviates as predicted, or not as predicted; refusing a file and crashing are outcomes, too. Deviations
of positions are relative to the size of the model, those of normals in radians.

Vertices of glTF files are compared in the order of the file. For other formats see matching.py.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answers import ENGINES, GLTF, Answers, rows
from matching import matched
from report import replace_section, summary, table

EXTENSIONS = {extension for engine in ENGINES.values() for extension in engine.extensions}
# Engines whose poses Rigscope predicts.
COMPARED = ["three.js", "babylon.js", "playcanvas", "blender", "bevy", "cesium", "filament"]
# Those that are compared with files of other formats than glTF, too, or only with such files.
COMPARED_OTHERS = ["three.js", "babylon.js", "blender", "raylib"]
CLIPS = 3
SHARES = [0, 0.13, 0.25, 0.37, 0.6, 0.75, 0.91, 1]
SHARES_OF_OTHERS = [0, 0.25, 0.6, 1]
# A prediction is right if no vertex is off by more than this part of the size of the model.
SAME = 1e-5
# The same for the angle of normals, which some engines store in bytes.
SAME_NORMAL = 1e-3
# Announced differences must be at least this large, and larger ones than the second must be announced.
ANNOUNCED, UNANNOUNCED = 1e-4, 1e-3
# Kinds of differences that no pose shows.
NOT_OF_POSES = {"uv-sets-beyond-limit", "culled-too-early"}
# Programs begin their message with this if they can't read the engine's vertices.
NOT_COMPARED = "not compared: "
# The kind about normals. Normals of bent joints differ without it, too, which is inherent in blending matrices.
TILTED = "normals-tilted"


class Outcome(NamedTuple):
    """The result of an engine for a file."""

    # "agrees", "predicted", "refused", "unpredicted", "uncompared", or "not predicted" for formats without predictions.
    kind: str
    # The deviation from the specification, or the error.
    text: str
    # Announcements that are wrong or missing.
    announcement: str = ""


def read_json(path):
    """The JSON of a file. For a GLB, `indices` has the values of the index accessors."""
    data = path.read_bytes()
    if data[:4] != b"glTF":
        return json.loads(data)
    length = int.from_bytes(data[12:16], "little")
    gltf, blob = json.loads(data[20:20 + length]), data[28 + length:]
    gltf["indices"] = {}
    for mesh in gltf.get("meshes", []):
        for primitive in mesh["primitives"]:
            if "indices" in primitive:
                accessor = gltf["accessors"][primitive["indices"]]
                view = gltf["bufferViews"][accessor["bufferView"]]
                offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
                dtype = {5121: "u1", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
                values = np.frombuffer(blob, dtype, accessor["count"], offset)
                gltf["indices"][primitive["indices"]] = values
    return gltf


def drawn_vertices(gltf):
    """Whether a primitive draws each vertex, in the order of the answers; None if accessors don't tell."""
    shown, pending = set(), list(gltf["scenes"][gltf.get("scene", 0)].get("nodes", []))
    while pending:
        node = pending.pop()
        shown.add(node)
        pending += gltf["nodes"][node].get("children", [])
    drawn = []
    for number, node in enumerate(gltf["nodes"]):
        if "mesh" not in node or number not in shown:
            continue
        for primitive in gltf["meshes"][node["mesh"]]["primitives"]:
            own = np.ones(gltf["accessors"][primitive["attributes"]["POSITION"]]["count"], bool)
            if "indices" in primitive:
                own[:] = False
                own[gltf["indices"][primitive["indices"]]] = True
            drawn.append(own)
    return np.concatenate(drawn) if drawn else np.ones(0, bool)


def gltf_requests(gltf):
    poses = [{"clip": None, "time": 0}]
    for clip, animation in enumerate(gltf.get("animations", [])[:CLIPS]):
        inputs = [gltf["accessors"][sampler["input"]] for sampler in animation["samplers"]]
        start = min(accessor["min"][0] for accessor in inputs)
        end = max(accessor["max"][0] for accessor in inputs)
        times = [start + (end - start) * share for share in (SHARES_OF_OTHERS if clip else SHARES)]
        if start > 0:
            times += [0, end + 0.2]
        # Keys are stored in single precision; a time between a stored key and the number that was meant would be before
        # the key in some engines, and after it in others.
        poses += [{"clip": clip, "time": float(np.float32(time))} for time in times]
    return poses


def requests(rigscope, path):
    if path.suffix.lower() in GLTF:
        return gltf_requests(read_json(path))
    info = subprocess.run([rigscope, "info", path, "--json"], check=True, capture_output=True)
    poses = [{"clip": None, "time": 0}]
    for clip, facts in enumerate(json.loads(info.stdout)["clips"][:CLIPS]):
        start, length = facts["start_secs"], facts["duration_secs"]
        times = [float(np.float32(start + length * share)) for share in (SHARES_OF_OTHERS if clip else SHARES)]
        # Engines reorder clips, so they find them by name. Some let them start at 0.
        poses += [{"clip": clip, "name": facts["name"], "start": start, "time": time} for time in times]
    return poses


def played(program, path, poses):
    """By the id of a runtime, the refusal, the kinds of announced differences and the poses; None if unreadable.

    `specified` has the poses as the format specifies them.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"poses": poses}, file)
        file.flush()
        run = subprocess.run([program, path, file.name], capture_output=True)
    if run.returncode:
        return None
    files = json.loads(run.stdout)
    for file in filter(None, files.values()):
        # Rigscope prints numbers of single precision with as few digits as they need.
        file["poses"] = [rows(pose).astype(np.float32).astype(float) for pose in file["poses"]]
    return files


def extent(pose):
    """The diagonal of the box around the vertices that appear."""
    points = pose[~np.isnan(pose[:, :3]).any(axis=1), :3]
    return np.linalg.norm(np.ptp(points, axis=0)) if len(points) else 0.0


def distances(expected, actual):
    """The largest distance of a vertex and angle of a normal over all poses, or a text.

    Distances are relative to the size of the model as loaded, or in the largest pose of the engine: in single precision,
    a pose that has grown beyond all bounds has no more digits.
    """
    size = max(extent(expected[0]), max(map(extent, actual))) or 1
    far, angle = 0.0, 0.0
    for a, b in zip(expected, actual):
        if a.shape != b.shape:
            return f"{len(b)} vertices, not {len(a)}"
        # Vertices that aren't a number don't appear.
        missing = np.isnan(b[:, :3]).any(axis=1)
        if (missing != np.isnan(a[:, :3]).any(axis=1)).any():
            return f"{missing.sum()} vertices missing, not {np.isnan(a).any(axis=1).sum()}"
        if missing.all():
            continue
        far = max(far, np.linalg.norm((a - b)[~missing, :3], axis=1).max() / size)
        angle = max(angle, largest_angle(a[~missing, 3:], b[~missing, 3:]))
    return far, angle


def largest_angle(a, b):
    """The largest angle between normals of both sides, in radians."""
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    known = lengths > 0
    if not known.any():
        return 0.0
    chords = np.linalg.norm(a[known] / np.linalg.norm(a[known], axis=1)[:, None]
                            - b[known] / np.linalg.norm(b[known], axis=1)[:, None], axis=1)
    return float((2 * np.arcsin(np.minimum(chords / 2, 1))).max())


def compared(path, expected, actual):
    if path.suffix.lower() == ".glb":
        drawn = drawn_vertices(read_json(path))
        # Vertices that no primitive draws don't matter, and some engines drop them.
        if all(len(pose) == len(drawn) for pose in [*expected, *actual]):
            expected, actual = [pose[drawn] for pose in expected], [pose[drawn] for pose in actual]
    if path.suffix.lower() in GLTF:
        return distances(expected, actual)
    if not len(expected[0]) or not len(actual[0]):
        return (0.0, 0.0) if len(expected[0]) == len(actual[0]) else f"{len(actual[0])} vertices, not {len(expected[0])}"
    values, is_matched = matched([pose[:, :3] for pose in expected], [pose[:, :3] for pose in actual])
    return (max(values), 0.0) if is_matched else f"at least {max(values):.1e}"


def is_same(found, limit=SAME, normal_limit=SAME_NORMAL):
    return not isinstance(found, str) and found[0] <= limit and found[1] <= normal_limit


def text_of(found):
    if isinstance(found, str):
        return found
    far, angle = found
    if far <= SAME and angle > SAME_NORMAL:
        return f"{np.degrees(angle):.2g}°"
    return f"{far:.1e}"


def outcome(path, actual, file, specified):
    """Compares an engine's answer with the prediction; `file` is None for formats without predictions."""
    if isinstance(actual, str) and NOT_COMPARED in actual:
        return Outcome("uncompared", actual)
    if file is None:
        return Outcome("not predicted", actual if isinstance(actual, str) else text_of(compared(path, specified, actual)))
    if isinstance(actual, str):
        return Outcome("refused" if file["refusal"] else "unpredicted", actual)
    if file["refusal"]:
        return Outcome("unpredicted", "not refused")
    found = compared(path, file["poses"], actual)
    real = compared(path, specified, actual)
    announced = set(file["differences"]) - NOT_OF_POSES
    announcement = ""
    if announced - {TILTED} and is_same(real, ANNOUNCED, np.inf):
        announcement = "announced without a deviation: " + ", ".join(sorted(announced - {TILTED}))
    elif not announced - {TILTED} and not is_same(real, UNANNOUNCED, np.inf):
        announcement = f"not announced: {text_of(real)}"
    elif TILTED in announced and path.suffix.lower() in GLTF and actual[0][:, 3:].any() and is_same(real, np.inf, ANNOUNCED):
        announcement = f"announced without a deviation: {TILTED}"
    if not is_same(found):
        return Outcome("unpredicted", f"off by {text_of(found)}", announcement)
    return Outcome("agrees" if is_same(real) else "predicted", text_of(real), announcement)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rigscope", default="rigscope", metavar="PATH")
    parser.add_argument("--player", required=True, metavar="PATH", help="the example `played_poses`")
    parser.add_argument("--engine", action="append", choices=ENGINES, help="compare only this one; may be repeated")
    parser.add_argument("--only", help="compare only files whose names contain this")
    parser.add_argument("--book", type=Path, help="replace the tables in this page of the book")
    parser.add_argument("--fresh", action="store_true", help="run the engines even if their answers are known")
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.folder.iterdir() if path.suffix.lower() in EXTENSIONS)
    paths = [path for path in paths if not arguments.only or arguments.only in path.name]
    names = arguments.engine or list(dict.fromkeys([*COMPARED, *COMPARED_OTHERS]))
    poses = {path: requests(arguments.rigscope, path) for path in paths}
    answers = {}
    for name in names:
        own = {path: poses[path] for path in paths if path.suffix.lower() in ENGINES[name].extensions
               and name in (COMPARED if path.suffix.lower() in GLTF else COMPARED_OTHERS)}
        answers[name] = Answers(arguments.folder, arguments.fresh).of(name, own)
    outcomes = {}
    for path in paths:
        files = played(arguments.player, path, poses[path]) or {}
        for name in names:
            if path in answers[name] and name in files:
                specified = files["specified"]["poses"]
                outcomes[path.name, name] = outcome(path, answers[name][path], files[name], specified)
    of_gltf = {key: own for key, own in outcomes.items() if Path(key[0]).suffix.lower() in GLTF}
    of_others = {key: own for key, own in outcomes.items() if key not in of_gltf}
    others = [name for name in names if name in COMPARED_OTHERS]
    names = [name for name in names if name in COMPARED]
    for columns, own in [(names, of_gltf), (others, of_others)]:
        if own:
            print(summary(columns, own))
    for (path, name), own in outcomes.items():
        if own.kind == "unpredicted":
            print(f"{name}: {path}: {own.text}")
        if own.announcement:
            print(f"{name}: {path}: {own.announcement}")
    if arguments.book:
        replace_section(arguments.book, "engines", summary(names, of_gltf))
        replace_section(arguments.book, "engine-files", table(names, of_gltf))
        replace_section(arguments.book, "engine-formats", summary(others, of_others))
        replace_section(arguments.book, "engine-format-files", table(others, of_others))


if __name__ == "__main__":
    main()
