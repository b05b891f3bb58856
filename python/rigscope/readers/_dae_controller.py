"""Controllers of COLLADA files: skins, morphs, and chains of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import numpy as np

from .. import reader
from ._dae_document import Document, Source, damaged, integer, integers, named, numbers
from ._dae_geometry import Geometry, Integers, read_geometry
from ._math import Floats


@dataclass
class Skin:
    """A `<skin>`, whose influences refer to the points of the geometry."""

    element: Element
    bind_shape: Floats
    joints: Source
    inverse_binds: Floats
    #: First influence of each point, joints, and weights.
    first: Integers
    joint: Integers
    weights: Floats


@dataclass
class Target:
    """A target of a `<morph>`, as offsets from the base geometry."""

    name: str
    weight: float
    points: Floats
    normals: Floats | None


@dataclass
class Controlled:
    """A geometry with its skin and morph targets."""

    geometry: Geometry
    skin: Skin | None = None
    targets: list[Target] = field(default_factory=list)
    #: First target of each morph, by the ids with which animations refer to its weights.
    weight_ids: dict[str, int] = field(default_factory=dict)


class Controllers:
    """Reads each geometry and controller once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._geometries: dict[Element, Geometry] = {}
        self._controlled: dict[Element, Controlled] = {}
        # Blender writes morphs that nothing refers to next to the skin of the same geometry.
        parts = [*document.root.iter("skin"), *document.root.iter("morph")]
        used = {part.get("source") for part in parts}
        used |= {instance.get("url") for instance in document.root.iter("instance_controller")}
        self._loose_morphs = {
            morph.get("source"): controller
            for controller in document.root.iter("controller")
            if (morph := controller.find("morph")) is not None and f"#{controller.get('id')}" not in used
        }

    def geometry(self, element: Element) -> Geometry:
        if element not in self._geometries:
            self._geometries[element] = read_geometry(self._document, element)
        return self._geometries[element]

    def read(self, element: Element) -> Controlled:
        """Reads a geometry, or a controller with its sources."""
        if element not in self._controlled:
            chain = [element]
            while chain[-1].tag == "controller":
                part = _part(chain[-1])
                chain.append(self._document.target(part, "source"))
                if chain[-1] in chain[:-1]:
                    raise damaged(element, "controllers refer to each other in a cycle")
            if chain[-1].tag != "geometry":
                raise damaged(element, f"{named(chain[-1])} isn't a geometry")
            controlled = Controlled(self.geometry(chain[-1]))
            if (loose := self._loose_morphs.get(f"#{chain[-1].get('id')}")) is not None:
                chain.insert(-1, loose)
            for controller in reversed(chain[:-1]):
                if (part := _part(controller)).tag == "morph":
                    if controlled.skin is not None:
                        reader.warn(f"{named(controller)}: the morph of a skin is applied before the skin.")
                    self._add_morph(controlled, controller, part)
                elif controlled.skin is not None:
                    raise reader.Error(f"{named(controller)}: a skin of a skin isn't supported; export a single skin")
                else:
                    num_points = len(controlled.geometry.points)
                    controlled.skin = _read_skin(self._document, controller, part, num_points)
            self._controlled[element] = controlled
        return self._controlled[element]

    def _add_morph(self, controlled: Controlled, controller: Element, morph: Element) -> None:
        base = controlled.geometry
        method = morph.get("method", "NORMALIZED")
        if method not in ("NORMALIZED", "RELATIVE"):
            raise damaged(controller, f"the morph method {reader.shortened(method)} is unknown")
        part = morph.find("targets")
        if part is None:
            raise damaged(controller, "the morph has no targets")
        inputs = self._document.inputs(part, "MORPH_TARGET", "MORPH_WEIGHT")
        names, weights = inputs["MORPH_TARGET"].names, inputs["MORPH_WEIGHT"].values
        if len(names) != len(weights):
            raise damaged(controller, f"there are {len(names):,} morph targets and {len(weights):,} weights")
        weight_source = inputs["MORPH_WEIGHT"].element
        for element in [controller, weight_source, *weight_source]:
            if identifier := element.get("id"):
                controlled.weight_ids[identifier] = len(controlled.targets)
        for name, weight in zip(names, weights[:, 0]):
            element = self._document.by_id.get(name)
            if element is None or element.tag not in ("geometry", "controller"):
                raise damaged(controller, f"there is no geometry with the id {reader.shortened(name)}")
            # Targets can be controllers themselves, of which only the geometry counts.
            target = self.geometry(element) if element.tag == "geometry" else self.read(element).geometry
            if len(target.points) != len(base.points):
                counts = f"{len(target.points):,} positions, and the base has {len(base.points):,}"
                raise damaged(controller, f"the morph target {reader.shortened(name)} has {counts}")
            offsets = target.points if method == "RELATIVE" else target.points - base.points
            normals = None
            if base.normals is not None and target.normals is not None:
                if len(target.normals) == len(base.normals) and (target.triangles == base.triangles).all():
                    normals = target.normals - (base.normals if method == "NORMALIZED" else 0)
            title = target.element.get("name") or name
            controlled.targets.append(Target(title, float(weight), offsets, normals))


def _part(controller: Element) -> Element:
    for tag in ("skin", "morph"):
        if (part := controller.find(tag)) is not None:
            return part
    raise damaged(controller, "there is neither a skin nor a morph")


def _read_skin(document: Document, controller: Element, skin: Element, num_points: int) -> Skin:
    shape = skin.find("bind_shape_matrix")
    joints, weights = skin.find("joints"), skin.find("vertex_weights")
    if joints is None or weights is None:
        raise damaged(controller, f"there is no <{'joints' if joints is None else 'vertex_weights'}>")
    inputs = document.inputs(joints, "JOINT", "INV_BIND_MATRIX")
    names, matrices = inputs["JOINT"].names, inputs["INV_BIND_MATRIX"].values
    if matrices.shape != (len(names), 16):
        found = f"{matrices.shape[0]:,} rows of {matrices.shape[1]} values"
        raise damaged(controller, f"{len(names):,} joints need as many matrices of 16 values, found {found}")
    first, joint, weight = _influences(document, controller, weights, names)
    if len(first) - 1 != num_points:
        counts = f"there are weights for {len(first) - 1:,} positions, but the geometry has {num_points:,}"
        raise damaged(controller, counts)
    return Skin(
        controller,
        np.eye(4) if shape is None else numbers(shape, 16).reshape(4, 4),
        inputs["JOINT"],
        matrices.reshape(-1, 4, 4),
        first,
        joint,
        weight,
    )


def _influences(
    document: Document, controller: Element, weights: Element, names: list[str]
) -> tuple[Integers, Integers, Floats]:
    inputs = document.inputs(weights, "JOINT", "WEIGHT")
    offsets = {item.get("semantic"): _offset(item) for item in weights.findall("input")}
    vcount, rows = weights.find("vcount"), weights.find("v")
    counts = np.empty(0, np.int64) if vcount is None else integers(vcount)
    values = np.empty(0, np.int64) if rows is None else integers(rows)
    width = max(value for value in offsets.values()) + 1
    if (counts < 0).any() or counts.sum() * width != len(values):
        needed = f"vcount needs {counts.sum() * width:,} indices, but there are {len(values):,}"
        raise damaged(controller, needed)
    table = values.reshape(-1, width)
    joint, weight = table[:, offsets["JOINT"]], table[:, offsets["WEIGHT"]]
    own_names, stored = inputs["JOINT"].names, inputs["WEIGHT"].values[:, 0]
    for column, lowest, size, what in [(joint, -1, len(own_names), "joint"), (weight, 0, len(stored), "weight")]:
        wrong = column[(column < lowest) | (column >= size)]
        if len(wrong):
            raise damaged(controller, f"{what} index {wrong[0]:,} is out of range; there are {size:,}")
    if own_names != names:
        number_of = {name: number for number, name in enumerate(names)}
        if missing := [name for name in own_names if name not in number_of]:
            raise damaged(controller, f"the joint {reader.shortened(missing[0])} has no bind matrix")
        joint = np.array([*(number_of[name] for name in own_names), -1])[joint]
    point = np.repeat(np.arange(len(counts)), counts)
    used = joint >= 0
    if num_static := int((~used).sum()):
        reader.warn(f"{named(controller)}: {num_static:,} influences of the bind shape, without a joint, are skipped.")
    first = np.concatenate([[0], np.cumsum(np.bincount(point[used], minlength=len(counts)))])
    return first, joint[used], stored[weight[used]]


def _offset(item: Element) -> int:
    offset = integer(item, "offset", 0)
    if not 0 <= offset < 64:
        raise damaged(item, f"the offset {offset} is out of range")
    return offset
