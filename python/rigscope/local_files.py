"""Files on disk that the package itself reads and writes, without waiting for pipes and devices."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import UnreadableError, WriteError
from .sources import Plain

#: Limit for a file that is read whole, as for models.
MAX_BYTES = 16 << 30


def read(path: str | os.PathLike[str], max_bytes: int = MAX_BYTES) -> bytes:
    """All bytes of a regular file.

    :raises rigscope.errors.UnreadableError: if it is another kind of file, or larger than ``max_bytes``
    """
    content = front(path, max_bytes + 1)
    if len(content) > max_bytes:
        raise UnreadableError(f"{os.fspath(path)}: the file is larger than the limit of {max_bytes} bytes")
    return content


def front(path: str | os.PathLike[str], num_bytes: int) -> bytes:
    """The first bytes of a regular file."""
    # Checked on the open file, because another may take its place; a pipe is opened without waiting.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableError(f"{os.fspath(path)}: this is not a regular file")
        return file.read(min(num_bytes, found.st_size))


@contextmanager
def on_disk(source: Plain) -> Iterator[str]:
    """The path of a file; bytes are in a temporary file in the meantime."""
    if isinstance(source, (str, os.PathLike)):
        yield os.fspath(source)
        return
    name, content = source if isinstance(source, tuple) else ("", source)
    with tempfile.TemporaryDirectory(prefix="rigscope-") as folder:
        own = Path(name).name
        # No file is called "..".
        path = Path(folder) / (own if own.strip(".") else "model")
        path.write_bytes(content)
        yield str(path)


def write_text(path: str | os.PathLike[str], text: str, inputs: Iterable[Path]) -> None:
    """Writes a file that isn't one of ``inputs``, by any name or link.

    :raises rigscope.errors.WriteError: if it is
    """
    target = Path(path)
    if any(_is_same(target, own) for own in inputs):
        raise WriteError(
            f"{target}: this file is an input, and inputs are never overwritten; choose another name",
            code="cannot-write",
            path=str(target),
        )
    target.write_text(text, encoding="utf-8")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        # One of them doesn't exist.
        return False
