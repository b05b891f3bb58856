"""Packed skinned meshes in Blender: File > Import > Packed skinned mesh.

The library `rigscope` reads; this puts what it read into a scene.
"""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy_extras.io_utils import ImportHelper


def _extensions() -> list[str]:
    import rigscope

    formats = [format for format in rigscope.formats() if format["can_read"]]
    return [extension for format in formats for extension in format["extensions"]]


class IMPORT_OT_rigscope(bpy.types.Operator, ImportHelper):
    """Import a skinned mesh of any format that Rigscope reads"""

    bl_idname = "import_scene.rigscope"
    bl_label = "Import packed skinned mesh"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: StringProperty(
        default=";".join(f"*.{extension}" for extension in _extensions()), options={"HIDDEN"}
    )
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    beside: BoolProperty(
        name="Files beside it",
        description="Skeletons, animations and textures that lie beside the file are taken too",
        default=True,
    )

    def execute(self, context):
        import os

        import rigscope

        from .load import load

        paths = [os.path.join(self.directory, file.name) for file in self.files if file.name]
        for path in paths or [self.filepath]:
            source = path
            if not self.beside:
                with open(path, "rb") as file:
                    source = (os.path.basename(path), file.read())
            try:
                model = rigscope.open(source)
            except rigscope.Error as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
            loaded = load(model, context.collection)
            for warning in loaded.warnings:
                self.report({"WARNING"}, warning)
            what = f"{model.num_vertices} vertices, {len(model.skeleton)} bones, {len(model.clips)} clips"
            self.report({"INFO"}, f"{os.path.basename(path)}: {what}")
        return {"FINISHED"}


def _menu(self, _context):
    self.layout.operator(IMPORT_OT_rigscope.bl_idname, text="Packed skinned mesh (Rigscope)")


def register():
    bpy.utils.register_class(IMPORT_OT_rigscope)
    bpy.types.TOPBAR_MT_file_import.append(_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(_menu)
    bpy.utils.unregister_class(IMPORT_OT_rigscope)
