"""Posing, compared with an implementation in NumPy."""

import threading

import numpy as np
import pytest

import rigscope


def skinned(model, number, pose):
    """Linear skinning of one mesh, using only the matrices from the library."""
    mesh = model.meshes[number]
    joints, weights = mesh.joints_and_weights
    matrices = pose.model_from_mesh(number)[joints]
    blended = np.einsum("nk,nkij->nij", weights, matrices)
    points = np.concatenate([mesh.positions, np.ones((mesh.num_vertices, 1), np.float32)], axis=1)
    moved = np.einsum("nij,nj->ni", blended, points)
    return (moved @ model.display_from_file.T)[:, :3]


@pytest.mark.parametrize("clip", ["walk", "wave"])
def test_vertices_match_the_skinning_matrices(sample, clip):
    duration = sample.find_clip(clip).duration
    for time in np.linspace(0, duration, 5):
        for sampling in ("player", "linear"):
            posed = sample.pose(clip, time, sampling=sampling)[0]
            pose = sample.sample(clip, time, sampling=sampling)
            assert np.abs(posed.positions - skinned(sample, 0, pose)).max() < 1e-5
            assert np.allclose(np.linalg.norm(posed.normals, axis=1), 1, atol=1e-5)


def test_bones_are_consistent_with_their_parents(sample):
    pose = sample.clips[0].sample(0.25)
    parents, own = sample.skeleton.parents, pose.parent_from_bone
    for bone, parent in enumerate(parents):
        expected = own[bone] if parent < 0 else pose.model_from_bone[parent] @ own[bone]
        assert np.allclose(pose.model_from_bone[bone], expected, atol=1e-5)


def test_keys_times_and_names_select_the_same_pose(sample):
    clip = sample.clips[1]
    by_key = sample.pose(1, key=3)[0].positions
    by_time = sample.pose(clip.name, clip.start + 3 * clip.interval)[0].positions
    assert np.array_equal(by_key, by_time)
    with pytest.raises(KeyError, match="walk"):
        sample.pose("run", 0.0)
    with pytest.raises(ValueError):
        sample.pose("walk", 0.1, key=1)
    with pytest.raises(ValueError, match="decomposed"):
        sample.pose("walk", 0.1, sampling="smooth")


def test_a_clip_or_time_that_does_not_exist_is_an_error(sample):
    for number in (2, -1, 10**12):
        with pytest.raises(IndexError, match=f"there is no clip {number}; the model has 2 clips, numbered from 0"):
            sample.pose(number)
        with pytest.raises(IndexError):
            sample.find_clip(number)
    with pytest.raises(KeyError, match='there is no clip "run"; the clips are walk, wave'):
        sample.find_clip("run")
    triangle = rigscope.build([dict(positions=np.eye(3), triangles=[[0, 1, 2]])])
    with pytest.raises(IndexError, match="there is no clip 0; the model has no clips"):
        triangle.pose(0, 0.0)
    for time in (np.nan, np.inf, -np.inf):
        for function in (sample.pose, sample.sample, sample.view):
            with pytest.raises(ValueError, match="time must be a finite number"):
                function("walk", time)
        with pytest.raises(ValueError, match="time must be a finite number"):
            sample.clips[0].sample(time)
        with pytest.raises(ValueError, match="time must be a finite number"):
            rigscope.render(sample, clip="walk", time=time)


def test_a_time_or_key_outside_the_clip_warns_and_is_clamped(sample):
    end = sample.find_clip("walk").duration
    last = sample.pose("walk", end)[0].positions
    for call in (dict(time=99.0), dict(key=9999)):
        with pytest.warns(UserWarning, match='the clip "walk"; using its (end|last key)'):
            assert np.array_equal(sample.pose("walk", **call)[0].positions, last)
    with pytest.warns(UserWarning, match="the time -1 s is outside"):
        sample.find_clip("walk").sample(-1.0)


def test_runtimes_play_the_file_in_their_own_way(tmp_path, sample):
    glb = tmp_path / "sample.glb"
    rigscope.convert(sample, glb)
    model = rigscope.open(glb)
    by_specification = model.pose("walk", 0.31)[0].positions
    for _ in range(2):
        # It blends rotations component by component.
        played = model.pose("walk", 0.31, runtime="playcanvas")[0].positions
        assert 1e-7 < np.abs(played - by_specification).max() < 0.05
        reference = model.pose("walk", 0.31, runtime="gltf")[0].positions
        assert np.array_equal(reference, by_specification)
    with pytest.raises(ValueError, match="unknown runtime"):
        model.pose(runtime="unity")
    with pytest.raises(ValueError, match="doesn't open bsm2 files; runtimes for this format: banuba"):
        sample.pose(runtime="three.js")


def test_many_threads_pose_one_model(sample):
    alone = [sample.pose("walk", time / 10)[0].positions.copy() for time in range(8)]
    found = [None] * 8

    def work(number):
        for _ in range(20):
            found[number] = sample.pose("walk", number / 10)[0].positions

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(a, b) for a, b in zip(alone, found))


def test_every_real_sample_poses_deterministically(samples):
    num = 0
    for path in sorted(samples.rglob("*")):
        if path.suffix.lower() not in {".bsm2", ".bsm", ".ozz", ".iqm", ".glb", ".skn", ".fbx"}:
            continue
        try:
            model = rigscope.open(path)
        except rigscope.Error as error:
            assert error.code in {"not-understood", "unsupported", "too-large"}
            continue
        if model.num_vertices == 0 or model.num_vertices > 200_000:
            continue
        num += 1
        for clip in model.clips[:2]:
            posed = model.pose(clip.index, clip.start + clip.duration / 2)
            pose = clip.sample(clip.start + clip.duration / 2)
            for number, mesh in enumerate(model.meshes):
                assert posed[number].positions.shape == (mesh.num_vertices, 3)
                assert np.isfinite(posed[number].positions).all()
                is_plain = mesh.skin == "inverse-bind" and not mesh.morph_targets
                if not is_plain or clip.motion == "vertex-cache" or model.format == "fbx":
                    continue
                expected = skinned(model, number, pose)
                extent = np.linalg.norm(np.ptp(expected, axis=0))
                off = np.abs(posed[number].positions - expected).max()
                assert off <= 1e-4 * max(extent, 1e-6), (path.name, clip.name, number)
    assert num > 20
