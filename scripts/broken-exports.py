#!/usr/bin/env python3
"""Writes four broken variants of a skinned GLB, each with a typical fault of exporters.

    rigscope convert assets/sample.bsm2 -o sample.glb
    python3 scripts/broken-exports.py sample.glb broken/

inverse-binds.glb  The inverse bind matrices are transposed.
weights.glb        The influences of the left forearm and hand are lost.
scale.glb          The armature is scaled by 100, and the inverse bind matrices don't contain the scale.
flipped.glb        The triangles on the right-hand side (x < 0) have reversed winding.
"""

import json
import struct
import sys
from pathlib import Path

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
CODES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
LOST_BONES = ("forearm_l", "hand_l")
ARMATURE_SCALE = 100.0


class Glb:
    """The JSON and the binary chunk of a GLB file."""

    def __init__(self, data):
        magic, version, _ = struct.unpack_from("<4sII", data)
        if magic != b"glTF" or version != 2:
            raise SystemExit("error: the input isn't a GLB file of version 2")
        (length,) = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20 : 20 + length])
        self.bin = bytearray(data[28 + length :])

    def layout(self, accessor):
        """The format, offset and stride of an accessor, in bytes."""
        accessor = self.json["accessors"][accessor]
        view = self.json["bufferViews"][accessor["bufferView"]]
        element = struct.Struct(f"<{COMPONENTS[accessor['type']]}{CODES[accessor['componentType']]}")
        offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return element, offset, view.get("byteStride", element.size)

    def read(self, accessor):
        element, offset, stride = self.layout(accessor)
        count = self.json["accessors"][accessor]["count"]
        return [element.unpack_from(self.bin, offset + i * stride) for i in range(count)]

    def write(self, accessor, values):
        element, offset, stride = self.layout(accessor)
        for i, value in enumerate(values):
            element.pack_into(self.bin, offset + i * stride, *value)

    def primitives(self):
        return [primitive for mesh in self.json["meshes"] for primitive in mesh["primitives"]]

    def save(self, path):
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        chunks += struct.pack("<I4s", len(self.bin), b"BIN\0") + self.bin
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def transpose_inverse_binds(glb):
    """Writes row-major matrices, as an exporter does that ignores the column-major order of glTF."""
    for skin in glb.json["skins"]:
        matrices = glb.read(skin["inverseBindMatrices"])
        glb.write(skin["inverseBindMatrices"], [[m[i % 4 * 4 + i // 4] for i in range(16)] for m in matrices])


def lose_weights(glb):
    """Sets weights to 0, as an exporter does that skips bones without giving their weights to others."""
    nodes, (skin,) = glb.json["nodes"], glb.json["skins"]
    lost = {i for i, node in enumerate(skin["joints"]) if nodes[node].get("name") in LOST_BONES}
    attributes = {(p["attributes"]["JOINTS_0"], p["attributes"]["WEIGHTS_0"]) for p in glb.primitives()}
    for joints, weights in attributes:
        pairs = zip(glb.read(joints), glb.read(weights))
        glb.write(weights, [[0 if joint in lost else w for joint, w in zip(*pair)] for pair in pairs])


def scale_armature(glb):
    """Adds an armature with a scale that the translations of joints compensate, but the inverse binds don't."""
    (skin,), (scene,) = glb.json["skins"], glb.json["scenes"]
    roots = [node for node in scene["nodes"] if node in skin["joints"]]
    for node in (glb.json["nodes"][joint] for joint in skin["joints"]):
        if "translation" in node:
            node["translation"] = [t / ARMATURE_SCALE for t in node["translation"]]
        if "matrix" in node:
            node["matrix"][12:15] = [t / ARMATURE_SCALE for t in node["matrix"][12:15]]
    for animation in glb.json.get("animations", []):
        moving = {c["sampler"] for c in animation["channels"] if c["target"]["path"] == "translation"}
        for output in {animation["samplers"][i]["output"] for i in moving}:
            glb.write(output, [[t / ARMATURE_SCALE for t in key] for key in glb.read(output)])
    glb.json["nodes"].append({"name": "Armature", "scale": [ARMATURE_SCALE] * 3, "children": roots})
    others = [node for node in scene["nodes"] if node not in roots]
    scene["nodes"] = [len(glb.json["nodes"]) - 1, *others]


def reverse_half(glb):
    """Reverses the winding of one side, as mirroring by a negative scale does."""
    for primitive in glb.primitives():
        positions = glb.read(primitive["attributes"]["POSITION"])
        indices = glb.read(primitive["indices"])
        for i in range(0, len(indices), 3):
            if sum(positions[index][0] for (index,) in indices[i : i + 3]) < 0:
                indices[i + 1], indices[i + 2] = indices[i + 2], indices[i + 1]
        glb.write(primitive["indices"], indices)


VARIANTS = {
    "inverse-binds.glb": transpose_inverse_binds,
    "weights.glb": lose_weights,
    "scale.glb": scale_armature,
    "flipped.glb": reverse_half,
}


def main():
    if len(sys.argv) != 3:
        raise SystemExit("usage: broken-exports.py SAMPLE.glb FOLDER")
    data, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, damage in VARIANTS.items():
        glb = Glb(data)
        damage(glb)
        glb.save(folder / name)


if __name__ == "__main__":
    main()
