"""Pairs of bones, and clips of other skeletons."""

import io
import json
import pickle

import numpy as np
import pytest

import rigscope

SPINE = ["hips", "spine", "chest", "neck", "head"]
#: Parent and position relative to it, in a T-pose.
LIMBS = {
    "arm": [("chest", (0.15, 0.1, 0)), (None, (0.28, 0, 0)), (None, (0.25, 0, 0))],
    "leg": [("hips", (0.1, -0.05, 0)), (None, (0, -0.42, 0.01)), (None, (0, -0.43, -0.02)), (None, (0, -0.06, 0.12))],
}
#: Names of the bones of the spine, an arm and a leg, and the end or start that names the side.
MIXAMO = (
    ["mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Neck", "mixamorig:Head"],
    {"arm": ["Arm", "ForeArm", "Hand"], "leg": ["UpLeg", "Leg", "Foot", "ToeBase"]},
    lambda name, side: f"mixamorig:{side.capitalize()}{name}",
)
UNREAL = (
    ["pelvis", "spine_01", "spine_02", "neck_01", "head"],
    {"arm": ["upperarm", "lowerarm", "hand"], "leg": ["thigh", "calf", "foot", "ball"]},
    lambda name, side: f"{name}_{side[0]}",
)


def human(names, *, size=1.0, turn=0.0, clips=()):
    """A human with the names of a program; `turn` turns the axes of bones."""
    spine, limbs, of_side = names
    rotation = np.array([0, np.sin(turn / 2), 0, np.cos(turn / 2)])
    bones, at = [], {}

    def add(key, name, parent, offset):
        # The axes of the root are turned, so that offsets below it are in turned axes.
        is_root = parent is None
        x, y, z = offset
        if not is_root:
            x, z = x * np.cos(turn) - z * np.sin(turn), x * np.sin(turn) + z * np.cos(turn)
        at[key] = len(bones)
        bones.append(
            {
                "name": name,
                "parent": -1 if is_root else at[parent],
                "translation": size * np.array([x, y, z]),
                "rotation": rotation if is_root else (0, 0, 0, 1),
            }
        )

    for number, (key, name) in enumerate(zip(SPINE, spine)):
        add(key, name, SPINE[number - 1] if number else None, (0, 0.15, 0) if number else (0, 1, 0))
    for side, sign in (("left", 1), ("right", -1)):
        for limb, places in LIMBS.items():
            parent = None
            for name, (other, (x, y, z)) in zip(limbs[limb], places):
                add((side, name), of_side(name, side), other or parent, (sign * x, y, z))
                parent = (side, name)
    mesh = {"positions": np.zeros((3, 3)), "triangles": [[0, 1, 2]], "joints": [[0]] * 3, "weights": [[1.0]] * 3}
    return rigscope.build([mesh], bones=bones, clips=list(clips), name="human.glb")


def walk(hips=0):
    """A clip in which the hips move and an arm and a leg turn."""
    times = np.linspace(0, 1, 5)
    angles = np.sin(3 * times) / 3
    turned = np.stack([np.sin(angles), 0 * angles, 0 * angles, np.cos(angles)], axis=1)
    moved = np.stack([0 * times, 1 + 0 * times, times], axis=1)
    return {
        "name": "walk",
        "tracks": [
            {"bone": hips, "times": times, "translations": moved},
            *({"bone": bone, "times": times, "rotations": turned} for bone in (1, 6, 8, 9, 15)),
        ],
    }


@pytest.fixture
def source():
    return human(MIXAMO, clips=[walk()])


def test_bones_are_paired_and_explained(source):
    matched = rigscope.bones(source, human(UNREAL))
    pairs = {pair.from_name: pair for pair in matched.pairs}
    assert len(pairs) == len(source.skeleton) and not matched.unpaired_from and not matched.unpaired_to
    arm = pairs["mixamorig:LeftForeArm"]
    assert (arm.to_name, arm.reason, arm.body) == ("lowerarm_l", "body", "left lower arm")
    assert 0.5 < arm.certainty <= 1 and source.skeleton[arm.from_bone].name == arm.from_name
    assert json.loads(json.dumps(matched.to_dict()))["pairs"][0]["reason"] == "body"
    assert pickle.loads(pickle.dumps(matched)) == matched


def test_maps_override_pairs(source, tmp_path):
    model = human(UNREAL)
    entries = {"mixamorig:Head": None, "mixamorig:LeftHand": "hand_r"}
    path = tmp_path / "map.toml"
    path.write_text('[bones]\n"mixamorig:Head" = false\n"mixamorig:LeftHand" = "hand_r"\n')
    for bone_map in (entries, path, str(path)):
        matched = rigscope.bones(source, model, bone_map=bone_map)
        pairs = {pair.from_name: pair for pair in matched.pairs}
        assert pairs["mixamorig:LeftHand"].to_name == "hand_r" and pairs["mixamorig:LeftHand"].reason == "map"
        assert "mixamorig:Head" in matched.unpaired_from and "head" in matched.unpaired_to
    with pytest.raises(rigscope.errors.OptionError, match="there is no bone \"hand_q\""):
        rigscope.bones(source, model, bone_map={"mixamorig:LeftHand": "hand_q"})
    with pytest.raises(FileNotFoundError):
        rigscope.bones(source, model, bone_map=tmp_path / "none.toml")
    path.write_text("[bones\n")
    with pytest.raises(rigscope.errors.UnreadableError, match="map.toml: line 1"):
        rigscope.bones(source, model, bone_map=path)
    for wrong in (3, {"mixamorig:Head": 3}, {3: "head"}):
        with pytest.raises(TypeError, match="bone_map"):
            rigscope.bones(source, model, bone_map=wrong)


def test_the_map_next_to_the_model_is_used(source, tmp_path):
    rigscope.convert(human(UNREAL), tmp_path / "hero.glb")
    (tmp_path / "hero.bones.toml").write_text('"mixamorig:Head" = false\n')
    matched = rigscope.bones(source, tmp_path / "hero.glb")
    assert matched.unpaired_from == ["mixamorig:Head"]
    # Not for a file in memory with that name.
    content = (tmp_path / "hero.glb").read_bytes()
    assert not rigscope.bones(source, (str(tmp_path / "hero.glb"), content)).unpaired_from
    (tmp_path / "hero.bones.toml").write_text('"mixamorig:Head" = "hed"\n"mixamorig:Neck" = false\n')
    matched = rigscope.bones(source, tmp_path / "hero.glb")
    assert [note.code for note in matched.notes] == ["bone-map-entry"] and matched.unpaired_from == ["mixamorig:Neck"]


def test_clips_play_on_other_skeletons(source):
    model = human(UNREAL, size=2.0, turn=1.0, clips=[walk()])
    done = rigscope.retarget(source, model)
    assert done.model.clips.names() == ["walk"] and done.model.skeleton.names == model.skeleton.names
    (file,) = done.files
    assert file.pairs == len(model.skeleton) and file.scale == pytest.approx(2, rel=1e-3) and file.turned is None
    (clip,) = file.clips
    assert clip.name == "walk" and clip.median_angle_deg < 0.01 and clip.worst.angle_deg < 0.1
    assert [foot.side for foot in clip.feet] == [hand.side for hand in clip.hands] == ["left", "right"]
    assert not clip.bent_joints and (clip.source_keys, clip.keys) == (30, 5 * file.pairs)
    numbers = {pair.from_bone: pair.to_bone for pair in rigscope.bones(source, model).pairs}
    for time in (0.0, 0.4, 1.0):
        own = done.model.sample("walk", time, sampling="linear").model_from_bone
        other = source.sample("walk", time, sampling="linear").model_from_bone
        for start, end in numbers.items():
            assert own[end][:3, 3] == pytest.approx(2 * other[start][:3, 3], abs=1e-4)
    json.dumps(done.to_dict(), allow_nan=False)
    assert "model" not in done.to_dict()


def test_hips_and_own_clips_follow_the_keywords(source):
    model = human(UNREAL, size=2.0, clips=[{**walk(), "name": "own"}])
    ways = {}
    for root in ("scale", "keep", "none"):
        moving = rigscope.retarget(source, model, root=root).model
        ends = [moving.sample("walk", time).model_from_bone[0][2, 3] for time in (0, 1)]
        ways[root] = ends[1] - ends[0]
    assert ways["scale"] == pytest.approx(2, rel=1e-3) and ways["keep"] == pytest.approx(1, rel=1e-3)
    assert ways["none"] == pytest.approx(0, abs=1e-6)
    both = rigscope.retarget([source, source], model, add=True, feet=True)
    assert both.model.clips.names()[0] == "own" and len(both.model.clips) == 3 and len(both.files) == 2
    assert [clip.clip for file in both.files for clip in file.clips] == [1, 2]


def test_files_with_clips_are_inputs_and_may_be_in_memory(source, tmp_path):
    content = io.BytesIO()
    rigscope.convert(source, content, to_format="glb")
    rigscope.convert(source, tmp_path / "walk.glb")
    model = human(UNREAL)
    named = ("walk.glb", content.getvalue())
    for clips in (content.getvalue(), named, [named], [tmp_path / "walk.glb"], (tmp_path / "walk.glb", source)):
        done = rigscope.retarget(clips, model)
        assert set(done.model.clips.names()) == {"walk"}, clips
    done = rigscope.retarget(tmp_path / "walk.glb", model)
    with pytest.raises(rigscope.errors.WriteError, match="inputs are never overwritten"):
        rigscope.convert(done.model, tmp_path / "walk.glb", overwrite=True)
    again = pickle.loads(pickle.dumps(done))
    assert again == done and repr(again) == repr(done) and again.model.clips.names() == ["walk"]


def test_what_cannot_be_retargeted_is_named(source):
    with pytest.raises(rigscope.errors.OptionError, match="human.glb: the file has no clips"):
        rigscope.retarget(human(UNREAL), source)
    stone = rigscope.build([{"positions": np.zeros((3, 3)), "triangles": [[0, 1, 2]]}], name="stone.glb")
    with pytest.raises(rigscope.errors.OptionError, match="no bone of the clips has a counterpart"):
        rigscope.retarget(source, stone)
    with pytest.raises(ValueError, match="root is \"walk\", not one of scale, keep, none"):
        rigscope.retarget(source, source, root="walk")
    with pytest.raises(TypeError, match="feet must be True or False"):
        rigscope.retarget(source, source, feet=1)
