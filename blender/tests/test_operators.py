"""Menu commands, called through Blender."""

import os
import stat
import sys
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")
rigscope = pytest.importorskip("rigscope")

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))

SAMPLE = HERE.parents[2] / "assets" / "sample.bsm2"


@pytest.fixture
def addon():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.addons.new().module = "rigscope_blender"
    import rigscope_blender

    rigscope_blender.register()
    yield bpy.context.preferences.addons["rigscope_blender"].preferences
    rigscope_blender.unregister()


def test_import_and_export(addon, tmp_path):
    assert bpy.ops.import_scene.rigscope(filepath=str(SAMPLE)) == {"FINISHED"}
    assert {obj.type for obj in bpy.context.scene.objects} == {"MESH", "ARMATURE"}
    assert bpy.context.scene.render.fps == 30, "the rate of its keys"
    out = tmp_path / "again"
    done = bpy.ops.export_scene.rigscope(filepath=str(out), format="iqm")
    assert done == {"FINISHED"}
    assert rigscope.open(tmp_path / "again.iqm").num_vertices == 4224


def test_import_in_edit_mode(addon):
    bpy.ops.import_scene.rigscope(filepath=str(SAMPLE))
    bpy.ops.object.mode_set(mode="EDIT")
    assert bpy.ops.import_scene.rigscope(filepath=str(SAMPLE)) == {"FINISHED"}
    assert len(bpy.context.scene.objects) == 4


def test_losses_are_listed_before_writing(addon):
    from types import SimpleNamespace

    from rigscope_blender.operators import EXPORT_OT_rigscope, _chosen
    from rigscope_blender.save import model_of

    bpy.ops.import_scene.rigscope(filepath=str(SAMPLE))
    model = model_of(_chosen(bpy.context, False))
    asked = dict(selected_only=False, hierarchy=False, limit_influences=False, scale=1.0)
    dialog = SimpleNamespace(_models={False: model}, _losses={}, format="bsm", **asked)
    dialog._extension = lambda: EXPORT_OT_rigscope._extension(dialog)
    dialog._convert = lambda *args: EXPORT_OT_rigscope._convert(dialog, *args)
    assert any("clip" in loss for loss in EXPORT_OT_rigscope.losses(dialog))
    dialog.format = "gltf"
    assert not any("clip" in loss for loss in EXPORT_OT_rigscope.losses(dialog))
    assert len(dialog._losses) == 2


def test_errors_are_reported(addon, tmp_path):
    bad = tmp_path / "bad.bsm2"
    bad.write_bytes(b"no mesh")
    with pytest.raises(RuntimeError, match="bad.bsm2"):
        bpy.ops.import_scene.rigscope(filepath=str(bad))
    with pytest.raises(RuntimeError):
        bpy.ops.export_scene.rigscope(filepath=str(tmp_path / "none" / "a.glb"), format="gltf")


@pytest.mark.skipif(os.name == "nt", reason="the program of this test is a shell script")
def test_the_viewer_is_started_once_for_a_file(addon, tmp_path):
    bpy.ops.import_scene.rigscope(filepath=str(SAMPLE))
    program = tmp_path / "viewer"
    program.write_text(f"#!/bin/sh\necho \"$1\" >> {tmp_path}/shown\nsleep 5\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    addon.program = str(program)
    for _ in range(2):
        assert bpy.ops.view3d.show_in_rigscope() == {"FINISHED"}
    from rigscope_blender.operators import _viewers

    [(path, viewer)] = _viewers.items()
    assert rigscope.open(path).num_vertices == 4224
    viewer.wait()
    assert (tmp_path / "shown").read_text().splitlines() == [path]
    addon.program = str(tmp_path / "none")
    with pytest.raises(RuntimeError, match="preferences"):
        bpy.ops.view3d.show_in_rigscope()
