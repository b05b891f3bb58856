"""Catalog rows."""

import json

import pytest

import rigscope
from rigscope import _rigscope


def test_a_row_has_all_columns_and_matches_the_model(sample, sample_path):
    row = rigscope.catalog_row(sample_path)
    assert list(row) == [column["name"] for column in rigscope.catalog_columns()]
    assert (row["file"], row["format"], row["ok"]) == (str(sample_path), "bsm2", True)
    assert row["bytes"] == sample.num_bytes and row["totals"]["vertices"] == sample.num_vertices
    assert [bone["name"] for bone in row["bones"]] == [bone.name for bone in sample.skeleton.bones]
    assert [clip["name"] for clip in row["clips"]] == [clip.name for clip in sample.clips]
    found = sample.validate()
    assert {note["code"] for note in row["notes"]} == {note.code for note in found}
    assert row["errors"] == sum(note.severity == "error" for note in found)
    content = sample_path.read_bytes()
    in_memory = rigscope.catalog_row(("exports/sample.bsm2", content))
    # Without related files.
    assert in_memory == {**row, "file": "exports/sample.bsm2", "companions": []}


def test_unreadable_files_give_a_row(sample_path, tmp_path):
    content = sample_path.read_bytes()
    cut = rigscope.catalog_row(("cut.bsm2", content[: len(content) // 2]))
    assert cut["ok"] is False and "BSM2" in cut["error"]
    assert cut["bytes"] == len(content) // 2 and len(cut["content"]) == 64
    assert cut["totals"] is None and cut["notes"] is None
    gone = rigscope.catalog_row(tmp_path / "gone.bsm2")
    assert gone["error"] == "no such file or folder" and gone["content"] is None
    nothing = rigscope.catalog_row(b"")
    assert nothing["ok"] is False and nothing["file"] == "" and nothing["bytes"] == 0
    with pytest.raises(FileNotFoundError):
        rigscope.catalog_row(sample_path, companions=[tmp_path / "gone.png"])


class Folder:
    """A folder in memory that records requests."""

    def __init__(self, files):
        self.files = files
        self.asked = []

    def list(self, folder):
        self.asked.append(folder)
        below = [path for path in self.files if path.startswith("../") == (folder == "../")]
        return [path.removeprefix(folder) for path in below]

    def read(self, path):
        self.asked.append(path)
        return self.files[path]


def test_related_files_of_bytes_are_requested(sample, sample_path, tmp_path):
    made = rigscope.convert(sample, tmp_path / "a.gltf", check=False)
    by_name = {path.name: path.read_bytes() for path in made.paths}
    content = by_name.pop("a.gltf")
    beside = rigscope.catalog_row(tmp_path / "a.gltf")
    assert beside["ok"] and beside["totals"]["vertices"] == sample.num_vertices
    around = Folder({**by_name, "other.bin": b"never requested"})
    row = rigscope.catalog_row(("s3://exports/a.gltf", content), around=around)
    assert row == {**beside, "file": "s3://exports/a.gltf"}
    [buffer] = by_name
    assert buffer in around.asked and "other.bin" not in around.asked
    alone = rigscope.catalog_row(("a.gltf", content))
    assert not alone["ok"] and buffer in json.dumps(alone)
    broken = Folder({buffer: None})
    assert not rigscope.catalog_row(("a.gltf", content), around=broken)["ok"]
    of_itself = Folder({})
    rigscope.catalog_row(("a.bsm2", sample_path.read_bytes()), around=of_itself)
    assert "../" not in of_itself.asked, "the parent folder is only listed for an effect"
    with pytest.raises(TypeError, match="around"):
        rigscope.catalog_row(sample_path, around=around)


def test_folder_searches_only_include_models():
    def never():
        raise AssertionError("requested")

    assert _rigscope.may_open("HERO.BSM2", never) and not _rigscope.may_open("a.doc", never)
    assert not _rigscope.may_open("a.txt", lambda: None)
    assert not _rigscope.may_open("a.txt", lambda: b"hello")
    with pytest.raises(AssertionError):
        _rigscope.may_open("a.txt", never)
