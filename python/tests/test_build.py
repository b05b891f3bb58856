"""Building models from arrays, and writing them in every format."""

import numpy as np
import pytest

import rigscope

WRITERS = [format for format in rigscope.formats() if format["can_write"]]


def arm(rings=9, around=12):
    """A tube with two bones that bends in the middle."""
    along = np.repeat(np.linspace(0, 2, rings), around)
    turn = np.tile(np.arange(around) * 2 * np.pi / around, rings)
    normals = np.stack([np.cos(turn), np.zeros_like(turn), np.sin(turn)], axis=1)
    positions = normals * 0.2 + np.stack([0 * along, along, 0 * along], axis=1)
    ring, side = np.divmod(np.arange((rings - 1) * around), around)
    a, b = ring * around + side, ring * around + (side + 1) % around
    triangles = np.concatenate(
        [np.stack([a, a + around, b], 1), np.stack([b, a + around, b + around], 1)]
    )
    share = np.clip(along - 0.5, 0, 1)
    lower, upper = np.eye(4), np.eye(4)
    upper[1, 3] = 1.0
    bends = []
    for angle in np.linspace(0, 1.2, 7):
        bend = upper.copy()
        bend[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        bends.append([lower, bend])
    return dict(
        meshes=[
            dict(
                name="arm",
                positions=positions,
                normals=normals,
                uvs=np.stack([turn / (2 * np.pi), along / 2], axis=1),
                triangles=triangles,
                subsets=[(0, len(triangles), 0)],
                joints=np.tile([0, 1], (len(positions), 1)),
                weights=np.stack([1 - share, share], axis=1),
                inverse_bind_matrices=[np.linalg.inv(lower), np.linalg.inv(upper)],
            )
        ],
        bones=[dict(name="lower", rest=lower), dict(name="upper", parent=0, rest=upper)],
        clips=[dict(name="bend", times=np.arange(7) / 30, matrices=bends)],
        materials=[dict(name="skin", base_color=(0.8, 0.5, 0.4, 1), roughness=0.6)],
        unit_meters=1.0,
        name="arm",
    )


def test_a_built_model_matches_its_arrays():
    model = rigscope.build(**arm())
    given = arm()["meshes"][0]
    [mesh] = model.meshes
    assert model.format is None and model.notes == []
    assert np.allclose(mesh.positions, given["positions"])
    assert np.array_equal(mesh.triangles, given["triangles"])
    assert mesh.inverse_bind_matrices.shape == (2, 4, 4)
    assert model.skeleton.names == ["lower", "upper"]
    assert model.clips[0].duration == pytest.approx(0.2)
    tip = model.pose("bend", 0.2)[0].positions[-12:].mean(axis=0)
    assert np.allclose(tip, [-np.sin(1.2), 1 + np.cos(1.2), 0], atol=1e-4)
    look = model.materials[0].look
    assert look["roughness"] == pytest.approx(0.6)


def test_poses_match_in_every_format_with_animation(tmp_path):
    model = rigscope.build(**arm())
    num_kept = 0
    for format in WRITERS:
        extension = format["extensions"][0]
        made = rigscope.convert(model, tmp_path / f"arm.{extension}")
        assert made.paths[-1].exists()
        back = rigscope.open(made.paths[-1])
        if back.num_vertices == 0 or not back.clips:
            continue
        num_kept += 1
        assert made.errors["num_unmatched"] == 0
        assert made.errors["of_extent_at_keys"] < 1e-3, format["id"]
    assert num_kept >= 5


def without(parts, *keys):
    return {key: value for key, value in parts.items() if key not in keys}


def test_meshes_are_bound_in_the_rest_pose_by_default():
    given = arm()
    model = rigscope.build(**given)
    given["meshes"] = [without(given["meshes"][0], "inverse_bind_matrices")]
    bound = rigscope.build(**given)
    assert np.allclose(bound.meshes[0].inverse_bind_matrices, model.meshes[0].inverse_bind_matrices)
    # Two joints, of which the first is the upper bone.
    mesh = dict(given["meshes"][0], joints=1 - given["meshes"][0]["joints"], skin_bones=[1, 0])
    swapped = rigscope.build(**dict(given, meshes=[mesh]))
    for clip_time in (0.0, 0.1, 0.2):
        expected = model.pose("bend", clip_time)[0].positions
        assert np.array_equal(bound.pose("bend", clip_time)[0].positions, expected)
        assert np.allclose(swapped.pose("bend", clip_time)[0].positions, expected, atol=1e-6)


def test_bones_may_be_parts_or_matrices():
    turn = [0, 0, np.sin(0.4), np.cos(0.4)]
    parts = dict(name="b", translation=[1, 2, 3], rotation=turn, scale=[2, 3, 4])
    [rest] = rigscope.build(bones=[parts]).skeleton.rest
    cos, sin = np.cos(0.8), np.sin(0.8)
    expected = [[2 * cos, -3 * sin, 0, 1], [2 * sin, 3 * cos, 0, 2], [0, 0, 4, 3], [0, 0, 0, 1]]
    assert np.allclose(rest, expected, atol=1e-6)
    assert np.allclose(rigscope.build(bones=[dict(rest=expected)]).skeleton.rest[0], expected)
    assert np.array_equal(rigscope.build(bones=[{}]).skeleton.rest[0], np.eye(4))
    with pytest.raises(ValueError, match="can't be combined"):
        rigscope.build(bones=[dict(rest=np.eye(4), scale=[1, 1, 1])])


def test_clips_may_be_matrices_parts_or_tracks():
    given = arm()
    times = given["clips"][0]["times"]
    angles = np.linspace(0, 1.2, 7)
    turns = np.stack([0 * angles, 0 * angles, np.sin(angles / 2), np.cos(angles / 2)], axis=1)
    still = np.tile([0.0, 0, 0, 1], (7, 1))
    parts = dict(name="bend", times=times, rotations=np.stack([still, turns], axis=1))
    tracks = dict(name="bend", times=times, tracks=[dict(bone=1, rotations=turns)])
    own_times = dict(name="bend", tracks=[dict(bone=1, times=times[[0, -1]], rotations=turns[[0, -1]])])
    expected = rigscope.build(**given)
    for clip in (parts, tracks, own_times):
        model = rigscope.build(**dict(given, clips=[clip]))
        assert model.clips[0].duration == pytest.approx(0.2)
        for clip_time in (0.0, 0.05, 0.13, 0.2):
            found, wanted = (own.pose("bend", clip_time)[0].positions for own in (model, expected))
            assert np.allclose(found, wanted, atol=2e-4), clip
    step = rigscope.build(**dict(given, clips=[dict(own_times, step=True, loops=True)]))
    assert step.clips[0].is_looping and np.array_equal(
        step.pose("bend", 0.19)[0].positions, step.pose("bend", 0.0)[0].positions
    )
    with pytest.raises(ValueError, match=r'clips\[0\]\["tracks"\]\[0\]\["bone"\]: must be below 2'):
        rigscope.build(**dict(given, clips=[dict(times=times, tracks=[dict(bone=2, rotations=turns)])]))
    with pytest.raises(ValueError, match="moves bone 1 twice"):
        rigscope.build(**dict(given, clips=[dict(parts, tracks=tracks["tracks"])]))
    with pytest.raises(ValueError, match="times.*must rise"):
        rigscope.build(**dict(given, clips=[dict(parts, times=times[::-1])]))


def test_weights_of_morph_targets_are_animated():
    given = arm()
    offsets = np.zeros_like(given["meshes"][0]["positions"])
    offsets[:, 0] = 0.5
    given["meshes"][0]["morph_targets"] = [dict(name="wide", position_offsets=offsets)]
    morph_tracks = [dict(mesh=0, target=0, times=[0.0, 1.0], weights=[0.0, 1.0])]
    given["clips"] = [dict(name="widen", morph_tracks=morph_tracks)]
    model = rigscope.build(**given)
    assert model.clips[0].duration == 1
    assert model.sample("widen", 0.5).morph_weights[0] == pytest.approx([0.5])
    before, after = (model.pose("widen", clip_time)[0].positions for clip_time in (0.0, 1.0))
    assert np.allclose(after - before, offsets, atol=1e-6)
    with pytest.raises(ValueError, match="mesh 0 has no morph target 1"):
        rigscope.build(**dict(given, clips=[dict(morph_tracks=[dict(target=1, times=[0], weights=[0])])]))


def test_arrays_may_be_lists_of_any_kind():
    lists = [[0.0, 0, 0], (1, 0, 0), np.array([0, 1, 0])]
    mesh = dict(positions=lists, triangles=((0, 1, 2),), uvs=[np.zeros((3, 2)), np.ones((3, 2))], colors=None)
    [built] = rigscope.build([mesh]).meshes
    assert np.array_equal(built.positions, [[0, 0, 0], [1, 0, 0], [0, 1, 0]]) and len(built.uvs) == 2
    [nested] = rigscope.build([dict(mesh, uvs=[[0, 0], [1, 0], [0, 1]])]).meshes
    assert np.array_equal(nested.uvs, [[[0, 0], [1, 0], [0, 1]]])


def test_influences_of_any_number_are_kept(tmp_path):
    given = arm()
    mesh = given["meshes"][0]
    num = len(mesh["positions"])
    joints, weights = mesh.pop("joints"), mesh.pop("weights")
    first = np.arange(num + 1) * 2
    mesh["influences"] = (first, joints.ravel(), weights.ravel())
    rows = rigscope.build(**given).pose("bend", 0.1)[0].positions
    assert np.array_equal(rows, rigscope.build(**arm()).pose("bend", 0.1)[0].positions)
    mesh["influences"] = (first[::-1], joints.ravel(), weights.ravel())
    with pytest.raises(ValueError, match="must rise"):
        rigscope.build(**given)


def test_errors_name_the_wrong_argument():
    for change, message in [
        (dict(positions=[[0, 0]]), r"meshes\[0\]\[\"positions\"\].*\(n, 3\)"),
        (dict(normals=[[0, 0, 1]]), "normals"),
        (dict(colours=[]), "colours"),
        (dict(joints=[[0]]), "joints"),
        (dict(inverse_bind_matrices=np.eye(4)), "inverse_bind_matrices"),
    ]:
        given = arm()
        given["meshes"][0].update(change)
        with pytest.raises(ValueError, match=message):
            rigscope.build(**given)
    with pytest.raises(KeyError, match="positions"):
        rigscope.build([dict(name="nothing")])
    with pytest.raises(ValueError):
        rigscope.build([], bones=[dict(parent=1), dict(parent=0)])


def test_bad_numbers_are_fixed_and_reported():
    given = arm()
    given["meshes"][0]["triangles"][0] = [0, 1, 100_000]
    given["meshes"][0]["positions"][3] = np.nan
    model = rigscope.build(**given)
    codes = {note.code for note in model.notes}
    assert {"index-out-of-range", "not-finite"} <= codes
    assert np.isfinite(model.meshes[0].positions).all()


def test_morph_targets_and_images_are_written(tmp_path):
    given = arm()
    given["meshes"][0]["morph_targets"] = [
        dict(name="thick", vertices=[0, 1, 2], position_offsets=np.full((3, 3), 0.1))
    ]
    picture = rigscope.render(rigscope.build(**given), size=(8, 8)) if rigscope.HAS_RENDER else None
    model = rigscope.build(**given)
    made = rigscope.convert(model, tmp_path / "arm.glb")
    back = rigscope.open(made.paths[-1])
    [target] = back.meshes[0].morph_targets
    assert target.name == "thick"
    [(weight, vertices, offsets, _)] = target.shapes
    assert weight == 1 and list(vertices) == [0, 1, 2] and np.allclose(offsets, 0.1)
    assert picture is None or picture.shape == (8, 8, 4)
