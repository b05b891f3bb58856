"""Models as arrays: `build` gives every model back, and each part can be changed."""

import copy
import inspect
import itertools
import pickle
import re

import numpy as np
import pytest

import rigscope
from conftest import ROOT, samples_folder
from rigscope import reader, types
from test_build import arm

READABLE = {extension for format in rigscope.formats() if format["can_read"] for extension in format["extensions"]}
#: Images, which aren't models, and effects, which consist of a folder.
OTHERS = {"png", "bmp", "ktx"}


def sample_paths():
    folders = [folder for folder in (ROOT / "assets", samples_folder()) if folder]
    found = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path for path in found if path.suffix[1:] in READABLE - OTHERS]


def opened(path):
    try:
        return rigscope.open(path)
    except rigscope.Error:
        pytest.skip("not a readable model")


def difference(a, b, path=""):
    """The path of the first value that isn't exactly the same."""
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return f"{path}: {a.keys() ^ b.keys()}"
        found = (difference(a[key], b[key], f"{path}[{key!r}]") for key in a if key != "like")
    elif isinstance(a, (list, tuple)) and type(a) is type(b):
        if len(a) != len(b):
            return f"{path}: {len(a)} and {len(b)} items"
        found = (difference(own, other, f"{path}[{number}]") for number, (own, other) in enumerate(zip(a, b)))
    elif isinstance(a, np.ndarray):
        is_same = isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
        return None if is_same else path
    else:
        return None if type(a) is type(b) and a == b else f"{path}: {a!r} and {b!r}"
    return next((place for place in found if place), None)


@pytest.mark.parametrize("path", sample_paths(), ids=lambda path: path.name)
def test_arrays_give_every_model_back(path):
    model = opened(path)
    arrays = model.to_arrays()
    again = rigscope.build(**arrays)
    assert difference(arrays, again.to_arrays()) is None
    assert again.details == model.details and again.preserved == model.preserved
    # Curves are sampled per frame, and deviate between frames, at which only vertices are compared.
    has_curves = any(clip.motion == "curves" for clip in model.clips)
    options = dict(tolerance=1e-4, ignore=["skinned"]) if has_curves else dict(tolerance=1e-5)
    comparison = rigscope.diff(model, again, **options)
    assert comparison.is_equal, comparison.differences


def test_samples_of_all_formats_are_compared(samples):
    models = [model for model in map(opened_or_none, sample_paths()) if model]
    assert {"bsm2", "bsm", "bonespro", "fbx", "gltf", "iqm", "obj", "ozz"} <= {model.format for model in models}
    clips = [clip for model in models for clip in model.clips]
    assert {"tracks", "skin-matrices", "local-matrices"} <= {clip.motion for clip in clips}
    kinds = {mesh.skin for model in models for mesh in model.meshes}
    assert {"none", "inverse-bind", "bone-local"} <= kinds
    interpolations = {track["interpolation"] for clip in clips for track in clip.tracks}
    assert {"linear", "nlerp", "matrix"} <= interpolations


def test_arrays_are_the_keywords_of_build(sample):
    assert list(sample.to_arrays()) == list(inspect.signature(rigscope.build).parameters)
    assert types.ModelArrays.__annotations__.keys() == sample.to_arrays().keys()


#: A model with every key of `build`, except for keys that exclude others.
def full():
    shape = dict(vertices=[0, 2], position_offsets=np.ones((2, 3)), normal_offsets=np.zeros((2, 3)))
    mesh = dict(
        name="m",
        positions=[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        normals=[[0, 0, 1]] * 3,
        tangents=[[1, 0, 0, -1]] * 3,
        colors=[[1, 0.5, 0, 1]] * 3,
        uvs=[np.zeros((3, 2)), np.ones((3, 2))],
        uv_names=["map", "light"],
        triangles=[[0, 1, 2]],
        subsets=[(0, 1, 0)],
        loose=[dict(kind="lines", indices=[[0, 1]], material=0), dict(kind="points", indices=[2])],
        influences=([0, 1, 2, 4], [0, 1, 0, 1], [1, 1, 0.5, 0.5]),
        skin_bones=[1, 0],
        inverse_bind_matrices=np.stack([np.eye(4)] * 2),
        blending=[0, 0.5, 1],
        hidden=True,
        morph_targets=[
            dict(name="in-between", default_weight=0.25, shapes=[dict(shape, full_weight=0.5), dict(shape, full_weight=1)]),
            dict(name="plain", vertices=[1], position_offsets=[[0, 0, 1]]),
        ],
    )
    local = dict(
        positions=np.zeros((1, 3)),
        influences=([0, 1], [1], [1]),
        influence_positions=[[1, 2, 3]],
        influence_normals=[[0, 1, 0]],
    )
    attached = dict(positions=[[0, 0, 0]], attached_to=2)
    baked = dict(positions=np.zeros((1, 3)), joints=[[0]], weights=[[1]], skin_bones=[0], inverse_bind_matrices=[])
    cubic = dict(times=[0, 1], interpolation="cubic")
    three = np.arange(6).reshape(2, 3)
    still = np.tile(np.eye(4), (3, 3, 1, 1))
    clips = [
        dict(
            name="tracks",
            start=-1,
            duration=5,
            loops=True,
            tracks=[
                dict(bone=0, times=[0, 2], scales=[[1, 1, 1], [2, 2, 2]], interpolation="step"),
                dict(bone=1, translations=three, in_tangents=three + 6, out_tangents=three + 12, **cubic),
                dict(bone=1, times=[0, 0.5], rotations=[[0, 0, 0, 1], [0, 0, 1, 0]], interpolation="nlerp"),
                dict(bone=2, times=[0, 2], rotations=[[0, 0, 0, 1], [0, 1, 0, 0]], interpolation="matrix"),
            ],
            morph_tracks=[
                dict(mesh=0, target=1, weights=[0, 1], in_tangents=[0, 0], out_tangents=[1, 1], **cubic),
                dict(mesh=0, target=0, times=[0], weights=[1], interpolation="linear"),
            ],
            material_tracks=[
                dict(material=0, property="base_color", times=[0, 1], values=np.ones((2, 4)), interpolation="step"),
                dict(material=0, property="alpha_cutoff", times=[0, 1], values=[0.5, 1], interpolation="linear"),
            ],
            events=[dict(time=0.5, name="step", value="left", bone=2), dict(time=1, name="end", value="", bone=None)],
            frame_bounds=np.arange(12).reshape(2, 2, 3),
        ),
        dict(name="skin", times=[0, 0.5, 1], skin_matrices=still),
        dict(name="pair", times=[0, 0.5, 1], skin_matrices=still, bind_pair=True),
        dict(name="local", times=[0], local_matrices=still[:1], interval=0.25, start=2),
        dict(name="vertices", vertex_animation=dict(mesh=0, times=[0, 1], positions=np.ones((2, 3, 3)))),
    ]
    texture = dict(role="normal", path="n.png", image=None, uv_set=1, wrap=["clamp", "mirror"], found_by_name=True)
    numbers = ["metallic", "roughness", "normal_scale", "occlusion_strength", "ior", "specular", "clearcoat"]
    numbers += ["clearcoat_roughness", "sheen_roughness", "transmission", "alpha_cutoff"]
    look = {key: 0.125 * at for at, key in enumerate(numbers)}
    colors = {key: [0.25, 0.5, 1] for key in ("emissive", "specular_color", "sheen_color")}
    material = dict(
        name="skin",
        base_color=[1, 0.5, 0.25, 1],
        alpha="mask",
        two_sided=True,
        unlit=True,
        depth_only=True,
        draw=dict(order=3, tests_depth=False, writes_depth=True),
        textures=[dict(texture, transform=[[2, 0, 0.5], [0, 2, 0], [0, 0, 1]]), dict(role="other", path="", image=0)],
        **look,
        **colors,
    )
    return dict(
        meshes=[mesh, local, attached, baked],
        bones=[
            dict(name="root", translation=[0, 0, 0], rotation=[0, 0, 0, 1], scale=[1, 1, 1]),
            dict(name="tip", parent=0, rest=np.eye(4), box_size=[1, 2, 3]),
            dict(name="node", parent=None, translation=[0, 0, 0], rotation=[0, 0, 0, 1], scale=[1, 1, 1], kind="node"),
        ],
        clips=clips,
        materials=[material, dict(name="none")],
        images=[dict(name="a", data=b"PNG", is_embedded=False), dict(name="b", data=np.frombuffer(b"JPG", np.uint8))],
        name="all",
        copyright="someone",
        up="z",
        handedness="left",
        winding="clockwise",
        faces_backward=True,
        unit_meters=0.01,
        has_hierarchy=True,
        default_pose="first-key",
        normal_matrix="cofactor",
        hulls=[np.eye(3)],
        occluder=(np.eye(3), [[0, 1, 2]]),
        stored_bounds=dict(min=[0, 0, 0], max=[1, 1, 1], center=[0.5, 0.5, 0.5], radius=1),
    )


def contains(arrays, given, path=""):
    """Whether `arrays` have all values of `given`; returns the path of the first other one."""
    if isinstance(given, dict):
        found = (contains(arrays.get(key), value, f"{path}[{key!r}]") for key, value in given.items() if value is not None)
    elif isinstance(given, list) and given and isinstance(given[0], dict):
        found = (contains(own, value, f"{path}[{number}]") for number, (own, value) in enumerate(zip(arrays, given)))
    elif isinstance(given, (list, tuple, np.ndarray)) and not isinstance(arrays, (bytes, type(None))):
        own, values = (arrays, given) if isinstance(given, tuple) and len(given) == 3 else ([arrays], [given])
        is_same = all(map(lambda a, b: np.array_equal(np.asarray(a), np.asarray(b)), own, values))
        return None if is_same else path
    else:
        wanted = given.tobytes() if isinstance(given, np.ndarray) else given
        return None if arrays == wanted else f"{path}: {arrays!r} and {given!r}"
    return next((place for place in found if place), None)


def test_every_key_of_build_is_kept():
    given = full()
    arrays = rigscope.build(**given).to_arrays()
    # These are returned in another form.
    for key in ("joints", "weights", "inverse_bind_matrices"):
        given["meshes"][3].pop(key)
    given.pop("occluder")
    assert contains(arrays, given) is None
    assert arrays["meshes"][3]["inverse_bind_matrices"].shape == (0, 4, 4)
    assert [values.tolist() for values in arrays["meshes"][3]["influences"]] == [[0, 1], [0], [1.0]]
    assert arrays["occluder"][1].tolist() == [[0, 1, 2]]
    assert arrays["materials"][1] == dict(name="none")
    assert difference(arrays, rigscope.build(**arrays).to_arrays()) is None
    again = pickle.loads(pickle.dumps(rigscope.build(**arrays)))
    assert difference(arrays, again.to_arrays()) is None


def documented(name):
    return set(getattr(types, name).__annotations__)


def test_the_types_list_every_key():
    given = full()
    meshes = set(itertools.chain(*given["meshes"]))
    assert documented("MeshArrays") == meshes
    assert documented("BoneArrays") == set(itertools.chain(*given["bones"]))
    clips = set(itertools.chain(*given["clips"]))
    assert documented("ClipArrays") == clips | {"step", "matrices", "translations", "rotations", "scales"}
    assert documented("MaterialArrays") == set(given["materials"][0])
    assert documented("TextureArrays") == set(given["materials"][0]["textures"][0])
    docs = (ROOT / "docs" / "your-own-format.md").read_text()
    for names in (documented(name) for name in vars(types) if name.endswith("Arrays")):
        for key in names - {"like"}:
            assert f"`{key}`" in docs, key


def test_arrays_can_be_changed_without_changing_the_model(sample):
    arrays = sample.to_arrays()
    arrays["meshes"][0]["positions"] *= 2
    for track in arrays["clips"][0].get("tracks", []):
        track["times"] *= 2
    bigger = rigscope.build(**arrays)
    assert np.array_equal(bigger.meshes[0].positions, 2 * sample.meshes[0].positions)
    assert difference(sample.to_arrays(), rigscope.open(ROOT / "assets" / "sample.bsm2").to_arrays()) is None


def test_parts_are_renamed(sample):
    arrays = sample.to_arrays()
    for bone in arrays["bones"]:
        bone["name"] = "rig:" + bone["name"]
    model = rigscope.build(**arrays)
    assert model.skeleton.names == ["rig:" + name for name in sample.skeleton.names]
    assert rigscope.diff(sample, model, ignore=["names"], tolerance=1e-6).max["skinned"] == pytest.approx(0, abs=1e-6)


def test_clips_of_matrices_are_retimed(sample):
    arrays = sample.to_arrays()
    clip = arrays["clips"][0]
    clip["times"] *= 2
    model = rigscope.build(**arrays)
    own, other = model.clips[0], sample.clips[0]
    assert own.duration == pytest.approx(2 * other.duration, abs=1e-6) and own.motion == other.motion
    assert np.array_equal(own.matrices, other.matrices) and own.interval == pytest.approx(2 * other.interval)
    assert own.tracks == [] and own.matrices.shape == (own.num_keys, len(model.skeleton), 4, 4)


def keys_of(model):
    return [(clip.name, clip.tracks + clip.morph_tracks) for clip in model.clips]


def curved(folder):
    """A glTF file with the interpolations of glTF."""
    given = arm()
    given["meshes"][0]["morph_targets"] = [dict(name="wide", vertices=[0], position_offsets=[[1, 0, 0]])]
    times, turns = np.float32([0, 0.25, 1.5]), np.float32([[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]])
    cubic = dict(times=times, interpolation="cubic")
    moved = np.float32([[0, 1, 0], [0, 2, 0], [0, 1, 0]])
    tracks = [
        dict(bone=0, rotations=turns, in_tangents=turns / 2, out_tangents=turns / 4, **cubic),
        dict(bone=1, translations=moved, in_tangents=moved, out_tangents=moved * 2, **cubic),
        dict(bone=1, rotations=turns, times=times, interpolation="step"),
    ]
    weights = np.float32([0, 1, 0])
    morph_tracks = [dict(mesh=0, target=0, weights=weights, in_tangents=weights, out_tangents=weights, **cubic)]
    given["clips"] = [dict(name="curved", tracks=tracks, morph_tracks=morph_tracks)]
    rigscope.convert(rigscope.build(**given), folder / "curved.glb", check=False)
    return folder / "curved.glb"


def test_retiming_a_gltf_file_loses_nothing(tmp_path):
    num_cubic = 0
    folder = samples_folder()
    paths = sorted((folder / "gltf").rglob("*.gl*")) if folder else []
    for path in [curved(tmp_path), *paths]:
        model = opened_or_none(path)
        if model is None or not model.clips:
            continue
        arrays = model.to_arrays()
        for clip in arrays["clips"]:
            for track in [*clip["tracks"], *clip.get("morph_tracks", []), *clip.get("material_tracks", [])]:
                track["times"] *= 2
            for key in {"start", "duration"} & clip.keys():
                clip[key] *= 2
        [*_, written] = rigscope.convert(rigscope.build(**arrays), tmp_path / f"{path.name}.glb", check=False).paths
        again = rigscope.open(written)
        assert len(keys_of(model)) == len(keys_of(again)), path.name
        for (name, own), (_, other) in zip(keys_of(model), keys_of(again)):
            assert len(own) == len(other), (path.name, name)
            for before, after in zip(own, other):
                assert before["interpolation"] == after["interpolation"]
                # The writer appends a key to constant tracks.
                num = len(before["times"])
                assert num == len(after["times"]) or num == 1, (path.name, name)
                assert np.array_equal(2 * before["times"], after["times"][:num]), (path.name, name)
                values = ("translations", "rotations", "scales", "weights", "in_tangents", "out_tangents")
                for key in before.keys() & set(values):
                    assert np.array_equal(before[key], after[key][:num]), (path.name, name, key)
                num_cubic += before["interpolation"] == "cubic"
    assert num_cubic == 3


def opened_or_none(path):
    try:
        return rigscope.open(path)
    except rigscope.Error:
        return None


def test_weights_are_changed():
    model = rigscope.build(**arm())
    arrays = model.to_arrays()
    first, joints, weights = arrays["meshes"][0]["influences"]
    weights[:] = joints == 1
    changed = rigscope.build(**arrays)
    assert (changed.meshes[0].joints_and_weights[1].max(axis=1) <= 1).all()
    assert np.array_equal(changed.meshes[0].influences[2], weights) and changed.meshes[0].influences[0][-1] == first[-1]


def test_facts_of_another_model_are_taken_over_if_they_fit(samples):
    for path in sorted((samples / "ozz").rglob("*.ozz"))[:4] + sorted((samples / "gltf").rglob("*.glb"))[:3]:
        model = opened_or_none(path)
        if model is None:
            continue
        arrays = model.to_arrays()
        assert rigscope.build(**{**arrays, "like": None}).preserved == []
        assert rigscope.build(**{**arrays, "meshes": [], "clips": [], "bones": []}).preserved in ([], model.preserved)
    # Any model, with none of its parts.
    for path in sample_paths():
        model = opened_or_none(path)
        if model is not None:
            other = rigscope.build(**{**arm(), "like": model})
            assert other.pose("bend", 0.1)[0].positions.shape == (108, 3)
            assert rigscope.build(like=model).meshes == []


def places(value, path=()):
    """Paths of all values in dictionaries and lists."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key)
            yield from places(item, (*path, key))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for number, item in enumerate(value):
            yield from places(item, (*path, number))


WRONG = [
    float("nan"),
    float("inf"),
    -1,
    -(2**70),
    2**70,
    1e300,
    "text",
    b"bytes",
    object(),
    [],
    {},
    [[]],
    [None],
    {"other": 1},
    {1: 2},
    [[1, 2], [3]],
    np.full((3, 3), np.nan),
    np.array([[0.5, 1.5, 2.5]]),
    np.array([-1, 2**40]),
    np.zeros((2, 5, 7)),
    np.array(["a"]),
    np.array([1j]),
    True,
]


def test_edited_models_do_not_keep_earlier_ones(sample):
    arrays = rigscope.build(**sample.to_arrays()).to_arrays()
    assert arrays["like"] is sample and rigscope.build(**arrays).to_arrays()["like"] is sample
    assert rigscope.build(**arm()).to_arrays()["like"] is None


def moved(arrays):
    for mesh in arrays["meshes"]:
        mesh["positions"][:, 0] += 0.1 * np.ptp(mesh["positions"])


def retimed(arrays):
    for clip in arrays["clips"]:
        tracks = clip.get("tracks", []) + clip.get("morph_tracks", [])
        for keys in [clip, clip.get("vertex_animation", {}), *tracks]:
            for key in {"times", "duration"} & keys.keys():
                keys[key] *= 2


def renamed(arrays):
    for part in itertools.chain(arrays["bones"], arrays["clips"], arrays["meshes"]):
        part["name"] += "_new" if part["name"] else ""


def deviations(model, folder, name):
    """The kinds of differences after writing the model."""
    [*_, written] = rigscope.convert(model, folder / name, check=False).paths
    return {difference.code for difference in rigscope.diff(model, rigscope.open(written), tolerance=1e-2).differences if difference.exceeds}


#: Differences that the writers of formats cause: they compute bounds; The Sims has a fixed rate, and names for meshes.
WRITERS = {
    moved: {"stored-bounds"},
    retimed: {"clip-keys", "keys"},
    renamed: {"mesh-names", "materials-renamed"},
}
BOUNDED, SIMS = {"bsm"}, {"skn", "bmf", "cmx", "bcf"}


@pytest.mark.parametrize("path", sample_paths(), ids=lambda path: path.name)
def test_changes_are_written_in_the_format_of_the_file(path, tmp_path):
    """Bytes that are preserved for a format don't take the place of changed values."""
    model = opened(path)
    if not next(format["can_write"] for format in rigscope.formats() if format["id"] == model.format):
        pytest.skip("read-only")
    try:
        (tmp_path / "same").mkdir()
        expected = deviations(model, tmp_path / "same", path.name)
    except rigscope.Error as error:
        pytest.skip(str(error))
    for edit in (moved, retimed, renamed):
        arrays = model.to_arrays()
        edit(arrays)
        (tmp_path / edit.__name__).mkdir()
        own = WRITERS[edit] if path.suffix[1:] in (BOUNDED if edit is moved else SIMS) else set()
        found = deviations(rigscope.build(**arrays), tmp_path / edit.__name__, path.name)
        assert found - own <= expected, edit.__name__


@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: repr(value).replace("\n", "")[:30])
def test_wrong_values_of_any_key_raise_errors_that_name_it(wrong):
    given = full()
    for path in places(given):
        changed = copy.deepcopy(given)
        target = changed
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = wrong
        try:
            rigscope.build(**changed)
        except (TypeError, ValueError) as error:
            names = [key for key in path if isinstance(key, str)]
            message = str(error)
            is_named = re.match(r"(meshes|bones|clips|materials)\[\d\]", message) or "is its own ancestor" in message
            assert is_named or "past the last bone" in message or any(name in message for name in names), (path, message)
        except KeyError as error:
            # A dictionary without a key that is needed.
            assert "is missing" in str(error), path


def test_contradictions_are_named():
    given = full()
    clip = given["clips"][0]
    for change, message in [
        (dict(skin_matrices=np.zeros((0, 3, 4, 4))), r'clips\[0\]\["tracks"\]: can\'t be combined with skin_matrices'),
        (dict(tracks=[dict(bone=1, times=[0], translations=[[0, 0, 0]], scales=[[1, 1, 1]], interpolation="cubic")]), "in_tangents"),
        (dict(tracks=[dict(bone=0, times=[0], scales=[[1, 1, 1]])] * 2), r'\["tracks"\]\[1\]\["scales"\]: moves bone 0 twice'),
        (dict(tracks=[], skin_matrices=None, times=[0, 1, 3], local_matrices=np.tile(np.eye(4), (3, 3, 1, 1))), "tracks"),
        (dict(interval=1), "interval.*needs skin_matrices or local_matrices"),
    ]:
        with pytest.raises((ValueError, KeyError), match=message):
            rigscope.build(**{**given, "clips": [{**clip, **change}]})
    uneven = dict(times=[0, 1, 3], local_matrices=np.tile(np.eye(4), (3, 3, 1, 1)))
    with pytest.raises(ValueError, match="evenly spaced from 0"):
        rigscope.build(**{**given, "clips": [uneven]})
    projective = np.ones((1, 3, 4, 4))
    with pytest.raises(ValueError, match="last row"):
        rigscope.build(**{**given, "clips": [dict(times=[0], skin_matrices=projective)]})
    mesh = dict(positions=np.zeros((1, 3)), joints=[[0]], weights=[[1]], influences=([0, 1], [0], [1]))
    with pytest.raises(ValueError, match="can't be combined with joints"):
        rigscope.build([mesh], bones=[{}])
    with pytest.raises(TypeError, match="like must be a model, not dict"):
        rigscope.build(like={})
    with pytest.raises(TypeError, match=r"meshes\[0\] must be a dictionary, not int"):
        rigscope.build(itertools.count())


def test_readers_take_the_arrays_of_models(sample, tmp_path):
    for model in (sample, rigscope.build(**full())):
        data = reader.write(model.to_arrays())
        again = rigscope.open(("model.json", data))
        assert difference({**model.to_arrays(), "name": again.name}, again.to_arrays()) is None
        assert difference(model.to_arrays(), reader.build(model.to_arrays()).to_arrays()) is None
