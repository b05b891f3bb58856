"""Runs `rigscope pose` and `rigscope info`, and returns the vertices in the units and axes of the stage."""

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

TIMEOUT_SECS = 60
# The exit status of a Rust program that panicked.
PANIC = 101


class Refusal(Exception):
    """Rigscope exited with an error; the message is the first line of stderr."""

    def __init__(self, message, is_crash):
        super().__init__(message)
        self.is_crash = is_crash


class Poses(NamedTuple):
    """Vertices and normals by pose, index and axis."""

    vertices: np.ndarray
    normals: np.ndarray


def run(rigscope, *arguments):
    """The JSON that Rigscope prints."""
    try:
        process = subprocess.run([rigscope, *map(str, arguments)], capture_output=True, timeout=TIMEOUT_SECS)
    except subprocess.TimeoutExpired:
        raise Refusal(f"no answer after {TIMEOUT_SECS} s", True) from None
    if process.returncode:
        lines = process.stderr.decode(errors="replace").strip().splitlines()
        # Negative: ended by a signal.
        is_crash = process.returncode == PANIC or process.returncode < 0
        # The path comes first, and is known.
        message = lines[-1].split("error: ", 1)[-1] if lines else f"exit status {process.returncode}"
        raise Refusal(message, is_crash)
    return json.loads(process.stdout)


def stage_from_rigscope(info, meters_per_unit, up_axis):
    """The matrix that takes Rigscope's positions, in metres and with Y up, to the units and axes of the stage.

    Positions of a format without a unit are in the units of the file.
    """
    matrix = np.eye(3) / (meters_per_unit if info["unit_meters"] else 1.0)
    if up_axis == "Z":
        return matrix @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    return matrix


def poses_of(rigscope, path, requests, meters_per_unit, up_axis):
    """The poses of a file. Each request is the list of options of `rigscope pose` that select the pose."""
    matrix = stage_from_rigscope(run(rigscope, "info", path, "--json"), meters_per_unit, up_axis)
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda options: run(rigscope, "pose", path, "--to", "json", "--output", "-", *options),
                                requests))
    counts = {len(answer["vertices"]) for answer in answers}
    if len(counts) > 1:
        raise Refusal(f"numbers of vertices differ between poses: {sorted(counts)}", False)
    vertices = np.array([rows(answer["vertices"]) for answer in answers])
    normals = np.array([rows(answer["normals"]) for answer in answers])
    # Scale doesn't matter for directions, but the rotation does.
    return Poses(vertices @ matrix.T, normals @ (matrix / np.cbrt(np.linalg.det(matrix))).T)


def rows(listed):
    """Three numbers per vertex. JSON has no NaN; Rigscope writes null."""
    array = np.array([[np.nan if number is None else number for number in row] for row in listed], float)
    return array.reshape(-1, 3)
