"""Pose a glTF, IQM or OBJ file with raylib: python3 raylib_engine.py FILE REQUEST.json"""

import os
import struct
import subprocess

import engine_io

os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

import raylib as rl  # noqa: E402

# GLTF_FRAMERATE of rmodels.c, which no header exports.
GLTF_RATE = 60.0


def start_display():
    """Start an X server unless one is running: even a hidden window needs it."""
    if os.environ.get("DISPLAY"):
        return None
    read, write = os.pipe()
    # With -terminate, it also ends if raylib crashes.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-terminate", "-screen", "0", "64x64x24"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        os.environ["DISPLAY"] = ":" + pipe.readline().strip()
    return server


def frame_rate(path, clip):
    """Return the rate of the frames that raylib stores for a clip."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"INTERQUAKEMODEL\0"):
        return GLTF_RATE
    # ModelAnimation has no rate, so read it from the IQM file itself.
    header = struct.unpack_from("<19I", data, 16)
    (rate,) = struct.unpack_from("<f", data, header[18] + 20 * clip + 12)
    return rate or 1.0


def world_vertices(model):
    """Return the vertices that DrawModel uploads, transformed by the model's matrix."""
    m = model.transform
    vertices = []
    for i in range(model.meshCount):
        mesh = model.meshes[i]
        # Without CPU skinning of the mesh, the vertices are drawn as loaded.
        data = mesh.animVertices if mesh.animVertices else mesh.vertices
        data = rl.ffi.unpack(data, 3 * mesh.vertexCount)
        for x, y, z in zip(data[::3], data[1::3], data[2::3]):
            vertices.append(
                [
                    m.m0 * x + m.m4 * y + m.m8 * z + m.m12,
                    m.m1 * x + m.m5 * y + m.m9 * z + m.m13,
                    m.m2 * x + m.m6 * y + m.m10 * z + m.m14,
                ]
            )
    return vertices


def y_up(vertices):
    """Rotate vertices of an IQM file, whose Z axis raylib keeps pointing up, as Rigscope does."""
    return [[x, z, -y] for x, y, z in vertices]


def pose_file(path, poses):
    is_iqm = path.lower().endswith(".iqm")
    server = start_display()
    try:
        rl.rl.SetTraceLogLevel(rl.LOG_WARNING)
        rl.rl.SetConfigFlags(rl.FLAG_WINDOW_HIDDEN)
        rl.rl.InitWindow(16, 16, b"")
        if not rl.rl.IsWindowReady():
            raise RuntimeError("no window")
        name = os.fsencode(path)
        count = rl.ffi.new("int *")
        clips = rl.rl.LoadModelAnimations(name, count)
        for pose in poses:
            # UpdateModelAnimation leaves vertices without weights as they are,
            # so a fresh model keeps the poses independent.
            model = rl.rl.LoadModel(name)
            if model.meshCount == 0 or not rl.rl.IsModelValid(model):
                raise RuntimeError("LoadModel failed")
            if pose["clip"] is not None:
                if pose["clip"] >= count[0]:
                    raise RuntimeError(f"no clip {pose['clip']}, only {count[0]}")
                frame = pose["time"] * frame_rate(path, pose["clip"])
                rl.rl.UpdateModelAnimation(model, clips[pose["clip"]], frame)
            vertices = world_vertices(model)
            yield y_up(vertices) if is_iqm else vertices
            rl.rl.UnloadModel(model)
        rl.rl.CloseWindow()
    finally:
        if server:
            server.terminate()


if __name__ == "__main__":
    engine_io.run("raylib", rl.RAYLIB_VERSION, pose_file)
