"""Reading and writing files, and errors."""

import pickle
import re
from pathlib import Path

import pytest

import rigscope
from rigscope import errors


BONE_DIFFERENCES = ["skin", "bones-added", "bones-removed", "bones-reparented", "hierarchy"]


def test_a_file_and_its_bytes_are_the_same_model(sample, sample_path):
    content = sample_path.read_bytes()
    assert sample.num_bytes == len(content)
    for source in (content, ("sample.bsm2", content), str(sample_path)):
        model = rigscope.open(source)
        assert model.format == "bsm2"
        assert rigscope.diff(sample, model).is_equal


def test_companions_may_be_files_or_bytes(sample, tmp_path):
    made = rigscope.convert(sample, tmp_path / "s.ozz", check=False)
    by_name = {path.name: path for path in made.paths}
    assert len(by_name) >= 2, by_name
    main = made.paths[-1]
    beside = rigscope.open(main)
    others = [(name, path.read_bytes()) for name, path in by_name.items() if path != main]
    in_memory = rigscope.open((main.name, main.read_bytes()), companions=others)
    assert len(in_memory.skeleton) == len(beside.skeleton) > 0
    alone = rigscope.open((main.name, main.read_bytes()))
    assert len(alone.skeleton) == 0 or len(alone.clips) < len(beside.clips)
    with pytest.raises(TypeError, match="pair"):
        rigscope.open(main, companions=[b"without a name"])


def test_errors_have_details_and_can_be_pickled(sample_path, tmp_path):
    with pytest.raises(FileNotFoundError) as missing:
        rigscope.open(tmp_path / "none.bsm2")
    assert isinstance(missing.value, rigscope.Error) and missing.value.code == "not-found"
    content = sample_path.read_bytes()
    cut = tmp_path / "cut.bsm2"
    cut.write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError) as damaged:
        rigscope.open(cut)
    error = damaged.value
    assert isinstance(error, errors.NotUnderstoodError)
    assert error.path == str(cut) and 0 < error.offset <= len(content) // 2
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and again.offset == error.offset
    with pytest.raises(errors.NotUnderstoodError, match="bytes in memory"):
        rigscope.open(b"no model at all")
    with pytest.raises(errors.OptionError):
        rigscope.convert(sample_path, tmp_path / "a.xyz")
    made = rigscope.convert(sample_path, tmp_path / "a.iqm", check=False)
    assert made.errors is None and made.summary is None
    with pytest.raises(errors.WriteError):
        rigscope.convert(sample_path, tmp_path / "a.glb", check=False).save()
        (tmp_path / "a.glb").write_bytes(b"another")
        rigscope.convert(sample_path, tmp_path / "a.glb", check=False)


def test_every_code_of_the_library_has_an_exception():
    source = Path(__file__).parents[2] / "crates" / "io" / "src" / "error.rs"
    if not source.exists():
        pytest.skip("the sources of the library are not available")
    codes = re.findall(r'=> "([a-z-]+)",', source.read_text())
    assert sorted(codes) == sorted(errors.BY_CODE)


def test_a_conversion_stays_in_memory_until_it_is_saved(sample, tmp_path):
    made = rigscope.convert(sample, tmp_path / "a.glb", save=False)
    assert list(tmp_path.iterdir()) == []
    [(path, content)] = made.files
    assert path == tmp_path / "a.glb" and content[:4] == b"glTF"
    # The runtime of .bsm2 holds each key.
    assert len(made.losses) == 1 and "blended" in made.losses[0] and made.errors["of_extent_at_keys"] < 1e-5
    stepped = rigscope.convert(sample, tmp_path / "a.glb", step_keys=True, save=False)
    assert stepped.losses == [] and stepped.errors["of_extent"] < 1e-5
    assert made.save() == [path] and path.read_bytes() == content
    compared = rigscope.diff(sample, path, tolerance=1e-4)
    assert compared.max["position"] < 1e-5
    assert all(difference.code for difference in compared.differences)
    bones = rigscope.diff(sample, path, only=["bones"])
    assert {difference.code for difference in bones.differences} <= set(BONE_DIFFERENCES)
    both = rigscope.diff(sample, path, only="positions,skinned", ignore="skinned", match_by="index")
    assert {difference.code for difference in both.differences} <= {"positions"}
    with pytest.raises(ValueError, match="kind of difference"):
        rigscope.diff(sample, path, ignore="bonez")
    with pytest.raises(ValueError, match="auto, index, position"):
        rigscope.diff(sample, path, match_by="name")


def test_findings_are_those_of_the_file_and_of_the_rules(sample):
    notes = sample.validate()
    order = ["error", "warning", "info"]
    ranks = [order.index(note.severity) for note in notes]
    assert ranks == sorted(ranks)
    assert {note.code for note in sample.notes} < {note.code for note in notes}
    assert all(note.meaning and note.effect and note.fix == note.mend and note.count >= 1 for note in notes)
    of_file = sample.validate(rules="readers")
    assert [note.code for note in of_file] == [note.code for note in sample.notes]
    assert rigscope.validate(sample, rules=["readers"], allow=[note.code for note in of_file]) == []
    with pytest.raises(ValueError, match=r"rigscope\.rules\(\)"):
        sample.validate(allow="no-such-finding")
    with pytest.raises(TypeError):
        sample.validate(deny="warnings")
    with pytest.raises(TypeError):
        rigscope.validate(sample, format="bsm2")
    assert len(rigscope.validate(("x.bsm2", b"\0" * 64), format="bsm2") or [1]) > 0


def test_a_fixed_file_differs_only_in_the_affected_bytes(sample_path, tmp_path):
    broken, fixed = tmp_path / "broken.bsm2", tmp_path / "fixed.bsm2"
    content = bytearray(sample_path.read_bytes())
    content[52] = 3
    broken.write_bytes(content)
    result = rigscope.fix(broken, fixed, rules=["weights-not-normalized"])
    assert [(fix["name"], fix["count"], fix["is_cause"]) for fix in result.applied] == [
        ("weights-not-normalized", 1, False)
    ]
    assert result.is_patched and result.paths == [fixed] and result.losses == []
    after = fixed.read_bytes()
    assert result.num_changed == sum(a != b for a, b in zip(content, after)) <= 4
    assert not rigscope.fix(fixed, tmp_path / "again.bsm2", rules=["weights-not-normalized"]).paths
    unsaved = rigscope.fix(broken, tmp_path / "no.bsm2", save=False)
    assert unsaved.paths == [tmp_path / "no.bsm2"] and unsaved.files[0][1] == after and not unsaved.paths[0].exists()
    with pytest.raises(errors.WriteError):
        rigscope.fix(broken, broken, rules=["weights-not-normalized"], overwrite=True)


def test_unknown_parts_findings_and_causes_are_named(sample, sample_path, tmp_path):
    with pytest.raises(ValueError, match="gltf has no part nonsense; its parts are"):
        rigscope.convert(sample, tmp_path / "a.gltf", part="nonsense")
    with pytest.raises(ValueError, match="bsm2 has no part x; it is a single file"):
        rigscope.convert(sample, tmp_path / "a.bsm2", part="x")
    with pytest.raises(ValueError, match=r"has no extension that names a format; writable ones are .*\.bsm2"):
        rigscope.convert(sample, tmp_path / "nonsense")
    with pytest.raises(ValueError, match="there is no finding zz"):
        rigscope.fix(sample_path, tmp_path / "a.bsm2", rules=["zz"])
    with pytest.raises(ValueError, match="there is no cause zz"):
        rigscope.fix(sample_path, tmp_path / "a.bsm2", causes=["zz"])
    assert not list(tmp_path.iterdir())
