"""Every snippet of the book runs, page by page, in a folder with the files that the page names."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rigscope
from test_readers import PSK

ROOT = Path(__file__).resolve().parents[2]
#: Pages whose blocks are separate scripts. On other pages, a block continues the one before.
SCRIPTS = {"python-scripts.md"}
#: The files that a page needs, and doesn't write itself.
FILES = {
    "docs/python.md": ["assets", "villain.glb"],
    "docs/python-scripts.md": ["exports", "hero.glb"],
    "docs/readers.md": ["hero.psk"],
    "python/README.md": ["hero.bsm2"],
}
#: Modules that not every test environment has.
OPTIONAL = ("PIL", "ray")


def blocks(page):
    """The blocks of a page: the name of a file that the text before gives them, their marks, and their code."""
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"```python([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        before = text[: found.start()].rstrip().rsplit("\n\n", 1)[-1]
        named = re.search(r"Save this as `([\w.]+)`", before)
        yield named and named[1], found[1].strip(), found[2]


def scripts():
    pages = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "python" / "README.md"]
    for page in pages:
        name = page.relative_to(ROOT).as_posix()
        code = [(named, source) for named, marks, source in blocks(page) if marks != "cluster"]
        if page.name in SCRIPTS:
            yield from (pytest.param(name, [block], id=f"{name}-{number}") for number, block in enumerate(code))
        elif code:
            yield pytest.param(name, code, id=name)


def test_blocks_that_need_a_cluster_compile():
    marked = [source for page in (ROOT / "docs").glob("*.md") for _, marks, source in blocks(page) if marks == "cluster"]
    assert marked
    for source in marked:
        compile(source, "cluster", "exec")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the pages name."""
    folder = tmp_path_factory.mktemp("book")
    sample = rigscope.open(ROOT / "assets" / "sample.bsm2")
    (folder / "assets").mkdir()
    (folder / "assets" / "sample.bsm2").write_bytes((ROOT / "assets" / "sample.bsm2").read_bytes())
    for name in ("hero.glb", "hero.bsm2", "villain.glb"):
        rigscope.convert(sample, folder / name, check=False)
    (folder / "exports").mkdir()
    kinds = ["hero.glb", "hero.bsm2", "villain.glb"]
    for number in range(200):
        source = folder / kinds[number % 3]
        (folder / "exports" / f"{number:03}{source.suffix}").write_bytes(source.read_bytes())
    (folder / "exports" / "199.bsm2").write_bytes(b"damaged")
    (folder / "hero.psk").write_bytes(PSK)
    viewer = folder / "viewer"
    viewer.mkdir()
    for name in ("index.html", "embed.html", "embed.css"):
        (viewer / name).write_bytes((ROOT / "web" / name).read_bytes())
    (viewer / "rigscope.js").write_text("")
    (viewer / "rigscope_bg.wasm").write_bytes(b"\0asm")
    return folder


@pytest.mark.parametrize(("page", "code"), list(scripts()))
def test_snippets_run(page, code, folder, tmp_path):
    text = "\n".join(source for _, source in code)
    for module in OPTIONAL:
        if re.search(rf"^(import|from) {module}\b", text, re.MULTILINE) and not importlib.util.find_spec(module):
            pytest.skip(f"{module} isn't installed")
    if "render(" in text:
        try:
            rigscope.render(folder / "hero.bsm2", size=(8, 8))
        except rigscope.errors.RenderError as error:
            pytest.skip(f"no device for rendering: {error}")
    here = tmp_path / "here"
    here.mkdir()
    for name in FILES.get(page, ()):
        copy = shutil.copytree if (folder / name).is_dir() else shutil.copy
        copy(folder / name, here / name)
    for named, source in code:
        if named:
            (here / named).write_text(source)
    script = here / "snippet.py"
    script.write_text("\n".join(source for named, source in code if not named))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "python"), str(here)]),
        "RIGSCOPE_VIEWER": str(folder / "viewer"),
        "PYTHONWARNINGS": "error::UserWarning",
    }
    done = subprocess.run([sys.executable, str(script)], cwd=here, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{script.read_text()}\n{done.stdout}{done.stderr}"
