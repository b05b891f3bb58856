"""FBX files with curves that Blender's exporter doesn't write. A function returns the text."""

from fbx_text import FbxText


def _turned(**properties):
    file = FbxText(**properties)
    layer = file.layer()
    file.animate(layer, "R", {axis: [(0, 0, slope), (0.5, value, -slope), (1.25, -value, 0)]
                              for axis, value, slope in [("x", 50, 90), ("y", 30, -60), ("z", -20, 30)]})
    return file, layer


def tangents():
    """Rotation and translation keys with slopes."""
    file, layer = _turned()
    file.animate(layer, "T", {axis: [(0, 0, 4), (0.5, value, 0), (1.25, 0, -3)]
                              for axis, value in [("x", 2), ("y", 1), ("z", -1)]})
    return file.text()


def keys_of_some_axes():
    """Rotation keys of two axes only, and translation keys of one."""
    file = FbxText()
    layer = file.layer()
    file.animate(layer, "R", {"x": [(0, 0, 0), (0.5, 60, 0), (1.25, 10, 0)], "z": [(0, 0, 0), (0.5, 40, 0), (1.25, -50, 0)]})
    file.animate(layer, "T", {"y": [(0, 0, 0), (1.25, 2, 0)]})
    return file.text()


def axes_at_different_times():
    """Rotation keys whose times differ by axis."""
    file = FbxText()
    layer = file.layer()
    file.animate(layer, "R", {"x": [(0, 0, 60), (0.5, 60, 0), (1.25, 10, 0)], "y": [(0, 0, 30), (0.8, 40, 0), (1.25, -50, 0)]})
    return file.text()


def translation_axes_at_different_times():
    """Translation keys whose times differ by axis."""
    file = FbxText()
    layer = file.layer()
    file.animate(layer, "T", {"x": [(0, 0, 0), (0.5, 2, 0), (1.25, 1, 0)], "y": [(0, 0, 3), (0.8, 1, 0), (1.25, -1, 0)]})
    return file.text()


def wide_turn():
    """Rotation keys that are 400° apart."""
    file = FbxText()
    layer = file.layer()
    file.animate(layer, "R", {axis: [(0, 0, 0), (1, value, 0), (1.25, 0, 0)]
                              for axis, value in [("x", 400), ("y", 20), ("z", 0)]})
    return file.text()


def pivot():
    """Rotation keys about another point."""
    return _turned(RotationPivot=(0, 1.5, 0.5))[0].text()


def rotation_before_keys():
    """A rotation in addition to the keys."""
    return _turned(PreRotation=(30, -20, 10))[0].text()


def two_layers():
    """Rotation keys in a second layer."""
    file, _ = _turned()
    second = file.layer()
    file.animate(second, "R", {"x": [(0, 0, 0), (1.25, 40, 0)]})
    return file.text()
