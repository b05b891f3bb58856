#!/usr/bin/env python3
"""Prints the meshes of USD files in world space, as Pixar's library poses them, as one line of JSON per file.

Poses are those at the default time code, at eight time codes spread over the clip, in rest pose and in bind pose. The
seconds of a time code are its quotient by timeCodesPerSecond. Positions are in the units of the stage (`points`) and in
metres (`points_in_metres`); neither is rotated for the up axis.
"""

import argparse
import json

import numpy as np
import pxr
from pxr import Usd, UsdGeom

from animation_times import clip_range, is_shown, sampled_times
from diagnostics import collected_warnings
from evaluation import StageMeshes, points_of_faces

SCHEMA = "rigscope.usd-answers/1"


def answer(path):
    """The answer about a file; `error` has the reason if Pixar's library can't open it."""
    result = {"schema": SCHEMA, "file": str(path), "usd_version": ".".join(map(str, Usd.GetVersion())), "error": None}
    with collected_warnings() as warnings:
        try:
            stage = Usd.Stage.Open(str(path))
        except pxr.Tf.ErrorException as error:
            result["error"] = str(error).strip()
        else:
            result |= stage_facts(stage)
            result |= stage_poses(stage, result["meters_per_unit"])
    result["warnings"] = warnings
    return result


def stage_facts(stage):
    """The metadata of the root layer. Values that it doesn't author have the fallbacks of the library."""
    found = clip_range(stage)
    return {"meters_per_unit": UsdGeom.GetStageMetersPerUnit(stage), "up_axis": UsdGeom.GetStageUpAxis(stage),
            "time_codes_per_second": stage.GetTimeCodesPerSecond(),
            "start_time_code": found[0] if found else None, "end_time_code": found[1] if found else None}


def stage_poses(stage, meters_per_unit):
    meshes = StageMeshes(stage)
    times = sampled_times(stage)
    rate = stage.GetTimeCodesPerSecond()
    default = Usd.TimeCode.Default()
    # The rest and the bind pose replace the animation, but points and transforms may have keys, too.
    still = Usd.TimeCode(times[0]) if times else default
    requests = [("default", default, "clip"), *(("clip", Usd.TimeCode(time), "clip") for time in times),
                ("rest", still, "rest"), ("bind", still, "bind")]
    poses = [{"kind": kind, "time_code": None if time.IsDefault() else time.GetValue(),
              "time_secs": None if time.IsDefault() else time.GetValue() / rate} for kind, time, _ in requests]
    return {"poses": poses, "others": meshes.other_prims(),
            "meshes": [mesh_answer(meshes, mesh, requests, still, meters_per_unit) for mesh in meshes.meshes]}


def mesh_answer(meshes, mesh, requests, still, meters_per_unit):
    """The facts about a mesh and its poses, in the order of the requests."""
    prim = mesh.GetPrim()
    binding = meshes.bindings.find(prim)
    skinned = bool(binding and binding.moves_points)
    result = {"path": str(prim.GetPath()), "purpose": mesh.ComputePurpose(), "skinned": skinned,
              "skeleton": str(binding.skeleton_prim.GetPath()) if binding else None,
              "skinning_method": binding.skinning.GetSkinningMethod() if skinned else None,
              "orientation": mesh.GetOrientationAttr().Get(),
              "used_points": points_of_faces(mesh, still).tolist(), "poses": []}
    for _, time, pose in requests:
        evaluated = meshes.evaluate(mesh, time, pose)
        in_metres = None if evaluated.points is None else evaluated.points * meters_per_unit
        result["poses"].append({
            "shown": is_shown(prim, time), "failure": evaluated.failure, "points": listed(evaluated.points),
            "points_in_metres": listed(in_metres), "normals": listed(evaluated.normals),
            "point_of_normal": listed(evaluated.point_of_normal)})
    return result


def listed(array):
    """An array as nested lists. JSON has no NaN and no infinity; they become null."""
    if array is None:
        return None
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        return [[number if np.isfinite(number) else None for number in row] for row in array.tolist()]
    return array.tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--brief", action="store_true", help="print numbers of points instead of points")
    arguments = parser.parse_args()
    for path in arguments.files:
        result = answer(path)
        if arguments.brief:
            abridge(result)
        print(json.dumps(result))


def abridge(result):
    for mesh in result.get("meshes", []):
        mesh["used_points"] = len(mesh["used_points"])
        for pose in mesh["poses"]:
            for name in ("points", "points_in_metres", "normals", "point_of_normal"):
                pose[name] = pose[name] and len(pose[name])


if __name__ == "__main__":
    main()
