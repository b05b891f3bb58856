"""How models appear in notebooks: an image with a table, and the viewer in a frame."""

from __future__ import annotations

import base64
import html as html_text
import os
from collections import Counter
from pathlib import Path

from . import _rigscope
from ._rigscope import Model
from .errors import Error
from .writing import convert

#: Width and height of the image, in pixels; shown at half the size, so that it is sharp on any screen.
_IMAGE_SIZE = (640, 480)
#: Longer lists of clips are cut.
_MAX_CLIPS = 12
#: Environment variable with the folder of the viewer, if it isn't part of the package.
_VIEWER_VARIABLE = "RIGSCOPE_VIEWER"


def html(model: Model) -> str:
    """An image of the model and a table of its contents."""
    rows = "".join(
        f'<tr><th style="text-align:left;vertical-align:top;white-space:nowrap">{name}</th>'
        f'<td style="text-align:left">{html_text.escape(value)}</td></tr>'
        for name, value in _facts(model)
    )
    table = f"<table>{rows}</table>"
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f"{_image(model)}{table}</div>"
    )


def _facts(model: Model) -> list[tuple[str, str]]:
    facts = [
        ("Name", model.name or "unnamed"),
        ("Format", f"{model.format}, {model.num_bytes:,} bytes" if model.format else "built from arrays"),
        ("Geometry", f"{_counted(len(model.meshes), 'mesh', 'meshes')}, {model.num_vertices:,} vertices, "
                     f"{model.num_triangles:,} triangles"),
        ("Skeleton", _counted(len(model.skeleton), "bone", "bones")),
    ]
    if model.clips:
        shown = [f"{clip.name or clip.index} ({clip.duration:.2f} s)" for clip in model.clips[:_MAX_CLIPS]]
        if len(model.clips) > _MAX_CLIPS:
            shown.append(f"and {len(model.clips) - _MAX_CLIPS} more")
        facts.append(("Clips", ", ".join(shown)))
    if model.materials:
        facts.append(("Materials", _counted(len(model.materials), "material", "materials")))
    counts = Counter(note.severity for note in model.notes)
    plural = {"error": "errors", "warning": "warnings", "info": "infos"}
    found = [_counted(counts[kind], kind, many) for kind, many in plural.items() if counts[kind]]
    facts.append(("Findings", (", ".join(found) or "none") + " from reading; validate() checks all rules"))
    return facts


def _counted(num: int, one: str, many: str) -> str:
    return f"{num:,} {one if num == 1 else many}"


def _image(model: Model) -> str:
    if not _rigscope.HAS_RENDER or model.num_triangles == 0:
        return ""
    try:
        png = _rigscope._thumbnail(model, _IMAGE_SIZE)
    except Error as error:
        return f"<p>No image: {html_text.escape(str(error))}</p>"
    data = base64.b64encode(png).decode()
    name = html_text.escape(model.name, quote=True)
    return f'<img alt="{name}" width="{_IMAGE_SIZE[0] // 2}" src="data:image/png;base64,{data}">'


class View:
    """A page with the viewer and a model. A notebook shows it in a frame."""

    def __init__(self, page: str, height: int) -> None:
        self._page = page
        self._height = height

    @property
    def html(self) -> str:
        """The whole page, which browsers also open from disk."""
        return self._page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self._page, encoding="utf-8")

    def _repr_html_(self) -> str:
        page = html_text.escape(self._page, quote=True)
        style = f"width:100%;height:{self._height}px;border:0;border-radius:6px"
        return f'<iframe srcdoc="{page}" style="{style}" allow="fullscreen" title="Rigscope"></iframe>'

    def __repr__(self) -> str:
        return f"<View: a page of {len(self._page):,} characters>"


def view(model: Model, clip: int | None, time: float | None, height: int) -> View:
    """The viewer with the model in it; ``clip`` is a number."""
    words = [("embedded", "controls")]
    if clip is not None:
        words.append(("clip", _clip_word(model, clip)))
    if time is not None:
        words.append(("time", repr(float(time))))
    return View(_rigscope._shared_page(_viewer(), _files(model), words), height)


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


def _files(model: Model) -> list[tuple[str, bytes, bool]]:
    """The files that the viewer opens: those of the model, or a GLB of a model that was built."""
    origin = model._origin
    if model.format is None or origin is None:
        files = convert(model, f"{model.name or 'model'}.glb", save=False, check=False).files
        return [(path.name, content, False) for path, content in reversed(files)]
    source, _, companions, _ = origin[1]
    if isinstance(source, bytes):
        files_of_source = [(model.name or "model", source, False)]
        folder = None
    elif isinstance(source, tuple):
        files_of_source = [(source[0], bytes(source[1]), False)]
        folder = None
    else:
        path = Path(source)
        files_of_source = [(path.name, path.read_bytes(), False)]
        folder = path.parent
    for companion in companions:
        if isinstance(companion, tuple):
            files_of_source.append((companion[0], bytes(companion[1]), True))
        elif Path(companion).is_file():
            files_of_source.append((Path(companion).name, Path(companion).read_bytes(), True))
    names = {name for name, _, _ in files_of_source}
    for companion in model.companions:
        name = companion["file"]
        if folder and companion["is_taken"] and name not in names and (folder / name).is_file():
            files_of_source.append((name, (folder / name).read_bytes(), False))
    return files_of_source
