"""Validation and comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from . import _rigscope
from ._rigscope import Comparison, Model, Note
from .opening import open
from .types import Companion, Names, Source


def validate(
    source: Model | Source,
    *,
    rules: Names | None = None,
    allow: Names | None = None,
    runtimes: Names | None = None,
    companions: Sequence[Companion] = (),
    without: Sequence[str] | None = None,
    no_effect: bool = False,
    fps: float | None = None,
    up: Literal["y", "z"] | None = None,
    bones_by_order: bool = False,
    format: str | None = None,
) -> list[Note]:
    """Findings about a model, most severe first: those from reading the file, and those of all rules.

    :param source: a model, a path, bytes, or a pair of name and bytes
    :param rules: findings to check for, as in :meth:`Model.validate`
    :param allow: codes of findings to leave out
    :param runtimes: ids of runtimes whose differences from the format's specification are reported too
    :param companions: as for :func:`open`, like all further parameters; only if ``source`` is a file
    """
    if not isinstance(source, Model):
        source = open(
            source,
            companions=companions,
            without=without,
            no_effect=no_effect,
            fps=fps,
            up=up,
            bones_by_order=bones_by_order,
            format=format,
        )
    elif companions or no_effect or bones_by_order or (without, fps, up, format) != (None, None, None, None):
        raise TypeError(
            "companions, without, no_effect, fps, up, bones_by_order and format are for files, but the source is a model"
        )
    return source.validate(rules=rules, allow=allow, runtimes=runtimes)


def diff(
    a: Model | Source,
    b: Model | Source,
    *,
    tolerance: float | None = None,
    match_by: Literal["auto", "index", "position"] | None = None,
    ignore: Names | None = None,
    only: Names | None = None,
    max_moments: int | None = None,
) -> Comparison:
    """Compares two models: names, structure, and how far vertices, normals, UVs, weights and poses deviate.

    :param a: a model, a path, bytes, or a pair of name and bytes
    :param b: the same
    :param tolerance: deviations up to this aren't differences; relative to the size of the model
    :param match_by: how vertices are matched; by default by index if the numbers are equal, else by position
    :param ignore: kinds of differences to ignore
    :param only: the only kinds of differences to look for
    :param max_moments: number of times per clip at which poses are compared
    """
    return _rigscope.diff(
        a,
        b,
        tolerance=tolerance,
        match_by=match_by,
        ignore=ignore,
        only=only,
        max_moments=max_moments,
    )
