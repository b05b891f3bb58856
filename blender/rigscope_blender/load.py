"""Converts a model to meshes, an armature and actions.

Not for: reading files; the library does, and this code doesn't depend on formats.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import shear, spaces
from .actions import ActionWriter
from .materials import load_materials


class Loaded:
    """The objects created for a model."""

    def __init__(self) -> None:
        self.armature: bpy.types.Object | None = None
        self.meshes: list[bpy.types.Object] = []
        self.actions: list[bpy.types.Action] = []
        #: Features of the file that Blender can't represent exactly, as text.
        self.warnings: list[str] = []


def load(model, collection: bpy.types.Collection) -> Loaded:
    """Adds a model to a collection."""
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    if not bpy.data.actions:
        _take_rate(model)
    loaded = Loaded()
    loader = _Loader(model, collection, loaded)
    loader.sample_clips()
    if len(model.skeleton):
        loader.make_armature()
    materials = load_materials(model)
    for number in range(len(model.meshes)):
        loaded.meshes.append(loader.make_mesh(number, materials))
    for clip in loader.clips:
        loader.make_action(*clip)
    loader.show_first()
    for note in model.notes:
        if note.severity != "info":
            loaded.warnings.append(f"{note.message} at {note.place}")
    return loaded


def _take_rate(model) -> None:
    """Sets the frame rate of the scene to the rate of the first clip, if the scene has no animation yet."""
    rate = model.clips[0].frames_per_second if model.clips else 0.0
    if 1.0 <= rate <= 240.0 and abs(rate - round(rate)) < 1e-3:
        render = bpy.context.scene.render
        render.fps, render.fps_base = round(rate), 1.0


def times_of(clip) -> np.ndarray:
    """Key times of a clip; if keys aren't evenly spaced, its frame times."""
    if clip.num_keys and clip.interval is not None:
        return clip.start + np.arange(clip.num_keys) * clip.interval
    num = max(int(np.ceil(clip.duration * clip.frames_per_second - 1e-6)), 0)
    times = clip.start + np.arange(num + 1) / clip.frames_per_second
    return np.minimum(times, clip.start + clip.duration)


class _Loader:
    def __init__(self, model, collection, loaded) -> None:
        self.model = model
        self.collection = collection
        self.loaded = loaded
        self.title = Path(model.name).stem or "model"
        self.to_blender = spaces.blender_from_file(model)
        self.binding = spaces.Binding(model)
        self.writers: list[tuple[object, list[tuple[ActionWriter, bpy.types.ID]]]] = []
        for number in self.binding.unfit:
            name = model.meshes[number].name or number
            loaded.warnings.append(f"mesh {name} is bound in a different pose than the other meshes")

    # Bones

    def make_armature(self) -> None:
        model, skeleton = self.model, self.model.skeleton
        data = bpy.data.armatures.new(self.title)
        armature = bpy.data.objects.new(f"{self.title} armature", data)
        self.collection.objects.link(armature)
        self.loaded.armature = armature
        parents = skeleton.parents
        places = spaces.moved(self.to_blender, spaces.heads(model, self.binding))
        turns = np.stack(
            [spaces.turn_of(self.to_blender @ bone) for bone in self.binding.model_from_bone]
        )
        all_ways = [self.default_ways[None]] + [ways for _, _, _, ways in self.clips]
        keeps_axes = spaces.scales_unevenly(np.concatenate(all_ways))
        ends = spaces.tails(parents, places, turns, self._extent(places), keeps_axes)
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        bones = []
        for name, place, end, turn in zip(skeleton.names, places, ends, turns):
            bone = data.edit_bones.new(name)
            bone.head, bone.tail = Vector(place), Vector(end)
            bone.align_roll(Vector(turn[:, 2]))
            bones.append(bone)
        for bone, parent in zip(bones, parents):
            if parent >= 0:
                bone.parent = bones[parent]
        # Blender adds a number to duplicate names.
        self.bone_names = [bone.name for bone in bones]
        bpy.ops.object.mode_set(mode="OBJECT")
        self.rest = np.stack(
            [np.array(data.bones[name].matrix_local, dtype=np.float64) for name in self.bone_names]
        )
        self._add_outer_bones(np.concatenate([self._own(ways) for ways in all_ways]))

    def _add_outer_bones(self, own: np.ndarray) -> None:
        """Adds a parent bone to each bone that is sheared in some pose."""
        sheared = [bone for bone in range(own.shape[1]) if shear.is_sheared(own[:, bone])]
        self.outer_names: dict[int, str] = {}
        if not sheared:
            return
        data = self.loaded.armature.data
        bpy.ops.object.mode_set(mode="EDIT")
        outer_bones = []
        for bone in sheared:
            inner = data.edit_bones[self.bone_names[bone]]
            outer = data.edit_bones.new(f"{inner.name} stretch")
            outer.head, outer.tail, outer.roll = inner.head, inner.tail, inner.roll
            outer.parent, outer.use_deform = inner.parent, False
            inner.parent = outer
            outer_bones.append(outer)
        self.outer_names = {bone: outer.name for bone, outer in zip(sheared, outer_bones)}
        bpy.ops.object.mode_set(mode="OBJECT")
        what = f"{len(sheared)} bones are sheared in some pose, and have an additional parent bone"
        self.loaded.warnings.append(what)

    def _extent(self, places: np.ndarray) -> float:
        points = [mesh.positions for mesh in self.model.pose() if len(mesh.positions)]
        points = [spaces.moved(spaces.BLENDER_FROM_DISPLAY, mesh) for mesh in points] or [places]
        points = np.concatenate(points)
        return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0

    # Vertices

    def make_mesh(self, number: int, materials) -> bpy.types.Object:
        source = self.model.meshes[number]
        through = self.to_blender @ self.binding.model_from_mesh[number]
        positions = spaces.moved(through, source.positions.astype(np.float64))
        triangles = source.triangles
        mirrors = np.linalg.det(through[:3, :3]) < 0
        if mirrors != (self.model.reverses_winding != self._mirrors_file()):
            triangles = triangles[:, ::-1]
        name = source.name or self.title
        mesh = bpy.data.meshes.new(name)
        mesh.vertices.add(len(positions))
        mesh.vertices.foreach_set("co", positions.astype(np.float32).ravel())
        mesh.loops.add(triangles.size)
        mesh.loops.foreach_set("vertex_index", triangles.astype(np.int32).ravel())
        mesh.polygons.add(len(triangles))
        starts = np.arange(0, triangles.size, 3, dtype=np.int32)
        mesh.polygons.foreach_set("loop_start", starts)
        corners = triangles.ravel()
        for set_number, (coords, uv_name) in enumerate(zip(source.uvs, source.uv_names)):
            layer = mesh.uv_layers.new(name=uv_name or f"UV {set_number}")
            upward = np.stack([coords[:, 0], 1 - coords[:, 1]], axis=1)[corners]
            layer.data.foreach_set("uv", upward.ravel())
        if source.colors is not None:
            colors = mesh.color_attributes.new("Color", "FLOAT_COLOR", "POINT")
            colors.data.foreach_set("color", source.colors.ravel())
        self._add_materials(mesh, source, materials)
        mesh.update(calc_edges=True)
        # Blender drops triangles that use a vertex twice; report how many.
        num_polygons = len(mesh.polygons)
        mesh.validate(clean_customdata=False)
        if len(mesh.polygons) < num_polygons:
            num = num_polygons - len(mesh.polygons)
            self.loaded.warnings.append(f"{name}: Blender has dropped {num} degenerate triangles")
        normals = source.normals
        if normals is not None:
            turned = normals.astype(np.float64) @ np.linalg.pinv(through[:3, :3])
            lengths = np.linalg.norm(turned, axis=1, keepdims=True)
            turned = np.divide(turned, lengths, out=np.zeros_like(turned), where=lengths > 0)
            mesh.normals_split_custom_set_from_vertices(turned.tolist())
        obj = bpy.data.objects.new(name, mesh)
        self.collection.objects.link(obj)
        self._add_weights(obj, source)
        self._add_shapes(obj, source, through)
        if self.loaded.armature is not None and source.skin != "none":
            obj.parent = self.loaded.armature
            modifier = obj.modifiers.new("Armature", "ARMATURE")
            modifier.object = self.loaded.armature
            # Blender's Preserve Volume corresponds to dual quaternions in the file.
            modifier.use_deform_preserve_volume = getattr(source, "blending", "linear") != "linear"
            if getattr(source, "blending", "linear") == "mixed":
                what = f"{name}: some vertices use linear blending, but Blender preserves the volume of all"
                self.loaded.warnings.append(what)
        return obj

    def _mirrors_file(self) -> bool:
        return bool(np.linalg.det(self.to_blender[:3, :3]) < 0)

    @staticmethod
    def _add_materials(mesh, source, materials) -> None:
        slots: dict[int | None, int] = {}
        of_triangles = np.zeros(source.num_triangles, dtype=np.int32)
        for first, num, material in source.subsets:
            if material not in slots:
                slots[material] = len(mesh.materials)
                known = material is not None and material < len(materials)
                mesh.materials.append(materials[material] if known else None)
            of_triangles[first : first + num] = slots[material]
        mesh.polygons.foreach_set("material_index", of_triangles)

    def _add_weights(self, obj, source) -> None:
        if self.loaded.armature is None or source.skin == "none":
            return
        first, slots, weights = source.influences
        vertices = np.repeat(np.arange(source.num_vertices), np.diff(first.astype(np.int64)))
        bones = source.skin_bones[slots].astype(np.int64)
        # Weights of slots with the same bone are added, as in the file.
        pairs, at = np.unique(vertices * len(self.bone_names) + bones, return_inverse=True)
        sums = np.zeros(len(pairs), dtype=np.float64)
        np.add.at(sums, at, weights)
        vertices, bones = np.divmod(pairs, len(self.bone_names))
        for bone in np.unique(bones):
            group = obj.vertex_groups.new(name=self.bone_names[bone])
            own = bones == bone
            of_bone, values = vertices[own], sums[own]
            order = np.argsort(values, kind="stable")
            of_bone, values = of_bone[order], values[order]
            ends = np.flatnonzero(np.diff(values)) + 1
            for part, value in zip(np.split(of_bone, ends), values[np.r_[0, ends]]):
                group.add(part.tolist(), float(value), "REPLACE")

    def _add_shapes(self, obj, source, through) -> None:
        if not source.morph_targets:
            return
        obj.shape_key_add(name="Basis", from_mix=False)
        stored = np.empty(source.num_vertices * 3, dtype=np.float32)
        obj.data.vertices.foreach_get("co", stored)
        for target in source.morph_targets:
            shapes = target.shapes
            if len(shapes) > 1:
                self.loaded.warnings.append(f"{target.name}: only the last of the in-between shapes is imported")
            key = obj.shape_key_add(name=target.name or "shape", from_mix=False)
            key.slider_min, key.slider_max = -10.0, 10.0
            if shapes:
                full_weight, vertices, offsets, _ = shapes[-1]
                moved = stored.reshape(-1, 3).copy()
                scale = 1.0 / full_weight if full_weight else 1.0
                moved[vertices] += (offsets @ through[:3, :3].T) * scale
                key.data.foreach_set("co", moved.ravel())
            key.value = target.default_weight

    # Motion

    def sample_clips(self) -> None:
        """Samples all clips at their keys."""
        self.default_ways = self._ways(self.model.sample())
        self.clips = []
        for clip in self.model.clips:
            if clip.motion == "vertex-cache":
                what = f"clip {clip.name} is vertex animation, which can't be imported"
                self.loaded.warnings.append(what)
                continue
            times = times_of(clip)
            poses = [clip.sample(float(time)) for time in times]
            ways = [self._ways(pose) for pose in poses]
            self.clips.append((clip, times, poses, np.stack(ways)))

    def _ways(self, pose) -> np.ndarray:
        """(b, 4, 4): transform of each bone relative to its bind pose, Blender space."""
        num = len(self.model.skeleton)
        ways = np.tile(np.eye(4), (num, 1, 1))
        if pose.model_from_bone is not None:
            for bone in range(num):
                placed = pose.model_from_bone[bone].astype(np.float64)
                ways[bone] = placed @ spaces.inverse(self.binding.model_from_bone[bone])
        else:
            # Keys are baked skinning matrices.
            for number, mesh in enumerate(self.model.meshes):
                ways[mesh.skin_bones] = pose.model_from_mesh(number)
        return self.to_blender @ ways @ spaces.inverse(self.to_blender)

    def make_action(self, clip, times, poses, ways) -> None:
        fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
        frames = 1 + (times - clip.start) * fps
        writers = []
        armature = self.loaded.armature
        if armature is not None:
            writer = ActionWriter(clip.name or self.title, armature)
            self._write_bones(writer, frames, ways)
            writers.append((writer, armature))
            self.loaded.actions.append(writer.action)
        for number, obj in enumerate(self.loaded.meshes):
            keys = obj.data.shape_keys
            if keys is None:
                continue
            weights = np.stack([pose.morph_weights[number] for pose in poses])
            if not np.ptp(weights, axis=0).any():
                continue
            writer = ActionWriter(f"{clip.name} {obj.name}", keys)
            for block, values in zip(keys.key_blocks[1:], weights.T):
                path = f'key_blocks["{bpy.utils.escape_identifier(block.name)}"].value'
                writer.add(path, 0, frames, values)
            writers.append((writer, keys))
            self.loaded.actions.append(writer.action)
        self.writers.append((clip, writers))

    def _write_bones(self, writer: ActionWriter, frames: np.ndarray, ways) -> None:
        for name, own in self._posed(ways):
            parts = [Matrix(matrix).decompose() for matrix in own]
            turns = [turn for _, turn, _ in parts]
            for earlier, later in zip(turns, turns[1:]):
                if earlier.dot(later) < 0:
                    later.negate()
            path = f'pose.bones["{bpy.utils.escape_identifier(name)}"].'
            curves = [
                ("location", [place for place, _, _ in parts]),
                ("rotation_quaternion", turns),
                ("scale", [scale for _, _, scale in parts]),
            ]
            for what, values in curves:
                table = np.array([list(value) for value in values])
                for index, column in enumerate(table.T):
                    writer.add(path + what, index, frames, column, name)

    def _posed(self, ways: np.ndarray):
        """Name and (k, 4, 4) pose of each bone of the armature."""
        own = self._own(ways)
        for bone, name in enumerate(self.bone_names):
            outer_name = self.outer_names.get(bone)
            if outer_name is None:
                yield name, own[:, bone]
                continue
            outer, inner = shear.split(own[:, bone])
            yield outer_name, outer
            yield name, inner

    def _own(self, ways: np.ndarray) -> np.ndarray:
        """(k, b, 4, 4): pose of each bone relative to its rest pose and its parent."""
        posed = ways @ self.rest
        own = np.empty_like(posed)
        for bone, parent in enumerate(self.model.skeleton.parents):
            before = spaces.inverse(self.rest[bone])
            if parent < 0:
                own[:, bone] = before @ posed[:, bone]
                continue
            above = np.stack([spaces.inverse(matrix) for matrix in posed[:, parent]])
            own[:, bone] = before @ self.rest[parent] @ above @ posed[:, bone]
        return own

    def show_first(self) -> None:
        """Activates the first clip, and sets the frame range to its length."""
        if self.loaded.armature is not None and len(self.rest):
            bones = self.loaded.armature.pose.bones
            for name, [own] in self._posed(self.default_ways[None]):
                bones[name].matrix_basis = Matrix(own)
        if not self.writers:
            return
        clip, writers = self.writers[0]
        for writer, owner in writers:
            writer.assign(owner)
        scene = bpy.context.scene
        fps = scene.render.fps / scene.render.fps_base
        scene.frame_start, scene.frame_end = 1, max(int(round(1 + clip.duration * fps)), 1)
        scene.frame_set(1)
