"""Pairs of bones, and clips of other skeletons."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from . import _rigscope, arguments
from ._rigscope import Model
from .opening import model_of
from .results import BonePairs, Retargeted
from .types import BoneMap, Source


def bones(from_: Model | Source, to: Model | Source, *, bone_map: BoneMap | None = None) -> BonePairs:
    """Which bone of one model is which bone of another: by name, as parts of a body, and by their place in the hierarchy.

    :param from_: the model with the clips, or any model with bones: a model, a path, bytes, an open file, or a pair of
        name and bytes
    :param to: the model whose bones should follow
    :param bone_map: overrides pairs: a TOML, JSON or Godot file, or a dictionary from names of ``from_`` to names of
        ``to``, with ``None`` for bones without a counterpart. By default the file ``MODEL.bones.toml`` next to ``to``, if
        there is one

    :raises rigscope.errors.OptionError: if the map has names that the models lack, or the same counterpart twice
    """
    return _rigscope.bones(model_of(from_), model_of(to), bone_map=_plain_map(bone_map))


def retarget(
    clips: Model | Source | Sequence[Model | Source],
    model: Model | Source,
    *,
    root: Literal["scale", "keep", "none"] = "scale",
    feet: bool = False,
    add: bool = False,
    bone_map: BoneMap | None = None,
) -> Retargeted:
    """Plays clips on a model for which they weren't made: with other bone names, bone axes, rest poses, proportions and
    units. The result has the model with the clips, and measures how well they agree with the source.

    :param clips: a model or file with clips, or a list of them
    :param model: the model whose skeleton should play the clips
    :param root: the motion of the hips: in proportion to the lengths of the legs, as far as in the clip, or none
    :param feet: keep feet where those of the clip are, by bending the legs
    :param add: keep the model's own clips
    :param bone_map: overrides pairs, as for :func:`bones`

    :raises rigscope.errors.OptionError: if a file has no clips, no bone has a counterpart, or the map is wrong
    """
    opened = [model_of(source) for source in _sources(clips)]
    keywords: dict[str, Any] = {
        "root": arguments.text("root", root),
        "feet": arguments.flag("feet", feet),
        "add": arguments.flag("add", add),
        "bone_map": _plain_map(bone_map),
    }
    return _retargeted(opened, model_of(model), keywords)


def _retargeted(clips: list[Model], model: Model, keywords: dict[str, Any]) -> Retargeted:
    origin = (partial(_model_of_retargeted, keywords=keywords), (clips, model))
    return _rigscope.retarget(clips, model, **keywords, origin=origin)


def _model_of_retargeted(clips: list[Model], model: Model, *, keywords: dict[str, Any]) -> Model:
    """Makes a model again that was pickled."""
    return _retargeted(clips, model, keywords).model


def _sources(clips: Any) -> list[Any]:
    """The sources in an argument that is a source or a list of them. A pair of name and bytes is one source."""
    contents = (bytes, bytearray, memoryview, mmap.mmap)
    is_pair = isinstance(clips, tuple) and len(clips) == 2 and isinstance(clips[1], contents)
    is_one = is_pair or isinstance(clips, (str, os.PathLike, *contents)) or hasattr(clips, "read")
    return list(clips) if isinstance(clips, Iterable) and not is_one else [clips]


def _plain_map(bone_map: Any) -> str | list[tuple[str, str | None]] | None:
    """A path, or a list of names and counterparts."""
    if bone_map is None or not isinstance(bone_map, Mapping):
        return None if bone_map is None else arguments.path("bone_map", bone_map)
    entries = []
    for name, counterpart in bone_map.items():
        if counterpart is not None and counterpart is not False:
            counterpart = arguments.text(f"bone_map[{name!r}]", counterpart)
        entries.append((arguments.text("a name in bone_map", name), counterpart or None))
    return entries
