#!/usr/bin/env python3
"""Writes small glTF files, each about one feature: models.py FOLDER"""

import json
import struct
import sys
from pathlib import Path

import numpy as np

TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
CODES = {"uint8": 5121, "uint16": 5123, "uint32": 5125, "float32": 5126}
RING = 8


def turn(axis, degrees):
    """The quaternion of a rotation, x y z w."""
    axis = np.array(axis, float) / np.linalg.norm(axis)
    half = np.radians(degrees) / 2
    return [*(axis * np.sin(half)), np.cos(half)]


def tube(rings, radius=0.3):
    """A tube along y with one ring per unit: positions, normals, indices."""
    angles = np.arange(RING) * 2 * np.pi / RING
    circle = np.stack([np.cos(angles), 0 * angles, np.sin(angles)], 1)
    normals = np.tile(circle, (rings, 1))
    # An ellipse, so that a turn about y shows.
    positions = normals * [radius, 0, radius * 2]
    positions[:, 1] = np.repeat(np.arange(rings), RING)
    indices = []
    for ring in range(rings - 1):
        for side in range(RING):
            a, b = ring * RING + side, ring * RING + (side + 1) % RING
            indices += [a, a + RING, b, b, a + RING, b + RING]
    return positions, normals, indices


class Model:
    """Collects the parts of one file."""

    def __init__(self):
        self.blob = bytearray()
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [],
                     "meshes": [], "skins": [], "animations": [], "accessors": [], "bufferViews": []}

    def add(self, key, value):
        self.json[key].append(value)
        return len(self.json[key]) - 1

    def view(self, values):
        # Readers may require the alignment of the component type.
        self.blob += b"\0" * (-len(self.blob) % 4)
        data = values.tobytes()
        view = {"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)}
        self.blob += data
        return self.add("bufferViews", view)

    def accessor(self, values, dtype="float32", width=None, **more):
        values = np.ascontiguousarray(values, dtype)
        width = width or (values.shape[1] if values.ndim == 2 else 1)
        rows = values.reshape(-1, width)
        return self.add("accessors", {
            "bufferView": self.view(values), "componentType": CODES[dtype], "count": len(rows),
            "type": TYPES[width], "min": rows.min(0).tolist(), "max": rows.max(0).tolist(), **more})

    def sparse(self, count, rows, values):
        """An accessor of zeros, without a buffer view, with a few rows replaced."""
        values = np.array(values, "float32")
        dense = np.zeros((count, 3), "float32")
        dense[rows] = values
        return self.add("accessors", {
            "componentType": CODES["float32"], "count": count, "type": "VEC3",
            "min": dense.min(0).tolist(), "max": dense.max(0).tolist(),
            "sparse": {"count": len(rows),
                       "indices": {"bufferView": self.view(np.array(rows, "uint16")), "componentType": CODES["uint16"]},
                       "values": {"bufferView": self.view(values)}}})

    def node(self, parent=None, **more):
        node = self.add("nodes", more)
        siblings = self.json["scenes"][0]["nodes"] if parent is None \
            else self.json["nodes"][parent].setdefault("children", [])
        siblings.append(node)
        return node

    def primitive(self, positions, normals, indices, **attributes):
        return {"attributes": {"POSITION": self.accessor(positions), "NORMAL": self.accessor(normals), **attributes},
                "indices": self.accessor(indices, "uint16")}

    def channel(self, node, path, times, values, interpolation="LINEAR", clip=0):
        while clip >= len(self.json["animations"]):
            self.add("animations", {"name": f"clip{clip}", "samplers": [], "channels": []})
        animation = self.json["animations"][clip]
        animation["samplers"].append({"input": self.accessor(times), "output": self.accessor(values),
                                      "interpolation": interpolation})
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                      "target": {"node": node, "path": path}})

    def write(self, path):
        self.json["buffers"] = [{"byteLength": len(self.blob)}]
        text = json.dumps({key: value for key, value in self.json.items() if value != []}).encode()
        text += b" " * (-len(text) % 4)
        blob = bytes(self.blob) + b"\0" * (-len(self.blob) % 4)
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(blob))
                         + struct.pack("<I4s", len(text), b"JSON") + text
                         + struct.pack("<I4s", len(blob), b"BIN\0") + blob)


class Arm(Model):
    """A skinned tube with a joint per unit, below a node if one is given."""

    def __init__(self, count=4, above=None, binds=True, bend=True, **mesh):
        super().__init__()
        self.count = count
        self.positions, self.normals, self.indices = tube(count)
        parent = self.node(**above) if above else None
        self.first = len(self.json["nodes"])
        for joint in range(count):
            parent = self.node(parent, translation=[0, 1 if joint else 0, 0])
        matrices = np.tile(np.eye(4), (count, 1, 1))
        matrices[:, 3, 1] = -np.arange(count)
        skin = {"joints": list(range(self.first, self.first + count))}
        if binds:
            skin["inverseBindMatrices"] = self.accessor(matrices.reshape(-1, 16))
        self.add("skins", skin)
        self.attributes = self.bind(*self.default_binding())
        self.add("meshes", {"primitives": [self.primitive(self.positions, self.normals, self.indices,
                                                          **self.attributes)]})
        self.mesh = self.node(mesh=0, skin=0, **mesh)
        if bend:
            self.bend()

    def default_binding(self):
        """Each ring follows its joint and the one below."""
        ring = np.repeat(np.arange(self.count), RING)
        below = np.maximum(ring - 1, 0)
        none = 0 * ring
        share = np.where(ring == 0, 1, 0.7)
        return np.stack([ring, below * (ring > 0), none, none], 1), np.stack([share, 1 - share, none, none], 1)

    def bind(self, joints, weights):
        dtype = "uint16" if np.max(joints) > 255 else "uint8"
        if isinstance(weights, np.ndarray) and weights.dtype == np.uint8:
            stored = self.accessor(weights, "uint8", normalized=True)
        else:
            stored = self.accessor(weights)
        return {"JOINTS_0": self.accessor(joints, dtype), "WEIGHTS_0": stored}

    def bend(self, times=(0, 0.4, 1), clip=0, axis=(1, 0.3, 0), degrees=(10, 60, -40)):
        for joint in range(1, min(self.count, 4)):
            self.channel(self.first + joint, "rotation", times, [turn(axis, d + 7 * joint) for d in degrees], clip=clip)


def joints_1():
    """8 influences per vertex, the heaviest in the second set."""
    arm = Arm(count=8)
    vertices = len(arm.positions)
    weights = np.tile([0.04, 0.05, 0.06, 0.07, 0.33, 0.2, 0.15, 0.1], (vertices, 1))
    joints = (np.arange(8) + np.repeat(np.arange(8), RING)[:, None]) % 8
    arm.attributes = arm.bind(joints[:, :4], weights[:, :4])
    arm.attributes["JOINTS_1"] = arm.accessor(joints[:, 4:], "uint8")
    arm.attributes["WEIGHTS_1"] = arm.accessor(weights[:, 4:])
    arm.json["meshes"][0]["primitives"][0]["attributes"].update(arm.attributes)
    return arm


def joints_300():
    """300 joints, side by side; the upper rings follow the last one."""
    count = 300
    model = Model()
    positions, normals, indices = tube(4)
    for joint in range(count):
        model.node(translation=[joint * 0.01, 0, 0])
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, 3, 0] = -np.arange(count) * 0.01
    model.add("skins", {"joints": list(range(count)),
                        "inverseBindMatrices": model.accessor(matrices.reshape(-1, 16))})
    joints = np.zeros((len(positions), 4))
    joints[:, 0] = np.repeat([0, 254, 256, 299], RING)
    weights = np.tile([1, 0, 0, 0], (len(positions), 1))
    model.add("meshes", {"primitives": [model.primitive(
        positions, normals, indices, JOINTS_0=model.accessor(joints, "uint16"), WEIGHTS_0=model.accessor(weights))]})
    model.node(mesh=0, skin=0)
    for joint in (0, 254, 256, 299):
        model.channel(joint, "translation", [0, 1], [[joint * 0.01, 0, 0], [joint * 0.01, 0.5, joint * 0.005]])
    return model


def unnormalized():
    """Weights that sum to 0.5 and 1.7, alternating."""
    arm = Arm()
    joints, weights = arm.default_binding()
    weights = weights * np.where(np.arange(len(weights)) % 2, 0.5, 1.7)[:, None]
    arm.json["meshes"][0]["primitives"][0]["attributes"].update(arm.bind(joints, weights))
    return arm


def zero_weights():
    """Every fifth vertex has no weight, with joint numbers other than 0."""
    arm = Arm()
    joints, weights = arm.default_binding()
    weights[::5] = 0
    joints[::5] = [2, 1, 3, 2]
    # Joint 0 moves too, so that a vertex bound to it differs from one that stays.
    arm.channel(0, "rotation", [0, 1], [turn([0, 0, 1], 20), turn([0, 0, 1], 80)])
    arm.json["meshes"][0]["primitives"][0]["attributes"].update(arm.bind(joints, weights))
    return arm


def mirrored_node():
    """An animated node that mirrors a mesh without skin."""
    model = Model()
    model.add("meshes", {"primitives": [model.primitive(*tube(4))]})
    parent = model.node(rotation=turn([0, 1, 0], 30))
    node = model.node(parent, mesh=0, scale=[-1, 1, 1], translation=[1, 0, 0])
    model.channel(node, "rotation", [0, 0.5, 1], [turn([0, 1, 1], d) for d in (0, 50, 120)])
    model.channel(node, "scale", [0, 1], [[-1, 1, 1], [-2, 1, 1.5]])
    return model


def node_on_skin():
    """The node of the skinned mesh and its parent are moved, which glTF ignores."""
    arm = Arm(translation=[1, 2, 3], rotation=turn([1, 0, 0], 40))
    arm.json["scenes"][0]["nodes"].remove(arm.mesh)
    parent = arm.node(translation=[-2, 0, 1], rotation=turn([0, 1, 0], 60), children=[arm.mesh])
    arm.channel(parent, "translation", [0, 1], [[-2, 0, 1], [5, 0, 1]])
    return arm


def spline():
    """CUBICSPLINE with tangents that overshoot."""
    arm = Arm(bend=False)
    for joint in (1, 2):
        keys = []
        for degrees, sign in ((0, 1), (70, -1), (-50, 1)):
            keys += [[3 * sign, -2, 1, 4], turn([1, 0.2, 0], degrees), [-2, 3 * sign, 2, -3]]
        arm.channel(joint, "rotation", [0, 0.4, 1], keys, "CUBICSPLINE")
    arm.channel(0, "translation", [0, 0.4, 1],
                [[1, 1, 1], [0, 0, 0], [9, -8, 7], [5, -9, 3], [0, 1, 0], [-7, 8, 9], [6, 6, -9], [1, 0, 0], [2, 2, 2]],
                "CUBICSPLINE")
    return arm


def step():
    """STEP on rotation and translation."""
    arm = Arm(bend=False)
    arm.channel(1, "rotation", [0, 0.25, 1], [turn([1, 0, 0], d) for d in (10, 60, -40)], "STEP")
    arm.channel(0, "translation", [0, 0.6, 1], [[0, 0, 0], [1, 0, 0], [0, 2, 0]], "STEP")
    return arm


def add_morphs(model, weights=(0.25, 0)):
    """Two sparse targets, and keys for their weights, one beyond 1 and one negative."""
    mesh = model.json["meshes"][0]
    count = 4 * RING
    mesh["primitives"][0]["targets"] = [
        {"POSITION": model.sparse(count, list(range(8, 16)), [[0.5, 0.1 * i, 0] for i in range(8)])},
        {"POSITION": model.sparse(count, [1, 9, 20, 31], [[0, 0.3, 0.7]] * 4)}]
    mesh["weights"] = list(weights)
    model.channel(model.mesh, "weights", [0, 0.5, 1], [0, 0, 1, 0.5, 1.5, -0.5])


def sparse_morphs():
    """Morph targets as sparse accessors without a base, with animated weights."""
    model = Model()
    model.add("meshes", {"primitives": [model.primitive(*tube(4))]})
    model.mesh = model.node(mesh=0, translation=[0, 1, 0])
    add_morphs(model)
    return model


def morph_and_skin():
    """Morph targets on a skinned mesh."""
    arm = Arm()
    add_morphs(arm)
    return arm


def no_inverse_binds():
    """A skin without inverseBindMatrices."""
    return Arm(binds=False)


def late_start():
    """Keys from 0.5 s to 1.5 s; a second channel has only the middle."""
    arm = Arm(bend=False)
    arm.bend(times=(0.5, 0.8, 1.5))
    arm.channel(0, "translation", [0.7, 1.2], [[0, 0, 0], [1, 0, 0.5]])
    return arm


def quaternion_signs():
    """Consecutive rotation keys of opposite signs."""
    arm = Arm(bend=False)
    for joint in (1, 2, 3):
        keys = [np.array(turn([1, 0.3, 0], d)) * s for d, s in ((10, 1), (60, -1), (20, 1), (-40, -1))]
        arm.channel(joint, "rotation", [0, 0.3, 0.7, 1], keys)
    return arm


def wide_slerp():
    """Two keys 170 degrees apart."""
    arm = Arm(bend=False)
    arm.channel(1, "rotation", [0, 1], [turn([1, 0, 0.2], 0), turn([1, 0, 0.2], 170)])
    return arm


def long_quaternions():
    """Rotation keys of length 1.1, which glTF forbids."""
    arm = Arm(bend=False)
    for joint in (1, 2):
        arm.channel(joint, "rotation", [0, 0.4, 1], [1.1 * np.array(turn([1, 0.3, 0], d)) for d in (10, 60, -40)])
    return arm


def scaled_joints():
    """Non-uniform scale on joints whose children are turned, so that matrices shear."""
    arm = Arm()
    arm.channel(0, "scale", [0, 1], [[1, 1, 1], [3, 0.5, 1]])
    arm.channel(1, "scale", [0, 1], [[1, 2, 1], [0.5, 1, 2]])
    return arm


def two_clips():
    """A second clip that leaves out joints of the first."""
    arm = Arm()
    arm.channel(0, "translation", [0, 2], [[0, 0, 0], [0, 0, 3]], clip=1)
    arm.channel(2, "rotation", [0, 2], [turn([0, 0, 1], 0), turn([0, 0, 1], 90)], clip=1)
    return arm


def byte_weights():
    """Normalized bytes that sum to 254."""
    arm = Arm()
    joints, _ = arm.default_binding()
    weights = np.zeros((len(joints), 4), np.uint8)
    weights[:, :2] = [200, 54]
    joints[:RING, 1] = 1
    arm.json["meshes"][0]["primitives"][0]["attributes"].update(arm.bind(joints, weights))
    return arm


def skeleton_outside_scene_root():
    """Joints below a turned node of scale 0.01; the mesh isn't."""
    return Arm(above={"scale": [0.01] * 3, "rotation": turn([1, 0, 0], -90), "translation": [0, 0.5, 0]})


def two_primitives():
    """One mesh of two primitives with separate vertices."""
    arm = Arm()
    arm.json["meshes"][0]["primitives"].append(arm.primitive(
        arm.positions * [0.5, 1, 0.5] + [1, 0, 0], arm.normals, arm.indices, **arm.attributes))
    return arm


def late_spline():
    """CUBICSPLINE keys from 0.5 s, with tangents that must not act before the first or after the last key."""
    arm = Arm(bend=False)
    keys = []
    for degrees in (0, 70, -50):
        keys += [[1, 2, 0, -1], turn([1, 0.2, 0], degrees), [-1, 0, 2, 1]]
    arm.channel(1, "rotation", [0.5, 0.9, 1.5], keys, "CUBICSPLINE")
    # A second channel that starts and ends later or earlier than the clip.
    arm.channel(0, "translation", [0.7, 1.2], [[5, 0, 0], [0, 0, 0], [3, 3, 0], [0, -4, 4], [1, 0, 0], [6, 6, 6]],
                "CUBICSPLINE")
    return arm


def node_weights():
    """The node overrides the weights of its mesh, which has more targets than some renderers blend."""
    model = Model()
    primitive = model.primitive(*tube(4))
    primitive["targets"] = [
        {"POSITION": model.sparse(4 * RING, list(range(4 * RING)), [[np.cos(i), 0.1 * np.sin(i), 0.1]] * 4 * RING)}
        for i in range(12)]
    model.add("meshes", {"primitives": [primitive], "weights": [0] * 12})
    node = model.node(mesh=0, weights=[0.05 * (i + 1) for i in range(12)])
    model.channel(node, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    return model


def two_skins():
    """Two skins of the same joints with different inverse bind matrices, each with a separate mesh."""
    arm = Arm()
    matrices = np.tile(np.eye(4), (4, 1, 1))
    matrices[:, 3] = [[1.5, -y, 0, 1] for y in range(4)]
    arm.add("skins", {"joints": [0, 1, 2, 3], "inverseBindMatrices": arm.accessor(matrices.reshape(-1, 16))})
    arm.add("meshes", {"primitives": [arm.primitive(arm.positions, arm.normals, arm.indices, **arm.attributes)]})
    arm.node(mesh=1, skin=1)
    return arm


def same_names():
    """Four joints of the same name."""
    arm = Arm()
    for joint in range(4):
        arm.json["nodes"][joint]["name"] = "joint"
    return arm


def shared_mesh():
    """Two nodes with the same mesh and different skins: the joints of the second are separate, next to those of the first."""
    arm = Arm()
    first = len(arm.json["nodes"])
    for joint in range(4):
        arm.node(first + joint - 1 if joint else None, translation=[0 if joint else 2, 1 if joint else 0, 0])
    binds = arm.json["skins"][0]["inverseBindMatrices"]
    arm.add("skins", {"joints": list(range(first, first + 4)), "inverseBindMatrices": binds})
    arm.node(mesh=0, skin=1)
    return arm


def shared_skin():
    """Two nodes at different places with the same skin, as in a character of several parts."""
    arm = Arm(translation=[1, 0, 0])
    arm.add("meshes", {"primitives": [arm.primitive(
        arm.positions * [2, 1, 2], arm.normals, arm.indices, **arm.attributes)]})
    arm.node(mesh=1, skin=0, translation=[0, 0, 3], rotation=turn([0, 1, 0], 90))
    return arm


def matrix_nodes():
    """Matrices instead of translation, rotation and scale, on a joint and, mirroring, on a mesh without skin."""
    arm = Arm()
    joint = arm.json["nodes"][0]
    del joint["translation"]
    joint["matrix"] = [0, 0, -2, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1]
    arm.add("meshes", {"primitives": [arm.primitive(*tube(4))]})
    arm.node(mesh=1, matrix=[0, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1])
    return arm


def wrong_skeleton():
    """skin.skeleton names the second joint, which isn't above the first."""
    arm = Arm()
    arm.json["skins"][0]["skeleton"] = 1
    arm.channel(0, "translation", [0, 1], [[0, 0, 0], [0, 0, 1]])
    return arm


MODELS = [
    joints_1, joints_300, unnormalized, zero_weights, byte_weights, no_inverse_binds, two_skins, shared_mesh,
    shared_skin, same_names, wrong_skeleton, skeleton_outside_scene_root, node_on_skin, mirrored_node, matrix_nodes,
    two_primitives, sparse_morphs, node_weights, morph_and_skin, spline, late_spline, step, late_start,
    quaternion_signs, long_quaternions, wide_slerp, scaled_joints, two_clips,
]


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for model in MODELS:
        model().write(folder / f"{model.__name__.replace('_', '-')}.glb")


if __name__ == "__main__":
    main()
