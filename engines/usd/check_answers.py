#!/usr/bin/env python3
"""Checks the answers of all stages without Rigscope.

Each stage must have the same answers in its three forms, and skinning by `ComputeSkinnedPoints` must agree with
`BakeSkinning`. Deviations are relative to the size of the stage; those of normals are in radians.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from pxr import Usd

from answers import answer
from baking import BakedMesh, baked_stage
from diagnostics import collected_warnings

SAME = 1e-6
# Baked normals are in single precision and not normalised.
SAME_NORMAL = 1e-3
# Where `BakeSkinning` itself differs from `ComputeSkinnedPoints` and `SkinNormals`.
DISAGREEMENTS = {
    "rigid-with-two-joints": "it blends matrices into one and derives the normals from it, instead of blending normals",
    "binding-joint-unknown": "it moves points of unknown joints with the identity; ComputeSkinnedPoints uses the "
                             "transform of the joint that has the same number in the skeleton",
}


def size(result):
    """The diagonal of the box around all points of all poses."""
    points = [np.array(pose["points"], float) for mesh in result["meshes"] for pose in mesh["poses"] if pose["points"]]
    everything = np.concatenate(points) if points else np.zeros((1, 3))
    return float(np.linalg.norm(np.nanmax(everything, 0) - np.nanmin(everything, 0))) or 1.0


def baked_deviation(path, result):
    """The largest deviations of points and normals from the baked stage."""
    times = [pose["time_code"] for pose in result["poses"] if pose["kind"] == "clip"]
    far, angle, scale = 0.0, 0.0, size(result)
    with collected_warnings():
        stage = baked_stage(path, times)
        for mesh in result["meshes"]:
            baked = BakedMesh(stage, mesh["path"])
            for facts, pose in zip(result["poses"], mesh["poses"]):
                # A stage without animation has only its default pose.
                if not pose["points"] or facts["kind"] != ("clip" if times else "default"):
                    continue
                time = Usd.TimeCode(facts["time_code"]) if times else Usd.TimeCode.Default()
                difference = np.array(pose["points"], float) - baked.points(time)
                far = max(far, np.nanmax(np.linalg.norm(difference, axis=1)) / scale)
                normals = baked.normals(time)
                if normals and pose["normals"]:
                    chords = np.linalg.norm(np.array(pose["normals"], float) - normals[0], axis=1)
                    angle = max(angle, np.nanmax(chords))
    return far, angle


def form_deviation(first, second):
    """The largest difference of points between two forms of a stage, or a text."""
    if [mesh["path"] for mesh in first["meshes"]] != [mesh["path"] for mesh in second["meshes"]]:
        return "other meshes"
    far = 0.0
    for one, other in zip(first["meshes"], second["meshes"]):
        for here, there in zip(one["poses"], other["poses"]):
            if (here["points"] is None) != (there["points"] is None):
                return f"{one['path']}: only one form has points"
            if here["points"]:
                difference = np.array(here["points"], float) - np.array(there["points"], float)
                far = max(far, float(np.nanmax(np.abs(difference))))
    return far / size(first)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the output of write_stages.py")
    parser.add_argument("--verbose", action="store_true", help="list all stages instead of those that deviate")
    arguments = parser.parse_args()
    failures, worst, worst_angle = 0, 0.0, 0.0
    for entry in json.loads((arguments.folder / "stages.json").read_text())["stages"]:
        paths = [arguments.folder / file for file in entry["files"]]
        results = [answer(path) for path in paths]
        far, angle = baked_deviation(paths[0], results[0])
        forms = [form_deviation(results[0], other) for other in results[1:]]
        if entry["name"] in DISAGREEMENTS:
            print(f"{entry['name']}: BakeSkinning deviates by {far:.1e}, its normals by {angle:.1e}: "
                  f"{DISAGREEMENTS[entry['name']]}")
            far, angle = 0.0, 0.0
        failed = far > SAME or angle > SAME_NORMAL or any(isinstance(form, str) or form > SAME for form in forms)
        failures += failed
        worst, worst_angle = max(worst, far), max(worst_angle, angle)
        if failed or arguments.verbose:
            print(f"{entry['name']:40} {entry['kind']:28} baked {far:.1e}, normals {angle:.1e}, other forms {forms}")
    print(f"{failures} stages deviate; at most {worst:.1e} of the size from baked points, "
          f"{worst_angle:.1e} rad from baked normals")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
