"""Geometries of COLLADA files: distinct tuples of indices become vertices, polygons become triangles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from .. import reader
from ._dae_document import Document, Source, damaged, named
from ._math import Floats, smooth_normals

Integers: TypeAlias = NDArray[np.int64]
#: Semantic and set of an input.
Key: TypeAlias = tuple[str, int]

#: Corners of a concave polygon up to which its ears are searched; larger polygons become fans.
MAX_CONCAVE_CORNERS = 100


@dataclass
class Geometry:
    """Vertices and triangles of a `<geometry>`."""

    element: Element
    #: Values of the position source, to which weights and morph targets refer.
    points: Floats
    #: Point of each vertex.
    point_of: Integers
    triangles: Integers
    #: Material symbol, first triangle, and number of triangles.
    subsets: list[tuple[str, int, int]]
    normals: Floats | None = None
    colors: Floats | None = None
    #: UVs by number of the set.
    uvs: dict[int, Floats] = field(default_factory=dict)
    uv_names: dict[int, str] = field(default_factory=dict)


class _Columns:
    """Values of one input in all primitives, whose indices refer to one table."""

    def __init__(self) -> None:
        self.starts: dict[str, int] = {}
        self.tables: list[Floats] = []
        self.size = 0

    def start(self, source: Source, width: int) -> int:
        name = source.element.get("id", "")
        if name not in self.starts:
            self.starts[name] = self.size
            table = source.values[:, :width]
            missing = np.ones((len(table), max(width - table.shape[1], 0)))
            self.tables.append(np.concatenate([table, missing], axis=1))
            self.size += len(table)
        return self.starts[name]

    def take(self, rows: Integers) -> Floats:
        """Rows of the table; zeros for vertices without this input."""
        table = np.concatenate([*self.tables, np.zeros((1, self.tables[0].shape[1]))])
        return np.asarray(table[rows])


WIDTHS = {"VERTEX": 3, "NORMAL": 3, "COLOR": 4, "TEXCOORD": 2}


def read_geometry(document: Document, element: Element) -> Geometry:
    """Reads a geometry with a mesh."""
    from collada.geometry import Geometry as Loaded

    mesh = element.find("mesh")
    geometry = Geometry(element, np.empty((0, 3)), np.empty(0, np.int64), np.empty((0, 3), np.int64), [])
    if mesh is None:
        reader.warn(f"{named(element)} is skipped, because it isn't a mesh.")
        return geometry
    _prepare(document, mesh)
    loaded = document.load(Loaded.load, element)
    columns: dict[Key, _Columns] = {}
    indices: list[dict[Key, Integers]] = []
    counts: list[Integers] = []
    symbols: list[str] = []
    num_lines = 0
    for primitive in loaded.primitives:
        if primitive.xmlnode.tag == "lines":
            num_lines += 1
            continue
        rows, corners = _corners(primitive)
        symbols.append(primitive.xmlnode.get("material") or "")
        counts.append(corners)
        indices.append(_indices(document, primitive, rows, columns, geometry))
    if num_lines:
        reader.warn(f"{named(element)}: {num_lines} groups of lines are skipped.")
    vertex = ("VERTEX", 0)
    keys = sorted(columns, key=lambda key: (key != vertex, key))
    if vertex not in columns:
        # A morph target needs only positions.
        for part in mesh.findall("vertices/input[@semantic='POSITION']"):
            values = document.source(document.target(part, "source")).values
            if values.shape[1] < 3:
                raise damaged(element, f"positions have only {values.shape[1]} values")
            geometry.points = values[:, :3]
        return geometry
    if len(columns[vertex].starts) > 1:
        raise damaged(element, "primitives have different positions")
    # A row per corner; -1 for inputs that a primitive doesn't have.
    tuples = np.concatenate(
        [
            np.stack([part.get(key, np.full(len(part[vertex]), -1)) for key in keys], axis=1).reshape(-1, len(keys))
            for part in indices
        ]
    ).astype(np.int64)
    vertices, vertex_of = _distinct(tuples)
    geometry.points = columns[vertex].tables[0]
    geometry.point_of = vertices[:, 0]
    positions = geometry.points[geometry.point_of]
    _triangulate(geometry, positions, vertex_of, counts, symbols)
    for at, key in enumerate(keys):
        semantic, number = key
        values = columns[key].take(vertices[:, at])
        if semantic == "TEXCOORD":
            geometry.uvs[number] = values * [1, -1] + [0, 1]
        elif semantic == "COLOR" and geometry.colors is None:
            values[vertices[:, at] < 0] = 1
            values[:, :3] = _linear(values[:, :3])
            geometry.colors = values
        elif semantic == "NORMAL" and geometry.normals is None:
            missing = vertices[:, at] < 0
            if missing.any():
                smooth = np.zeros_like(values)
                computed = smooth_normals(geometry.triangles, positions[geometry.triangles])
                smooth[: len(computed)] = computed
                values[missing] = smooth[missing]
            geometry.normals = values
    return geometry


def _prepare(document: Document, mesh: Element) -> None:
    """Checks inputs, and renames the third UV component, which pycollada accepts only with one name."""
    for child in mesh:
        if child.tag in ("linestrips", "points"):
            reader.warn(f"<{child.tag}> is skipped.")
    for child in mesh.findall("linestrips") + mesh.findall("points"):
        mesh.remove(child)
    for part in mesh.iter("input"):
        source = document.target(part, "source")
        if source.tag == "vertices":
            continue
        document.source(source)
        params = source.findall("technique_common/accessor/param")
        if part.get("semantic") == "TEXCOORD" and len(params) in (2, 3):
            for param, name in zip(params, "STP"):
                param.set("name", name)
    for polygons in mesh.findall("polygons"):
        if holes := polygons.findall("ph"):
            reader.warn(f"{len(holes)} polygons with holes are skipped.")


def _corners(primitive: Any) -> tuple[Integers, Integers]:
    """The index tuple of each corner, and how many corners each polygon has."""
    element = primitive.xmlnode
    rows = np.asarray(primitive.index, np.int64).reshape(-1, primitive.nindices)
    vcounts = getattr(primitive, "vcounts", None)
    counts = np.full(len(rows) // 3, 3) if vcounts is None else np.asarray(vcounts, np.int64).reshape(-1)
    if (counts < 0).any() or counts.sum() != len(rows):
        raise damaged(element, f"the polygons have {counts.sum():,} corners, but there are indices for {len(rows):,}")
    return rows, counts


def _indices(
    document: Document, primitive: Any, rows: Integers, columns: dict[Key, _Columns], geometry: Geometry
) -> dict[Key, Integers]:
    found: dict[Key, Integers] = {}
    for semantic, inputs in primitive.sources.items():
        if semantic not in WIDTHS:
            continue
        for offset, _, _, number_text, loaded in inputs:
            number = int(number_text) if semantic == "TEXCOORD" and (number_text or "").isdigit() else 0
            if semantic != "TEXCOORD" and (semantic, 0) in found:
                break
            while (semantic, number) in found:
                number += 1
            source = document.source(loaded.xmlnode)
            if source.values.shape[1] < min(WIDTHS[semantic], 3):
                raise damaged(source.element, f"{semantic} has only {source.values.shape[1]} values per row")
            if not 0 <= offset < rows.shape[1]:
                raise damaged(primitive.xmlnode, f"the offset {offset} of {semantic} is out of range")
            column = rows[:, offset]
            if len(column) and not 0 <= column.min() <= column.max() < len(source.values):
                wrong = column[(column < 0) | (column >= len(source.values))][0]
                message = f"index {wrong:,} of {semantic} is out of range; {named(source.element)} has"
                raise damaged(primitive.xmlnode, f"{message} {len(source.values):,} rows")
            key = (semantic, number)
            found[key] = column + columns.setdefault(key, _Columns()).start(source, WIDTHS[semantic])
            if semantic == "TEXCOORD":
                geometry.uv_names.setdefault(number, source.element.get("name") or f"set {number}")
    return found


def _distinct(rows: Integers) -> tuple[Integers, Integers]:
    """Distinct rows in the order in which they occur, and the number of each row among them."""
    code = np.zeros(len(rows), np.int64)
    for column in rows.T:
        codes = code * (int(column.max(initial=0)) + 2) + column + 1
        _, first, code = np.unique(codes, return_index=True, return_inverse=True)
        code = code.reshape(-1)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rows[first[order]], rank[code]


def _triangulate(
    geometry: Geometry, positions: Floats, vertex_of: Integers, counts: list[Integers], symbols: list[str]
) -> None:
    first = 0
    by_symbol: dict[str, list[Integers]] = {}
    for symbol, polygon_counts in zip(symbols, counts):
        num_corners = int(polygon_counts.sum())
        corners = vertex_of[first : first + num_corners]
        first += num_corners
        by_symbol.setdefault(symbol, []).append(triangulated(corners, polygon_counts, positions))
    parts, start = [], 0
    for symbol, triangles in by_symbol.items():
        num_triangles = sum(map(len, triangles))
        geometry.subsets.append((symbol, start, num_triangles))
        parts += triangles
        start += num_triangles
    geometry.triangles = np.concatenate([np.empty((0, 3), np.int64), *parts])


def triangulated(corners: Integers, counts: Integers, positions: Floats) -> Integers:
    """Triangles of polygons: fans, or ears of polygons that are concave."""
    starts = np.cumsum(counts) - counts
    num = np.maximum(counts - 2, 0)
    polygon = np.repeat(np.arange(len(counts)), num)
    step = np.arange(len(polygon)) - np.repeat(np.cumsum(num) - num, num)
    at = starts[polygon]
    triangles = np.stack([at, at + step + 1, at + step + 2], axis=1).reshape(-1, 3)
    if (counts > 3).any():
        faces = positions[corners[triangles]]
        cross = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
        sums = np.stack([np.bincount(polygon, cross[:, axis], len(counts)) for axis in range(3)], axis=1)
        # A fan is right if all its triangles face the same way.
        against = np.einsum("ni,ni->n", cross, sums[polygon]) < 0
        num_fans = 0
        for number in np.unique(polygon[against]):
            if counts[number] > MAX_CONCAVE_CORNERS:
                num_fans += 1
                continue
            start = starts[number]
            ears = _ears(positions[corners[start : start + counts[number]]], sums[number])
            first = np.searchsorted(polygon, number)
            triangles[first : first + len(ears)] = start + np.array(ears)
        if num_fans:
            reader.warn(f"{num_fans:,} concave polygons with more than {MAX_CONCAVE_CORNERS} corners become fans.")
    return np.asarray(corners[triangles].reshape(-1, 3))


def _ears(points: Floats, normal: Floats) -> list[tuple[int, int, int]]:
    axis = int(np.argmax(np.abs(normal)))
    flat = np.delete(points, axis, axis=1) * [1, 1 if (normal[axis] > 0) == (axis != 1) else -1]

    def area(a: Floats, b: Floats, c: Floats) -> Any:
        return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])

    rest = list(range(len(points)))
    ears = []
    while len(rest) > 3:
        for at in range(len(rest)):
            before, here, after = rest[at - 1], rest[at], rest[(at + 1) % len(rest)]
            a, b, c = flat[before], flat[here], flat[after]
            if area(a, b, c) <= 0:
                continue
            others = flat[[corner for corner in rest if corner not in (before, here, after)]]
            inside = (area(a, b, others) >= 0) & (area(b, c, others) >= 0) & (area(c, a, others) >= 0)
            if not inside.any():
                ears.append((before, here, after))
                rest.pop(at)
                break
        else:
            # The polygon intersects itself.
            break
    return [*ears, *((rest[0], here, after) for here, after in zip(rest[1:-1], rest[2:]))]


def _linear(srgb: Floats) -> Floats:
    return np.where(srgb <= 0.04045, srgb / 12.92, ((np.maximum(srgb, 0) + 0.055) / 1.055) ** 2.4)
