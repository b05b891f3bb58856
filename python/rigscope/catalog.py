"""What there is to say of one file, as a row of the tables that ``rigscope catalog`` writes."""

from __future__ import annotations

import json
from os import PathLike
from typing import Any, Protocol

from . import _rigscope


class Around(Protocol):
    """What lies around a file in memory."""

    def list(self, folder: str) -> list[str]:
        """Paths of all files below ``""`` or ``"../"``, without that."""

    def read(self, path: str) -> bytes:
        """The bytes of a file: ``"skin.png"``, ``"../config.json"``."""


def catalog_row(
    source: str | PathLike[str] | bytes | tuple[str, bytes],
    *,
    around: Around | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The row that ``rigscope catalog`` writes for a file: the same names and values, ``None`` where there is
    nothing to say. A file that cannot be read is a row too: ``ok`` is false and ``error`` says why.

    :param source: a path, bytes, or a pair of name and bytes
    :param around: for bytes: an object whose ``list(folder)`` has the paths of all files below a folder, which
        is ``""`` for the file's own and ``"../"`` for the one above, and whose ``read(path)`` has the bytes of
        one: ``"skin.png"``, ``"../config.json"``. It is asked where a file names another.
    :param options: those of :func:`open`

    >>> rigscope.catalog_row("hero.bsm2")["totals"]["bones"]
    24
    """
    return json.loads(_rigscope.catalog_row(source, around=around, **options))


def catalog_columns() -> list[dict[str, Any]]:
    """The columns of such rows, in their order: a ``name`` and a ``kind`` each. A kind is ``"boolean"``,
    ``"int"``, ``"single"`` (32 bits), ``"double"``, ``"text"``, ``{"list": kind}`` or ``{"struct": columns}``.
    """
    return json.loads(_rigscope.catalog_columns())
