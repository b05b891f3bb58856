"""Builds small glTF files: a tube of rings, bound to a chain of joints or not."""

import json
import struct

import numpy as np

TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
CODES = {"int8": 5120, "uint8": 5121, "int16": 5122, "uint16": 5123, "uint32": 5125, "float32": 5126}
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

    def rigid(self, parent=None, rings=4, **node):
        """Adds a node with an unskinned tube."""
        self.add("meshes", {"primitives": [self.primitive(*tube(rings))]})
        return self.node(parent, mesh=len(self.json["meshes"]) - 1, **node)

    def extension(self, name, required=False):
        for key in ("extensionsUsed", *(["extensionsRequired"] if required else [])):
            if name not in self.json.setdefault(key, []):
                self.json[key].append(name)

    def move(self, node, parent):
        """Moves a node at the top of the scene below another."""
        self.json["scenes"][0]["nodes"].remove(node)
        self.json["nodes"][parent].setdefault("children", []).append(node)

    def channel(self, node, path, times, values, interpolation="LINEAR", clip=0, **accessor):
        while clip >= len(self.json["animations"]):
            self.add("animations", {"name": f"clip{clip}", "samplers": [], "channels": []})
        animation = self.json["animations"][clip]
        animation["samplers"].append({"input": self.accessor(times), "output": self.accessor(values, **accessor),
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

    @property
    def attributes_of_mesh(self):
        return self.json["meshes"][0]["primitives"][0]["attributes"]

    def rebind(self, joints, weights):
        """Replaces the first set of influences."""
        self.attributes = self.bind(joints, weights)
        self.attributes_of_mesh.update(self.attributes)

    def bind(self, joints, weights):
        dtype = "uint16" if np.max(joints) > 255 else "uint8"
        if isinstance(weights, np.ndarray) and weights.dtype in (np.uint8, np.uint16):
            stored = self.accessor(weights, weights.dtype.name, normalized=True)
        else:
            stored = self.accessor(weights)
        return {"JOINTS_0": self.accessor(joints, dtype), "WEIGHTS_0": stored}

    def bend(self, times=(0, 0.4, 1), clip=0, axis=(1, 0.3, 0), degrees=(10, 60, -40)):
        for joint in range(1, min(self.count, 4)):
            self.channel(self.first + joint, "rotation", times, [turn(axis, d + 7 * joint) for d in degrees], clip=clip)
