"""OBJ files, each about one feature. A function returns the text."""

from builder import tube


def _lines(keyword, rows):
    return [f"{keyword} " + " ".join(f"{value:.6g}" for value in row) for row in rows]


def _tube():
    positions, normals, indices = tube(4)
    corners = [index + 1 for index in indices]
    return positions, normals, [corners[at:at + 3] for at in range(0, len(corners), 3)]


def _text(*parts):
    return "\n".join(line for part in parts for line in part) + "\n"


def triangles():
    """Triangles with normals."""
    positions, normals, faces = _tube()
    corners = ["f " + " ".join(f"{at}//{at}" for at in face) for face in faces]
    return _text(_lines("v", positions), _lines("vn", normals), corners)


def only_positions():
    """No normals and no UVs."""
    positions, _, faces = _tube()
    return _text(_lines("v", positions), _lines("f", faces))


def relative_indices():
    """Indices counted from the end."""
    positions, _, faces = _tube()
    return _text(_lines("v", positions), _lines("f", [[at - len(positions) - 1 for at in face] for face in faces]))


def concave_polygon():
    """A face of eight corners, two of them pointing inwards."""
    outline = [(0, 0), (3, 0), (3, 1), (2, 0.4), (1, 1.5), (1.2, 2), (3, 2.5), (0, 3)]
    return _text(_lines("v", [(x, y, 0.1 * x * y) for x, y in outline]), ["f 1 2 3 4 5 6 7 8"])


def groups_and_objects():
    """Two objects with two groups each, which use each other's vertices."""
    positions, _, faces = _tube()
    quarter = len(faces) // 4
    lines = []
    for at, name in enumerate(["o first", "g lower", "o second", "g upper"]):
        lines += [name, *_lines("f", faces[at * quarter:(at + 1) * quarter])]
    return _text(_lines("v", positions), lines)


def vertices_with_colours():
    """Colours after the positions."""
    positions, _, faces = _tube()
    coloured = [[*position, 0.25, 0.5, at / len(positions)] for at, position in enumerate(positions)]
    return _text(_lines("v", coloured), _lines("f", faces))


def unused_vertices():
    """Vertices without a face: a quarter of the mesh."""
    positions, _, faces = _tube()
    return _text(_lines("v", positions), _lines("f", faces[:len(faces) // 2]))


def far_from_origin():
    """Positions with more digits than single precision has."""
    positions, _, faces = _tube()
    moved = [f"v {x + 100000:.6f} {y:.6f} {z - 250000:.6f}" for x, y, z in positions]
    return _text(moved, _lines("f", faces))
