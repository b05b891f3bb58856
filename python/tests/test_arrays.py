"""Arrays of a model: shapes, types, and memory ownership."""

import gc

import numpy as np
import pytest

import rigscope


def test_arrays_have_their_documented_shapes(sample):
    [mesh] = sample.meshes
    n, m = mesh.num_vertices, mesh.num_triangles
    assert (n, m) == (sample.num_vertices, sample.num_triangles)
    for array, shape, kind in [
        (mesh.positions, (n, 3), np.float32),
        (mesh.normals, (n, 3), np.float32),
        (mesh.tangents, (n, 4), np.float32),
        (mesh.uvs[0], (n, 2), np.float32),
        (mesh.triangles, (m, 3), np.uint32),
        (mesh.packed, (n, 32), np.uint8),
        (mesh.joints, (n, 3), np.uint32),
        (mesh.weights, (n, 3), np.float32),
        (mesh.influences[0], (n + 1,), np.uint32),
        (sample.skeleton.parents, (22,), np.int64),
        (sample.skeleton.rest, (22, 4, 4), np.float32),
        (sample.display_from_file, (4, 4), np.float32),
    ]:
        assert array.shape == shape and array.dtype == kind
    assert mesh.colors is None
    assert mesh.triangles.max() < n
    assert np.allclose(mesh.weights.sum(axis=1), 1, atol=1e-6)
    assert sum(num for _, num, _ in mesh.subsets) == m
    assert [sample.materials[material].name for _, _, material in mesh.subsets][0] == "suit"


def test_packed_bytes_match_the_file(sample, sample_path):
    mesh = sample.meshes[0]
    packed = mesh.packed.view(rigscope.PACKED_VERTEX)[:, 0]
    assert np.array_equal(packed["position"], mesh.positions)
    assert np.array_equal(packed["uv"] / np.float32(65535), mesh.uvs[0])
    assert packed.tobytes() in sample_path.read_bytes()
    keys = sample.find_clip("walk").key_bytes
    rows = keys.view(rigscope.KEY)[..., 0]["rows"]
    assert rows.shape == (sample.find_clip("walk").num_keys, 22, 3, 4)
    assert np.isfinite(rows).all()


def test_views_are_read_only_and_keep_the_model_alive(sample_path):
    model = rigscope.open(sample_path)
    packed, keys = model.meshes[0].packed, model.clips["walk"].key_bytes
    before = (packed.copy(), keys.copy())
    for array in (packed, keys):
        assert not array.flags.owndata
        with pytest.raises(ValueError):
            array[0] = 0
        with pytest.raises(ValueError):
            array.flags.writeable = True
    del model
    gc.collect()
    filler = [np.zeros(100_000, np.uint8) for _ in range(100)]
    assert np.array_equal(packed, before[0]) and np.array_equal(keys, before[1])
    assert len(filler) == 100


def test_compressed_rows_match_fixed_rows(sample):
    mesh = sample.meshes[0]
    first, slots, weights = mesh.influences
    joints, padded = mesh.joints_and_weights
    for vertex in range(0, mesh.num_vertices, 97):
        row = slice(first[vertex], first[vertex + 1])
        num = row.stop - row.start
        assert np.array_equal(joints[vertex, :num], slots[row])
        assert np.array_equal(padded[vertex, :num], weights[row])
        assert not padded[vertex, num:].any()
