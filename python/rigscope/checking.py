"""Validation, diagnosis and comparison."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

from . import _rigscope
from ._rigscope import Model
from .opening import Opened, model_of, open
from .results import Cause, Comparison, Notes
from .types import Companion, Count, Names, Number, Source


def validate(
    source: Model | Source,
    *,
    rules: Names | None = None,
    allow: Names | None = None,
    runtimes: Names | None = None,
    companions: Sequence[Companion] = (),
    without: Sequence[str] | None = None,
    no_effect: bool = False,
    fps: Number | None = None,
    up: Literal["y", "z"] | None = None,
    bones_by_order: bool = False,
    format: str | None = None,
) -> Notes:
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


def diagnose(source: Model | Source, *, good: Model | Source | None = None) -> list[Cause]:
    """The causes of a model's faults, most convincing first. Each is found by experiment: undoing it in a copy of the
    model makes a measurement decisively better.

    :param source: a model, a path, bytes, an open file, or a pair of name and bytes. For a model from a file, clips for
        the same skeleton in its folder are compared with it
    :param good: a correct version of the model, such as its source or an older export, for causes that show only in
        comparison
    """
    model = model_of(source)
    opened = Opened.of(model)
    path = opened.source if opened else None
    return _rigscope.diagnose(
        model,
        path=path if isinstance(path, (str, os.PathLike)) else None,
        good=None if good is None else model_of(good),
    )


def unexplained(source: Model | Source, good: Model | Source) -> dict[str, Any] | None:
    """The visible difference from a correct version that no cause of :func:`diagnose` explains: a dictionary with a
    ``message``, the largest deviation and its place, and ``pieces``, dictionaries with the ``name`` of a part of the
    model that :func:`fix` can take over with ``from_good``, a ``message``, and the ``count`` of differing items. ``None``
    if nothing visible differs."""
    return _rigscope.unexplained(model_of(source), model_of(good))


def rules() -> list[dict[str, str]]:
    """All rules of :func:`validate`: dictionaries with ``code``, ``severity``, ``group``, ``meaning``, ``effect``, ``fix``
    and an ``example`` of a message."""
    return _rigscope.rules()


def causes() -> list[dict[str, Any]]:
    """All causes of :func:`diagnose`: dictionaries with ``name``, ``meaning``, ``fix``, and ``explains``, the codes of
    findings that are symptoms."""
    return _rigscope.causes()


def runtimes() -> list[dict[str, Any]]:
    """All runtimes: dictionaries with the ``id`` for :meth:`Model.pose` and :func:`render`, ``name``, ``version``,
    ``formats`` that they play, ``facts`` that differ from the format's specification, whether they are ``verified``, and
    known ``exceptions``."""
    return _rigscope.runtimes()


def diff(
    a: Model | Source,
    b: Model | Source,
    *,
    tolerance: Number | None = None,
    match_by: Literal["auto", "index", "position"] | None = None,
    ignore: Names | None = None,
    only: Names | None = None,
    max_moments: Count | None = None,
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
        model_of(a),
        model_of(b),
        tolerance=tolerance,
        match_by=match_by,
        ignore=ignore,
        only=only,
        max_moments=max_moments,
    )
