"""Files about clips: interpolation, key times, and how values are stored."""

import numpy as np

from builder import Arm, Model, turn

SWING = [0, 0.5, 1]


def _keys(degrees, axis=(1, 0.3, 0), length=1.0):
    return [(length * np.array(turn(axis, d))).tolist() for d in degrees]


def _bare():
    return Arm(bend=False)


def animation_pointer(required=False):
    """A rotation by KHR_animation_pointer, next to plain channels."""
    arm = _bare()
    arm.channel(arm.first + 2, "rotation", SWING, _keys((0, 60, -40)))
    arm.channel(arm.first + 1, "rotation", SWING, _keys((0, 70, -90)))
    arm.json["animations"][0]["channels"][1]["target"] = {
        "path": "pointer",
        "extensions": {"KHR_animation_pointer": {"pointer": f"/nodes/{arm.first + 1}/rotation"}}}
    arm.extension("KHR_animation_pointer", required)
    return arm


def animation_pointer_required():
    """The same, required."""
    return animation_pointer(True)


def animation_pointer_of_material():
    """A material's colour by KHR_animation_pointer, next to plain channels."""
    arm = Arm()
    arm.json["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}]
    arm.json["meshes"][0]["primitives"][0]["material"] = 0
    arm.channel(0, "rotation", [0, 1], [[1, 0, 0, 1], [0, 1, 0, 1]])
    arm.json["animations"][0]["channels"][-1]["target"] = {
        "path": "pointer",
        "extensions": {"KHR_animation_pointer": {"pointer": "/materials/0/pbrMetallicRoughness/baseColorFactor"}}}
    arm.extension("KHR_animation_pointer")
    return arm


def two_channels_for_one_property():
    """Two channels animate the same rotation."""
    arm = Arm()
    arm.channel(arm.first + 1, "rotation", SWING, _keys((0, -60, 80)))
    return arm


def unsorted_times():
    """Key times that aren't in order."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.6, 0.3, 1], _keys((0, 60, -50, 30)))
    return arm


def repeated_times():
    """Two keys at the same time, so that a value jumps."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.5, 0.5, 1], _keys((0, 60, -50, 30)))
    return arm


def repeated_first_times():
    """Two keys at the first time."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0, 0.5, 1], _keys((0, 60, -50, 30)))
    return arm


def single_linear_key():
    """A channel with a single key, next to others."""
    arm = Arm()
    arm.channel(arm.first, "translation", [0.5], [[1, 0, 0]])
    return arm


def single_step_key():
    """A stepped channel with a single key."""
    arm = Arm()
    arm.channel(arm.first, "translation", [0.5], [[1, 0, 0]], "STEP")
    return arm


def single_spline_key():
    """A spline with a single key."""
    arm = Arm()
    arm.channel(arm.first, "translation", [0.5], [[1, 2, 3], [1, 0, 0], [4, 5, 6]], "CUBICSPLINE")
    return arm


def only_single_keys():
    """All channels of the clip have a single key at 0."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0], _keys((50,)))
    arm.channel(arm.first, "translation", [0], [[1, 0, 0]])
    return arm


def nearly_equal_rotations():
    """Keys 1 degree apart, which engines interpolate component by component."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], _keys((30, 31, 32)))
    return arm


def long_nearly_equal_rotations():
    """Keys of length 1.1 and 0.9, 1 degree apart."""
    arm = _bare()
    values = [*_keys((30,), length=1.1), *_keys((31,), length=0.9), *_keys((32,), length=1.1)]
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], values)
    return arm


def short_rotations():
    """Rotation keys of length 0.7."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], _keys((10, 90, -60), length=0.7))
    return arm


def long_equal_rotations():
    """Two equal rotation keys of length 1.1."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], _keys((40, 40, -60), length=1.1))
    return arm


def long_stepped_rotations():
    """Stepped rotation keys of length 1.1."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], _keys((10, 90, -60), length=1.1), "STEP")
    return arm


def opposite_rotations():
    """Keys half a turn apart."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 1], _keys((0, 180)))
    return arm


def full_turn():
    """Three keys, each a third of a turn further."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 1, 2, 3], _keys((0, 120, 240, 360)))
    return arm


def spline_of_long_rotations():
    """A spline of rotations whose values have length 1.2."""
    arm = _bare()
    values = [v for d in (0, 70, -50) for v in ([1, 0, 0, 1], *_keys((d,), length=1.2), [0, 1, 0, -1])]
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], values, "CUBICSPLINE")
    return arm


def spline_of_opposite_signs():
    """A spline of rotations whose signs alternate."""
    arm = _bare()
    signs = (1, -1, 1)
    values = [v for d, s in zip((0, 40, 80), signs) for v in ([0] * 4, (s * np.array(turn([1, 0.3, 0], d))).tolist(),
                                                              [0] * 4)]
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], values, "CUBICSPLINE")
    return arm


def spline_of_two_keys():
    """Splines of translation and scale with two keys."""
    arm = _bare()
    arm.channel(arm.first, "translation", [0, 1],
                [[0, 0, 0], [0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, 0], [0, 0, 0]], "CUBICSPLINE")
    arm.channel(arm.first + 2, "scale", [0, 1],
                [[0, 0, 0], [1, 1, 1], [1, 1, 1], [2, 2, 2], [2, 2, 2], [0, 0, 0]], "CUBICSPLINE")
    return arm


def spline_of_uneven_times():
    """A spline whose spans have very different lengths."""
    arm = _bare()
    values = [v for at in (0, 1, -1, 2) for v in ([1, 2, 0], [at, 0, 0], [0, 3, 1])]
    arm.channel(arm.first, "translation", [0, 0.1, 2, 2.2], values, "CUBICSPLINE")
    return arm


def integer_rotations():
    """Rotation keys as normalized shorts and bytes."""
    arm = _bare()
    shorts = np.round(np.array(_keys((10, 60, -40))) * 32767)
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], shorts, dtype="int16", normalized=True)
    tenths = np.round(np.array(_keys((10, 60, -40))) * 127)
    arm.channel(arm.first + 2, "rotation", [0, 0.4, 1], tenths, dtype="int8", normalized=True)
    return arm


def interleaved_keys():
    """Key values between other data (byteStride)."""
    arm = _bare()
    values = np.zeros((3, 8), "float32")
    values[:, :4] = _keys((10, 60, -40))
    view = arm.view(values)
    arm.json["bufferViews"][view]["byteStride"] = 32
    arm.channel(arm.first + 1, "rotation", [0, 0.4, 1], values[:, :4])
    output = arm.json["animations"][0]["samplers"][0]["output"]
    arm.json["accessors"][output]["bufferView"] = view
    return arm


def sparse_keys():
    """Key values as a sparse accessor with base values."""
    arm = Arm()
    output = arm.json["animations"][0]["samplers"][0]["output"]
    arm.json["accessors"][output]["sparse"] = {
        "count": 1, "indices": {"bufferView": arm.view(np.array([1], "uint16")), "componentType": 5123},
        "values": {"bufferView": arm.view(np.array(_keys((-80,)), "float32"))}}
    return arm


def late_steps():
    """Stepped keys from 0.5 s to 1.5 s."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0.5, 0.8, 1.5], _keys((10, 60, -40)), "STEP")
    arm.channel(arm.first, "translation", [0.6, 1.2], [[0, 0, 0], [1, 0, 0]], "STEP")
    return arm


def steps_of_weights_and_scale():
    """Stepped keys of scale."""
    arm = _bare()
    arm.channel(arm.first + 1, "scale", [0, 0.4, 1], [[1, 1, 1], [1, 2, 1], [2, 2, 2]], "STEP")
    return arm


def negative_scale_keys():
    """Scale keys that change sign."""
    arm = Arm()
    arm.channel(arm.first + 1, "scale", SWING, [[1, 1, 1], [-1, 1, 1], [1, 1, 1]])
    return arm


def long_clip():
    """Keys after an hour."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [3600, 3600.5, 3601], _keys((10, 60, -40)))
    return arm


def short_clip():
    """Keys a millisecond apart."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.001, 0.002], _keys((10, 60, -40)))
    return arm


def different_lengths():
    """Channels that end at different times."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.4], _keys((10, 60)))
    arm.channel(arm.first + 2, "rotation", [0, 1.6], _keys((10, 90)))
    arm.channel(arm.first, "translation", [0.2, 1], [[0, 0, 0], [1, 0, 0]])
    return arm


def different_lengths_with_steps():
    """Stepped and linear channels that end at different times."""
    arm = _bare()
    arm.channel(arm.first + 1, "rotation", [0, 0.3, 0.6], _keys((10, 60, -50)), "STEP")
    arm.channel(arm.first + 2, "rotation", [0, 1.6], _keys((10, 90)))
    return arm


def channel_without_node():
    """A channel whose target has no node, next to others."""
    arm = Arm()
    arm.channel(arm.first, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    del arm.json["animations"][0]["channels"][-1]["target"]["node"]
    return arm


def rigid_nodes():
    """A chain of unskinned meshes with keys of all properties."""
    model = Model()
    top = model.rigid(translation=[0, 1, 0])
    low = model.rigid(top, translation=[0, 3, 0], scale=[0.5, 0.5, 0.5])
    model.channel(top, "translation", SWING, [[0, 1, 0], [1, 2, 0], [0, 0, 1]])
    model.channel(top, "rotation", SWING, _keys((0, 80, -50)))
    model.channel(low, "scale", SWING, [[0.5] * 3, [1, 1, 1], [0.2] * 3])
    model.channel(low, "rotation", SWING, _keys((0, -80, 150)))
    return model


def two_clips_of_rigid_nodes():
    """Two clips of unskinned meshes, each of which moves another node."""
    model = Model()
    nodes = [model.rigid(translation=[x, 0, 0]) for x in (0, 2)]
    for clip, node in enumerate(nodes):
        model.channel(node, "rotation", SWING, _keys((0, 80, -50)), clip=clip)
    return model
