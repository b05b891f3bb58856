"""Files about morph targets: offsets, weights, and the meshes that they belong to."""

import numpy as np

from builder import RING, Arm, Model, tube, turn

COUNT = 4 * RING


def _offsets(number, scale=1.0):
    at = np.arange(COUNT)
    return scale * np.stack([0.3 * np.cos(at + number), 0.1 * np.sin(at * (number + 1)), 0.2 * np.sin(at)], 1)


def _target(model, number, **more):
    return {"POSITION": model.accessor(_offsets(number)), **more}


def _tube(model, targets, mesh_weights=None, **node):
    """An unskinned tube with morph targets in a node; returns the node."""
    primitive = model.primitive(*tube(4))
    primitive["targets"] = targets
    mesh = {"primitives": [primitive]}
    if mesh_weights is not None:
        mesh["weights"] = mesh_weights
    model.add("meshes", mesh)
    return model.node(mesh=len(model.json["meshes"]) - 1, **node)


def morph_weights():
    """Two dense targets with linear keys."""
    model = Model()
    node = _tube(model, [_target(model, 0), _target(model, 1)], [0.5, 0])
    model.channel(node, "weights", [0, 0.5, 1], [0, 0.2, 1, 0.4, 0.3, 1])
    return model


def morph_weights_of_mesh():
    """Weights of the mesh, without keys."""
    model = Model()
    _tube(model, [_target(model, 0), _target(model, 1)], [0.5, 0.25])
    return model


def morph_weights_as_splines():
    """Two targets with splines."""
    model = Model()
    node = _tube(model, [_target(model, 0), _target(model, 1)])
    keys = [[0, 0, 0.1, 0.2, 1, -1], [1, 0, 0.9, 0.5, 0, 2], [0, 1, 0.3, 1, 0, 0]]
    model.channel(node, "weights", [0, 0.4, 1], np.array(keys).reshape(-1), "CUBICSPLINE")
    return model


def morph_weight_as_spline():
    """One target with a spline."""
    model = Model()
    node = _tube(model, [_target(model, 0)])
    model.channel(node, "weights", [0, 0.4, 1], [0, 0.1, 1, 1, 0.9, 0, 0, 0.3, 0], "CUBICSPLINE")
    return model


def morph_weights_in_steps():
    """Two targets with stepped keys."""
    model = Model()
    node = _tube(model, [_target(model, 0), _target(model, 1)])
    model.channel(node, "weights", [0, 0.5, 1], [0, 0.2, 1, 0.4, 0.3, 1], "STEP")
    return model


def morph_weights_as_bytes():
    """Keys of weights as normalized bytes."""
    model = Model()
    node = _tube(model, [_target(model, 0), _target(model, 1)])
    model.channel(node, "weights", [0, 0.5, 1], [0, 51, 255, 100, 70, 255], dtype="uint8", normalized=True)
    return model


def morph_weights_outside_range():
    """Weights below 0 and above 1."""
    model = Model()
    node = _tube(model, [_target(model, 0), _target(model, 1)])
    model.channel(node, "weights", [0, 0.5, 1], [0, 0.2, 2, -1, 0.3, 1])
    return model


def morph_of_primitives():
    """Two primitives with the same targets."""
    model = Model()
    node = _tube(model, [_target(model, 0)])
    other = model.primitive(*tube(4, 0.6))
    other["targets"] = [_target(model, 3)]
    model.json["meshes"][0]["primitives"].append(other)
    model.channel(node, "weights", [0, 1], [0, 1])
    return model


def morph_of_primitives_with_child():
    """Two primitives with targets, and a child mesh with a target and no keys."""
    model = morph_of_primitives()
    child = _tube(model, [_target(model, 5)], translation=[2, 0, 0])
    model.move(child, 0)
    return model


def morph_targets_of_one_primitive():
    """Only the first of two primitives has targets."""
    model = Model()
    node = _tube(model, [_target(model, 0)])
    model.json["meshes"][0]["primitives"].append(model.primitive(*tube(4, 0.6)))
    model.channel(node, "weights", [0, 1], [0, 1])
    return model


def different_targets_of_primitives():
    """Two primitives with one and two targets."""
    model = Model()
    node = _tube(model, [_target(model, 0)])
    other = model.primitive(*tube(4, 0.6))
    other["targets"] = [_target(model, 3), _target(model, 4)]
    model.json["meshes"][0]["primitives"].append(other)
    model.channel(node, "weights", [0, 1], [0, 0.2, 1, 0.5])
    return model


def morph_normals_only():
    """The second of two targets has only normals."""
    model = Model()
    node = _tube(model, [_target(model, 0), {"NORMAL": model.accessor(_offsets(1))}], [0, 0])
    model.channel(node, "weights", [0, 1], [0, 0.2, 1, 0.8])
    return model


def morph_all_normals_only():
    """The only target has only normals."""
    model = Model()
    node = _tube(model, [{"NORMAL": model.accessor(_offsets(1))}])
    model.channel(node, "weights", [0, 1], [0, 1])
    return model


def morph_with_normals():
    """Targets of positions and normals."""
    model = Model()
    node = _tube(model, [_target(model, 0, NORMAL=model.accessor(_offsets(2))), _target(model, 1)])
    model.channel(node, "weights", [0, 1], [0, 0.2, 1, 0.8])
    return model


def morph_without_base_normals():
    """A mesh without normals, with targets."""
    model = Model()
    node = _tube(model, [_target(model, 0), _target(model, 1)])
    del model.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"]
    model.channel(node, "weights", [0, 1], [0, 0.2, 1, 0.8])
    return model


def morph_on_skin():
    """Dense targets on a skinned mesh, with keys."""
    arm = Arm()
    arm.json["meshes"][0]["primitives"][0]["targets"] = [_target(arm, 0), _target(arm, 1)]
    arm.channel(arm.mesh, "weights", [0, 0.5, 1], [0, 0.2, 1, 0.4, 0.3, 1])
    return arm


def ten_morph_targets():
    """Ten targets, all with weights."""
    model = Model()
    node = _tube(model, [_target(model, number) for number in range(10)])
    keys = np.array([[0.1 * ((key + number) % 4) for number in range(10)] for key in range(3)])
    model.channel(node, "weights", [0, 0.5, 1], keys.reshape(-1))
    return model


def three_hundred_morph_targets():
    """300 targets, the last of which move."""
    model = Model()
    shared = model.accessor(_offsets(0, 0.01))
    node = _tube(model, [{"POSITION": shared}] * 299 + [_target(model, 1)])
    keys = np.zeros((2, 300))
    keys[1, 290:] = 1
    model.channel(node, "weights", [0, 1], keys.reshape(-1))
    return model


def sparse_morph_with_base():
    """A target as a sparse accessor with base values."""
    model = Model()
    target = _target(model, 0)
    model.json["accessors"][target["POSITION"]]["sparse"] = {
        "count": 2, "indices": {"bufferView": model.view(np.array([3, 20], "uint16")), "componentType": 5123},
        "values": {"bufferView": model.view(np.array([[1, 0, 0], [0, 1, 1]], "float32"))}}
    node = _tube(model, [target])
    model.channel(node, "weights", [0, 1], [0, 1])
    return model


def morph_nodes_share_mesh():
    """Two nodes with the same mesh and different weights."""
    model = Model()
    first = _tube(model, [_target(model, 0)], [0.1], weights=[0.8])
    second = model.node(mesh=0, translation=[2, 0, 0], weights=[0.3])
    model.channel(second, "weights", [0, 1], [0.3, 1])
    model.channel(first, "translation", [0, 1], [[0, 0, 0], [0, 1, 0]])
    return model


def small_morphs():
    """Offsets that half floats round visibly, of a mesh that they hardly move."""
    model = Model()
    node = _tube(model, [{"POSITION": model.accessor(_offsets(0, 3.3333))},
                         {"POSITION": model.accessor(_offsets(2, 1.7777))}])
    model.channel(node, "weights", [0, 1], [0.1, 0.2, 0.77, 0.66])
    return model


def tiny_morph_weights():
    """Weights of 1e-5 and less."""
    model = Model()
    node = _tube(model, [{"POSITION": model.accessor(_offsets(0, 1000))}])
    model.channel(node, "weights", [0, 1], [0, 0.00002])
    return model


def two_clips_of_morphs():
    """Two clips, the second of which moves only a node."""
    model = Model()
    node = _tube(model, [_target(model, 0)], [0.4])
    model.channel(node, "weights", [0, 1], [0, 1])
    model.channel(node, "rotation", [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], 90)], clip=1)
    return model
