"""How models appear in notebooks: an image with a table, and the viewer in a frame."""

from __future__ import annotations

import base64
import html as html_text
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from . import _rigscope, arguments, local_files, sources
from ._rigscope import Model
from .errors import Error
from .opening import Opened
from .types import Target
from .writing import convert

#: Width and height of the image, in pixels; shown at half the size, so that it is sharp on any screen.
_IMAGE_SIZE = (640, 480)
#: Overrides the styles of notebooks, which align columns of numbers.
_CELL = "text-align:left;vertical-align:top;overflow-wrap:anywhere"
#: Longer lists of clips are cut.
_MAX_CLIPS = 12
#: Longer names are shortened, in characters.
_MAX_NAME = 60
#: Environment variable with the folder of the viewer, if it isn't part of the package.
_VIEWER_VARIABLE = "RIGSCOPE_VIEWER"
#: Tags of the page of embedded views that are replaced by the contents of the files.
_STYLE_TAG = '<link rel="stylesheet" href="embed.css">'
_SCRIPT_TAG = '<script type="module" src="rigscope.js"></script>'
#: Notebooks that aren't trusted show this in place of the frame.
_UNTRUSTED = "The viewer is shown in trusted notebooks: run this cell, or choose Trust Notebook."


def html(model: Model) -> str:
    """An image of the model and a table of its contents."""
    picture, problem = image(model)
    return beside([picture], facts_table(_facts(model)) + remark(problem))


def facts_table(facts: Iterable[tuple[str, str]]) -> str:
    """A table with a name and a text in each row."""
    rows = "".join(
        f'<tr><th style="{_CELL};white-space:nowrap">{html_text.escape(name)}</th>'
        f'<td style="{_CELL}">{html_text.escape(value)}</td></tr>'
        for name, value in facts
    )
    return f'<table style="margin:0">{rows}</table>'


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table with a row of column names."""
    head = "".join(f'<th style="{_CELL};white-space:nowrap">{html_text.escape(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{html_text.escape(cell)}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f'<table style="margin:0"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def remark(text: str) -> str:
    """A paragraph in a fainter colour; nothing without text."""
    return f'<p style="opacity:.7">{html_text.escape(text)}</p>' if text else ""


def titled(title: str, picture: str) -> str:
    """An image below its title; nothing without an image."""
    if not picture:
        return ""
    style = f"margin:0;max-width:{_IMAGE_SIZE[0] // 2}px"
    return f'<figure style="{style}"><figcaption>{html_text.escape(title)}</figcaption>{picture}</figure>'


def beside(pictures: Iterable[str], text: str) -> str:
    """Images, and a text to the right of them if there is room."""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f'{"".join(pictures)}<div style="flex:1 1 320px;max-width:720px">{text}</div></div>'
    )


def _facts(model: Model) -> list[tuple[str, str]]:
    geometry = [
        _counted(len(model.meshes), "mesh", "meshes"),
        _counted(model.num_vertices, "vertex", "vertices"),
        _counted(model.num_triangles, "triangle", "triangles"),
    ]
    facts = [
        ("Name", _shortened(model.name) or "unnamed"),
        ("Format", f"{model.format}, {model.num_bytes:,} bytes" if model.format else "built from arrays"),
        ("Geometry", ", ".join(geometry)),
        ("Skeleton", _skeleton(model)),
    ]
    if model.clips:
        shown = [f"{_shortened(clip.name) or clip.index} ({clip.duration:.2f} s)" for clip in model.clips[:_MAX_CLIPS]]
        if len(model.clips) > _MAX_CLIPS:
            shown.append(f"and {len(model.clips) - _MAX_CLIPS} more")
        facts.append(("Clips", ", ".join(shown)))
    if model.materials:
        facts.append(("Materials", _counted(len(model.materials), "material", "materials")))
    counts: Counter[str] = Counter(note.severity for note in model.notes)
    plural = {"error": "errors", "warning": "warnings", "info": "infos"}
    found = [_counted(counts[kind], kind, many) for kind, many in plural.items() if counts[kind]]
    facts.append(("Findings", (", ".join(found) or "none") + " from reading; validate() checks all rules"))
    return facts


def _skeleton(model: Model) -> str:
    """Bones and other nodes; only nodes if none is a bone."""
    bones, nodes = _counted(model.num_bones, "bone", "bones"), _counted(model.num_nodes, "node", "nodes")
    if model.num_bones == 0 and model.num_nodes > 0:
        return nodes
    return f"{bones}, {_counted(model.num_nodes, 'other node', 'other nodes')}" if model.num_nodes else bones


def _shortened(name: str) -> str:
    """A name without its middle, if it is long: the ends differ most often."""
    return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 20]}…{name[-19:]}"


def _counted(num: int, one: str, many: str) -> str:
    return f"{num:,} {one if num == 1 else many}"


def image(model: Model, name: str | None = None) -> tuple[str, str]:
    """An element with an image, and the reason if there isn't one; ``name`` describes it for screen readers."""
    return _drawn(model, model.name if name is None else name, lambda: _rigscope._thumbnail(model, _IMAGE_SIZE))


def heat_map(a: Model, b: Model, name: str, options: dict[str, Any]) -> tuple[str, str]:
    """The same for ``b``, coloured by its distances from ``a``."""
    return _drawn(b, name, lambda: _rigscope._heat_map(a, b, _IMAGE_SIZE, **options))


def _drawn(model: Model, name: str, draw: Callable[[], bytes]) -> tuple[str, str]:
    if not _rigscope.HAS_RENDER or model.num_triangles == 0:
        return "", ""
    try:
        png = draw()
    except Error as error:
        return "", f"No image: {error}"
    data = base64.b64encode(png).decode()
    name = html_text.escape(name, quote=True)
    width = _IMAGE_SIZE[0] // 2
    style = "max-width:100%;margin:0"
    return f'<img alt="{name}" width="{width}" style="{style}" src="data:image/png;base64,{data}">', ""


class View:
    """A page with the viewer and a model. A notebook shows it in a frame."""

    def __init__(self, page: str, height: int, inputs: tuple[Path, ...] = ()) -> None:
        self._page = page
        self._height = height
        self._inputs = inputs

    @property
    def html(self) -> str:
        """The whole page, which browsers also open from disk."""
        return self._page

    def save(self, path: Target) -> None:
        """Writes the page to a path, which is never that of a file that the model was read from, or to an open file.

        :raises rigscope.errors.WriteError: if it is
        """
        if sources.is_writable(path):
            path.write(self._page.encode())  # type: ignore[union-attr]
        else:
            local_files.write_text(arguments.path("path", path), self._page, self._inputs)

    def _repr_html_(self) -> str:
        page = html_text.escape(self._page, quote=True)
        style = f"width:100%;height:{self._height}px;border:0;border-radius:6px"
        return f'<iframe srcdoc="{page}" style="{style}" sandbox="allow-scripts allow-downloads allow-popups" allow="fullscreen" title="Rigscope">{_UNTRUSTED}</iframe>'

    def __repr__(self) -> str:
        return f"<View: a page of {len(self._page):,} characters>"


def view(model: Model, clip: int | None, time: Any, height: Any) -> View:
    """The viewer with the model in it; ``clip`` is a number, and the other arguments are those of the caller."""
    words = _option_words(model)
    if clip is not None:
        words.append(("clip", _clip_word(model, clip)))
    if time is not None:
        words.append(("time", repr(arguments.number("time", time))))
    height = arguments.count("height", height)
    folder = _viewer()
    page = _embedded(folder, _rigscope._shared_page(folder, _files(model), words))
    return View(page, height, (*_paths(model), *folder.iterdir()))


def _embedded(folder: Path, page: str) -> str:
    """The page with only the view and its controls, instead of the whole window."""
    data = page.index("<script>globalThis.rigscopeShared")
    scripts = page[data : page.rindex("</script>") + len("</script>")]
    before, after = local_files.read(folder / "embed.html").decode().split(_SCRIPT_TAG)
    style = local_files.read(folder / "embed.css").decode()
    return before.replace(_STYLE_TAG, f"<style>\n{style}</style>") + scripts + after


def _clip_word(model: Model, clip: int) -> str:
    """The clip in the address: names come before numbers there."""
    names = [own.name for own in model.clips]
    return names[clip] if names[clip] and names.index(names[clip]) == clip else str(clip)


def _viewer() -> Path:
    """The folder of the viewer: named by the user, in the package, or built in a clone."""
    package = Path(__file__).parent
    named = os.environ.get(_VIEWER_VARIABLE)
    places = [Path(named)] if named else [package / "web", package.parents[1] / "dist"]
    for place in places:
        if _rigscope._has_viewer(place):
            return place
    raise FileNotFoundError(
        "this installation doesn't contain the viewer; install a wheel, or run `make web` in a clone and set "
        f"{_VIEWER_VARIABLE} to its folder dist"
    )


def _option_words(model: Model) -> list[tuple[str, str]]:
    """How the file was opened, as parameters of the page."""
    opened = Opened.of(model)
    if opened is None:
        return []
    given = {name: value for name, value in opened.options.items() if value}
    words = [("without", name) for name in given.pop("without", ())]
    if given.pop("no_effect", False):
        words.append(("no-effect", ""))
    if given.pop("bones_by_order", False):
        words.append(("bones-by-order", ""))
    return words + [(name, str(value)) for name, value in given.items()]


def _paths(model: Model) -> Iterator[Path]:
    """The files that the model was read from."""
    opened = Opened.of(model)
    if opened is None:
        return
    paths = [Path(file) for file in (opened.source, *opened.companions) if isinstance(file, (str, os.PathLike))]
    yield from paths
    folders = [path if path.is_dir() else path.parent for path in paths]
    for used in model.companions:
        if used["is_taken"]:
            yield from (folder / used["file"] for folder in folders)


def _files(model: Model) -> list[tuple[str, bytes, bool]]:
    """The files in the page: name, content, and whether the user named it. The first is the one to open."""
    opened = Opened.of(model)
    files = _files_of(opened, model) if opened else []
    if files:
        return files
    # Built from arrays, a folder, or files that have changed since: the model as it was opened.
    name = Path(model.name).stem if opened else model.name
    converted = convert(model, f"{name or 'model'}.glb", save=False, check=False).files
    return [(path.name, content, False) for path, content in reversed(converted)]


def _files_of(opened: Opened, model: Model) -> list[tuple[str, bytes, bool]]:
    files: dict[str, tuple[bytes, bool]] = {}
    folders: list[Path] = []
    if isinstance(opened.source, bytes):
        files[model.name or "model"] = opened.source, False
    elif isinstance(opened.source, tuple):
        files[opened.source[0]] = opened.source[1], False
    else:
        path = Path(opened.source)
        if not path.is_file() or any(True for _ in opened.changed_files()):
            return []
        folders.append(path.parent)
        files[path.name] = local_files.read(path), False
    for companion in opened.companions:
        if isinstance(companion, tuple):
            files.setdefault(companion[0], (companion[1], True))
        elif os.path.isdir(companion):
            folders.append(Path(companion))
        else:
            path = Path(companion)
            files.setdefault(path.name, (local_files.read(path), True))
    for used in model.companions:
        found = [(number, folder / used["file"]) for number, folder in enumerate(folders)]
        found = [(number, path) for number, path in found if path.is_file()]
        if used["is_taken"] and found:
            number, path = found[0]
            # Files above the folder of the model are placed next to it.
            name = path.name if used["file"].startswith("..") else used["file"]
            files.setdefault(name, (local_files.read(path), number > 0))
    return [(name, content, is_named) for name, (content, is_named) in files.items()]
