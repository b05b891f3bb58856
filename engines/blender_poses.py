"""Poses of glTF, FBX and OBJ files as Blender imports them."""

import math
import os

import bpy
import numpy as np
from io_scene_gltf2.blender.imp.animation import BlenderAnimation
from io_scene_gltf2.blender.imp.animation_utils import restore_animation_on_object
from io_scene_gltf2.blender.imp.node import BlenderNode
from io_scene_gltf2.blender.imp.scene import BlenderScene
from io_scene_gltf2.io.imp.gltf2_io_binary import BinaryData

create_animations = BlenderScene.create_animations
create_mesh_object = BlenderNode.create_mesh_object


def used_vertices(gltf, mesh):
    """Return the indices of the vertices that the importer keeps, per primitive.

    It creates only vertices that indices refer to, in ascending order.
    """
    used = []
    for primitive in gltf.data.meshes[mesh].primitives:
        count = gltf.data.accessors[primitive.attributes["POSITION"]].count
        if primitive.indices is None:
            used.append((count, np.arange(count)))
        else:
            indices = BinaryData.decode_accessor(gltf, primitive.indices)
            used.append((count, np.unique(indices)))
    return used


def shown_nodes(gltf):
    """Return the nodes of the default scene; the importer creates all scenes."""
    found = set()
    scene = gltf.data.scenes[gltf.data.scene or 0]
    pending = list(scene.nodes or [])
    while pending:
        node = pending.pop()
        found.add(node)
        pending += gltf.data.nodes[node].children or []
    return found


def load_gltf(path, with_clips):
    """Import a file and return the importer's data and the objects by node."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    objects = {}
    imported = []

    # Blender renames and reorders objects, so note the node of each one here.
    def create(gltf, vnode):
        created = create_mesh_object(gltf, vnode)
        imported[:] = [gltf]
        node = vnode.mesh_node_idx
        if node is None or node not in shown_nodes(gltf):
            return created
        objects[node] = created, used_vertices(gltf, gltf.data.nodes[node].mesh)
        return created

    BlenderNode.create_mesh_object = staticmethod(create)
    # The importer shows the first clip, whose values would stay on everything
    # that the requested clip doesn't animate.
    BlenderAnimation.restore_animation = staticmethod(lambda gltf, name: None)
    BlenderScene.create_animations = staticmethod(
        create_animations if with_clips else lambda gltf: None
    )
    bpy.ops.import_scene.gltf(filepath=path)
    if any("EXT_mesh_gpu_instancing" in (node.extensions or {}) for node in imported[0].data.nodes):
        raise RuntimeError("not compared: instances become objects without a node")
    if not objects:
        raise RuntimeError("no mesh was imported")
    return imported[0], objects


def select_gltf_clip(gltf, clip):
    """Select the action of a clip on every object, as the importer does."""
    name = gltf.data.animations[clip].track_name
    for item in bpy.data.objects:
        restore_animation_on_object(item, name)
        if item.data and getattr(item.data, "shape_keys", None):
            restore_animation_on_object(item.data.shape_keys, name)


def evaluated_points(item, graph):
    """Return the evaluated vertices of an object in world space, y up."""
    evaluated = item.evaluated_get(graph)
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world)
    x, y, z = matrix[:3, :3] @ points.reshape(-1, 3).T + matrix[:3, 3:]
    return np.column_stack((x, z, -y)).tolist()


def gltf_vertices(objects):
    """Return the evaluated vertices, node by node in file order.

    Vertices that the importer dropped have nulls as coordinates.
    """
    graph = bpy.context.evaluated_depsgraph_get()
    vertices = []
    for _, (item, used) in sorted(objects.items()):
        points = iter(evaluated_points(item, graph))
        for count, kept in used:
            part = [[None] * 3] * count
            for index in kept:
                part[index] = next(points)
            vertices += part
    return vertices


def show_frame(frame):
    subframe, frame = math.modf(frame)
    bpy.context.scene.frame_set(int(frame), subframe=subframe)


def pose_gltf(path, poses):
    for pose in poses:
        # A new import per pose, as Blender keeps the values of the last clip.
        gltf, objects = load_gltf(path, pose["clip"] is not None)
        if pose["clip"] is not None:
            select_gltf_clip(gltf, pose["clip"])
            render = bpy.context.scene.render
            show_frame(pose["time"] * render.fps * render.fps_base)
        yield gltf_vertices(objects)


def select_fbx_clip(name):
    """Select the action of a take on everything that it animates.

    After the import, each object has its first action in the order of the file.
    Takes without curves have no action.
    """
    action = bpy.data.actions.get(name)
    for owner in [*bpy.data.objects, *bpy.data.shape_keys]:
        if not owner.animation_data:
            continue
        prefix = "KE" if isinstance(owner, bpy.types.Key) else "OB"
        slot = action and action.slots.get(prefix + owner.name)
        owner.animation_data.action = action if slot else None
        if slot:
            owner.animation_data.action_slot = slot


def pose_fbx(path, poses):
    for pose in poses:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        # With animation, the first take would be shown instead of the rest pose.
        bpy.ops.wm.fbx_import(filepath=path, use_anim=pose["clip"] is not None)
        if pose["clip"] is not None:
            select_fbx_clip(pose["name"])
            render = bpy.context.scene.render
            # The importer shifts all keys by `anim_offset`, one frame.
            show_frame(pose["time"] * render.fps / render.fps_base + 1)
        yield all_vertices()


def pose_obj(path, poses):
    for _ in poses:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.wm.obj_import(filepath=path)
        yield all_vertices()


def all_vertices():
    """Return the vertices of all meshes, in any order."""
    graph = bpy.context.evaluated_depsgraph_get()
    meshes = [item for item in bpy.data.objects if item.type == "MESH"]
    if not meshes:
        raise RuntimeError("no mesh was imported")
    return [point for item in meshes for point in evaluated_points(item, graph)]


def pose_file(path, poses):
    others = {".fbx": pose_fbx, ".obj": pose_obj}
    extension = os.path.splitext(path)[1].lower()
    return others.get(extension, pose_gltf)(path, poses)
