"""Nodes of COLLADA files, and how their transforms are composed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import numpy as np

from .. import reader
from ._dae_document import Document, damaged, numbers
from ._math import Floats

#: Number of values per transform.
TRANSFORMS = {"lookat": 9, "matrix": 16, "rotate": 4, "scale": 3, "skew": 7, "translate": 3}
#: Nodes of a scene, with repeated instances.
MAX_NODES = 65_536
MAX_DEPTH = 1_000


@dataclass
class Transform:
    """A transform of a node, with values as stored."""

    kind: str
    sid: str
    values: Floats


@dataclass
class Node:
    """A node, once for each of its instances."""

    element: Element
    parent: int
    transforms: list[Transform]
    depth: int
    children: list[int] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.element.get("name") or self.element.get("sid") or self.element.get("id") or ""

    def local(self, animated: dict[int, Floats] | None = None, num_times: int = 1) -> Floats:
        """(times, 4, 4) matrices relative to the parent; values of animated transforms replace those stored."""
        result = np.tile(np.eye(4), (num_times, 1, 1))
        for number, transform in enumerate(self.transforms):
            values = (animated or {}).get(number)
            result = result @ matrices(transform.kind, transform.values[None] if values is None else values)
        return result


class Scene:
    """The nodes of the visual scene, parents first."""

    def __init__(self, document: Document, axes: Floats) -> None:
        """
        :param axes: a matrix to apply to the roots
        """
        self.nodes: list[Node] = []
        self.by_element: dict[Element, list[int]] = {}
        self.by_id: dict[str, int] = {}
        instance = document.root.find("scene/instance_visual_scene")
        if instance is not None:
            root = document.target(instance, tag="visual_scene")
        elif (found := next(document.root.iter("visual_scene"), None)) is not None:
            root = found
        else:
            raise reader.Error("the file has no <visual_scene>; export it again with its scene")
        self.roots: list[int] = []
        waiting = [(child, -1) for child in reversed(_children(document, root))]
        while waiting:
            element, parent = waiting.pop()
            number = len(self.nodes)
            if number >= MAX_NODES:
                raise reader.Error(f"the scene has more than {MAX_NODES:,} nodes; export fewer instances")
            depth = 0 if parent < 0 else self.nodes[parent].depth + 1
            if depth >= MAX_DEPTH:
                raise damaged(element, f"nodes are nested more than {MAX_DEPTH:,} levels deep")
            transforms = [_transform(child) for child in element if child.tag in TRANSFORMS]
            if parent < 0:
                self.roots.append(number)
                if (axes != np.eye(4)).any():
                    transforms.insert(0, Transform("matrix", "", axes.reshape(-1)))
            else:
                self.nodes[parent].children.append(number)
            self.nodes.append(Node(element, parent, transforms, depth))
            if element in self.by_element:
                self._check_cycle(number)
            self.by_element.setdefault(element, []).append(number)
            if identifier := element.get("id"):
                self.by_id.setdefault(identifier, number)
            waiting.extend((child, number) for child in reversed(_children(document, element)))

    def _check_cycle(self, number: int) -> None:
        element, parent = self.nodes[number].element, self.nodes[number].parent
        while parent >= 0:
            if self.nodes[parent].element is element:
                raise damaged(element, "the node is an instance of itself")
            parent = self.nodes[parent].parent

    def below(self, roots: list[int]) -> Iterator[int]:
        """Nodes and their descendants, breadth first."""
        waiting = deque(roots)
        while waiting:
            number = waiting.popleft()
            yield number
            waiting.extend(self.nodes[number].children)


def _children(document: Document, element: Element) -> list[Element]:
    found = []
    for child in element:
        if child.tag == "node":
            found.append(child)
        elif child.tag == "instance_node":
            found.append(document.target(child, tag="node"))
    return found


def _transform(element: Element) -> Transform:
    return Transform(element.tag, element.get("sid") or "", numbers(element, TRANSFORMS[element.tag]))


def matrices(kind: str, values: Floats) -> Floats:
    """(rows, 4, 4) matrices of transforms with (rows, n) values."""
    if kind == "matrix":
        return values.reshape(-1, 4, 4)
    result = np.tile(np.eye(4), (len(values), 1, 1))
    if kind == "translate":
        result[:, :3, 3] = values
    elif kind == "scale":
        result[:, [0, 1, 2], [0, 1, 2]] = values
    elif kind == "rotate":
        axis, angle = _unit(values[:, :3]), np.radians(values[:, 3])[:, None, None]
        cross = np.zeros((len(values), 3, 3))
        cross[:, [2, 0, 1], [1, 2, 0]] = axis
        cross[:, [1, 2, 0], [2, 0, 1]] = -axis
        result[:, :3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)
    elif kind == "lookat":
        eye, target, up = values[:, :3], values[:, 3:6], values[:, 6:]
        back = _unit(eye - target)
        right = _unit(np.cross(up, back))
        result[:, :3, :] = np.stack([right, np.cross(back, right), back, eye], axis=2)
    elif kind == "skew":
        # RenderMan's Skew: a point moves along the second axis so that the first turns towards it by the angle.
        along, turned = _unit(values[:, 4:7]), _unit(values[:, 1:4])
        across = turned - along * np.sum(turned * along, axis=1, keepdims=True)
        component = np.sum(turned * along, axis=1)
        height = np.linalg.norm(across, axis=1)
        before = np.arctan2(height, component)
        after = before - np.radians(values[:, 0])
        safe = np.where(np.abs(np.sin(after)) < 1e-9, 1e-9, np.sin(after))
        amount = np.cos(after) / safe - component / np.where(height == 0, 1, height)
        result[:, :3, :3] += amount[:, None, None] * along[:, :, None] * _unit(across)[:, None, :]
    return result


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths))


def decomposed(local: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Translations, rotations, scales, and the shear that these can't represent, relative to the scale."""
    linear = local[:, :3, :3]
    left, singular, right = np.linalg.svd(linear)
    rotation = left @ right
    flipped = np.linalg.det(rotation) < 0
    flat = flipped & (singular[:, 2] <= 1e-9 * singular[:, 0])
    left[flat, :, 2] *= -1
    rotation = np.where(flat[:, None, None], left @ right, rotation)
    rotation = np.where((flipped & ~flat)[:, None, None], -rotation, rotation)
    stretch = np.swapaxes(rotation, 1, 2) @ linear
    scales = np.stack([stretch[:, axis, axis] for axis in range(3)], axis=1)
    off = np.abs(stretch - scales[:, :, None] * np.eye(3)).max(axis=(1, 2), initial=0)
    shear = off / np.maximum(singular[:, 0], 1e-30)
    return local[:, :3, 3], _quaternions(rotation), scales, shear


def _quaternions(m: Floats) -> Floats:
    """Quaternions x, y, z, w of rotations, without jumps of the sign."""
    diagonal = np.stack([m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]], axis=1)
    trace = diagonal.sum(axis=1)
    # Four times the products of each component with all others; the largest row is the most precise.
    products = np.empty((len(m), 4, 4))
    for a in range(3):
        products[:, a, a] = 1 + 2 * diagonal[:, a] - trace
        b, c = (a + 1) % 3, (a + 2) % 3
        products[:, a, b] = products[:, b, a] = m[:, a, b] + m[:, b, a]
        products[:, a, 3] = products[:, 3, a] = m[:, c, b] - m[:, b, c]
    products[:, 3, 3] = 1 + trace
    best = np.argmax(products[:, range(4), range(4)], axis=1)
    result = products[np.arange(len(m)), best]
    result /= np.linalg.norm(result, axis=1, keepdims=True)
    signs = np.where(np.sum(result[1:] * result[:-1], axis=1) < 0, -1.0, 1.0)
    result[1:] *= np.cumprod(signs)[:, None]
    return np.asarray(result)
