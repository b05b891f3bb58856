#!/usr/bin/env python3
"""Compares the poses of engines with Rigscope's predictions, for all models of a folder.

Every cell is the largest distance of a vertex in any pose, divided by the size of the model, "refused" if the engine
doesn't open the file and Rigscope predicts that, or the error of the engine. The distance to the specification follows in parentheses if it is ten times as large. Poses: as loaded, and
in the first clips at the start, 25 %, 60 % and the end.

Vertices of glTF files are compared in the order of the file. For other formats see matching.py; "≥" marks cells
whose vertices couldn't be matched, so that the deviation may be larger.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from matching import matched

HERE = Path(__file__).parent
GLTF = (".glb", ".gltf")


class Engine(NamedTuple):
    """A program that takes FILE REQUEST.json and prints the vertices of the poses as JSON, and the extensions of its files."""

    command: list
    extensions: tuple = GLTF
    # A separate program for OBJ files.
    obj_command: list | None = None

    def command_for(self, path):
        return self.obj_command if self.obj_command and path.suffix.lower() == ".obj" else self.command


# By the id of the runtime in Rigscope.
ENGINES = {
    "three.js": Engine(["node", HERE / "three.mjs"], (*GLTF, ".fbx", ".obj")),
    "babylon.js": Engine(["node", HERE / "babylon.mjs"], (*GLTF, ".obj"), ["node", HERE / "babylon_obj.mjs"]),
    "playcanvas": Engine(["node", HERE / "playcanvas.mjs"]),
    "blender": Engine([sys.executable, HERE / "blender_engine.py"], (*GLTF, ".fbx", ".obj")),
    "raylib": Engine([sys.executable, HERE / "raylib_engine.py"], (*GLTF, ".iqm", ".obj")),
    "bevy": Engine([HERE.parent / "target/bevy/debug/bevy_engine"]),
    "cesium": Engine(["node", HERE / "cesium.mjs"]),
    "filament": Engine(["node", HERE / "filament.mjs"]),
    "panda3d": Engine([sys.executable, HERE / "panda3d_engine.py"]),
    "assimp": Engine([sys.executable, HERE / "assimp_engine.py"], (".fbx", ".iqm", ".obj")),
}
EXTENSIONS = {extension for engine in ENGINES.values() for extension in engine.extensions}
CLIPS = 3


def read_json(path):
    data = path.read_bytes()
    if data[:4] == b"glTF":
        data = data[20:20 + int.from_bytes(data[12:16], "little")]
    return json.loads(data)


def gltf_requests(gltf):
    poses = [{"clip": None, "time": 0}]
    for clip, animation in enumerate(gltf.get("animations", [])[:CLIPS]):
        inputs = [gltf["accessors"][sampler["input"]] for sampler in animation["samplers"]]
        start = min(accessor["min"][0] for accessor in inputs)
        end = max(accessor["max"][0] for accessor in inputs)
        times = [start, start + (end - start) * 0.25, start + (end - start) * 0.6, end]
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
        times = [start + length * share for share in (0, 0.25, 0.6, 1)]
        # Engines reorder clips, so they find them by name. Some let them start at 0.
        poses += [{"clip": clip, "name": facts["name"], "start": start, "time": time} for time in times]
    return poses


def run_rigscope(program, path, poses, folder, runtime):
    out = folder / "rigscope.json"
    vertices = []
    for pose in poses:
        choice = ["--clip", str(pose["clip"]), "--time", str(pose["time"])]
        if pose["clip"] is None:
            choice = ["--pose", "rest"]
        if runtime:
            choice += ["--as", runtime]
        subprocess.run([program, "pose", path, "-o", out, *choice, "--force"], check=True, capture_output=True)
        vertices.append(np.array(json.loads(out.read_text())["vertices"], float))
    return vertices


def run_engine(command, path, poses, folder):
    """The vertices of each pose, or the error."""
    request = folder / "request.json"
    request.write_text(json.dumps({"poses": poses}))
    run = subprocess.run([*command, path, request], capture_output=True, text=True)
    try:
        answer = json.loads(run.stdout)
    except ValueError:
        return (run.stderr.strip().splitlines() or [f"exit status {run.returncode}"])[-1]
    # JSON has no NaN; JavaScript writes null.
    if answer["error"]:
        # A cell of the table is one line.
        return answer["error"].strip().splitlines()[0]
    return [np.array(pose["vertices"], float) for pose in answer["poses"]]


def distances(expected, actual):
    """The largest distance per pose, relative to the size of the model as loaded."""
    size = np.linalg.norm(np.nanmax(expected[0], axis=0) - np.nanmin(expected[0], axis=0))
    for a, b in zip(expected, actual):
        if a.shape != b.shape:
            yield f"{len(b)} vertices, not {len(a)}"
            continue
        # Vertices that aren't a number don't appear.
        missing = np.isnan(b).any(axis=1)
        if (missing != np.isnan(a).any(axis=1)).any():
            yield f"{missing.sum()} vertices missing, not {np.isnan(a).any(axis=1).sum()}"
        else:
            yield np.linalg.norm(a[~missing] - b[~missing], axis=1).max() / size


def compare(path, expected, actual):
    """The deviation or the problem of each pose, and whether the vertices of both sides are known to be the same."""
    if path.suffix.lower() in GLTF:
        return list(distances(expected, actual)), True
    if not len(expected[0]) or not len(actual[0]):
        return [f"{len(actual[0])} vertices, not {len(expected[0])}"], True
    if any(np.isnan(pose).any() for pose in actual):
        return ["vertices not a number"], True
    return matched(expected, actual)


def cell(values):
    words = [value for value in values if isinstance(value, str)]
    return words[0] if words else f"{max(values):.1e}"


def predictions(rigscope, path):
    """The predictions for a file, by the id of the runtime."""
    run = subprocess.run([rigscope, "runtimes", path, "--json"], check=True, capture_output=True)
    return {row["id"]: row for row in json.loads(run.stdout)["runtimes"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rigscope", default="rigscope", metavar="PATH")
    parser.add_argument("--engine", action="append", choices=ENGINES, help="compare only this one; may be repeated")
    parser.add_argument("--book", type=Path, help="replace the table in this page of the book")
    parser.add_argument("--poses", action="store_true", help="print every pose")
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.folder.iterdir() if path.suffix.lower() in EXTENSIONS)
    names = arguments.engine or list(ENGINES)
    suffixes = {path.suffix.lower() for path in paths}
    names = [name for name in names if suffixes.intersection(ENGINES[name].extensions)]
    lines = []

    def show(line):
        print(line, flush=True)
        lines.append(line)

    show("| file | " + " | ".join(names) + " |")
    show("|---|" + "---|" * len(names))
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for path in paths:
            try:
                poses = requests(arguments.rigscope, path)
                by_runtime = predictions(arguments.rigscope, path)
                specified = run_rigscope(arguments.rigscope, path, poses, folder, None)
            except subprocess.CalledProcessError:
                show(f"| {path.name} | Rigscope can't open it |" + " |" * (len(names) - 1))
                continue
            cells = []
            for name in names:
                if path.suffix.lower() not in ENGINES[name].extensions:
                    cells.append("–")
                    continue
                actual = run_engine(ENGINES[name].command_for(path), path, poses, folder)
                prediction = by_runtime.get(name, {"opens": False, "refusal": None})
                if isinstance(actual, str):
                    cells.append("refused" if prediction["refusal"] else actual)
                    continue
                if prediction["refusal"]:
                    cells.append("not refused")
                    continue
                # Formats that Rigscope has no rules for are compared with their reference.
                predicted = specified
                if prediction["opens"]:
                    predicted = run_rigscope(arguments.rigscope, path, poses, folder, name)
                values, is_matched = compare(path, predicted, actual)
                cells.append(cell(values) if is_matched else "≥ " + cell(values))
                unpredicted = values
                if predicted is not specified:
                    unpredicted, _ = compare(path, specified, actual)
                if all(isinstance(value, float) for value in values + unpredicted) and max(unpredicted) > max(values) * 10:
                    cells[-1] += f" ({cell(unpredicted)})"
                if arguments.poses:
                    for pose, value in zip(poses, values):
                        when = "as loaded" if pose["clip"] is None else f"clip {pose['clip']} at {pose['time']:.4g} s"
                        print(f"{path.name}: {name}: {when}: {cell([value])}", file=sys.stderr)
            show(f"| {path.name} | " + " | ".join(cells) + " |")
    if arguments.book:
        text = arguments.book.read_text()
        before, rest = text.split("<!-- engines -->\n", 1)
        after = rest.split("<!-- /engines -->\n", 1)[1]
        table = "\n".join(lines)
        arguments.book.write_text(f"{before}<!-- engines -->\n{table}\n<!-- /engines -->\n{after}")


if __name__ == "__main__":
    main()
