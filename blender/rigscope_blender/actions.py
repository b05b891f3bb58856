"""Writes the keyframes of actions, for Blender 4.2 to 5."""

from __future__ import annotations

import bpy
import numpy as np


class ActionWriter:
    """Builds an action of one object or shape-key block, curve by curve."""

    def __init__(self, name: str, owner: bpy.types.ID) -> None:
        self.action = bpy.data.actions.new(name)
        self.action.use_fake_user = True
        self.slot = None
        if hasattr(self.action, "slots"):
            self.slot = self.action.slots.new(owner.id_type, owner.name)
            strip = self.action.layers.new("Layer").strips.new(type="KEYFRAME")
            self._curves = strip.channelbag(self.slot, ensure=True).fcurves
        else:
            self._curves = self.action.fcurves

    def add(
        self, path: str, index: int, frames: np.ndarray, values: np.ndarray, group: str = ""
    ) -> None:
        """Adds a curve with a key at each frame and linear interpolation."""
        curve = self._curves.new(path, index=index)
        curve.keyframe_points.add(len(frames))
        points = np.stack([frames, values], axis=1).astype(np.float32).ravel()
        curve.keyframe_points.foreach_set("co", points)
        linear = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["LINEAR"].value
        curve.keyframe_points.foreach_set(
            "interpolation", np.full(len(frames), linear, dtype=np.int32)
        )
        curve.update()

    def assign(self, owner: bpy.types.ID) -> None:
        """Makes it the active action of `owner`."""
        data = owner.animation_data or owner.animation_data_create()
        data.action = self.action
        if self.slot is not None:
            data.action_slot = self.slot
