"""Runs engines on files, and keeps their answers, so that only Rigscope runs again after a change of its rules."""

import hashlib
import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np

HERE = Path(__file__).parent
GLTF = (".glb", ".gltf")
# Chromium starts slowly, and an engine that hangs is an answer.
PATIENCE_SECS = 120
# Files per process.
BATCH = 25


class Engine(NamedTuple):
    """A program that takes pairs of a file and a request, and prints the vertices of the poses as a line of JSON each."""

    command: list
    extensions: tuple = GLTF
    # A separate program for OBJ files.
    obj_command: list | None = None
    takes_many: bool = True

    def command_for(self, path):
        return self.obj_command if self.obj_command and path.suffix.lower() == ".obj" else self.command


# By the id of the runtime in Rigscope.
ENGINES = {
    "three.js": Engine(["node", HERE / "three.mjs"], (*GLTF, ".fbx", ".obj")),
    "babylon.js": Engine(["node", HERE / "babylon.mjs"], (*GLTF, ".obj"), ["node", HERE / "babylon_obj.mjs"]),
    "playcanvas": Engine(["node", HERE / "playcanvas.mjs"]),
    "blender": Engine([sys.executable, HERE / "blender_engine.py"], (*GLTF, ".fbx", ".obj")),
    "bevy": Engine([HERE.parent / "target/bevy/debug/bevy_engine"], takes_many=False),
    "cesium": Engine(["node", HERE / "cesium.mjs"]),
    "filament": Engine(["node", HERE / "filament.mjs"]),
    "raylib": Engine([sys.executable, HERE / "raylib_engine.py"], (*GLTF, ".iqm", ".obj")),
    "panda3d": Engine([sys.executable, HERE / "panda3d_engine.py"]),
    "assimp": Engine([sys.executable, HERE / "assimp_engine.py"], (".fbx", ".iqm", ".obj")),
}


class Answers:
    """The answers of engines about the files of a folder."""

    def __init__(self, folder, fresh):
        self.folder = folder / "answers"
        self.fresh = fresh

    def of(self, name, requests):
        """By path, the vertices of each pose, or the error as a text. `requests` has the poses by path."""
        engine = ENGINES[name]
        places = {path: self.place(engine, name, path, poses) for path, poses in requests.items()}
        missing = [path for path, place in places.items() if self.fresh or not place.exists()]
        several = [path for path in missing if engine.takes_many and path.suffix.lower() in GLTF]
        for first in range(0, len(several), BATCH):
            self.run(engine, several[first:first + BATCH], requests, places)
        for path in missing:
            if path not in several:
                self.run(engine, [path], requests, places)
        return {path: vertices(json.loads(place.read_text())) for path, place in places.items()}

    def place(self, engine, name, path, poses):
        parts = [path.read_bytes(), json.dumps(poses).encode(), *sources(engine.command_for(path)[-1])]
        digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
        return self.folder / name / f"{path.name}-{digest[:12]}.json"

    def run(self, engine, paths, requests, places):
        """Runs an engine until each file has an answer, from the next file on if it ends early or hangs."""
        while paths:
            arguments = []
            for path in paths:
                request = places[path].with_suffix(".request")
                request.parent.mkdir(parents=True, exist_ok=True)
                request.write_text(json.dumps({"poses": requests[path]}))
                arguments += [path, request]
            process = subprocess.Popen([*engine.command_for(paths[0]), *arguments], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
            lines = queue.Queue()
            threading.Thread(target=read_lines, args=(process.stdout, lines), daemon=True).start()
            error = None
            while paths and not error:
                try:
                    line = lines.get(timeout=PATIENCE_SECS)
                except queue.Empty:
                    line, error = None, "it does not answer"
                if line is None:
                    process.kill()
                    line = json.dumps({"error": error or f"crash: exit status {process.wait()}", "poses": []})
                    error = True
                places[paths[0]].write_text(line)
                paths = paths[1:]
            process.kill()
            process.wait()
            for place in places.values():
                place.with_suffix(".request").unlink(missing_ok=True)


def sources(program):
    """The contents of the files that a program consists of: those with the same beginning of their name."""
    stem = Path(program).stem.split("_")[0]
    files = [path for path in sorted(HERE.glob(f"{stem}*")) if path.is_file()]
    return [path.read_bytes() for path in files or [Path(program)]]


def read_lines(stream, lines):
    for line in stream:
        # A program that ends early leaves a part of a line.
        if line.startswith("{") and line.endswith("}\n"):
            lines.put(line)
    lines.put(None)


def vertices(answer):
    """The positions and normals of each pose, or the error. Vertices without normals have zeros."""
    if answer["error"]:
        # A cell of the table is one line.
        return answer["error"].strip().splitlines()[0]
    return [rows(pose["vertices"]) for pose in answer["poses"]]


def rows(listed):
    """Six numbers per vertex. JSON has no NaN; JavaScript and Rigscope write null."""
    array = np.zeros((len(listed), 6))
    for at, vertex in enumerate(listed):
        array[at, :len(vertex)] = [np.nan if number is None else number for number in vertex]
    return array
