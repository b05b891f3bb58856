"""Input and output that all engine programs in Python share."""

import json
import os
import signal
import struct
import sys


def read_json(path):
    """Read the JSON of a glTF or GLB file, or nothing for other formats."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"glTF":
        (length,) = struct.unpack_from("<I", data, 12)
        return json.loads(data[20 : 20 + length])
    if data[:1] == b"{":
        return json.loads(data)
    return {}


def run(engine, version, pose_file):
    """Call `pose_file(path, poses)` for each file, and print each result as one line.

    The arguments are pairs of a file and its request. `pose_file` returns the
    vertices of each pose in the order of `poses`.
    """
    # Engines write messages to stdout, some of them from C, so only a copy of
    # the original stdout gets the result.
    output = os.dup(1)
    os.dup2(2, 1)
    paths = sys.argv[1:]
    for path, request in zip(paths[::2], paths[1::2]):
        run_file(engine, version, pose_file, path, request, output)


def run_file(engine, version, pose_file, path, request, output):
    with open(request, encoding="utf-8") as file:
        poses = json.load(file)["poses"]
    result = {"engine": engine, "version": version, "error": None, "poses": []}
    # A child process, because engines crash on some files.
    child = os.fork()
    if child == 0:
        try:
            for pose, vertices in zip(poses, pose_file(path, poses)):
                result["poses"].append({**pose, "vertices": vertices})
        except Exception as error:  # Any failure of an engine is a result.
            result["error"] = f"{type(error).__name__}: {error}"
            result["poses"] = []
    else:
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            return
        result["error"] = "crash: " + signal.strsignal(os.WTERMSIG(status))
    with os.fdopen(os.dup(output), "w") as file:
        json.dump(result, file)
        file.write("\n")
    if child == 0:
        # Blender's exit handlers may crash.
        os._exit(0)
