"""Exceptions, by cause.

Every exception of the library is an :class:`Error`, and also the usual Python exception for its cause
(``FileNotFoundError``, ``OSError``, ``ValueError`` …).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from errno import ENOENT
from functools import partial


class Error(Exception):
    """Base class of all errors of rigscope.

    ``code`` is a stable identifier, ``path`` the file, ``place`` the place in the file as text, and ``offset``
    the place in bytes. The last three may be ``None``. Errors that are also an ``OSError`` have its ``errno`` (``None``
    if the system reported none), ``strerror`` and ``filename``.
    """

    #: The number of the system for all errors of this class.
    _errno: int | None = None

    def __init__(
        self,
        message: str,
        *,
        code: str = "internal",
        path: str | None = None,
        place: str | None = None,
        offset: int | None = None,
        errno: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.path = path
        self.place = place
        self.offset = offset
        if isinstance(self, OSError):
            _set_system_error(self, self._errno if errno is None else errno, path)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Callable[[str], Error], tuple[str]]:
        make = partial(
            type(self),
            code=self.code,
            path=self.path,
            place=self.place,
            offset=self.offset,
            errno=self.errno if isinstance(self, OSError) else None,
        )
        return make, (self.message,)


def _set_system_error(error: OSError, errno: int | None, path: str | None) -> None:
    """Sets the attributes that errors of the system have."""
    error.errno = errno
    error.strerror = str(error) if errno is None else os.strerror(errno)
    error.filename = path


class NotFoundError(Error, FileNotFoundError):
    """The file does not exist."""

    _errno = ENOENT


class UnreadableError(Error, OSError):
    """The file exists but cannot be read."""


class NotUnderstoodError(Error, ValueError):
    """The file is damaged, or its format is not supported."""


class UnsupportedError(Error, ValueError):
    """The file is valid but uses an unsupported feature."""


class TooLargeError(Error, MemoryError):
    """The file needs more memory than the limit."""


class OptionError(Error, ValueError):
    """An option refers to a clip, format or other item that doesn't exist."""


class WriteError(Error, OSError):
    """The format cannot store the model, or the file cannot be written."""


class RenderError(Error, RuntimeError):
    """There is no GPU or software renderer, or rendering failed."""


class InternalError(Error, RuntimeError):
    """A bug in the library; please report it."""


class CancelledError(Error):
    """The operation was cancelled."""


#: The exception for each code of the library.
BY_CODE: dict[str, type[Error]] = {
    "not-found": NotFoundError,
    "unreadable": UnreadableError,
    "not-understood": NotUnderstoodError,
    "unsupported": UnsupportedError,
    "too-large": TooLargeError,
    "bad-option": OptionError,
    "cannot-write": WriteError,
    "no-picture": RenderError,
    "internal": InternalError,
    "cancelled": CancelledError,
}
