"""Rows of the tables that ``rigscope catalog`` writes."""

from __future__ import annotations

import json
from os import PathLike
from typing import Any, Protocol

from . import _rigscope


class Around(Protocol):
    """The folder of a file in memory."""

    def list(self, folder: str) -> list[str]:
        """Paths of all files below ``""`` or ``"../"``, relative to it."""

    def read(self, path: str) -> bytes:
        """The bytes of a file: ``"skin.png"``, ``"../config.json"``."""


def catalog_row(
    source: str | PathLike[str] | bytes | tuple[str, bytes],
    *,
    around: Around | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The row that ``rigscope catalog`` writes for a file, with the same names and values, and ``None`` for missing
    values. A file that cannot be read also gives a row: ``ok`` is false and ``error`` is the reason.

    :param source: a path, bytes, or a pair of name and bytes
    :param around: for bytes: an object whose ``list(folder)`` returns the paths of all files below a folder,
        ``""`` for the folder of the file and ``"../"`` for its parent, and whose ``read(path)`` returns the bytes
        of a file: ``"skin.png"``, ``"../config.json"``. It is called if the file refers to other files.
    :param options: those of :func:`open`

    >>> rigscope.catalog_row("hero.bsm2")["totals"]["bones"]
    24
    """
    return json.loads(_rigscope.catalog_row(source, around=around, **options))


def catalog_columns() -> list[dict[str, Any]]:
    """The columns of the rows, in order, each with a ``name`` and a ``kind``. A kind is ``"boolean"``,
    ``"int"``, ``"single"`` (32 bits), ``"double"``, ``"text"``, ``{"list": kind}`` or ``{"struct": columns}``.
    """
    return json.loads(_rigscope.catalog_columns())
