"""Rows of the tables that ``rigscope catalog`` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, Protocol

from . import _rigscope
from .opening import companion_list
from .sources import plain
from .types import Companion, Number, Source


class Around(Protocol):
    """The folder of a file in memory."""

    def list(self, folder: str) -> list[str]:
        """Paths of all files below ``""`` or ``"../"``, relative to it."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of a file: ``"skin.png"``, ``"../config.json"``."""
        ...


def catalog_row(
    source: Source,
    *,
    around: Around | None = None,
    companions: Sequence[Companion] = (),
    without: Sequence[str] | None = None,
    no_effect: bool = False,
    fps: Number | None = None,
    up: Literal["y", "z"] | None = None,
    bones_by_order: bool = False,
    format: str | None = None,
) -> dict[str, Any]:
    """The row that ``rigscope catalog`` writes for a file, with the same names and values, and ``None`` for missing
    values. A file that cannot be read also gives a row: ``ok`` is false and ``error`` is the reason.

    :param source: a path, bytes, or a pair of name and bytes
    :param around: for bytes: an object whose ``list(folder)`` returns the paths of all files below a folder,
        ``""`` for the folder of the file and ``"../"`` for its parent, and whose ``read(path)`` returns the bytes
        of a file: ``"skin.png"``, ``"../config.json"``. It is called if the file refers to other files.
    :param companions: as for :func:`open`, like all further parameters

    >>> rigscope.catalog_row("hero.bsm2")["totals"]["bones"]
    24
    """
    row: dict[str, Any] = json.loads(
        _rigscope.catalog_row(
            plain(source),
            around=around,
            companions=companion_list(companions),
            without=without,
            no_effect=no_effect,
            fps=fps,
            up=up,
            bones_by_order=bones_by_order,
            format=format,
        )
    )
    return row


def catalog_columns() -> list[dict[str, Any]]:
    """The columns of the rows, in order, each with a ``name`` and a ``kind``. A kind is ``"boolean"``,
    ``"int"``, ``"single"`` (32 bits), ``"double"``, ``"text"``, ``{"list": kind}`` or ``{"struct": columns}``.
    """
    columns: list[dict[str, Any]] = json.loads(_rigscope.catalog_columns())
    return columns
