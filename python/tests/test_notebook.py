"""How models appear in notebooks."""

import html
import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import rigscope
from rigscope import notebook

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "python" / "examples" / "notebook.ipynb"
#: Markers of the compiled program in the page of the viewer.
SHARED = "globalThis.rigscopeShared = "


@pytest.fixture
def viewer(monkeypatch):
    """A folder with the viewer, if it has been built."""
    named = os.environ.get("RIGSCOPE_VIEWER")
    for folder in [Path(named)] if named else [ROOT / "dist", ROOT / "target" / "web-test" / "dist"]:
        if (folder / "embed.html").exists():
            monkeypatch.setenv("RIGSCOPE_VIEWER", str(folder))
            return folder
    pytest.skip("no viewer: make web")


@pytest.fixture
def small_viewer(monkeypatch, tmp_path):
    """The real pages with a small program, to check the data in them."""
    for name in ("index.html", "embed.html", "embed.css"):
        (tmp_path / name).write_bytes((ROOT / "web" / name).read_bytes())
    (tmp_path / "rigscope.js").write_text("console.log('</script>')")
    (tmp_path / "rigscope_bg.wasm").write_bytes(b"\0asm")
    monkeypatch.setenv("RIGSCOPE_VIEWER", str(tmp_path))


class Tags(HTMLParser):
    """The tags of a page, to check that they are closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_a_model_shows_an_image_and_its_contents(sample):
    shown = sample._repr_html_()
    tags = Tags(shown)
    assert tags.open == []
    for text in ("sample.bsm2", "bsm2, 275,328 bytes", "1 mesh, 4,224 vertices, 6,856 triangles", "22 bones"):
        assert text in tags.texts, text
    assert "walk (1.00 s), wave (2.00 s)" in tags.texts
    has_image = 'src="data:image/png;base64,' in shown
    assert has_image or not rigscope.HAS_RENDER or "No image: " in shown


def test_the_table_is_shown_without_a_gpu(sample, monkeypatch):
    def fail(*_):
        raise rigscope.errors.RenderError("no <graphics> device")

    monkeypatch.setattr(rigscope._rigscope, "_thumbnail", fail, raising=False)
    monkeypatch.setattr(rigscope._rigscope, "HAS_RENDER", True)
    shown = sample._repr_html_()
    assert "<img" not in shown and "No image: no &lt;graphics&gt; device" in shown and "22 bones" in shown
    monkeypatch.setattr(rigscope._rigscope, "HAS_RENDER", False)
    shown = sample._repr_html_()
    assert "<img" not in shown and "No image" not in shown and "22 bones" in shown


def test_names_are_escaped_and_shortened():
    name = "<script>alert(1)</script>" * 10 + "end.fbx"
    clips = [dict(name=f"{name}{number}") for number in range(20)]
    shown = rigscope.build([dict(positions=np.eye(3))], name=name, clips=clips)._repr_html_()
    assert "<script" not in shown and "end.fbx<" in shown and "and 8 more" in shown
    assert len(shown) < 10_000 and "1 mesh, 3 vertices, 0 triangles" in shown
    assert "unnamed" in rigscope.build()._repr_html_()


def test_a_view_contains_the_model(small_viewer, sample, sample_path, tmp_path):
    view = sample.view("walk", 0.3, height=360)
    page = view.html
    assert "data-embedded" in page and 'href="embed.css"' not in page and 'src="rigscope.js"' not in page
    data = page.partition(SHARED)[2].partition(";</script>")[0]
    assert '"name":"sample.bsm2"' in data and '"words":[["clip","walk"],["time","0.3"]]' in data
    frame = view._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and "height:360px" in frame and frame.count("<") == 2
    assert html.unescape(frame.partition('srcdoc="')[2].partition('"')[0]) == page
    view.save(tmp_path / "view.html")
    with pytest.raises(rigscope.errors.WriteError, match="inputs are never overwritten"):
        notebook.View("page", 100, (tmp_path / "view.html",)).save(tmp_path / "view.html")
    assert (tmp_path / "view.html").read_text(encoding="utf-8") == page
    assert re.fullmatch(r"<View: a page of [\d,]+ characters>", repr(view))


def words(page):
    return re.search(r'"words":(\[.*?\])}', page.partition(SHARED)[2]).group(1)


def test_a_view_opens_files_like_the_model(small_viewer, sample, sample_path, tmp_path):
    options = dict(fps=25, up="z", format="bsm2", without=["a.png", "b.png"], no_effect=True)
    page = rigscope.open(sample_path, **options).view().html
    expected = '[["without","a.png"],["without","b.png"],["no-effect",""],["fps","25"],["up","z"],["format","bsm2"]]'
    assert words(page) == expected
    made = rigscope.convert(sample, tmp_path / "s.ozz", check=False).paths
    (tmp_path / "related").mkdir()
    for path in made[:-1]:
        path.rename(tmp_path / "related" / path.name)
    model = rigscope.open(made[-1], companions=[tmp_path / "related"])
    listed = [(name, is_named) for name, _, is_named in notebook._files(model)]
    assert listed[0] == ("s.ozz", False) and ("s.skeleton.ozz", True) in listed and len(listed) == 4
    content = [(path.name, path.read_bytes()) for path in (tmp_path / "related").iterdir()]
    model = rigscope.open(("s.ozz", made[-1].read_bytes()), companions=content)
    assert sorted((name, is_named) for name, _, is_named in notebook._files(model)) == sorted(listed)
    # A file that has changed since isn't the model any more.
    copy = tmp_path / "copy.bsm2"
    copy.write_bytes(sample_path.read_bytes())
    model = rigscope.open(copy)
    copy.write_bytes(b"something else")
    [(name, data, _)] = notebook._files(model)
    assert name == "copy.glb" and data.startswith(b"glTF")
    built = rigscope.build([dict(positions=np.eye(3), triangles=[[0, 1, 2]])], name="triangle")
    [(name, data, _)] = notebook._files(built)
    assert name == "triangle.glb" and data.startswith(b"glTF")
    assert '"name":"triangle.glb"' in built.view().html


def test_clips_with_the_same_name_are_shown_by_number(small_viewer):
    clips = [dict(name="walk"), dict(name="walk"), dict(name="")]
    model = rigscope.build([dict(positions=np.eye(3), triangles=[[0, 1, 2]])], clips=clips)
    assert [words(model.view(number).html) for number in range(3)] == [
        '[["clip","walk"]]', '[["clip","1"]]', '[["clip","2"]]'
    ]
    with pytest.raises(IndexError, match="there is no clip 3"):
        model.view(3)


def test_a_missing_viewer_is_an_error_with_a_remedy(sample, monkeypatch, tmp_path):
    monkeypatch.setenv("RIGSCOPE_VIEWER", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="make web"):
        sample.view()


def executed(monkeypatch, folder):
    """The example with its outputs."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("PIL")
    if not rigscope.HAS_RENDER:
        pytest.skip("built without rendering")
    # Graphics drivers print an error without a session, which would appear in the notebook.
    for variable in ("XDG_RUNTIME_DIR", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(rigscope.__file__).parents[1]))
    monkeypatch.setenv("IPYTHONDIR", str(folder))
    book = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in book.cells), "the notebook in the repository has no outputs"
    resources = {"metadata": {"path": str(NOTEBOOK.parent)}}
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources=resources).execute()
    return book


def test_the_example_runs(viewer, monkeypatch, tmp_path):
    book = executed(monkeypatch, tmp_path)
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    shown = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(shown) == 4 and "22 bones" in shown[0] and shown[3].startswith("<iframe")
    assert "vertex-cache-order" in shown[1] and "character.iqm" in shown[2]
    assert not list(NOTEBOOK.parent.glob("*.iqm"))


def test_an_exported_notebook_shows_the_viewer_in_a_browser(viewer, monkeypatch, tmp_path):
    nbconvert = pytest.importorskip("nbconvert")
    tools = ROOT / "target" / "web-test"
    if not shutil.which("node") or not (tools / "node_modules" / "puppeteer-core").is_dir():
        pytest.skip("no browser: scripts/test-web.sh --tools")
    page, _ = nbconvert.HTMLExporter().from_notebook_node(executed(monkeypatch, tmp_path))
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    command = ["node", str(Path(__file__).with_name("notebook.mjs")), str(tmp_path / "page.html"), str(tools)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["view"]["text"] == "0.30 / 1.00 s" and seen["table"]["text"] == "sample.bsm2"
    for state in seen.values():
        # The viewer must not scroll the notebook to itself when it starts.
        assert state["isUndisturbed"] and state["detail"] > 0.02, seen


def test_findings_comparisons_and_conversions_show_themselves(sample, tmp_path):
    for kind in rigscope.Note(
        "code<", "info", "file", "<b>message</b>", "file", None, 1, "", "", ""
    ), None:
        page = rigscope.Notes([] if kind is None else [kind])._repr_html_()
        assert ("&lt;b&gt;message&lt;/b&gt;" in page) == (kind is not None) and Tags(page).open == []
    many = rigscope.Notes(sample.validate() * 60)._repr_html_()
    assert "more" in many and many.count("<tr>") == 51
    given = rigscope.convert(sample, "a.bsm2", save=False)
    moved = rigscope.build([dict(positions=np.eye(3), triangles=[[0, 1, 2]])], name="<moved>")
    larger = ("<moved>.glb", rigscope.convert(sample, "b.glb", scale=1.5, save=False).data)
    pages = [
        given._repr_html_(),
        rigscope.diff(sample, larger)._repr_html_(),
        rigscope.diff(sample, sample)._repr_html_(),
        rigscope.convert(moved, "a.glb", save=False)._repr_html_(),
    ]
    for page in pages:
        assert Tags(page).open == [] and "<moved>" not in page
    assert "a.bsm2" in pages[0] and "equal" in pages[2]
    try:
        rigscope.render(sample, size=(8, 8))
    except rigscope.errors.RenderError:
        return
    assert [page.count("<img") for page in pages] == [2, 3, 2, 2]
