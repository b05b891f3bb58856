"""Import: compares the motion in Blender with `Model.pose`."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
rigscope = pytest.importorskip("rigscope")

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))

from rigscope_blender import shear, spaces  # noqa: E402
from rigscope_blender.load import load, times_of  # noqa: E402

ROOT = HERE.parents[2]


def samples():
    named = os.environ.get("RIGSCOPE_SAMPLES")
    folder = Path(named) if named else ROOT.parent / "shared" / "samples"
    known = {".bsm2", ".bsm", ".ozz", ".iqm", ".glb", ".gltf", ".skn", ".bmf", ".fbx", ".obj", ".txt"}
    found = [ROOT / "assets" / "sample.bsm2"]
    if folder.is_dir():
        found += sorted(path for path in folder.rglob("*") if path.suffix.lower() in known)
    return found


def evaluated(obj):
    graph = bpy.context.evaluated_depsgraph_get()
    shown = obj.evaluated_get(graph)
    mesh = shown.to_mesh()
    points = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    shown.to_mesh_clear()
    matrix = np.array(obj.matrix_world)
    return spaces.moved(matrix, points.reshape(-1, 3).astype(np.float64))


@pytest.mark.parametrize("path", samples(), ids=lambda path: path.name)
def test_vertices_are_where_the_library_has_them(path):
    try:
        model = rigscope.open(path)
    except rigscope.Error:
        pytest.skip("not read")
    if model.num_vertices == 0 or model.num_vertices > 30_000 or len(model.meshes) > 50:
        pytest.skip("no mesh, or a large one")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    loaded = load(model, bpy.context.collection)
    assert len(loaded.meshes) == len(model.meshes)
    clips = [clip for clip in model.clips if clip.motion != "vertex-cache"][:1]
    moments = [None]
    if clips:
        times = times_of(clips[0])
        moments = sorted({times[0], times[len(times) // 2], times[-1]})
    fps = bpy.context.scene.render.fps
    for time in moments:
        if time is None:
            posed = model.pose()
        else:
            frame = 1 + (time - clips[0].start) * fps
            bpy.context.scene.frame_set(int(np.floor(frame)), subframe=float(frame % 1))
            posed = model.pose(clips[0].index, float(time))
        wanted = [spaces.moved(spaces.BLENDER_FROM_DISPLAY, m.positions.astype(np.float64)) for m in posed]
        extent = np.linalg.norm(np.ptp(np.concatenate(wanted), axis=0))
        for obj, points in zip(loaded.meshes, wanted):
            if len(points) == 0:
                continue
            off = np.abs(evaluated(obj) - points).max()
            assert off <= 1e-4 * max(extent, 1e-6), (obj.name, time, off / extent)



def test_sheared_poses_are_two_that_are_not():
    random = np.random.default_rng(7)
    own = np.tile(np.eye(4), (40, 1, 1))
    own[5:, :3, :] += random.normal(size=(35, 3, 4))
    own[20, :3, :3] = 0
    own[21, :3, :3] = np.diag([-1, 1, 1])
    assert shear.is_sheared(own) and not shear.is_sheared(own[:5])
    outer, inner = shear.split(own)
    assert np.abs(outer @ inner - own).max() < 1e-9
    assert not shear.is_sheared(outer) and not shear.is_sheared(inner)
    assert np.allclose(inner[:5], np.eye(4))
    assert np.allclose(np.linalg.det(inner), 1)
