"""Files about nodes: transforms of skinned meshes, children, matrices, names, scenes, instances."""

import numpy as np

from builder import RING, Arm, Model, tube, turn

SWING = [0, 0.5, 1]


def _swing(model, node, axis=(0, 0, 1)):
    model.channel(node, "rotation", SWING, [turn(axis, d) for d in (0, 50, -70)])


def child_of_skinned_mesh():
    """An unskinned mesh below a skinned one, whose node is moved and turned."""
    arm = Arm(translation=[1, 0, 0], rotation=turn([0, 0, 1], 50))
    arm.rigid(arm.mesh, translation=[0, 2, 0])
    return arm


def child_of_animated_skinned_mesh():
    """The same with keys on the node of the skinned mesh."""
    arm = child_of_skinned_mesh()
    arm.channel(arm.mesh, "translation", SWING, [[1, 0, 0], [2, 1, 0], [0, 0, 3]])
    return arm


def joints_below_skinned_mesh():
    """The skinned mesh is the parent of its joints, and is moved."""
    arm = Arm(translation=[1, 0, 0.5], rotation=turn([0, 0, 1], 50))
    arm.move(arm.first, arm.mesh)
    return arm


def joints_below_animated_skinned_mesh():
    """The skinned mesh is the parent of its joints, and is animated."""
    arm = joints_below_skinned_mesh()
    arm.channel(arm.mesh, "translation", SWING, [[1, 0, 0.5], [2, 1, 0], [0, 0, 3]])
    return arm


def skinned_mesh_below_joint():
    """The skinned mesh is a child of its last joint."""
    arm = Arm(translation=[0, 0, 1])
    arm.move(arm.mesh, arm.first + 3)
    return arm


def skinned_mesh_is_joint():
    """The node of the skinned mesh is a joint of its skin."""
    arm = Arm()
    nodes, last = arm.json["nodes"], arm.first + 3
    nodes[last].update(mesh=0, skin=0)
    arm.json["scenes"][0]["nodes"].remove(arm.mesh)
    del nodes[arm.mesh]
    return arm


def animated_skinned_node():
    """Keys on the node of the skinned mesh, which glTF ignores."""
    arm = Arm()
    arm.channel(arm.mesh, "translation", [0, 1], [[0, 0, 0], [3, 0, 0]])
    _swing(arm, arm.mesh)
    return arm


def animated_parent_of_skin_and_joints():
    """Keys on the common parent of the skinned mesh and its joints."""
    arm = Arm(above={"translation": [1, 0, 0]})
    arm.move(arm.mesh, arm.first - 1)
    _swing(arm, arm.first - 1)
    return arm


def animated_parent_with_skeleton():
    """As before, and skin.skeleton names the parent."""
    arm = animated_parent_of_skin_and_joints()
    arm.json["skins"][0]["skeleton"] = arm.first - 1
    return arm


def skeleton_names_first_joint():
    """skin.skeleton names the first joint, as many exporters write."""
    arm = Arm(above={"translation": [1, 0, 0], "rotation": turn([0, 1, 0], 30)})
    arm.json["skins"][0]["skeleton"] = arm.first
    return arm


def uneven_skinned_node():
    """The node of a skinned mesh is scaled unevenly."""
    return Arm(scale=[3, 1, 0.5], rotation=turn([0, 0, 1], 30))


def uneven_parent_of_skin_and_joints():
    """The common parent of a skinned mesh and its joints is scaled unevenly."""
    arm = Arm(above={"scale": [2, 1, 0.5]})
    arm.move(arm.mesh, arm.first - 1)
    return arm


def uneven_rigid_mesh():
    """An unskinned mesh below a turned node of uneven scale, next to an unscaled skin."""
    arm = Arm()
    parent = arm.node(scale=[1, 3, 0.5])
    node = arm.rigid(parent, rotation=turn([0, 0, 1], 40), translation=[2, 0, 0])
    _swing(arm, node)
    return arm


def uneven_scale_between_keys():
    """A rigid joint whose scale is uneven only between keys of a spline."""
    arm = Arm(bend=False)
    keys = [[0, 0, 0], [1, 1, 1], [2, -1, 0], [-1, 2, 0], [1, 1, 1], [0, 0, 0]]
    arm.channel(arm.first + 1, "scale", [0, 1], keys, "CUBICSPLINE")
    return arm


def mirrored_skinned_node():
    """The node of the skinned mesh mirrors."""
    return Arm(scale=[-1, 1, 1], translation=[0, 0, 1])


def mirrored_joint():
    """A joint mirrors."""
    arm = Arm()
    arm.json["nodes"][arm.first + 1]["scale"] = [-1, 1, 1]
    return arm


def mirrored_armature():
    """The parent of the joints mirrors."""
    arm = Arm(above={"scale": [1, 1, -1], "translation": [0, 0.5, 0]})
    arm.move(arm.mesh, arm.first - 1)
    return arm


def flat_joint():
    """A joint has a scale of zero."""
    arm = Arm()
    arm.json["nodes"][arm.first + 2]["scale"] = [1, 0, 1]
    return arm


def long_rotation_of_joint():
    """The rotation of a joint's node has length 1.2, and no keys."""
    arm = Arm(bend=False)
    arm.json["nodes"][arm.first + 1]["rotation"] = (1.2 * np.array(turn([1, 0.3, 0], 50))).tolist()
    arm.channel(arm.first + 2, "rotation", [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], 90)])
    return arm


def short_rotation_of_node():
    """The rotation of an unskinned mesh's node has length 0.8."""
    model = Model()
    node = model.rigid(rotation=(0.8 * np.array(turn([1, 0.3, 0], 50))).tolist(), translation=[1, 0, 0])
    model.channel(node, "translation", [0, 1], [[1, 0, 0], [0, 2, 0]])
    return model


def sheared_joint():
    """The matrix of a joint shears."""
    arm = Arm()
    joint = arm.json["nodes"][arm.first + 1]
    del joint["translation"]
    joint["matrix"] = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    del arm.json["animations"][0]["channels"][0]
    return arm


def sheared_node():
    """The matrix of an unskinned mesh's node shears; its parent moves."""
    model = Model()
    parent = model.node()
    model.rigid(parent, matrix=[1, 0, 0, 0, 0.8, 1, 0, 0, 0, 0.3, 1, 0, 1, 1, 0, 1])
    model.channel(parent, "translation", [0, 1], [[0, 0, 0], [0, 0, 2]])
    return model


def animated_matrix_node():
    """A node with a matrix is animated, which glTF forbids."""
    model = Model()
    node = model.rigid(matrix=[0, 0, -2, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1])
    _swing(model, node)
    return model


def mirrored_matrix_joint():
    """The matrix of a joint mirrors; others move."""
    arm = Arm()
    joint = arm.json["nodes"][arm.first + 3]
    del joint["translation"]
    joint["matrix"] = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    del arm.json["animations"][0]["channels"][2]
    return arm


def joints_outside_scene():
    """The joints aren't in the scene that shows the mesh."""
    arm = Arm(above={"translation": [1, 0, 0]})
    arm.json["scenes"] = [{"nodes": [arm.mesh]}, {"nodes": [arm.first - 1]}]
    return arm


def second_scene():
    """The second scene is the default."""
    arm = Arm()
    other = arm.rigid(translation=[5, 0, 0])
    arm.json["scenes"][0]["nodes"].remove(other)
    arm.json["scenes"] = [{"nodes": [other]}, arm.json["scenes"][0]]
    arm.json["scene"] = 1
    return arm


def same_names_of_nodes():
    """Two animated nodes of the same name below the same parent."""
    model = Model()
    parent = model.node(name="parent")
    for x, degrees in ((0, 40), (2, -80)):
        node = model.rigid(parent, translation=[x, 0, 0], name="child")
        model.channel(node, "rotation", [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], degrees)])
    return model


def same_names_elsewhere():
    """Two animated nodes of the same name below different parents."""
    model = Model()
    for x, degrees in ((0, 40), (2, -80)):
        parent = model.node(translation=[x, 0, 0], name=f"parent{x}")
        node = model.rigid(parent, name="child")
        model.channel(node, "rotation", [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], degrees)])
    return model


def names_with_separators():
    """Names with the characters by which engines separate parts of paths."""
    model = Model()
    parent = model.node(name="a/b.c")
    node = model.rigid(parent, name="d[0].e:f")
    model.channel(parent, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    _swing(model, node)
    return model


def hidden_camera_channels():
    """Animated nodes that show nothing, above and next to a mesh."""
    model = Model()
    parent = model.node(rotation=turn([0, 1, 0], 20))
    model.rigid(parent, translation=[1, 0, 0])
    other = model.node(parent)
    _swing(model, parent)
    model.channel(other, "scale", [0, 1], [[1, 1, 1], [2, 3, 4]])
    return model


def _instances(required):
    model = Model()
    node = model.rigid(translation=[0, 0, 1])
    moves = model.accessor([[0, 0, 0], [2, 0, 0], [0, 0, 3]])
    turns = model.accessor([turn([0, 0, 1], d) for d in (0, 30, -50)])
    model.json["nodes"][node]["extensions"] = {
        "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": moves, "ROTATION": turns}}}
    model.extension("EXT_mesh_gpu_instancing", required)
    model.channel(node, "translation", [0, 1], [[0, 0, 1], [0, 4, 1]])
    return model


def instances():
    """Three instances of a mesh."""
    return _instances(False)


def instances_required():
    """Three instances of a mesh, by a required extension."""
    return _instances(True)


def unknown_extension_required():
    """The file requires an extension that doesn't exist."""
    arm = Arm()
    arm.extension("RIGSCOPE_unknown", True)
    return arm


def _quantized(arm, primitive, scale):
    positions = np.round(np.array(arm.positions) / scale).astype("int16")
    padded = np.zeros((len(positions), 4), "int16")
    padded[:, :3] = positions
    view = arm.view(padded)
    arm.json["bufferViews"][view]["byteStride"] = 8
    primitive["attributes"]["POSITION"] = arm.add("accessors", {
        "bufferView": view, "componentType": 5122, "count": len(positions), "type": "VEC3",
        "min": positions.min(0).tolist(), "max": positions.max(0).tolist()})
    arm.extension("KHR_mesh_quantization", True)


def quantized_skin():
    """Positions of a skinned mesh as shorts; the inverse bind matrices scale them."""
    arm = Arm(binds=False)
    scale = 1 / 8192
    _quantized(arm, arm.json["meshes"][0]["primitives"][0], scale)
    matrices = np.tile(np.diag([scale, scale, scale, 1]), (4, 1, 1))
    matrices[:, 3, 1] = -np.arange(4)
    arm.json["skins"][0]["inverseBindMatrices"] = arm.accessor(matrices.reshape(-1, 16))
    return arm


def quantized_rigid_mesh():
    """Positions of an unskinned mesh as shorts; its node scales them."""
    model = Model()
    model.positions = tube(4)[0]
    node = model.rigid(scale=[1 / 8192] * 3)
    _quantized(model, model.json["meshes"][0]["primitives"][0], 1 / 8192)
    _swing(model, node)
    return model


def no_normals():
    """A skinned mesh without normals."""
    arm = Arm()
    del arm.attributes_of_mesh["NORMAL"]
    return arm


def not_indexed():
    """A skinned mesh without indices."""
    arm = Arm()
    primitive = arm.json["meshes"][0]["primitives"][0]
    del primitive["indices"]
    return arm


def five_uv_sets():
    """Five sets of UVs and two of vertex colours."""
    arm = Arm()
    count = 4 * RING
    for number in range(5):
        arm.attributes_of_mesh[f"TEXCOORD_{number}"] = arm.accessor(np.full((count, 2), number / 5))
    return arm


def two_colour_sets():
    """A second set of vertex colours."""
    arm = Arm()
    for number in range(2):
        arm.attributes_of_mesh[f"COLOR_{number}"] = arm.accessor(np.full((4 * RING, 4), 0.5))
    return arm


def far_motion():
    """A clip moves a skinned mesh far from its bounds at rest."""
    arm = Arm()
    arm.channel(arm.first, "translation", [0, 1], [[0, 0, 0], [40, 0, 0]])
    return arm


def wide_bend():
    """A clip bends a skinned mesh out of its box at rest, but not out of its sphere."""
    arm = Arm(bend=False)
    arm.channel(arm.first + 2, "rotation", [0, 1], [turn([0, 0, 1], 0), turn([0, 0, 1], 90)])
    return arm
