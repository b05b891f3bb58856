"""FBX files, each about one feature, from Blender's exporter. A function fills the scene, and returns its options."""

import bpy
import numpy as np

from builder import RING, tube

RATE = 24
LAST_FRAME = 20
# Otherwise, each action of an object becomes a clip.
ONE_CLIP = {"bake_anim_use_all_actions": False, "bake_anim_use_nla_strips": False}


def export(function, path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = RATE, 0, LAST_FRAME
    options = {"bake_anim_simplify_factor": 0, "add_leaf_bones": False, **(function() or {})}
    bpy.ops.export_scene.fbx(filepath=str(path), **options)


def _mesh(name="tube", rings=4, parent=None):
    positions, _, indices = tube(rings)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(positions.tolist(), [], np.reshape(indices, (-1, 3)).tolist())
    item = bpy.data.objects.new(name, mesh)
    item.parent = parent
    bpy.context.collection.objects.link(item)
    return item


def _skin(joints=4, weights=None):
    """A tube with an armature of a bone per ring."""
    data = bpy.data.armatures.new("skeleton")
    armature = bpy.data.objects.new("skeleton", data)
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for at in range(joints):
        bone = data.edit_bones.new(f"joint{at}")
        bone.head, bone.tail, bone.parent = (0, at, 0), (0, at + 1, 0), parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = _mesh(rings=joints, parent=armature)
    for at in range(joints):
        group = mesh.vertex_groups.new(name=f"joint{at}")
        for vertex in range(joints * RING):
            weight = (weights or _default_weight)(vertex // RING, at)
            if weight:
                group.add([vertex], weight, "REPLACE")
    mesh.modifiers.new("skeleton", "ARMATURE").object = armature
    return armature, mesh


def _default_weight(ring, joint):
    if ring == 0:
        return 1 if joint == 0 else 0
    return {ring: 0.7, ring - 1: 0.3}.get(joint, 0)


def _bend(armature, degrees=50, first=0, mode="XYZ"):
    for at, bone in enumerate(list(armature.pose.bones)[1:], 1):
        bone.rotation_mode = mode
        for frame, share in [(first, 0.1), (first + 8, 1), (first + LAST_FRAME, -0.6)]:
            angle = np.radians(degrees * share * (1 + 0.2 * at))
            bone.rotation_euler = (angle, 0.3 * angle, -0.2 * angle)
            bone.keyframe_insert("rotation_euler", frame=frame)


def _animate(item, path, values):
    for frame, value in zip((0, 8, LAST_FRAME), values):
        setattr(item, path, value)
        item.keyframe_insert(path, frame=frame)


def placed_meshes():
    """Two meshes, one below the other, without animation."""
    first = _mesh("first")
    second = _mesh("second", parent=first)
    first.location, first.rotation_euler, first.scale = (1, 2, 3), (0.3, 0.5, -0.4), (1, 2, 0.5)
    second.location, second.rotation_euler = (0, 1, 0.5), (0.2, 0, 1)


def moved_objects():
    """Translation keys."""
    _animate(_mesh(), "location", [(0, 0, 0), (1, 2, -1), (-1, 0, 0.5)])


def turned_objects():
    """Rotation keys about one axis."""
    _animate(_mesh(), "rotation_euler", [(0, 0, 0), (1.2, 0, 0), (-0.7, 0, 0)])


def turned_about_three_axes():
    """Rotation keys about three axes."""
    _animate(_mesh(), "rotation_euler", [(0, 0, 0), (1.2, 0.8, -0.9), (-0.7, 0.3, 1.5)])


def turned_child_of_turned_object():
    """Rotation keys of an object and its child."""
    first = _mesh("first")
    second = _mesh("second", parent=first)
    second.location = (1, 1, 0)
    _animate(first, "rotation_euler", [(0, 0, 0), (1.2, 0.8, -0.9), (-0.7, 0.3, 1.5)])
    _animate(second, "rotation_euler", [(0.4, 0, 0), (0.2, -0.8, 0.9), (0.7, 0.3, -1.5)])
    return ONE_CLIP


def z_up():
    """The same in a file whose Z axis points up."""
    return {"axis_forward": "Y", "axis_up": "Z", **turned_child_of_turned_object()}


def skin_in_z_up():
    """A skin in a file whose Z axis points up."""
    _bend(_skin()[0])
    return {"axis_forward": "Y", "axis_up": "Z"}


def scaled_objects():
    """Scale keys of a mesh and its child."""
    first = _mesh("first")
    _mesh("second", parent=first).location = (1, 1, 0)
    _animate(first, "scale", [(1, 1, 1), (2, 1, 0.5), (0.7, 1.5, 1)])


def skin_at_rest():
    """A skin without animation."""
    _skin()
    return {"bake_anim": False}


def bent_skin():
    """A skin whose bones turn, with keys in every frame."""
    _bend(_skin()[0])


def bent_skin_with_fewer_keys():
    """The same with keys only where the curves change direction."""
    _bend(_skin()[0])
    return {"bake_anim_simplify_factor": 10}


def skin_with_few_keys():
    """The same with a key every fourth frame."""
    _bend(_skin()[0])
    return {"bake_anim_step": 4}


def scaled_bones():
    """Bones that grow unevenly while they turn."""
    armature, _ = _skin()
    _bend(armature)
    _animate(armature.pose.bones[1], "scale", [(1, 1, 1), (1.5, 1, 0.6), (0.7, 1.2, 1)])


def evenly_scaled_bones():
    """A bone that grows evenly."""
    armature, _ = _skin()
    _animate(armature.pose.bones[1], "scale", [(1, 1, 1), (1.5, 1.5, 1.5), (0.7, 0.7, 0.7)])


def six_influences():
    """Vertices with six bones of different weights."""
    armature, _ = _skin(6, lambda ring, joint: [0.3, 0.24, 0.18, 0.13, 0.09, 0.06][(joint - ring) % 6])
    _bend(armature)


def skin_with_unweighted_vertices():
    """Vertices without weights."""
    armature, _ = _skin(weights=lambda ring, joint: 0 if ring == 2 else _default_weight(ring, joint))
    _bend(armature)


def two_clips():
    """Two actions of one armature."""
    armature, _ = _skin()
    _bend(armature)
    first = armature.animation_data.action
    armature.animation_data.action = None
    _bend(armature, -30)
    armature.animation_data.action.name, first.name = "second", "first"
    return {"bake_anim_use_nla_strips": False}


def shape_keys():
    """Two shape keys with animated values."""
    mesh = _mesh()
    _add_shapes(mesh)


def _add_shapes(mesh):
    mesh.shape_key_add(name="basis")
    for name, offset in [("wide", (0.5, 0, 0)), ("long", (0, 1, 0.2))]:
        key = mesh.shape_key_add(name=name)
        for at, point in enumerate(key.points):
            point.co = np.array(point.co) + np.array(offset) * (at % 3)
        _animate(key, "value", [0, 0.8, 0.3])


def shape_keys_of_skin():
    """Shape keys of a mesh that bones bend."""
    armature, mesh = _skin()
    _bend(armature)
    _add_shapes(mesh)


def placed_armature():
    """An armature that is turned and scaled, with a mesh below it."""
    armature, _ = _skin()
    armature.location, armature.rotation_euler, armature.scale = (1, 0, 2), (0.4, 0.2, 0), (2, 2, 2)
    _bend(armature)
