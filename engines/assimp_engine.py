"""Pose an FBX, IQM or OBJ file with assimp: python3 assimp_engine.py FILE REQUEST.json

Assimp only loads files. Clips are evaluated as its own viewer does, in
tools/assimp_view/AnimEvaluator.cpp and SceneAnimator.cpp: positions linearly,
rotations spherically, scales held, and clips start over at their end. The
viewer shows no morph targets.
"""

import math

import numpy as np

import assimp_library
import engine_io
from assimp_library import pointed

# The viewer's assumption for clips without a rate.
TICKS_PER_SECOND = 25


def matrix(values):
    return np.array(values, float).reshape(4, 4)


def rotation_matrix(w, x, y, z):
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def slerp(a, b, share):
    """Interpolate along the shorter way; linearly if both are almost the same."""
    dot = a @ b
    if dot < 0:
        dot, b = -dot, -b
    if 1 - dot <= 1e-4:
        return a * (1 - share) + b * share
    angle = math.acos(dot)
    return (math.sin((1 - share) * angle) * a + math.sin(share * angle) * b) / math.sin(angle)


def neighbours(keys, number, time, duration):
    """Return the values before and after a time, and the share of the later one.

    The first key follows the last one.
    """
    index = 0
    while index < number - 1 and time >= keys[index + 1].time:
        index += 1
    key, following = keys[index], keys[(index + 1) % number]
    span = following.time - key.time
    if span < 0:
        span += duration
    share = (time - key.time) / span if span > 0 else 0
    return np.array(key.value, float), np.array(following.value, float), share


def channel_matrix(channel, time, duration):
    result = np.eye(4)
    if channel.num_rotations:
        a, b, share = neighbours(channel.rotations, channel.num_rotations, time, duration)
        result[:3, :3] = rotation_matrix(*slerp(a, b, share))
    if channel.num_scales:
        result[:3, :3] *= neighbours(channel.scales, channel.num_scales, time, duration)[0]
    if channel.num_positions:
        a, b, share = neighbours(channel.positions, channel.num_positions, time, duration)
        result[:3, 3] = a + (b - a) * share
    return result


def animated_matrices(scene, pose):
    """Return the local matrices of the animated nodes by name."""
    if pose["clip"] is None:
        return {}
    clips = pointed(scene.animations, scene.num_animations)
    clip = next((clip for clip in clips if str(clip.name) == pose["name"]), None)
    if not clip:
        # Clips without curves, and all those of IQM files, aren't loaded.
        return {}
    # Assimp lets clips start at 0.
    time = (pose["time"] - pose["start"]) * (clip.ticks_per_second or TICKS_PER_SECOND)
    time = math.fmod(time, clip.duration) if clip.duration > 0 else 0
    channels = pointed(clip.channels, clip.num_channels)
    return {str(channel.name): channel_matrix(channel, time, clip.duration) for channel in channels}


def world_matrices(node, parent, animated):
    """Yield all nodes below and including `node` with their matrices."""
    local = animated.get(str(node.name))
    world = parent @ (matrix(node.transformation) if local is None else local)
    yield node, world
    for child in pointed(node.children, node.num_children):
        yield from world_matrices(child, world, animated)


def mesh_vertices(mesh, world, by_name):
    points = np.ones((mesh.num_vertices, 4))
    points[:, :3] = np.ctypeslib.as_array(mesh.vertices, (mesh.num_vertices,))
    if not mesh.num_bones:
        return points @ world.T
    posed = np.zeros_like(points)
    for bone in pointed(mesh.bones, mesh.num_bones):
        skinned = points @ (by_name[str(bone.name)] @ matrix(bone.offset_matrix)).T
        for weight in bone.weights[: bone.num_weights]:
            posed[weight.vertex] += weight.weight * skinned[weight.vertex]
    return posed


def world_vertices(scene, animated):
    nodes = list(world_matrices(scene.root.contents, np.eye(4), animated))
    by_name = {str(node.name): world for node, world in nodes}
    meshes = pointed(scene.meshes, scene.num_meshes)
    parts = [
        mesh_vertices(meshes[index], world, by_name)
        for node, world in nodes
        for index in node.meshes[: node.num_meshes]
    ]
    return np.concatenate(parts)[:, :3] if parts else np.empty((0, 3))


def conversion(scene):
    """Return the matrix from the file's unit and axes, which assimp keeps, to metres with y up.

    Only FBX files have these properties.
    """
    if assimp_library.metadata_number(scene, "UnitScaleFactor") is None:
        return np.eye(3)
    result = np.zeros((3, 3))
    for row, axis in enumerate(("Coord", "Up", "Front")):
        column = assimp_library.metadata_number(scene, f"{axis}Axis")
        result[row, column] = assimp_library.metadata_number(scene, f"{axis}AxisSign")
    centimetres = assimp_library.metadata_number(scene, "UnitScaleFactor")
    return result * centimetres / 100


def pose_file(path, poses):
    scene = assimp_library.load(path)
    to_rigscope = conversion(scene)
    for pose in poses:
        yield (world_vertices(scene, animated_matrices(scene, pose)) @ to_rigscope.T).tolist()


if __name__ == "__main__":
    engine_io.run("assimp", assimp_library.version(), pose_file)
