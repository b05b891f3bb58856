"""Files with the features of ordinary models."""

import numpy as np

from builder import RING, Arm, Model, tube, turn


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
