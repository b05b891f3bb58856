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
    """Call `pose_file(path, poses)` and print its result as one JSON object.

    `pose_file` returns the vertices of each pose in the order of `poses`.
    """
    path, request = sys.argv[1:]
    with open(request, encoding="utf-8") as file:
        poses = json.load(file)["poses"]
    result = {"engine": engine, "version": version, "error": None, "poses": []}
    # Engines write messages to stdout, some of them from C, so only a copy of
    # the original stdout gets the result.
    output = os.dup(1)
    os.dup2(2, 1)
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
            sys.exit(os.waitstatus_to_exitcode(status))
        result["error"] = "crash: " + signal.strsignal(os.WTERMSIG(status))
    with os.fdopen(output, "w") as file:
        json.dump(result, file)
        file.write("\n")
