"""How results appear in notebooks: findings as a table, comparisons and conversions with images."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .errors import Error
from .notebook import beside, facts_table, heat_map, image, remark, table, titled
from .opening import open

if TYPE_CHECKING:
    from .results import Comparison, Conversion, Note

#: Longer tables are cut.
_MAX_ROWS = 50


def findings(notes: Sequence[Note]) -> str:
    """A table of findings."""
    if not notes:
        return "<p>No findings.</p>"
    rows = [[note.severity, note.code, note.message, note.place, f"{note.count:,}", note.fix] for note in notes]
    return _cut(["Severity", "Code", "Message", "Place", "Count", "Fix"], rows)


def comparison(compared: Comparison) -> str:
    """Both models side by side, the distances as a heat map, and the differences."""
    pictures, problem = [], ""
    try:
        models = [function(*arguments) for function, arguments in filter(None, compared.origins or ())]
    except Error as error:
        models, problem = [], str(error)
    for name, model in zip("AB", models):
        picture, problem = image(model, f"{name}: {model.name}")
        pictures.append(titled(f"{name}: {model.name or 'unnamed'}", picture))
    moved = [size for name, size in compared.max.items() if name in ("position", "skinned") and size]
    if len(models) == 2 and moved and not problem:
        picture, problem = heat_map(models[0], models[1], "distances of the vertices of B", compared.options or {})
        title = f"Distances in B: blue 0, red {max(moved):.3g} (display units); grey: no matching vertex"
        pictures.append(titled(title, picture))
    if compared.is_equal:
        text = "<p>The models are equal, up to the tolerance.</p>"
    else:
        rows = [
            [own.code, own.what, "" if own.amount is None else f"{own.amount:.3g}", f"{own.count:,}", own.place or ""]
            for own in compared.differences
            if own.exceeds
        ]
        text = _cut(["Difference", "Details", "Largest", "Count", "Place"], rows)
    return beside(pictures, text + remark(problem))


def conversion(converted: Conversion) -> str:
    """The source, the result as it is read back, and the losses."""
    pictures, problem = [], ""
    if converted.origin is not None:
        function, arguments = converted.origin
        named = [(path.name, data) for path, data in converted.files]
        try:
            source = function(*arguments)
            picture, problem = image(source, "source")
            pictures.append(titled(f"Source: {source.name or 'unnamed'}", picture))
            picture, problem = image(open(named[-1], companions=named[:-1]), "result")
            pictures.append(titled(f"Result: {converted.paths[-1].name}", picture))
        except Error as error:
            problem = str(error)
    facts = [("File", f"{path}, {len(data):,} bytes") for path, data in converted.files]
    facts += [("Lost", loss) for loss in converted.losses] or [("Lost", "nothing")]
    facts += [("Added", added) for added in converted.added]
    facts += [("Deviations", converted.summary)] if converted.summary else []
    facts += [(note.severity.capitalize(), note.message) for note in converted.notes]
    return beside(pictures, facts_table(facts) + remark(problem))


def _cut(columns: Iterable[str], rows: Sequence[Sequence[str]]) -> str:
    more = f"and {len(rows) - _MAX_ROWS:,} more" if len(rows) > _MAX_ROWS else ""
    return table(columns, rows[:_MAX_ROWS]) + remark(more)
