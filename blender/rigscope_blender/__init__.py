"""Packed skinned meshes in Blender: File > Import and Export > Packed skinned mesh, View > Show in Rigscope.

The library `rigscope` reads and writes files; this add-on converts between its models and scenes.

| file | is for |
|---|---|
| `operators` | menu commands |
| `load` | from a model to meshes, an armature and actions |
| `save` | from a scene to a model |
| `spaces`, `shear` | placement of bones, and poses that a single bone can't represent |
| `actions`, `materials` | keyframes, and materials with their textures |
"""

from __future__ import annotations

import bpy


def _import_menu(self, _context):
    self.layout.operator("import_scene.rigscope", text="Packed skinned mesh (Rigscope)")


def _export_menu(self, _context):
    self.layout.operator("export_scene.rigscope", text="Packed skinned mesh (Rigscope)")


def _view_menu(self, _context):
    self.layout.operator("view3d.show_in_rigscope")


def _menus():
    types = bpy.types
    return [
        (types.TOPBAR_MT_file_import, _import_menu),
        (types.TOPBAR_MT_file_export, _export_menu),
        (types.VIEW3D_MT_view, _view_menu),
    ]


def register():
    """Registers the classes and adds the menu entries."""
    from .operators import CLASSES

    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for menu, entry in _menus():
        menu.append(entry)


def unregister():
    """Removes the menu entries and classes."""
    from .operators import CLASSES

    for menu, entry in _menus():
        menu.remove(entry)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
