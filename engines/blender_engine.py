"""Pose a file with Blender: python3 blender_engine.py FILE REQUEST.json"""

import math

import bpy
import numpy as np
from io_scene_gltf2.blender.imp.animation import BlenderAnimation
from io_scene_gltf2.blender.imp.animation_utils import restore_animation_on_object
from io_scene_gltf2.blender.imp.node import BlenderNode
from io_scene_gltf2.blender.imp.scene import BlenderScene
from io_scene_gltf2.io.imp.gltf2_io_binary import BinaryData

import engine_io

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


def load(path, with_clips):
    """Import a file and return the importer's data and the objects by node."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    objects = {}
    imported = []

    # Blender renames and reorders objects, so note the node of each one here.
    def create(gltf, vnode):
        created = create_mesh_object(gltf, vnode)
        imported[:] = [gltf]
        node = vnode.mesh_node_idx
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
    if not objects:
        raise RuntimeError("no mesh was imported")
    return imported[0], objects


def select_clip(gltf, clip):
    """Select the action of a clip on every object, as the importer does."""
    name = gltf.data.animations[clip].track_name
    for item in bpy.data.objects:
        restore_animation_on_object(item, name)
        if item.data and getattr(item.data, "shape_keys", None):
            restore_animation_on_object(item.data.shape_keys, name)


def world_vertices(objects):
    """Return the evaluated vertices, node by node in file order, y up.

    Vertices that the importer dropped have nulls as coordinates.
    """
    graph = bpy.context.evaluated_depsgraph_get()
    vertices = []
    for _, (item, used) in sorted(objects.items()):
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        points = points.reshape(-1, 3).astype(float)
        matrix = np.array(evaluated.matrix_world)
        x, y, z = (points @ matrix[:3, :3].T + matrix[:3, 3]).T
        points = iter(np.column_stack((x, z, -y)).tolist())
        for count, kept in used:
            part = [[None] * 3] * count
            for index in kept:
                part[index] = next(points)
            vertices += part
        evaluated.to_mesh_clear()
    return vertices


def pose_file(path, poses):
    for pose in poses:
        # A new import per pose, as Blender keeps the values of the last clip.
        gltf, objects = load(path, pose["clip"] is not None)
        if pose["clip"] is not None:
            select_clip(gltf, pose["clip"])
            render = bpy.context.scene.render
            frame = pose["time"] * render.fps * render.fps_base
            subframe, frame = math.modf(frame)
            bpy.context.scene.frame_set(int(frame), subframe=subframe)
        yield world_vertices(objects)


if __name__ == "__main__":
    engine_io.run("Blender", bpy.app.version_string, pose_file)
