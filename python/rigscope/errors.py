"""What goes wrong, by whose fault it is.

Every exception of the library is an :class:`Error` and also what Python's users catch for such a fault
(``FileNotFoundError``, ``OSError``, ``ValueError`` …).
"""

from __future__ import annotations

from functools import partial


class Error(Exception):
    """Anything that goes wrong in rigscope.

    ``code`` is a word that stays; ``path`` the file it is about; ``place`` where in the file, in words;
    ``offset`` the same in bytes. Each of the last three may be ``None``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "internal",
        path: str | None = None,
        place: str | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.place = place
        self.offset = offset

    def __reduce__(self):
        details = {"code": self.code, "path": self.path, "place": self.place, "offset": self.offset}
        return partial(type(self), **details), (str(self),)


class NotFoundError(Error, FileNotFoundError):
    """There is no such file."""


class UnreadableError(Error, OSError):
    """The file is there, and its bytes cannot be had."""


class NotUnderstoodError(Error, ValueError):
    """The file is damaged, or of no format that is read."""


class UnsupportedError(Error, ValueError):
    """The file is sound, and holds what is not read."""


class TooLargeError(Error, MemoryError):
    """The file asks for more memory than is allowed."""


class OptionError(Error, ValueError):
    """The options ask for what there is not, such as a clip or a format."""


class WriteError(Error, OSError):
    """The format cannot hold the model, or something is in the way of the file."""


class RenderError(Error, RuntimeError):
    """There is no GPU, not even one in software, or it did not draw."""


class InternalError(Error, RuntimeError):
    """A fault of the library: please report it."""


class CancelledError(Error):
    """Somebody asked to stop."""


BY_CODE = {
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
