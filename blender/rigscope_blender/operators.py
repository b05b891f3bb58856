"""Menu commands: import, export, and opening the viewer."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile

import bpy
import rigscope
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper
from rigscope import local_files

from .load import load
from .save import model_of

_READ = [f for f in rigscope.formats() if f["can_read"]]
_WRITTEN = [f for f in rigscope.formats() if f["can_write"]]


def _patterns(formats) -> str:
    return ";".join(f"*.{extension}" for format in formats for extension in format["extensions"])


class IMPORT_OT_rigscope(bpy.types.Operator, ImportHelper):
    """Import a skinned mesh from any format that Rigscope reads"""

    bl_idname = "import_scene.rigscope"
    bl_label = "Import packed skinned mesh"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: StringProperty(default=_patterns(_READ), options={"HIDDEN"})
    files: CollectionProperty(
        type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"}
    )
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    beside: BoolProperty(
        name="Related files",
        description="Also read skeletons, animations and textures in the folder of the file",
        default=True,
    )

    def execute(self, context):
        paths = [os.path.join(self.directory, file.name) for file in self.files if file.name]
        for path in paths or [self.filepath]:
            try:
                model = rigscope.open(path if self.beside else _without_related_files(path))
            except (rigscope.Error, OSError) as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
            loaded = load(model, context.collection)
            for warning in loaded.warnings:
                self.report({"WARNING"}, warning)
            what = f"{model.num_vertices} vertices, {len(model.skeleton)} bones, {len(model.clips)} clips"
            self.report({"INFO"}, f"{os.path.basename(path)}: {what}")
        return {"FINISHED"}


def _without_related_files(path: str):
    return os.path.basename(path), local_files.read(path)


def _chosen(context, selected_only: bool):
    objects = context.selected_objects if selected_only else context.scene.objects
    return [obj for obj in objects if obj.type in {"MESH", "ARMATURE"} and obj.visible_get()]


class EXPORT_OT_rigscope(bpy.types.Operator, ExportHelper):
    """Export meshes and an armature to any format that Rigscope writes"""

    bl_idname = "export_scene.rigscope"
    bl_label = "Export packed skinned mesh"

    filename_ext = ""
    filter_glob: StringProperty(default=_patterns(_WRITTEN), options={"HIDDEN"})
    format: EnumProperty(
        name="Format",
        items=[(f["id"], f["name"], ", ".join(f".{e}" for e in f["extensions"])) for f in _WRITTEN],
        default="bsm2",
    )
    selected_only: BoolProperty(name="Selected objects only", default=False)
    hierarchy: BoolProperty(
        name="Bones with parents",
        description="Write bones with their parents instead of baked skinning matrices (BSM2)",
        default=False,
    )
    limit_influences: BoolProperty(name="At most four influences", default=False)
    scale: FloatProperty(name="Scale", default=1.0, min=1e-6, max=1e6)

    def invoke(self, context, event):
        # Posing changes the scene, which isn't allowed while panels are drawn.
        self._models = {only: model_of(_chosen(context, only)) for only in (False, True)}
        self._losses = {}
        return super().invoke(context, event)

    def draw(self, _context):
        layout = self.layout
        layout.prop(self, "format")
        layout.prop(self, "selected_only")
        if self.format == "bsm2":
            layout.prop(self, "hierarchy")
        layout.prop(self, "limit_influences")
        layout.prop(self, "scale")
        box = layout.box()
        box.label(text="The file will lose:")
        for loss in self.losses() or ["nothing"]:
            box.label(text=loss)

    def losses(self) -> list[str]:
        """Features that the selected format can't store, computed once per choice."""
        choice = (self.format, self.selected_only, self.hierarchy)
        if choice not in self._losses:
            model = self._models[self.selected_only]
            try:
                self._losses[choice] = self._convert(model, f"x.{self._extension()}", False).losses
            except (rigscope.Error, ValueError) as error:
                self._losses[choice] = [str(error)]
        return self._losses[choice]

    def _extension(self) -> str:
        return next(f["extensions"][0] for f in _WRITTEN if f["id"] == self.format)

    def _convert(self, model, to: str, check: bool):
        return rigscope.convert(
            model,
            to,
            save=False,
            overwrite=True,
            check=check,
            scale=None if self.scale == 1.0 else self.scale,
            hierarchy=self.hierarchy,
            limit_influences=4 if self.limit_influences else None,
        )

    def execute(self, context):
        extension = self._extension()
        path = self.filepath
        if not path.lower().endswith(f".{extension}"):
            path = f"{os.path.splitext(path)[0]}.{extension}"
        try:
            made = self._convert(model_of(_chosen(context, self.selected_only)), path, True)
            made.save()
        except (rigscope.Error, ValueError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for loss in made.losses:
            self.report({"WARNING"}, f"lost: {loss}")
        self.report({"INFO"}, f"{os.path.basename(path)}: {made.summary or 'nothing to measure'}")
        return {"FINISHED"}


#: The viewer of each file, which reloads the file when it changes.
_viewers: dict[str, subprocess.Popen] = {}


class VIEW3D_OT_show_in_rigscope(bpy.types.Operator):
    """Export to a temporary file and show it in Rigscope, which reloads it on each export"""

    bl_idname = "view3d.show_in_rigscope"
    bl_label = "Show in Rigscope"

    def execute(self, context):
        program = context.preferences.addons[__package__].preferences.program
        if shutil.which(program) is None:
            self.report({"ERROR"}, f"{program} not found; set the path in the preferences of the add-on")
            return {"CANCELLED"}
        folder = os.path.join(tempfile.gettempdir(), f"rigscope-blender-{os.getpid()}")
        os.makedirs(folder, exist_ok=True)
        name = os.path.splitext(os.path.basename(bpy.data.filepath))[0] or "untitled"
        path = os.path.join(folder, f"{name}.glb")
        try:
            rigscope.convert(model_of(_chosen(context, False)), path, overwrite=True, check=False)
        except (rigscope.Error, ValueError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        viewer = _viewers.get(path)
        if viewer is None or viewer.poll() is not None:
            _viewers[path] = subprocess.Popen([program, path])
        return {"FINISHED"}


class RigscopePreferences(bpy.types.AddonPreferences):
    """Path of the viewer"""

    bl_idname = __package__

    program: StringProperty(name="Viewer", default="rigscope", subtype="FILE_PATH")

    def draw(self, _context):
        self.layout.prop(self, "program")


CLASSES = (
    IMPORT_OT_rigscope,
    EXPORT_OT_rigscope,
    VIEW3D_OT_show_in_rigscope,
    RigscopePreferences,
)
