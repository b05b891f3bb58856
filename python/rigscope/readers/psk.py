"""ActorX: ``.psk`` and ``.pskx`` meshes and ``.psa`` animations of the Unreal Engine.

Binary, little-endian. A file is a list of chunks, each with a header of 32 bytes: a name (20 bytes), flags, the size
of a record and the number of records (32 bits each). The first chunk has no records:

===================  ==================================================================================================
``ACTRHEAD``         begins a PSK file
``PNTS0000``         points: 3 floats
``VTXW0000``         wedges, which are the vertices: point (16 bits, or 32 if there are more than 65,536 points), u, v,
                     material (8 bits), padding; 16 bytes
``FACE0000``         triangles: 3 wedges (16 bits), material, second material (8 bits each), smoothing groups (32 bits)
``FACE3200``         the same with wedges of 32 bits; 18 bytes
``MATT0000``         materials: name (64 bytes), texture, flags and level-of-detail values; 88 bytes
``REFSKELT``         bones: name (64 bytes), flags, number of children, parent, rotation (x, y, z, w), position,
                     length and size; 120 bytes
``RAWWEIGHTS``       influences: weight (float), point, bone (32 bits each)
``VTXNORMS``         normals of points: 3 floats
``VERTEXCOLOR``      colours of wedges: red, green, blue, alpha (8 bits each)
``EXTRAUVS0`` …      further UVs of wedges: 2 floats
``MRPHINFO``,        morph targets: name (64 bytes) and number of vertices; for each vertex, the offsets of position and
``MRPHDATA``         normal and its point
``ANIMHEAD``         begins a PSA file
``BONENAMES``        bones, as in ``REFSKELT``
``ANIMINFO``         clips: name and group (64 bytes each), number of bones, …, frames per second, first frame,
                     number of frames; 168 bytes
``ANIMKEYS``         for each frame and bone: position, rotation (x, y, z, w), time in frames; 32 bytes
``SCALEKEYS``        for each frame and bone: scale and time; 16 bytes
===================  ==================================================================================================

Transforms are relative to the parent. The rotations of all bones except the root are stored inverted. Files are
right-handed with Z up, although Unreal is left-handed: ActorX writes the coordinates of the modelling program,
Unreal inverts y on import, and UE Viewer inverts y on export. Offsets of morph targets are the exception; they are
written in Unreal's coordinates. Triangles are clockwise, v is 0 at the top of the image. There is no unit (Unreal
Engine 4 and later: cm).

Sources: "PSK & PSA file formats", Unreal Wiki (https://wiki.beyondunreal.com/PSK_%26_PSA_file_formats), ``Psk.h`` and
``ExportPsk.cpp`` of UE Viewer (https://github.com/gildor2/UEViewer), and the Blender add-on io_scene_psk_psa
(https://github.com/DarklightGames/io_scene_psk_psa).

Ambiguous: Several bones without a parent. Unreal allows one root; here each of them is a root, and the add-on makes
all but the first children of bone 0.

Ambiguous: Colours are read as sRGB, as they are in files of UE Viewer.

Ambiguous: PSA files of UE Viewer for Unreal Engine 3 have no hierarchy: all bones are children of the first. Their
transforms are relative to the parent in the mesh nevertheless.

Ambiguous: Triangles whose smoothing groups differ but have one in common are smoothed in Unreal, and split here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import local_files, reader
from ._math import Floats, check_finite, check_parents, material, smooth_normals

_HEADER = 32
_BONE = np.dtype(
    [
        ("name", "V64"),
        ("flags", "u4"),
        ("num_children", "i4"),
        ("parent", "i4"),
        ("rotation", "f4", 4),
        ("position", "f4", 3),
        ("length", "f4"),
        ("size", "f4", 3),
    ]
)
_WEDGE = np.dtype([("point", "u4"), ("uv", "f4", 2), ("material", "u1"), ("reserved", "u1"), ("padding", "u2")])
_FACE16 = np.dtype([("wedges", "u2", 3), ("material", "u1"), ("second", "u1"), ("groups", "u4")])
_FACE32 = np.dtype([("wedges", "u4", 3), ("material", "u1"), ("second", "u1"), ("groups", "u4")])
_MATERIAL = np.dtype([("name", "V64"), ("numbers", "i4", 6)])
_WEIGHT = np.dtype([("weight", "f4"), ("point", "u4"), ("bone", "u4")])
_MORPH = np.dtype([("name", "V64"), ("num_vertices", "i4")])
_MORPH_VERTEX = np.dtype([("position", "f4", 3), ("normal", "f4", 3), ("point", "u4")])
_SEQUENCE = np.dtype(
    [
        ("name", "V64"),
        ("group", "V64"),
        ("num_bones", "i4"),
        ("root_include", "i4"),
        ("compression", "i4"),
        ("key_quotum", "i4"),
        ("key_reduction", "f4"),
        ("track_time", "f4"),
        ("frame_rate", "f4"),
        ("start_bone", "i4"),
        ("first_frame", "i4"),
        ("num_frames", "i4"),
    ]
)
_KEY = np.dtype([("position", "f4", 3), ("rotation", "f4", 4), ("time", "f4")])
_SCALE_KEY = np.dtype([("scale", "f4", 3), ("time", "f4")])
_POINT = np.dtype([("value", "f4", 3)])
_UV = np.dtype([("value", "f4", 2)])
_COLOR = np.dtype([("value", "u1", 4)])

#: Chunks that are read, under the name without digits that number them.
_RECORDS = {
    "PNTS0000": _POINT,
    "VTXW0000": _WEDGE,
    "VTXW3200": _WEDGE,
    "FACE0000": _FACE16,
    "FACE3200": _FACE32,
    "MATT0000": _MATERIAL,
    "REFSKELT": _BONE,
    "REFSKEL0": _BONE,
    "RAWWEIGHTS": _WEIGHT,
    "RAWW0000": _WEIGHT,
    "VTXNORMS": _POINT,
    "VERTEXCOLOR": _COLOR,
    "EXTRAUVS": _UV,
    "MRPHINFO": _MORPH,
    "MRPHDATA": _MORPH_VERTEX,
    "BONENAMES": _BONE,
    "ANIMINFO": _SEQUENCE,
    "ANIMKEYS": _KEY,
    "SCALEKEYS": _SCALE_KEY,
}
_ALIASES = {"VTXW3200": "VTXW0000", "FACE3200": "FACE0000", "REFSKEL0": "REFSKELT", "RAWW0000": "RAWWEIGHTS"}

_Chunks = dict[str, list[NDArray[Any]]]


def read(path: Path) -> dict[str, Any]:
    """Reads an Unreal ActorX mesh (PSK, PSKX) or animation (PSA)."""
    return parse(local_files.read(path), path.stem)


def parse(data: bytes, name: str = "") -> dict[str, Any]:
    """Reads a PSK, PSKX or PSA file from memory."""
    if data[:8] not in (b"ACTRHEAD", b"ANIMHEAD"):
        why = "the file is empty" if not data else "not an ActorX file: it doesn't begin with ACTRHEAD or ANIMHEAD"
        raise reader.Error(why, offset=0)
    chunks = _chunks(reader.Bytes(data))
    model = _mesh_file(chunks, name) if data.startswith(b"ACTRHEAD") else _anim_file(chunks)
    return {"name": name, "up": "z", "handedness": "right", **model}


def _chunks(data: reader.Bytes) -> _Chunks:
    """Reads the chunks, by name. Chunks that occur several times, such as UVs, are listed in order."""
    chunks: _Chunks = {}
    while data.remaining:
        start = data.offset
        chunk = data.text(20)
        data.skip(4)
        size, count = data.u32(), data.u32()
        if size * count > data.remaining:
            message = f"{size * count:,} bytes needed for {chunk}, {data.remaining:,} left"
            raise reader.Error(f"truncated at offset 0x{start:x}: {message}", offset=start)
        kind = _RECORDS.get("EXTRAUVS" if chunk.startswith("EXTRAUV") else chunk)
        if kind is None or count == 0:
            if kind is None and count:
                reader.warn(f"The chunk {chunk} with {count:,} records is skipped.")
            data.skip(size * count)
            continue
        if size != kind.itemsize:
            message = f"the records of {chunk} have {size} bytes, expected {kind.itemsize}"
            raise reader.Error(f"{message} at offset 0x{start:x}", offset=start)
        key = "EXTRAUVS" if chunk.startswith("EXTRAUV") else _ALIASES.get(chunk, chunk)
        same = chunks.setdefault(key, [])
        if same and key != "EXTRAUVS":
            raise reader.Error(f"a second chunk {chunk} at offset 0x{start:x}", offset=start)
        same.append(data.array(kind, count))
    return chunks


def _only(chunks: _Chunks, name: str, kind: np.dtype[Any]) -> NDArray[Any]:
    found = chunks.get(name)
    return found[0] if found else np.empty(0, kind)


def _name(value: Any) -> str:
    return reader.decode(bytes(value).partition(b"\0")[0]).strip()


def _bones(records: NDArray[Any]) -> tuple[list[str], list[int], NDArray[np.bool_]]:
    """Names, parents, and which bones are roots."""
    parents = [max(int(parent), -1) for parent in records["parent"]]
    if parents:
        # ActorX writes 0 as the parent of the root, Unreal Engine 4 writes -1.
        parents[0] = -1 if parents[0] in (0, -1) else parents[0]
    check_parents(parents)
    return [_name(name) for name in records["name"]], parents, np.array(parents) < 0


def _rotations(stored: NDArray[Any], is_root: NDArray[np.bool_]) -> Floats:
    """Rotations of bones in the last dimension but one; those of children are stored inverted."""
    rotations = stored.astype(float)
    lengths = np.linalg.norm(rotations, axis=-1, keepdims=True)
    rotations = np.where(lengths > 1e-12, rotations / np.where(lengths > 0, lengths, 1), [0.0, 0.0, 0.0, 1.0])
    inverted = np.where(is_root, 1.0, -1.0)[:, None] * [1.0, 1.0, 1.0, 0.0] + [0.0, 0.0, 0.0, 1.0]
    return np.asarray(rotations * inverted)


def _mesh_file(chunks: _Chunks, name: str) -> dict[str, Any]:
    bones = _only(chunks, "REFSKELT", _BONE)
    check_finite(bones["rotation"], "the rotation of bone")
    check_finite(bones["position"], "the position of bone")
    names, parents, is_root = _bones(bones)
    rotations = _rotations(bones["rotation"], is_root)
    materials = [material(_name(value)) for value in _only(chunks, "MATT0000", _MATERIAL)["name"]]
    model: dict[str, Any] = {
        "bones": [
            {"name": bone, "parent": parent, "translation": position, "rotation": rotation}
            for bone, parent, position, rotation in zip(names, parents, bones["position"], rotations)
        ],
        "materials": materials,
    }
    if "PNTS0000" in chunks:
        model["meshes"] = [{"name": name, **_mesh(chunks, len(bones), len(materials))}]
    return model


def _mesh(chunks: _Chunks, num_bones: int, num_materials: int) -> dict[str, Any]:
    points = _only(chunks, "PNTS0000", _POINT)["value"]
    wedges = _only(chunks, "VTXW0000", _WEDGE)
    faces = _only(chunks, "FACE0000", _FACE16)
    check_finite(points, "point")
    check_finite(wedges["uv"], "the UV of wedge")
    point_of = wedges["point"].astype(np.int64)
    if len(points) <= 65536:
        # Old exporters leave the upper 16 bits uninitialized.
        point_of &= 0xFFFF
    _check_range(point_of, len(points), "the point of wedge")
    # Triangles are clockwise.
    corners = faces["wedges"][:, ::-1].astype(np.int64)
    _check_range(corners, len(wedges), "a wedge of triangle")
    # Vertices are wedges, and wedges with different smoothing groups are split.
    normals = chunks.get("VTXNORMS")
    if normals:
        if len(normals[0]) != len(points):
            raise reader.Error(f"{len(normals[0]):,} normals for {len(points):,} points")
        check_finite(normals[0]["value"], "the normal of point")
        wedge_of, vertex_normals = np.arange(len(wedges)), normals[0]["value"][point_of]
    else:
        wedge_of, corners, vertex_normals = _smoothed(points, point_of, corners, faces["groups"])
    vertex_points = point_of[wedge_of]
    order = np.argsort(faces["material"], kind="stable")
    numbers, counts = np.unique(faces["material"], return_counts=True)
    if len(numbers) and numbers[-1] >= num_materials:
        reader.warn(f"Triangles refer to material {numbers[-1]}, but the file has {num_materials} materials.")
    starts = np.cumsum([0, *counts.tolist()]).tolist()
    mesh: dict[str, Any] = {
        "positions": points[vertex_points],
        "normals": vertex_normals,
        "uvs": wedges["uv"][wedge_of],
        "triangles": corners[order].astype(np.uint32),
        "subsets": [
            [start, count, number if number < num_materials else None]
            for start, count, number in zip(starts, counts.tolist(), numbers.tolist())
        ],
    }
    extra = [uvs["value"] for uvs in chunks.get("EXTRAUVS", ())]
    for number, uvs in enumerate(extra):
        if len(uvs) != len(wedges):
            raise reader.Error(f"EXTRAUVS{number}: {len(uvs):,} UVs for {len(wedges):,} wedges")
        check_finite(uvs, f"EXTRAUVS{number}: the UV of wedge")
    if extra:
        mesh["more_uvs"] = [uvs[wedge_of] for uvs in extra]
    if "VERTEXCOLOR" in chunks:
        colors = chunks["VERTEXCOLOR"][0]["value"]
        if len(colors) != len(wedges):
            raise reader.Error(f"{len(colors):,} colours for {len(wedges):,} wedges")
        mesh["colors"] = _linear(colors)[wedge_of]
    weights = _only(chunks, "RAWWEIGHTS", _WEIGHT)
    if len(weights) and num_bones:
        mesh["influences"] = _influences(weights, len(points), num_bones, vertex_points)
    if "MRPHINFO" in chunks:
        mesh["morph_targets"] = _morph_targets(chunks, len(points), vertex_points)
    return mesh


def _check_range(values: NDArray[Any], limit: int, what: str) -> None:
    over = values >= limit
    if over.any():
        row = int(np.argwhere(over)[0][0])
        raise reader.Error(f"{what} {row} is {values[over].ravel()[0]:,}, but there are {limit:,}")


def _smoothed(
    points: NDArray[Any], point_of: NDArray[Any], corners: NDArray[Any], groups: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Splits wedges by smoothing groups; returns the wedge of each vertex, the triangles and the normals."""
    positions = points[point_of[corners]].astype(float).reshape(-1, 3, 3)
    # Triangles without a group are flat, unless no triangle has one.
    flat = (groups == 0) & bool(groups.any())
    group = np.where(flat, np.arange(len(groups), dtype=np.int64) + 2**32, groups.astype(np.int64))
    group_of = np.unique(group, return_inverse=True)[1].reshape(-1).astype(np.int64)
    num_groups = int(group_of.max(initial=-1)) + 1
    by_point = point_of[corners] * num_groups + group_of[:, None]
    shared = np.unique(by_point, return_inverse=True)[1].reshape(-1, 3)
    normals = smooth_normals(shared, positions)
    by_wedge = corners * num_groups + group_of[:, None]
    keys, first, vertices = np.unique(by_wedge, return_index=True, return_inverse=True)
    wedge_of = keys // max(num_groups, 1)
    normal_of = normals[shared.ravel()[first]] if len(first) else np.empty((0, 3))
    # Wedges without triangles remain.
    unused = np.setdiff1d(np.arange(len(point_of)), wedge_of)
    wedge_of = np.concatenate([wedge_of, unused])
    normal_of = np.concatenate([normal_of, np.tile([0.0, 0.0, 1.0], (len(unused), 1))])
    return wedge_of, vertices.reshape(-1, 3), normal_of


def _influences(weights: NDArray[Any], num_points: int, num_bones: int, vertex_points: NDArray[Any]) -> Any:
    _check_range(weights["point"], num_points, "the point of influence")
    _check_range(weights["bone"], num_bones, "the bone of influence")
    check_finite(weights["weight"], "the weight of influence")
    weights = weights[np.argsort(weights["point"], kind="stable")]
    counts = np.bincount(weights["point"], minlength=num_points)
    starts = np.cumsum(counts) - counts
    of_vertex = counts[vertex_points]
    first = np.concatenate([[0], np.cumsum(of_vertex)])
    if first[-1] > 256 * (len(weights) + len(vertex_points)):
        raise reader.Error(f"{len(weights):,} influences of points would be {first[-1]:,} influences of vertices")
    used = np.arange(first[-1]) + np.repeat(starts[vertex_points] - first[:-1], of_vertex)
    return first, weights["bone"][used], weights["weight"][used]


def _morph_targets(chunks: _Chunks, num_points: int, vertex_points: NDArray[Any]) -> list[dict[str, Any]]:
    data = _only(chunks, "MRPHDATA", _MORPH_VERTEX)
    _check_range(data["point"], num_points, "the point of morph offset")
    check_finite(data["position"], "morph offset")
    check_finite(data["normal"], "the normal of morph offset")
    by_point = np.argsort(vertex_points, kind="stable")
    counts = np.bincount(vertex_points, minlength=num_points)
    starts = np.cumsum(counts) - counts
    targets = []
    at = 0
    for record in chunks["MRPHINFO"][0]:
        num = int(record["num_vertices"])
        if not 0 <= num <= len(data) - at:
            left = f"has {num:,} vertices, {len(data) - at:,} are left"
            raise reader.Error(f"morph target {_name(record['name'])!r} {left}")
        part = data[at : at + num]
        at += num
        repeats = counts[part["point"]]
        inside = np.arange(repeats.sum()) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        vertices = by_point[np.repeat(starts[part["point"]], repeats) + inside]
        mirror = np.array([1, -1, 1], np.float32)
        targets.append(
            {
                "name": _name(record["name"]),
                "vertices": vertices.astype(np.uint32),
                "position_offsets": np.repeat(part["position"] * mirror, repeats, axis=0),
                "normal_offsets": np.repeat(part["normal"] * mirror, repeats, axis=0),
            }
        )
    return targets


def _linear(colors: NDArray[Any]) -> Floats:
    """sRGB of 8 bits as linear values; alpha is linear already."""
    values = colors / 255.0
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    linear[:, 3] = values[:, 3]
    return linear


def _anim_file(chunks: _Chunks) -> dict[str, Any]:
    bones = _only(chunks, "BONENAMES", _BONE)
    sequences = _only(chunks, "ANIMINFO", _SEQUENCE)
    keys = _only(chunks, "ANIMKEYS", _KEY)
    scale_keys = _only(chunks, "SCALEKEYS", _SCALE_KEY)
    for values, what in [
        (bones["rotation"], "the rotation of bone"),
        (bones["position"], "the position of bone"),
        (keys["position"], "the position of key"),
        (keys["rotation"], "the rotation of key"),
        (scale_keys["scale"], "the scale of key"),
    ]:
        check_finite(values, what)
    names, parents, is_root = _bones(bones)
    num_bones = len(bones)
    clips: list[dict[str, Any]] = []
    num_keys = 0
    for sequence in sequences:
        name = _name(sequence["name"])
        first, num_frames = int(sequence["first_frame"]), int(sequence["num_frames"])
        if len(sequences) == 1 and first > 0 and first + num_frames > len(keys) // max(num_bones, 1):
            # A clip that a tool took from a larger file, with its old number of the first frame.
            reader.warn(f"Clip {name!r} begins at frame {first:,}, which doesn't exist; frame 0 is used instead.")
            first = 0
        start, end = first * num_bones, (first + num_frames) * num_bones
        if not 0 <= start <= end <= len(keys):
            raise reader.Error(f"clip {name!r} has the keys {start:,} to {end:,}, but the file has {len(keys):,}")
        num_keys += end - start
        if num_keys > 16 * len(keys):
            raise reader.Error(f"clip {name!r}: the clips share {num_keys:,} keys, but only {len(keys):,} are stored")
        frame_rate = float(sequence["frame_rate"])
        if not 0 < frame_rate < 1e6:
            reader.warn(f"The frame rate {frame_rate:g} of clip {name!r} is unusable; 30 is used instead.")
            frame_rate = 30.0
        part = keys[start:end].reshape(num_frames if num_bones else 0, num_bones)
        if part.size == 0:
            reader.warn(f"Clip {name!r} has no keys and is left out.")
            continue
        clip = {
            "name": name,
            "times": np.arange(num_frames) / frame_rate,
            "translations": part["position"],
            "rotations": _rotations(part["rotation"], is_root),
        }
        if len(scale_keys) == len(keys):
            clip["scales"] = scale_keys["scale"][start:end].reshape(num_frames, num_bones, 3)
        clips.append(clip)
    rotations = _rotations(bones["rotation"], is_root)
    positions = bones["position"]
    if clips and not bones["rotation"].any():
        # Some exporters leave the transforms of bones empty.
        positions, rotations = clips[0]["translations"][0], clips[0]["rotations"][0]
    records = zip(names, parents, positions, rotations)
    return {
        "bones": [
            {"name": name, "parent": parent, "translation": position, "rotation": rotation}
            for name, parent, position, rotation in records
        ],
        "clips": clips,
    }
