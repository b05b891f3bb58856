"""Packed skinned meshes in Blender: File > Import and Export > Packed skinned mesh, View > Show in Rigscope.

The library `rigscope` reads and writes; this puts what it read into a scene, and back.

| file | is for |
|---|---|
| `operators` | what the menus do |
| `load` | a model as meshes, an armature and actions |
| `save` | the other way |
| `spaces`, `shear` | where bones stand, and poses that bones do not hold |
| `actions`, `materials` | keys, and materials with their textures |
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
    """Puts all into Blender's menus."""
    from .operators import CLASSES

    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for menu, entry in _menus():
        menu.append(entry)


def unregister():
    """Takes it away again."""
    from .operators import CLASSES

    for menu, entry in _menus():
        menu.remove(entry)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
