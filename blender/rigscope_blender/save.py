"""Converts meshes, an armature and its actions to a model, which can be written in any format.

Not for: writing files and reporting losses; the library does both.
"""

from __future__ import annotations

import bpy
import numpy as np

from . import spaces

_DISPLAY_FROM_BLENDER = np.linalg.inv(spaces.BLENDER_FROM_DISPLAY)
#: Prefix of data paths of bones.
_OF_BONES = "pose.bones["


def model_of(objects, actions=None):
    """A model of mesh objects, the armature that deforms them, and `actions`, by default all actions of its bones.

    :returns: `rigscope.Model`
    """
    import rigscope

    meshes = [obj for obj in objects if obj.type == "MESH"]
    armature = _armature_of(objects, meshes)
    bones = list(armature.data.bones) if armature else []
    numbers = {bone.name: number for number, bone in enumerate(bones)}
    materials: list[bpy.types.Material | None] = []
    given = [_mesh(obj, armature, numbers, materials) for obj in meshes]
    if actions is None:
        actions = [action for action in bpy.data.actions if _moves(action, numbers)]
    return rigscope.build(
        given,
        bones=_bones(armature, bones, numbers),
        clips=[_clip(armature, bones, action) for action in actions] if armature else [],
        materials=[_material(material) for material in materials],
        name=(armature or meshes[0]).name if armature or meshes else "",
        unit_meters=1.0,
    )


def _armature_of(objects, meshes):
    for obj in meshes:
        for modifier in obj.modifiers:
            if modifier.type == "ARMATURE" and modifier.object is not None:
                return modifier.object
    return next((obj for obj in objects if obj.type == "ARMATURE"), None)


def _matrix(matrix) -> np.ndarray:
    return np.array(matrix, dtype=np.float64)


def _curves(action):
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


def _moves(action, numbers) -> bool:
    paths = {curve.data_path for curve in _curves(action)}
    quoted = (path[len(_OF_BONES) :] for path in paths if path.startswith(_OF_BONES))
    return any(path[1:].split('"]')[0] in numbers for path in quoted)


# Bones and clips


def _bones(armature, bones, numbers):
    given = []
    for bone in bones:
        rest = _matrix(bone.matrix_local)
        if bone.parent:
            rest = spaces.inverse(_matrix(bone.parent.matrix_local)) @ rest
        else:
            rest = _DISPLAY_FROM_BLENDER @ _matrix(armature.matrix_world) @ rest
        parent = numbers[bone.parent.name] if bone.parent else None
        given.append(dict(name=bone.name, parent=parent, rest=rest))
    return given


def _clip(armature, bones, action):
    scene = bpy.context.scene
    data = armature.animation_data or armature.animation_data_create()
    before = (data.action, getattr(data, "action_slot", None), scene.frame_current)
    data.action = action
    if hasattr(action, "slots") and len(action.slots):
        data.action_slot = action.slots[0]
    fps = scene.render.fps / scene.render.fps_base
    first, last = action.frame_range
    num = max(int(round(last - first)), 0)
    matrices = np.empty((num + 1, len(bones), 4, 4))
    for key in range(num + 1):
        frame = first + key
        scene.frame_set(int(np.floor(frame)), subframe=float(frame % 1))
        world = _DISPLAY_FROM_BLENDER @ _matrix(armature.matrix_world)
        posed = {bone.name: _matrix(bone.matrix) for bone in armature.pose.bones}
        for number, bone in enumerate(bones):
            above = spaces.inverse(posed[bone.parent.name]) if bone.parent else world
            matrices[key, number] = above @ posed[bone.name]
    data.action = before[0]
    if before[0] is not None and before[1] is not None:
        data.action_slot = before[1]
    scene.frame_set(before[2])
    return dict(name=action.name, times=np.arange(num + 1) / fps, matrices=matrices)


# Vertices


def _mesh(obj, armature, numbers, materials):
    mesh = obj.data
    mesh.calc_loop_triangles()
    num = len(mesh.vertices)
    positions = _read(mesh.vertices, "co", 3)
    corners = _read(mesh.loop_triangles, "loops", 3, np.int32).ravel()
    vertex_of_loop = _read(mesh.loops, "vertex_index", 1, np.int32).ravel()
    normals = _read(mesh.corner_normals, "vector", 3)
    layers = [_read(layer.data, "uv", 2) for layer in mesh.uv_layers]
    # A vertex is split if its corners differ; the order is kept.
    rows = np.concatenate([normals, *layers], axis=1)[corners].view(np.int32)
    rows = np.concatenate([vertex_of_loop[corners, None], rows], axis=1)
    _, kept, triangles = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    vertices = vertex_of_loop[corners[kept]]
    order = np.argsort(vertices, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    vertices, loops = vertices[order], corners[kept][order]
    triangles = place[triangles.ravel()].reshape(-1, 3)

    display_from_mesh = _DISPLAY_FROM_BLENDER @ _matrix(obj.matrix_world)
    if np.linalg.det(display_from_mesh[:3, :3]) < 0:
        triangles = triangles[:, ::-1]
    turn = np.linalg.pinv(display_from_mesh[:3, :3])
    given = dict(
        name=obj.name,
        positions=spaces.moved(display_from_mesh, positions.astype(np.float64))[vertices],
        normals=_unit(normals.astype(np.float64)[loops] @ turn),
    )
    given["uvs"] = [np.stack([uv[:, 0], 1 - uv[:, 1]], axis=1)[loops] for uv in layers]
    color = mesh.color_attributes.active_color
    if color is not None and color.domain == "POINT":
        given["colors"] = _read(color.data, "color", 4)[vertices]

    of_triangles = _read(mesh.loop_triangles, "material_index", 1, np.int32).ravel()
    order = np.argsort(of_triangles, kind="stable")
    given["triangles"], of_triangles = triangles[order], of_triangles[order]
    given["subsets"] = []
    for slot in np.unique(of_triangles):
        own = np.flatnonzero(of_triangles == slot)
        material = mesh.materials[slot] if slot < len(mesh.materials) else None
        if material is not None and material not in materials:
            materials.append(material)
        number = materials.index(material) if material is not None else None
        given["subsets"].append((int(own[0]), len(own), number))

    if armature is not None and obj.vertex_groups:
        given.update(_skin(obj, armature, numbers, num, vertices))
    elif armature is not None and obj.parent == armature and obj.parent_type == "BONE":
        given["attached_to"] = numbers[obj.parent_bone]
    keys = mesh.shape_keys
    if keys is not None:
        basis = _read(keys.reference_key.data, "co", 3)
        given["morph_targets"] = []
        for block in keys.key_blocks:
            if block == keys.reference_key:
                continue
            offsets = (_read(block.data, "co", 3) - basis) @ display_from_mesh[:3, :3].T
            moved = np.flatnonzero(np.abs(offsets[vertices]).max(axis=1, initial=0) > 0)
            given["morph_targets"].append(
                dict(name=block.name, vertices=moved, position_offsets=offsets[vertices][moved])
            )
    return given


def _read(items, name: str, width: int, kind=np.float32) -> np.ndarray:
    values = np.empty(len(items) * width, dtype=kind)
    items.foreach_get(name, values)
    return values.reshape(-1, width)


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def _skin(obj, armature, numbers, num: int, vertices):
    groups = [numbers.get(group.name) for group in obj.vertex_groups]
    of_vertices = []
    for vertex in obj.data.vertices:
        pairs = [(groups[entry.group], entry.weight) for entry in vertex.groups if entry.weight > 0]
        # Largest first, for runtimes that support only a few influences.
        of_vertices.append(sorted((p for p in pairs if p[0] is not None), key=lambda p: -p[1]))
    first = np.cumsum([0] + [len(of_vertices[vertex]) for vertex in vertices])
    pairs = [pair for vertex in vertices for pair in of_vertices[vertex]]
    used = sorted({bone for bone, _ in pairs})
    slots = {bone: slot for slot, bone in enumerate(used)}
    if not used:
        return {}
    bones = armature.data.bones
    world = _DISPLAY_FROM_BLENDER @ _matrix(armature.matrix_world)
    return dict(
        influences=(first, [slots[bone] for bone, _ in pairs], [weight for _, weight in pairs]),
        skin_bones=used,
        inverse_bind_matrices=np.stack(
            [spaces.inverse(world @ _matrix(bones[bone].matrix_local)) for bone in used]
        ),
    )


# Materials


def _material(material):
    given = dict(name=material.name, two_sided=not material.use_backface_culling, textures={})
    tree = material.node_tree
    shader = next((n for n in tree.nodes if n.type == "BSDF_PRINCIPLED"), None) if tree else None
    if shader is None:
        given["base_color"] = list(material.diffuse_color)
        return given
    color = list(shader.inputs["Base Color"].default_value)
    color[3] = shader.inputs["Alpha"].default_value
    given.update(
        base_color=color,
        metallic=shader.inputs["Metallic"].default_value,
        roughness=shader.inputs["Roughness"].default_value,
    )
    strength = shader.inputs["Emission Strength"].default_value
    given["emissive"] = [x * strength for x in shader.inputs["Emission Color"].default_value[:3]]
    for name, role in [
        ("Base Color", "base-color"),
        ("Normal", "normal"),
        ("Roughness", "metallic-roughness"),
        ("Emission Color", "emissive"),
    ]:
        image = _image_behind(shader.inputs[name])
        if image is not None and image.packed_file is not None:
            given["textures"][role] = (image.name, bytes(image.packed_file.data))
        elif image is not None and image.filepath:
            given["textures"][role] = bpy.path.abspath(image.filepath)
    return given


def _image_behind(socket):
    """The image that is connected to a socket, directly or through one node."""
    for link in socket.links:
        node = link.from_node
        if node.type == "TEX_IMAGE":
            return node.image
        for between in node.inputs:
            image = _image_behind(between)
            if image is not None:
                return image
    return None
