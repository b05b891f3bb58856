"""Results and parts of models: pickles, dictionaries, lookups by name; and that no call panics."""

import copy
import inspect
import io
import json
import pickle
import struct

import numpy as np
import pytest

import rigscope
from rigscope.phrasing import in_python
from test_build import arm


def no_skin():
    return rigscope.build([dict(name="flat", positions=np.eye(3), triangles=[[0, 1, 2]])])


def points():
    return rigscope.build([dict(positions=np.eye(3))])


def morphs():
    target = dict(name="wide", position_offsets=np.ones((3, 3)))
    mesh = dict(positions=np.eye(3), triangles=[[0, 1, 2]], morph_targets=[target])
    tracks = [dict(mesh=0, target=0, times=[0.0, 1.0], weights=[0.0, 1.0])]
    return rigscope.build([mesh], clips=[dict(name="widen", morph_tracks=tracks)])


def attached():
    mesh = dict(positions=np.eye(3), triangles=[[0, 1, 2]], attached_to=0)
    return rigscope.build([mesh], bones=[dict(name="hand")])


KINDS = {
    "sample": lambda: rigscope.open("assets/sample.bsm2"),
    "built": lambda: rigscope.build(**arm()),
    "no skin": no_skin,
    "points": points,
    "morphs": morphs,
    "attached": attached,
    "skeleton": lambda: rigscope.build(bones=[dict(name="root")]),
    "clip": lambda: rigscope.build(bones=[{}], clips=[dict(times=[0, 1], rotations=[[[0, 0, 0, 1]]] * 2)]),
    "nothing": lambda: rigscope.build(),
}


@pytest.fixture(params=KINDS)
def model(request, monkeypatch):
    monkeypatch.chdir(rigscope.__file__.rsplit("/python/", 1)[0])
    return KINDS[request.param]()


#: Methods with arguments.
CALLS = {
    "find_clip": lambda own: [own.find_clip(0)] if own.clips else [],
    "sample": lambda own: [own.sample(*([0.0] if isinstance(own, rigscope.Clip) else []))],
    "view": lambda own: [],
    "model_from_mesh": lambda own: [],
}


def visit(value, depth=0):
    """Reads every property and calls every method of a value and of everything in it."""
    if depth > 6 or isinstance(value, (str, bytes, int, float, bool, np.ndarray, type(None))):
        return
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            visit(item, depth + 1)
        return
    if not type(value).__module__.startswith("rigscope"):
        return
    repr(value)
    if hasattr(value, "__len__"):
        visit(list(value), depth + 1)
    for name in dir(type(value)):
        if name.startswith("_"):
            continue
        if name in CALLS:
            visit(CALLS[name](value), depth + 1)
            continue
        member = getattr(value, name)
        visit(member() if inspect.isroutine(member) else member, depth + 1)


def test_every_property_and_method_of_every_kind_of_model_works(model):
    visit(model)
    for mesh in model.meshes:
        assert mesh.joints.shape == mesh.weights.shape and len(mesh.joints) == mesh.num_vertices
        model.sample().model_from_mesh(0)


def test_samples_of_every_format_can_be_visited(samples):
    """Also bone-local skins, caches, curves, and effects."""
    seen = set()
    for path in sorted(samples.rglob("*")):
        if not path.is_file() or "bad" in path.parts or "malformed" in path.parts or path.stat().st_size > 4 << 20:
            continue
        try:
            model = rigscope.open(path)
        except rigscope.Error:
            continue
        kinds = {(model.format, mesh.skin) for mesh in model.meshes} | {(model.format, c.motion) for c in model.clips}
        if not kinds <= seen:
            seen |= kinds
            visit(model)
    assert ("bmf", "bone-local") in seen and ("fbx", "curves") in seen, seen


def test_panics_are_exceptions():
    with pytest.raises(rigscope.errors.InternalError, match="internal error: ouch; this is a bug in rigscope") as caught:
        rigscope._rigscope._panic("ouch")
    assert isinstance(caught.value, Exception) and caught.value.code == "internal"


def again(value):
    return pickle.loads(pickle.dumps(value))


def test_everything_can_be_pickled(model):
    parts = [*model.meshes, *model.clips, *model.materials, *model.images, *model.skeleton, model.skeleton]
    parts += [target for mesh in model.meshes for target in mesh.morph_targets]
    parts += [event for clip in model.clips for event in clip.events]
    parts += [texture for material in model.materials for texture in material.textures]
    for part in [*parts, model.sample(), model.clips, *model.pose(), *model.notes, model.validate()]:
        assert repr(again(part)) == repr(part) and type(again(part)) is type(part)
    for mesh in model.meshes:
        assert np.array_equal(again(mesh).positions, mesh.positions)
    for clip in model.clips:
        pose = model.sample(clip.index, clip.start + clip.duration / 2, sampling="linear")
        for own, other in zip(pose.morph_weights, again(pose).morph_weights):
            assert np.array_equal(own, other)
    assert again(model.validate()) == model.validate()


def test_results_can_be_pickled_and_become_dictionaries(sample, sample_path, tmp_path):
    other = rigscope.build(**arm())
    conversion = rigscope.convert(sample, tmp_path / "a.glb", save=False)
    comparison = rigscope.diff(sample, other)
    broken = bytearray(sample_path.read_bytes())
    broken[52] = 3
    fixed = rigscope.fix(("a.bsm2", broken), tmp_path / "b.bsm2", save=False)
    for result in [conversion, comparison, fixed, *comparison.differences, *sample.validate()]:
        text = json.dumps(result.to_dict(), allow_nan=False)
        assert json.dumps(again(result).to_dict(), allow_nan=False) == text and repr(again(result)) == repr(result)
        assert repr(copy.deepcopy(result)) == repr(result)
    assert again(conversion) == conversion and again(fixed) == fixed
    assert not list(tmp_path.iterdir())
    # A conversion of another process is saved with the same care.
    assert again(conversion).save() == [tmp_path / "a.glb"]
    with pytest.raises(rigscope.errors.WriteError, match="overwrite=True replaces it"):
        again(rigscope.convert(other, tmp_path / "a.glb", save=False)).save()
    again(fixed).save()
    assert not rigscope.validate(tmp_path / "b.bsm2", rules=["weights-not-normalized"])
    found = rigscope.convert(tmp_path / "b.bsm2", tmp_path / "b.bsm2", overwrite=True, save=False)
    with pytest.raises(rigscope.errors.WriteError, match="inputs are never overwritten"):
        again(found).save()


def test_parts_are_found_by_name_and_number(sample):
    walk = sample.clips["walk"]
    assert walk.index == 0 and "walk" in sample.clips and "run" not in sample.clips
    assert sample.skeleton["pelvis"].index == 1 == sample.skeleton[1].index
    assert [bone.name for bone in sample.skeleton] == sample.skeleton.names and "pelvis" in sample.skeleton
    assert sample.clips[-1].name == sample.clips[1].name and sample.clips[:1].names() == ["walk"]
    assert sample.materials["skin"].name == "skin" and sample.skeleton[:2].names() == ["root", "pelvis"]
    assert isinstance(sample.clips, list) and sample.meshes[np.int64(0)].num_vertices == 4224
    with pytest.raises(KeyError, match="there is no 'wlak'; did you mean 'walk'?"):
        sample.clips["wlak"]
    with pytest.raises(KeyError, match="the names are 'walk', 'wave'"):
        sample.clips["zzz"]
    with pytest.raises(IndexError):
        sample.skeleton[99]


def test_poses_at_several_times_are_those_at_each(sample):
    times = np.linspace(0, 1, 70)
    [moving] = sample.pose("walk", times)
    assert moving.positions.shape == (70, 4224, 3) and moving.tangents.shape == (70, 4224, 4)
    for number in (0, 33, 69):
        [still] = sample.pose("walk", times[number])
        for name in ("positions", "normals", "tangents"):
            assert np.array_equal(getattr(moving, name)[number], getattr(still, name))
    keys = sample.pose("walk", key=range(3))[0].positions
    assert np.array_equal(keys[2], sample.pose("walk", key=2)[0].positions)
    assert sample.pose("walk", [])[0].positions.shape == (0, 0, 3)
    assert sample.pose("walk", np.float32(0.5))[0].positions.shape == (4224, 3)
    assert [mesh.positions.shape for mesh in no_skin().pose(time=[0.0, 1.0])] == [(2, 3, 3)]
    with pytest.warns(UserWarning, match="99"):
        sample.pose("walk", [0.5, 99])
    for wrong in ([0.1, "a"], [[0.1]], "now", [None]):
        with pytest.raises(TypeError, match="time must be a number"):
            sample.pose("walk", wrong)
    with pytest.raises(ValueError, match="finite"):
        sample.pose("walk", [0.1, np.nan])


def test_bounds_are_those_of_the_posed_vertices(sample):
    positions = sample.pose()[0].positions
    assert np.allclose(sample.bounds, [positions.min(axis=0), positions.max(axis=0)])
    assert rigscope.build().bounds is None


def test_files_may_be_open_or_in_memory(sample, sample_path, tmp_path):
    content = sample_path.read_bytes()
    for source in (bytearray(content), memoryview(content), io.BytesIO(content), ("a.bsm2", memoryview(content))):
        assert rigscope.diff(sample, source).is_equal
    with sample_path.open("rb") as file:
        assert rigscope.open(file).name == "sample.bsm2"
    target = io.BytesIO()
    made = rigscope.convert(io.BytesIO(content), target, to_format="glb")
    assert target.getvalue() == made.data and rigscope.open(made.data).format == "gltf"
    with (tmp_path / "a.iqm").open("wb") as file:
        rigscope.convert(sample, file)
    assert rigscope.open(tmp_path / "a.iqm").format == "iqm"
    with pytest.raises(ValueError, match='needs a name: to_format="glb"'):
        rigscope.convert(sample, io.BytesIO())
    with pytest.raises(ValueError, match="consists of .* files"):
        rigscope.convert(sample, io.BytesIO(), to_format="ozz")
    with pytest.raises(TypeError, match="mode 'wb'"):
        rigscope.convert(sample, io.StringIO(), to_format="glb")
    with pytest.raises(TypeError, match="mode 'rb'"):
        rigscope.open(io.StringIO("text"))
    fixed = io.BytesIO()
    broken = bytearray(content)
    broken[52] = 3
    assert rigscope.fix(broken, fixed, to_format="bsm2", rules="weights-not-normalized").is_patched
    assert len(fixed.getvalue()) == len(content)


def test_errors_of_the_system_have_its_numbers(tmp_path):
    import errno

    with pytest.raises(FileNotFoundError) as caught:
        rigscope.open(tmp_path / "none.glb")
    error = caught.value
    assert error.errno == errno.ENOENT and error.filename == str(tmp_path / "none.glb")
    assert str(error) == f"{tmp_path / 'none.glb'}: no such file" and error.strerror == "No such file or directory"
    other = again(error)
    assert (other.errno, other.filename, str(other)) == (error.errno, error.filename, str(error))


def test_messages_name_functions_and_keywords(tmp_path, sample):
    (tmp_path / "walk.bvh").write_text("HIERARCHY\nROOT hips\n{\n}\n")
    with pytest.raises(rigscope.errors.NotUnderstoodError, match=r"rigscope.reader.open\(.*FORMATS\['bvh'\].read\)"):
        rigscope.open(tmp_path / "walk.bvh")
    with pytest.raises(ValueError, match=r"rigscope\.rules\(\)"):
        sample.validate(allow="no-such-finding")
    for rule in rigscope.rules():
        for text in (rule["effect"], rule["fix"]):
            # The commands of projects aren't functions.
            text = text.replace("`rigscope check --update`", "")
            assert "--" not in text and "`rigscope " not in text, text
    for text, expected in [
        ("`rigscope convert IN -o OUT.glb --rate 30` does so", '`rigscope.convert(source, "OUT.glb", rate=30)` does so'),
        ("`rigscope rules` lists all", "`rigscope.rules()` lists all"),
        ("`rigscope diff --help` lists all", "`help(rigscope.diff)` lists all"),
        ("name it with --with", "name it with companions"),
        ("read the file with --fps 24", "read the file with fps=24"),
        ("a/--with.glb: nothing", "a/--with.glb: nothing"),
        ("a--b", "a--b"),
    ]:
        assert in_python(text) == expected


def test_tables_list_what_functions_name(sample):
    rules = {rule["code"] for rule in rigscope.rules()}
    assert {note.code for note in sample.validate()} <= rules and len(rules) > 100
    causes = {cause["name"]: cause for cause in rigscope.causes()}
    assert all(set(cause["explains"]) <= rules for cause in causes.values())
    assert sample.pose(runtime="banuba") and "banuba" in {runtime["id"] for runtime in rigscope.runtimes()}


def test_causes_are_found(tmp_path):
    given = arm()
    binds = np.array(given["meshes"][0]["inverse_bind_matrices"], np.float32)
    given["bones"][1]["rest"] = upper = given["bones"][1]["rest"].copy()
    upper[:3, 3] = [0.3, 1.0, 0.2]
    binds[1] = np.linalg.inv(upper)
    given["clips"] = []
    given["meshes"][0]["inverse_bind_matrices"] = [matrix.T for matrix in binds]
    broken = rigscope.build(**given)
    found = rigscope.diagnose(broken)
    assert isinstance(found, list)
    for cause in found:
        assert cause.name in {own["name"] for own in rigscope.causes()} and 0 <= cause.certainty <= 1
        json.dumps(cause.to_dict())
    assert rigscope.diagnose(rigscope.build(**arm())) == []


def lying(glb: bytes) -> bytes:
    """A .glb whose roots are children of a node that is rotated by 90° about X."""
    [length] = struct.unpack_from("<I", glb, 12)
    document, rest = json.loads(glb[20 : 20 + length]), glb[20 + length :]
    scene = document["scenes"][document.get("scene", 0)]
    document["nodes"].append({"children": scene["nodes"], "rotation": [0.5**0.5, 0, 0, 0.5**0.5]})
    scene["nodes"] = [len(document["nodes"]) - 1]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return glb[:8] + struct.pack("<I", 20 + len(text) + len(rest)) + struct.pack("<I4s", len(text), b"JSON") + text + rest


def test_guesses_are_offered_and_not_applied(samples, tmp_path):
    """A fox that lies on its back may be exported with the wrong up axis, or be dead."""
    good, fox = samples / "gltf" / "Fox.glb", tmp_path / "lying.glb"
    fox.write_bytes(lying(good.read_bytes()))
    out = tmp_path / "fox.glb"
    guessed = rigscope.fix(fox, out)
    assert guessed.applied == [] and guessed.paths == [] and not out.exists()
    [axis] = [fix for fix in guessed.offered if fix["name"] == "up-axis"]
    assert axis["is_cause"] and axis["is_guess"]
    fixed = rigscope.fix(fox, out, causes=["up-axis"])
    heights = [np.ptp(rigscope.open(path).bounds, axis=0)[1] for path in (good, fixed.paths[0])]
    assert heights[0] == pytest.approx(heights[1], rel=1e-4)


def test_pieces_are_taken_over_from_the_good_version(tmp_path):
    given = dict(arm())
    given["meshes"] = [dict(mesh) for mesh in given["meshes"]]
    reference = rigscope.build(**given)
    moved = np.array(given["meshes"][0]["positions"], dtype=np.float32)
    moved[0] += 0.5
    given["meshes"][0]["positions"] = moved
    bad = tmp_path / "bad.glb"
    rigscope.convert(rigscope.build(**given), bad)
    found = rigscope.unexplained(bad, reference)
    assert "vertex 0 of mesh 0" in found["message"] and [piece["name"] for piece in found["pieces"]] == ["positions"]
    assert found["pieces"][0]["count"] == 1 and rigscope.unexplained(reference, reference) is None
    fixed = rigscope.fix(bad, tmp_path / "fixed.glb", from_good=["positions"], good=reference)
    assert [(own["name"], own["kind"]) for own in fixed.applied] == [("positions", "piece")]
    restored = rigscope.open(fixed.paths[0]).meshes[0].positions
    assert np.allclose(restored, reference.meshes[0].positions, atol=1e-5)
    with pytest.raises(ValueError, match="piece"):
        rigscope.fix(bad, tmp_path / "other.glb", from_good=["wings"], good=reference)


def test_deviations_between_keys_are_losses(sample, tmp_path):
    blended = rigscope.convert(sample, tmp_path / "a.glb", save=False)
    assert blended.errors["of_extent"] > 0.01 and any("between" in loss for loss in blended.losses), blended.losses
    stepped = rigscope.convert(sample, tmp_path / "a.glb", step_keys=True, save=False)
    assert stepped.errors["of_extent"] < 1e-4 and not any("between" in loss for loss in stepped.losses)


def test_bones_are_counted_as_in_the_catalog(samples, sample):
    assert (sample.num_bones, sample.num_nodes) == (22, 0) and "22 bones" in repr(sample)
    for path in sorted((samples / "gltf").glob("*.gl*")):
        model = rigscope.open(path)
        totals = rigscope.catalog_row(path)["totals"]
        assert (model.num_bones, model.num_nodes) == (totals["bones"], totals["nodes"]), path
        assert f"{model.num_bones} bone" in repr(model) or model.num_bones == 0
    robot = rigscope.open(samples / "gltf" / "raylib_robot.glb")
    assert robot.num_nodes > 0 and f"{robot.num_bones} bones, {robot.num_nodes} other nodes" in robot._repr_html_()


def test_influences_are_counted_per_bone_and_vertex(sample):
    [mesh] = sample.meshes
    assert np.array_equal(mesh.num_influences, (mesh.weights > 0).sum(axis=1))
    rows = sample.influence_table()
    assert [row["name"] for row in rows] == sample.skeleton.names
    bones = mesh.skin_bones[mesh.joints]
    for row in rows:
        of_bone = np.where(bones == row["bone"], mesh.weights, 0)
        assert row["num_vertices"] == (of_bone > 0).any(axis=1).sum()
        assert row["total_weight"] == pytest.approx(of_bone.sum(), rel=1e-5)
        assert row["largest_weight"] == pytest.approx(of_bone.max())
    unused = [row["name"] for row in rows if row["num_vertices"] == 0]
    assert [bone.name for bone in sample.unweighted_bones] == unused
    assert attached().influence_table()[0]["num_vertices"] == 3
    assert no_skin().meshes[0].num_influences.tolist() == [0, 0, 0]


def test_names_of_files_in_memory_lead_nowhere(sample_path, tmp_path):
    broken = bytearray(sample_path.read_bytes())
    broken[52] = 3
    for name in ("..", "../../outside.bsm2", "/", "", "a/.."):
        fixed = rigscope.fix((name, broken), tmp_path / "a.bsm2", rules=["weights-not-normalized"], overwrite=True)
        assert fixed.applied and [path.name for path in tmp_path.iterdir()] == ["a.bsm2"], name
