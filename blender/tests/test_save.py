"""Export of imported files."""

import sys
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
rigscope = pytest.importorskip("rigscope")

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))

from rigscope_blender.load import load  # noqa: E402
from rigscope_blender.save import model_of  # noqa: E402

SAMPLE = HERE.parents[2] / "assets" / "sample.bsm2"
WRITERS = ["bsm2", "bsm", "bmf", "skn", "ozz", "iqm", "glb"]


@pytest.fixture
def scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    model = rigscope.open(SAMPLE)
    loaded = load(model, bpy.context.collection)
    return model, loaded


def test_a_bsm2_comes_back_within_a_quantum_and_with_its_weights(scene, tmp_path):
    model, loaded = scene
    again = model_of([loaded.armature, *loaded.meshes])
    assert len(again.skeleton) == len(model.skeleton) and len(again.clips) == len(model.clips)
    made = rigscope.convert(again, tmp_path / "again.bsm2", hierarchy=True)
    assert made.errors["of_extent_at_keys"] < 1e-4, made.summary
    back = rigscope.open(made.paths[-1])
    [before], [after] = model.meshes, back.meshes
    compared = rigscope.diff(model, back, tolerance=1e-4)
    assert compared.max["position"] < 1e-5 and compared.max["skinned"] < 1e-4, compared.differences
    assert compared.max["weight"] == 0 or compared.max["weight"] < 1e-7
    assert compared.max["uv"] < 1.5 / 65535 and compared.max["normal_deg"] < 0.3
    assert after.num_triangles == before.num_triangles


@pytest.mark.parametrize("extension", WRITERS)
def test_every_format_is_written_and_reports_losses(scene, tmp_path, extension):
    _, loaded = scene
    model = model_of([loaded.armature, *loaded.meshes])
    made = rigscope.convert(model, tmp_path / f"again.{extension}")
    assert made.paths[-1].exists()
    back = rigscope.open(made.paths[-1])
    assert back.num_vertices > 0 or len(back.skeleton) > 0
    if back.num_vertices:
        assert made.errors["num_unmatched"] == 0


def test_shapes_colours_and_materials_are_exported(tmp_path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    mesh = bpy.data.meshes.new("quad")
    corners = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    colors = mesh.color_attributes.new("Color", "FLOAT_COLOR", "POINT")
    colors.data.foreach_set("color", np.tile([0.25, 0.5, 1, 1], 4))
    material = bpy.data.materials.new("paint")
    material.diffuse_color = (1, 0, 0, 1)
    mesh.materials.append(material)
    obj = bpy.data.objects.new("quad", mesh)
    bpy.context.collection.objects.link(obj)
    obj.shape_key_add(name="Basis")
    obj.shape_key_add(name="up").data[2].co.z = 3
    made = rigscope.convert(model_of([obj]), tmp_path / "quad.glb")
    [back] = rigscope.open(made.paths[-1]).meshes
    assert back.num_triangles == 2 and back.num_vertices == 4
    assert np.allclose(back.positions.max(axis=0), [1, 1, 0], atol=1e-6), "up is up"
    assert np.allclose(back.colors[0], [0.25, 0.5, 1, 1], atol=1e-2)
    [target] = back.morph_targets
    [(_, vertices, offsets, _)] = target.shapes
    assert target.name == "up" and len(vertices) == 1 and np.allclose(offsets, [[0, 2, 0]])
