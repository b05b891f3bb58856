"""Sources and targets of files: paths, bytes, and objects with ``read`` or ``write``."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from typing import Any, TypeAlias, Union

from .types import Source

#: A source without objects, for the compiled module.
Plain: TypeAlias = Union[str, "os.PathLike[str]", bytes, tuple[str, bytes]]
#: The same for related files, which are found by their names.
PlainCompanion: TypeAlias = Union[str, "os.PathLike[str]", tuple[str, bytes]]


def plain(source: Source) -> Plain:
    """A source as a path, bytes, or name and bytes. An object with ``read`` is read to its end."""
    if isinstance(source, (str, bytes, os.PathLike)):
        return source
    if isinstance(source, (bytearray, memoryview, mmap.mmap)):
        return bytes(source)
    if isinstance(source, tuple) and len(source) == 2 and isinstance(source[0], str):
        content: Any = source[1]
        if isinstance(content, (bytes, bytearray, memoryview, mmap.mmap)):
            return source[0], bytes(content)
    elif callable(getattr(source, "read", None)):
        return _read(source)
    kind = type(source).__name__
    raise TypeError(f"a file must be a path, bytes, an open file, or a pair of name and bytes, not {kind}")


def _read(file: Any) -> bytes | tuple[str, bytes]:
    content = file.read()
    if isinstance(content, str):
        raise TypeError("the file is open as text; open it with mode 'rb'")
    # Files without a path have a number as their name.
    name = getattr(file, "name", None)
    content = bytes(content)
    return (os.path.basename(name), content) if isinstance(name, str) and name else content


def is_writable(target: object) -> bool:
    """Whether bytes can be written to an object, such as an open file."""
    return callable(getattr(target, "write", None))


def write(target: Any, files: Sequence[tuple[Any, bytes]], what: str) -> None:
    """Writes the only file of a result to an object such as an open file."""
    if len(files) != 1:
        names = ", ".join(os.path.basename(path) for path, _ in files)
        raise ValueError(f"{what} consists of {len(files)} files ({names}), which an open file can't contain; give a path")
    [(_, content)] = files
    try:
        target.write(content)
    except TypeError as error:
        if "str" in str(error):
            raise TypeError("the file is open as text; open it with mode 'wb'") from None
        raise
