"""COLLADA: ``.dae`` scenes of Blender, Maya, 3ds Max, SketchUp and others.

XML whose elements refer to each other by id (``#id``), and within nodes by sid:

===============================  ======================================================================================
``asset``                        ``unit`` in metres, ``up_axis``
``library_visual_scenes``        nodes with ``matrix``, ``translate``, ``rotate``, ``scale``, ``lookat`` and ``skew``,
                                 which are multiplied in the order of the file, and instances of what follows
``library_geometries``           sources of numbers; ``triangles``, ``polylist``, ``polygons`` with an index per input
``library_controllers``          ``skin``: joints, bind matrices, weights; ``morph``: geometries and weights
``library_animations``           channels: keys of one transform or one value of it
``library_animation_clips``      ranges of time and the animations that play in them
``library_materials``,           diffuse and emissive colours, transparency, textures
``library_effects``, ``…images``
===============================  ======================================================================================

Matrices are stored row by row, for column vectors. A skinned vertex is the weighted sum of joint × inverse bind ×
bind shape × position; the node of the instance doesn't move it. Right-handed, Y up unless the file states X or Z.
Triangles are counter-clockwise, and v is 0 at the bottom of the image, so it is inverted here.

pycollada reads geometries and effects. It doesn't read sids, skins of morphs, or the keys of animations, which are read
from the XML here.

Sources: "COLLADA – Digital Asset Schema Release 1.4.1" and "1.5.0", Khronos Group
(https://www.khronos.org/files/collada_spec_1_4.pdf), and "skew" of the RenderMan Interface Specification.

Ambiguous: Joint names are sids below the skeletons of the instance. If there is no such sid, the joint is the node with
that id or name, as in files of several exporters.

Ambiguous: Colours have no colour space. As for FBX, those of vertices are read as sRGB, and those of materials as
linear.

Ambiguous: Blender writes a morph next to the skin of the same geometry, and refers only to the skin. A morph that
nothing refers to is applied to its geometry.

Ambiguous: Matrices of animations are decomposed before they are interpolated, as in most programs, although the
specification interpolates their numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from .. import local_files, reader
from ._dae_animation import Animations, Morphs
from ._dae_controller import Controlled, Controllers, Skin
from ._dae_document import Document, damaged, named
from ._dae_geometry import Geometry
from ._dae_material import Materials
from ._dae_scene import Scene
from ._math import Floats

#: Vertices and influences of all instances together.
MAX_VERTICES = 50_000_000
#: To Y up from X up: -Y is right, and Z points to the viewer.
FROM_X_UP = np.array([[0.0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def read(path: Path) -> dict[str, Any]:
    """Reads a COLLADA scene with its skins, morphs and animations."""
    return parse(local_files.read(path), path.stem)


def parse(data: bytes, name: str = "") -> dict[str, Any]:
    """Reads a COLLADA file from memory; its clip gets the name of the file."""
    document = Document(data)
    up = (document.root.findtext("asset/up_axis") or "Y_UP").strip()
    if up not in ("X_UP", "Y_UP", "Z_UP"):
        reader.warn(f"The up axis {reader.shortened(up)} is unknown; Y is up instead.")
    axes = FROM_X_UP if up == "X_UP" else np.eye(4)
    scene = Scene(document, axes)
    meshes = _Meshes(document, scene, axes)
    bones = [
        {"name": node.name, "parent": node.parent, "rest": node.local()[0], "kind": meshes.kind(number)}
        for number, node in enumerate(scene.nodes)
    ]
    model: dict[str, Any] = {"name": name, "up": "z" if up == "Z_UP" else "y", "handedness": "right"}
    if (meters := _unit_meters(document)) is not None:
        model["unit_meters"] = meters
    model["bones"] = bones
    if meshes.list:
        model |= {"materials": meshes.materials.list, "meshes": meshes.list}
    if clips := Animations(document, scene, meshes.morphs).clips(name):
        model["clips"] = clips
    return model


def _unit_meters(document: Document) -> float | None:
    unit = document.root.find("asset/unit")
    text = None if unit is None else unit.get("meter")
    if text is None:
        return None
    try:
        meters = float(text)
    except ValueError:
        meters = 0.0
    if not 0 < meters < 1e9:
        reader.warn(f"The unit of {reader.shortened(text)} metres is unusable and is ignored.")
        return None
    return meters


class _Meshes:
    """A mesh for each instance of a geometry or a controller."""

    def __init__(self, document: Document, scene: Scene, axes: Floats) -> None:
        self.list: list[dict[str, Any]] = []
        self.materials = Materials(document)
        self.morphs: dict[str, Morphs] = {}
        self._document = document
        self._scene = scene
        self._axes = axes
        self._joints: set[int] = set()
        self._size = 0
        self._unbound: dict[str, Element] = {}
        self._tables: dict[tuple[int, ...], tuple[dict[str, int], dict[str, int]]] = {}
        controllers = Controllers(document)
        num_skipped = 0
        for number, node in enumerate(scene.nodes):
            for instance in node.element:
                if instance.tag in ("instance_geometry", "instance_controller"):
                    target = document.target(instance, tag=instance.tag.removeprefix("instance_"))
                    self._add(number, instance, controllers.read(target))
                elif instance.tag in ("instance_camera", "instance_light"):
                    num_skipped += 1
        self.materials.warn_of_missing()
        for symbol, element in self._unbound.items():
            reader.warn(f"{named(element)}: no material is bound to {reader.shortened(symbol)}.")
        if num_skipped:
            reader.warn(f"{num_skipped:,} cameras and lights are skipped.")

    def kind(self, number: int) -> str:
        is_joint = number in self._joints or self._scene.nodes[number].element.get("type") == "JOINT"
        return "bone" if is_joint else "node"

    def _add(self, node: int, instance: Element, controlled: Controlled) -> None:
        geometry, skin = controlled.geometry, controlled.skin
        if len(geometry.points) == 0:
            return
        self._size += len(geometry.point_of) * (1 + len(controlled.targets))
        if self._size > MAX_VERTICES:
            raise reader.Error(f"the instances have more than {MAX_VERTICES:,} vertices; export fewer instances")
        positions = geometry.points[geometry.point_of]
        bindings = {item.get("symbol") or "": item for item in instance.iter("instance_material")}
        sets = sorted(geometry.uvs)
        subsets = []
        for symbol, first, count in geometry.subsets:
            subsets.append([first, count, self.materials.number(bindings, symbol, sets)])
            if symbol and subsets[-1][2] is None and symbol not in bindings:
                self._unbound.setdefault(symbol, geometry.element)
        name = geometry.element.get("name") or geometry.element.get("id") or self._scene.nodes[node].name
        mesh: dict[str, Any] = {
            "name": name,
            "positions": positions,
            "triangles": geometry.triangles,
            "subsets": subsets,
        }
        # The arrays of instances are shared and not changed.
        if geometry.normals is not None:
            mesh["normals"] = geometry.normals
        if geometry.colors is not None:
            mesh["colors"] = geometry.colors
        if sets:
            mesh["uvs"] = [geometry.uvs[number] for number in sets]
            mesh["uv_names"] = [geometry.uv_names[number] for number in sets]
        if controlled.targets:
            mesh["morph_targets"] = [
                {
                    "name": target.name,
                    "default_weight": target.weight,
                    "position_offsets": target.points[geometry.point_of],
                }
                | ({} if target.normals is None else {"normal_offsets": target.normals})
                for target in controlled.targets
            ]
            for identifier, first in controlled.weight_ids.items():
                morphs = self.morphs.setdefault(identifier, Morphs([], len(controlled.targets) - first))
                morphs.meshes.append((len(self.list), first))
        if skin is None:
            mesh["attached_to"] = node
        else:
            self._bind(mesh, geometry, instance, skin)
        self.list.append(mesh)

    def _bind(self, mesh: dict[str, Any], geometry: Geometry, instance: Element, skin: Skin) -> None:
        joints = self._joint_nodes(instance, skin)
        self._joints.update(joints)
        counts = np.diff(skin.first)[geometry.point_of]
        first = np.concatenate([[0], np.cumsum(counts)])
        self._size += int(first[-1])
        if self._size > MAX_VERTICES:
            raise reader.Error(f"{named(skin.element)}: the vertices have more than {MAX_VERTICES:,} influences")
        used = np.arange(first[-1]) + np.repeat(skin.first[:-1][geometry.point_of] - first[:-1], counts)
        mesh["influences"] = (first, skin.joint[used].astype(np.uint32), skin.weights[used])
        mesh["skin_bones"] = joints
        mesh["inverse_bind_matrices"] = skin.inverse_binds @ np.linalg.inv(self._axes)
        _transform(mesh, self._axes @ skin.bind_shape)

    def _joint_nodes(self, instance: Element, skin: Skin) -> list[int]:
        scene = self._scene
        roots = []
        for skeleton in instance.findall("skeleton"):
            identifier = (skeleton.text or "").strip().rpartition("#")[2]
            if identifier in scene.by_id:
                roots.append(scene.by_id[identifier])
            else:
                reader.warn(f"The scene has no node with the id {reader.shortened(identifier)} of <skeleton>.")
        by_sid, by_name = self._names(tuple(roots))
        tables = [scene.by_id, by_sid, by_name] if skin.joints.is_idref else [by_sid, scene.by_id, by_name]
        found = []
        for joint in skin.joints.names:
            node = next((table[joint] for table in tables if joint in table), None)
            if node is None:
                raise damaged(skin.element, f"the scene has no node for the joint {reader.shortened(joint)}")
            found.append(node)
        return found

    def _names(self, roots: tuple[int, ...]) -> tuple[dict[str, int], dict[str, int]]:
        """Nodes by sid and by name; those below the roots come before all others."""
        if roots not in self._tables:
            by_sid: dict[str, int] = {}
            by_name: dict[str, int] = {}
            for number in [*self._scene.below([*roots]), *self._scene.below(self._scene.roots)]:
                element = self._scene.nodes[number].element
                by_sid.setdefault(element.get("sid") or "", number)
                by_name.setdefault(element.get("name") or "", number)
            self._tables[roots] = by_sid, by_name
        return self._tables[roots]


def _transform(mesh: dict[str, Any], matrix: Floats) -> None:
    """Applies the bind shape matrix to a mesh."""
    if (matrix == np.eye(4)).all():
        return
    linear = matrix[:3, :3]
    mesh["positions"] = mesh["positions"] @ linear.T + matrix[:3, 3]
    # The inverse transpose up to a positive factor, which exists for flat matrices, too.
    cofactors = np.stack([np.cross(linear[(row + 1) % 3], linear[(row + 2) % 3]) for row in range(3)])
    sign = -1.0 if np.linalg.det(linear) < 0 else 1.0
    if sign < 0:
        mesh["triangles"] = mesh["triangles"][:, ::-1]
    before = mesh.get("normals")
    if before is not None:
        mesh["normals"] = normals = _normalized(sign * before @ cofactors.T)
    for target in mesh.get("morph_targets", ()):
        target["position_offsets"] = target["position_offsets"] @ linear.T
        if before is not None and "normal_offsets" in target:
            target["normal_offsets"] = _normalized(sign * (before + target["normal_offsets"]) @ cofactors.T) - normals


def _normalized(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1))
