"""Files about influences: sets, weights that need normalization, joints, and which primitives are skinned."""

import numpy as np

from builder import RING, Arm, tube, turn


def _rings(arm):
    return np.repeat(np.arange(arm.count), RING)


def weights_only_in_second_set():
    """The first set of every third vertex has no weights, but names the second joint."""
    arm = Arm()
    joints, weights = arm.default_binding()
    later = np.zeros_like(weights)
    later[::3] = weights[::3]
    weights[::3] = 0
    second = joints.copy()
    joints[::3] = [1, 0, 0, 0]
    arm.rebind(joints, weights)
    arm.attributes_of_mesh["JOINTS_1"] = arm.accessor(second, "uint8")
    arm.attributes_of_mesh["WEIGHTS_1"] = arm.accessor(later)
    return arm


def three_sets():
    """Twelve influences per vertex."""
    arm = Arm(count=12)
    shares = np.linspace(1, 2, 12) / np.linspace(1, 2, 12).sum()
    weights = np.tile(shares, (len(arm.positions), 1))
    joints = (np.arange(12) + _rings(arm)[:, None]) % 12
    arm.rebind(joints[:, :4], weights[:, :4])
    for set_ in (1, 2):
        own = slice(set_ * 4, set_ * 4 + 4)
        arm.attributes_of_mesh[f"JOINTS_{set_}"] = arm.accessor(joints[:, own], "uint8")
        arm.attributes_of_mesh[f"WEIGHTS_{set_}"] = arm.accessor(weights[:, own])
    return arm


def short_weights():
    """Normalized shorts that sum to 65000."""
    arm = Arm()
    joints, _ = arm.default_binding()
    weights = np.zeros((len(joints), 4), np.uint16)
    weights[:, :2] = [40000, 25000]
    joints[:RING, 1] = 1
    arm.rebind(joints, weights)
    return arm


def byte_weights_at_ties():
    """Normalized bytes whose quotients are halfway between bytes: 1 of 2, 3 of 6, 5 of 10, 17 of 34."""
    arm = Arm()
    joints, _ = arm.default_binding()
    joints[:RING, 1] = 1
    weights = np.zeros((len(joints), 4), np.uint8)
    pairs = [(1, 1), (3, 3), (5, 5), (1, 5), (3, 7), (17, 17), (51, 51), (9, 1)]
    weights[:, :2] = np.resize(pairs, (len(joints), 2))
    arm.rebind(joints, weights)
    return arm


def negative_weights():
    """Weights of 1.2 and -0.2."""
    arm = Arm()
    joints, weights = arm.default_binding()
    joints[:RING, 1] = 1
    weights[::2, :2] = [1.2, -0.2]
    arm.rebind(joints, weights)
    return arm


def weights_of_two():
    """A single weight of 2 for every third vertex."""
    arm = Arm()
    joints, weights = arm.default_binding()
    weights[::3] = [2, 0, 0, 0]
    arm.rebind(joints, weights)
    return arm


def joint_repeated_in_vertex():
    """Each vertex lists its joint twice."""
    arm = Arm()
    joints, weights = arm.default_binding()
    joints[:, 2] = joints[:, 0]
    weights[:, 2] = 0.3
    weights[:, 0] -= 0.3
    arm.rebind(joints, weights)
    return arm


def joint_beyond_skin_without_weight():
    """Entries without weight that name joint 200, which the skin doesn't have."""
    arm = Arm()
    joints, weights = arm.default_binding()
    joints[:, 3] = 200
    arm.rebind(joints, weights)
    return arm


def two_triangles_unused_vertices():
    """Vertices that no triangle uses."""
    arm = Arm()
    primitive = arm.json["meshes"][0]["primitives"][0]
    primitive["indices"] = arm.accessor(arm.indices[:60], "uint16")
    return arm


def sparse_weights():
    """Weights as a sparse accessor with base values."""
    arm = Arm()
    _, weights = arm.default_binding()
    rows = [9, 17, 30]
    accessor = arm.json["accessors"][arm.attributes_of_mesh["WEIGHTS_0"]]
    accessor["sparse"] = {
        "count": 3, "indices": {"bufferView": arm.view(np.array(rows, "uint16")), "componentType": 5123},
        "values": {"bufferView": arm.view(np.array([[0.2, 0.8, 0, 0]] * 3, "float32"))}}
    return arm


def primitive_without_joints():
    """The second of two primitives of a skinned mesh has no joints."""
    arm = Arm(translation=[0, 0, 1])
    arm.json["meshes"][0]["primitives"].append(
        arm.primitive(arm.positions * [0.5, 1, 0.5] + [1, 0, 0], arm.normals, arm.indices))
    return arm


def skinned_node_without_joints():
    """No primitive of the skinned node has joints."""
    arm = Arm(translation=[1, 0, 1])
    arm.json["meshes"][0]["primitives"] = [arm.primitive(arm.positions, arm.normals, arm.indices)]
    arm.channel(arm.mesh, "translation", [0, 1], [[1, 0, 1], [3, 0, 1]])
    return arm


def joints_without_skin():
    """A mesh with joints and weights in a node without a skin."""
    arm = Arm(translation=[1, 0, 1])
    del arm.json["nodes"][arm.mesh]["skin"]
    del arm.json["skins"][0]
    return arm


def mesh_in_skinned_and_unskinned_node():
    """Two nodes show the same mesh, one of them without a skin."""
    arm = Arm()
    arm.node(mesh=0, translation=[3, 0, 0])
    return arm


def mesh_in_unskinned_node_first():
    """As before, but the unskinned node comes first."""
    arm = Arm()
    nodes = arm.json["nodes"]
    node = arm.node(mesh=0, skin=0)
    nodes[arm.mesh] = {"mesh": 0, "translation": [3, 0, 0]}
    arm.mesh = node
    return arm


def _skinned_mode(mode):
    arm = Arm(translation=[1, 2, 0])
    primitive = arm.json["meshes"][0]["primitives"][0]
    primitive["mode"] = mode
    if mode == 1:
        primitive["indices"] = arm.accessor(arm.indices[:60], "uint16")
    else:
        del primitive["indices"]
    return arm


def skinned_points():
    """Points with a skin, in a moved node."""
    return _skinned_mode(0)


def skinned_lines():
    """Lines with a skin, in a moved node."""
    return _skinned_mode(1)


def skinned_points_and_triangles():
    """A skinned mesh with a primitive of points and one of triangles."""
    arm = _skinned_mode(0)
    arm.json["meshes"][0]["primitives"].append(arm.primitive(
        arm.positions * [0.5, 1, 0.5], arm.normals, arm.indices, **arm.attributes))
    return arm


def skinned_triangle_strip():
    """A triangle strip with a skin."""
    arm = Arm()
    primitive = arm.json["meshes"][0]["primitives"][0]
    primitive["mode"] = 5
    primitive["indices"] = arm.accessor(list(range(4 * RING)), "uint16")
    return arm


def _rigged_binds(change):
    arm = Arm(binds=False)
    matrices = np.tile(np.eye(4), (4, 1, 1))
    matrices[:, 3, 1] = -np.arange(4)
    change(matrices)
    arm.json["skins"][0]["inverseBindMatrices"] = arm.accessor(matrices.reshape(-1, 16))
    return arm


def inverse_binds_scaled():
    """Inverse bind matrices that scale by 2."""
    def change(matrices):
        matrices[:] = matrices * 2
        matrices[:, 3, 3] = 1
    return _rigged_binds(change)


def inverse_binds_of_other_pose():
    """The bind pose is bent, unlike the rest pose."""
    def change(matrices):
        for joint in range(4):
            angle = 0.4 * joint
            turned = np.eye(4)
            turned[:2, :2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
            matrices[joint] = matrices[joint] @ turned
    return _rigged_binds(change)


def inverse_binds_sheared():
    """An inverse bind matrix with shear."""
    def change(matrices):
        matrices[2, 1, 0] = 0.5
    return _rigged_binds(change)


def inverse_binds_mirrored():
    """An inverse bind matrix that mirrors."""
    def change(matrices):
        matrices[3, 0, 0] = -1
    return _rigged_binds(change)


def uneven_skin_with_one_joint():
    """A skin with one joint of uneven scale."""
    arm = Arm(count=4)
    joints, weights = arm.default_binding()
    arm.rebind(joints * 0, np.tile([1.0, 0, 0, 0], (len(joints), 1)))
    arm.json["nodes"][arm.first]["scale"] = [1, 3, 0.5]
    arm.channel(arm.first, "rotation", [0, 1], [turn([1, 0, 1], 0), turn([1, 0, 1], 100)])
    return arm


def skins_with_other_binds_for_one_mesh():
    """A mesh in two nodes whose skins have the same joints and other inverse bind matrices."""
    arm = Arm()
    matrices = np.tile(np.eye(4), (4, 1, 1))
    matrices[:, 3] = [[2, -y, 0, 1] for y in range(4)]
    arm.add("skins", {"joints": [0, 1, 2, 3], "inverseBindMatrices": arm.accessor(matrices.reshape(-1, 16))})
    arm.node(mesh=0, skin=1)
    return arm


def two_characters():
    """Two skeletons of different names, each with a mesh, below separate nodes."""
    arm = Arm(above={"translation": [-1, 0, 0], "name": "left"})
    root = arm.node(translation=[2, 0, 0], rotation=turn([0, 1, 0], 40), name="right")
    first = len(arm.json["nodes"])
    for joint in range(4):
        arm.node(root if joint == 0 else first + joint - 1, translation=[0, 1 if joint else 0, 0], name=f"right{joint}")
    binds = arm.json["skins"][0]["inverseBindMatrices"]
    arm.add("skins", {"joints": list(range(first, first + 4)), "inverseBindMatrices": binds})
    positions, normals, indices = tube(4, 0.2)
    arm.add("meshes", {"primitives": [arm.primitive(positions, normals, indices, **arm.attributes)]})
    arm.node(mesh=1, skin=1)
    arm.channel(first + 2, "rotation", [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], 120)])
    return arm
