#!/usr/bin/env python3
"""Compares how Rigscope poses the test stages with how Pixar's library does, in all three forms of each stage.

Writes the stages to OUT/stages and the table to OUT/report.md. A form passes if no vertex deviates by more than 1e-5 of
the diagonal of the box around the stage. Exits with 1 if a sound form deviates or is refused, if Rigscope crashes, or if a stage that is known to be posed
differently isn't any more.
"""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from answers import answer
from posing import Poses, Refusal, poses_of
from stages import STAGES
from trajectories import match, normal_deviation, size
from write_stages import write

# Shares of the diagonal, and radians.
SAME, SAME_NORMAL = 1e-5, 1e-3
# Weights aren't divided by their sum.
RUNTIME = ("--as", "openusd")
# Stages about which the functions of Pixar's library don't agree; see check_answers.py.
AMBIGUOUS = {"binding-joint-unknown"}
# Stages that Rigscope poses differently, and why; docs/formats/usd.md lists the reasons.
DIFFERENT = {
    "animated-scale": "scales between two keys aren't rounded to half floats",
    "bind-transposed": "the last row of inverse bind matrices is ignored",
    "blocked-sample": "a line replaces blocked samples",
    "dual-quaternion-with-scale": "uneven scale is approximated",
    "joint-duplicate": "the first of two equal joints moves",
    "point-cache-with-normals": "animated points and transforms are separate clips",
    "points-not-finite": "points that aren't finite are moved to the origin",
    "rotations-not-normalized": "rotations are normalized",
    "skinned-point-cache": "only the first points of a skinned mesh are shown",
    "splines": "splines aren't played",
}


class Outcome(NamedTuple):
    """The result for a form of a stage."""

    # "passes", "deviates", "refused", "crashes" or "no answer" (Pixar's library can't pose the stage, either).
    kind: str
    text: str
    normals: float = 0.0

    def is_failure(self, is_sound, with_normals):
        if self.kind == "crashes":
            return True
        if not is_sound:
            return self.kind == "deviates"
        return self.kind in ("deviates", "refused") or (with_normals and self.normals > SAME_NORMAL)


class Expectation:
    """All points of a stage in the compared poses."""

    def __init__(self, result):
        is_animated = any(pose["kind"] == "clip" for pose in result["poses"])
        self.compared = [index for index, pose in enumerate(result["poses"])
                         if pose["kind"] == ("clip" if is_animated else "default")]
        # Times may be negative, which only this form of the option permits.
        self.requests = [[f"--time={result['poses'][index]['time_secs']!r}"] if is_animated else []
                         for index in self.compared]
        # Pixar's library answers about meshes that are hidden or that Rigscope may leave out, too.
        meshes = [(mesh, [mesh["poses"][index] for index in self.compared]) for mesh in result["meshes"]]
        self.failure = next((pose["failure"] for mesh, poses in meshes for pose in poses if pose["failure"]), None)
        if not self.failure and any(len({len(pose["points"]) for pose in poses}) > 1 for _, poses in meshes):
            self.failure = "the number of points changes"
        if self.failure:
            return
        self.points = concatenated([[pose["points"] for pose in poses] for _, poses in meshes], len(self.compared))
        self.required = np.concatenate([np.zeros(0, bool), *(is_required(*mesh) for mesh in meshes)])
        self.normals, self.point_of_normal = self._normals(meshes)

    def _normals(self, meshes):
        """The normals of all meshes, and the index of the point of each in `points`."""
        normals, owners, first = [], [np.zeros(0, int)], 0
        for _, poses in meshes:
            if all(pose["normals"] for pose in poses):
                normals.append([pose["normals"] for pose in poses])
                owners.append(np.array(poses[0]["point_of_normal"]) + first)
            first += len(poses[0]["points"])
        return concatenated(normals, len(self.compared)), np.concatenate(owners)


def is_required(mesh, poses):
    """For each point of a mesh, whether Rigscope has to show it: a face uses it, and it is shown in some pose."""
    result = np.zeros(len(poses[0]["points"]), bool)
    if any(pose["shown"] for pose in poses):
        used = np.array(mesh["used_points"], int)
        result[used[used < len(result)]] = True
    return result


def concatenated(by_mesh, num_poses):
    """An array by pose, index and axis from lists by mesh and pose. Nulls become NaN."""
    if not by_mesh:
        return np.zeros((num_poses, 0, 3))
    return np.concatenate([np.array(poses, float).reshape(num_poses, -1, 3) for poses in by_mesh], axis=1)


def outcome(rigscope, path, result, expected, ambiguous=False, options=()):
    """Compares a form of a stage. The options of `rigscope pose` apply to each pose."""
    requests = [[*request, *options] for request in expected.requests]
    try:
        actual = poses_of(rigscope, path, requests, result["meters_per_unit"], result["up_axis"])
    except Refusal as refusal:
        return Outcome("crashes" if refusal.is_crash else "refused", str(refusal))
    if expected.failure or ambiguous:
        return Outcome("no answer", expected.failure or "Pixar's functions disagree")
    deviation, angle = deviations(actual, expected)
    return Outcome("passes" if deviation <= SAME else "deviates", f"{deviation:.1e}", angle)


def deviations(actual: Poses, expected: Expectation):
    """The deviation of points relative to the diagonal, and of normals in radians."""
    finite = np.isfinite(expected.points).all(axis=(0, 2))
    shown = np.isfinite(actual.vertices).all(axis=(0, 2))
    diagonal = size(expected.points[:, finite])
    found = match(actual.vertices[:, shown], expected.points[:, finite], expected.required[finite])
    angle = 0.0
    if finite.all() and len(expected.point_of_normal) and shown.any():
        angle = normal_deviation(actual.vertices[:, shown], actual.normals[:, shown], expected.points, expected.normals,
                                 expected.point_of_normal, diagonal * SAME)
    return found.deviation / diagonal, angle


def table(rows):
    """The report: a row per stage, with the deviation of each form."""
    lines = ["| stage | kind | usda | usdc | usdz | normals |", "|---|---|---|---|---|---|"]
    for entry, outcomes in rows:
        cells = [cell(found) for found in outcomes]
        angle = max(found.normals for found in outcomes)
        lines.append(f"| {entry['name']} | {entry['kind']} | {' | '.join(cells)} | {np.degrees(angle):.2g}° |")
    return "\n".join(lines) + "\n"


def cell(found):
    text = found.text.replace("|", "\\|").replace("\n", " ")
    texts = {"passes": text, "deviates": f"**{text}**", "no answer": f"– ({text})"}
    return texts.get(found.kind, f"{found.kind}: {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rigscope", help="the program to test")
    parser.add_argument("out", type=Path, help="the folder for stages and report")
    parser.add_argument("--only", metavar="NAME", action="append", help="compare only this stage")
    parser.add_argument("--normals", action="store_true", help="fail for normals, too")
    arguments = parser.parse_args()
    folder = arguments.out / "stages"
    rows, failures = [], []
    for entry in write(folder, arguments.only or list(STAGES)):
        outcomes = []
        for file in entry["files"]:
            result = answer(folder / file)
            outcomes.append(outcome(arguments.rigscope, folder / file, result, Expectation(result),
                                    entry["kind"] in AMBIGUOUS, RUNTIME))
        rows.append((entry, outcomes))
        is_sound = entry["kind"] == "sound"
        is_failure = any(found.is_failure(is_sound, arguments.normals) for found in outcomes)
        if is_failure != (entry["name"] in DIFFERENT):
            failures.append(entry["name"])
    (arguments.out / "report.md").write_text(table(rows))
    print(table([(entry, outcomes) for entry, outcomes in rows if entry["name"] in failures]))
    kinds = [found.kind for _, outcomes in rows for found in outcomes]
    print(json.dumps({kind: kinds.count(kind) for kind in sorted(set(kinds))}))
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
