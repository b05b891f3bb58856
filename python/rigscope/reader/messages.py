"""Errors and warnings about files."""

from __future__ import annotations

import threading

from ..errors import NotUnderstoodError


class _Warnings(threading.local):
    """Warnings of the file that is read at present, in each thread."""

    def __init__(self) -> None:
        self.texts: list[str] = []


_warnings = _Warnings()


class Error(NotUnderstoodError):
    """The file is damaged, or uses a feature that the reader doesn't support.

    :func:`run` prints the message without a traceback. Name the place and what is wrong there:
    ``line 12: expected 3 numbers after "time"``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "not-understood",
        path: str | None = None,
        place: str | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message, code=code, path=path, place=place, offset=offset)


def warn(text: str) -> None:
    """Reports a problem of the file that doesn't prevent it from being read.

    Rigscope lists it with the findings of the model.
    """
    _warnings.texts.append(" ".join(text.split()))


def take_warnings() -> list[str]:
    taken, _warnings.texts = _warnings.texts, []
    return taken
