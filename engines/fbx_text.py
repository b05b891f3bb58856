"""Writes text files of FBX 7.4: a tube with curves that Blender's exporter doesn't write.

Written from files of the format; see also the description of its nodes by Blender, "FBX binary file format
specification" (2013).
"""

import numpy as np

from builder import tube

TICKS_PER_SEC = 46186158000
CUBIC_WITH_SLOPES = 0x408
MESH, MODEL, STACK, FIRST_LAYER = 1, 2, 3, 10
FIRST_NODE, FIRST_CURVE = 100, 1000
PROPERTIES = {"T": ("Lcl Translation", (0, 0, 0)), "R": ("Lcl Rotation", (0, 0, 0)), "S": ("Lcl Scaling", (1, 1, 1))}


def _array(name, values):
    listed = ",".join(f"{value:.9g}" if isinstance(value, float) else str(value) for value in values)
    return f"{name}: *{len(values)} {{\na: {listed}\n}}\n"


def _vector(name, values, kind):
    return f'P: "{name}", "{kind}", "", "A",' + ",".join(map(str, values)) + "\n"


def _indented(text):
    """The text with a tab per open brace, which three.js requires."""
    lines, depth = [], 0
    for line in text.splitlines():
        depth -= line.startswith("}")
        lines.append("\t" * depth + line)
        depth += line.endswith("{")
    return "\n".join(lines) + "\n"


class FbxText:
    """A file with one mesh. `properties` are more vectors of its node, such as pivots."""

    def __init__(self, **properties):
        self.properties = properties
        self.objects = []
        self.connections = [(MESH, MODEL), (MODEL, 0)]
        self.num_layers, self.num_nodes, self.num_curves = 0, 0, 0
        self.end = 0.0

    def layer(self):
        number = FIRST_LAYER + self.num_layers
        self.num_layers += 1
        self.objects.append(f'AnimationLayer: {number}, "AnimLayer::layer{number}", "" {{\n}}\n')
        self.connections.append((number, STACK))
        return number

    def animate(self, layer, letter, axes):
        """Adds keys of a property; `axes` has lists of time, value and slope per second by x, y or z."""
        name, default = PROPERTIES[letter]
        node = FIRST_NODE + self.num_nodes
        self.num_nodes += 1
        values = "".join(f'P: "d|{axis}", "Number", "", "A",{value}\n' for axis, value in zip("XYZ", default))
        self.objects.append(f'AnimationCurveNode: {node}, "AnimCurveNode::{letter}", "" {{\nProperties70: {{\n{values}}}\n}}\n')
        self.connections += [(node, layer), (node, MODEL, name)]
        for axis, keys in axes.items():
            self.connections.append((self._curve(keys), node, f"d|{axis.upper()}"))

    def _curve(self, keys):
        curve = FIRST_CURVE + self.num_curves
        self.num_curves += 1
        slopes = [slope for _, _, slope in keys] + [0.0]
        # The slopes of a key and the next one, and default weights and velocities.
        data = [part for at in range(len(keys)) for part in (float(slopes[at]), float(slopes[at + 1]), 0, 0)]
        self.end = max(self.end, keys[-1][0])
        self.objects.append(
            f'AnimationCurve: {curve}, "AnimCurve::", "" {{\nDefault: 0\nKeyVer: 4008\n'
            + _array("KeyTime", [round(time * TICKS_PER_SEC) for time, _, _ in keys])
            + _array("KeyValueFloat", [float(value) for _, value, _ in keys])
            + _array("KeyAttrFlags", [CUBIC_WITH_SLOPES] * len(keys)) + _array("KeyAttrDataFloat", data)
            + _array("KeyAttrRefCount", [1] * len(keys)) + "}\n")
        return curve

    def text(self):
        positions, _, indices = tube(4)
        corners = np.reshape(indices, (-1, 3)).copy()
        corners[:, 2] = -corners[:, 2] - 1
        settings = "".join(f'P: "{name}", "int", "Integer", "",{value}\n' for name, value in [
            ("UpAxis", 1), ("UpAxisSign", 1), ("FrontAxis", 2), ("FrontAxisSign", 1), ("CoordAxis", 0),
            ("CoordAxisSign", 1)]) + 'P: "UnitScaleFactor", "double", "Number", "",100\n'
        vectors = "".join(_vector(name, value, "Vector3D") for name, value in self.properties.items())
        stop = round(self.end * TICKS_PER_SEC)
        objects = (
            f'Geometry: {MESH}, "Geometry::tube", "Mesh" {{\n' + _array("Vertices", positions.ravel().tolist())
            + _array("PolygonVertexIndex", corners.ravel().tolist()) + "GeometryVersion: 124\n}\n"
            + f'Model: {MODEL}, "Model::tube", "Mesh" {{\nVersion: 232\nProperties70: {{\n{vectors}}}\n}}\n'
            + f'AnimationStack: {STACK}, "AnimStack::clip", "" {{\nProperties70: {{\n'
            + f'P: "LocalStop", "KTime", "Time", "",{stop}\nP: "ReferenceStop", "KTime", "Time", "",{stop}\n}}\n}}\n'
            + "".join(self.objects))
        links = "".join(
            f'C: "OP",{link[0]},{link[1]}, "{link[2]}"\n' if len(link) == 3 else f'C: "OO",{link[0]},{link[1]}\n'
            for link in self.connections)
        return _indented(
            "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}\n"
            f"GlobalSettings:  {{\nVersion: 1000\nProperties70:  {{\n{settings}}}\n}}\n"
            f"Objects:  {{\n{objects}}}\nConnections:  {{\n{links}}}\n")
