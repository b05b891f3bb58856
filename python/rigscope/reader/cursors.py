"""Cursors over binary and text files, whose errors name the place."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .messages import Error


class Bytes:
    """A cursor over binary data that checks every access.

    Reading past the end raises :class:`Error` with the offset. Counts are compared with the remaining bytes before
    memory is allocated, so a damaged count can't exhaust it.

    >>> data = Bytes(b"HERO" + bytes([2, 0, 0, 0]))
    >>> data.expect(b"HERO")
    >>> data.u32()
    2
    """

    def __init__(self, data: bytes | bytearray | memoryview, *, big_endian: bool = False) -> None:
        self._bytes = bytes(data)
        self._data = memoryview(self._bytes)
        self._order: Literal["<", ">"] = ">" if big_endian else "<"
        self._offset = 0

    @property
    def offset(self) -> int:
        """The position in bytes."""
        return self._offset

    @property
    def size(self) -> int:
        """The size of the whole data in bytes."""
        return len(self._data)

    @property
    def remaining(self) -> int:
        """The number of bytes from the position to the end."""
        return len(self._data) - self._offset

    def seek(self, offset: int) -> None:
        """Moves to a position, for example one that the file stores."""
        if not 0 <= offset <= len(self._data):
            raise self.error(f"offset {offset} is outside the file of {len(self._data)} bytes")
        self._offset = offset

    def skip(self, count: int) -> None:
        """Skips bytes."""
        self.raw(count)

    def raw(self, count: int) -> bytes:
        """Reads bytes."""
        return bytes(self._take(count))

    def expect(self, magic: bytes) -> None:
        """Reads bytes that must have a given value, such as a magic number."""
        start = self._offset
        if bytes(self._data[start : start + len(magic)]) != magic:
            found = bytes(self._data[start : start + len(magic)])
            raise Error(f"expected {magic!r} at offset 0x{start:x}, found {found!r}", offset=start)
        self._offset += len(magic)

    def u8(self) -> int:
        """Reads an unsigned 8-bit integer."""
        return int(self._number("B", 1))

    def i8(self) -> int:
        """Reads a signed 8-bit integer."""
        return int(self._number("b", 1))

    def u16(self) -> int:
        """Reads an unsigned 16-bit integer."""
        return int(self._number("H", 2))

    def i16(self) -> int:
        """Reads a signed 16-bit integer."""
        return int(self._number("h", 2))

    def u32(self) -> int:
        """Reads an unsigned 32-bit integer."""
        return int(self._number("I", 4))

    def i32(self) -> int:
        """Reads a signed 32-bit integer."""
        return int(self._number("i", 4))

    def u64(self) -> int:
        """Reads an unsigned 64-bit integer."""
        return int(self._number("Q", 8))

    def f32(self) -> float:
        """Reads a 32-bit float."""
        return self._number("f", 4)

    def f64(self) -> float:
        """Reads a 64-bit float."""
        return self._number("d", 8)

    def text(self, count: int | None = None) -> str:
        """Reads text of a fixed number of bytes, up to the first zero byte; without a number, up to a zero byte.

        Text that isn't valid UTF-8 is read as Latin-1.
        """
        if count is None:
            start, end = self._offset, self._bytes.find(0, self._offset)
            if end < 0:
                raise self.error("text without a terminating zero byte")
            self._offset = end + 1
            return decode(self._bytes[start:end])
        return decode(self.raw(count).partition(b"\0")[0])

    def array(self, dtype: DTypeLike, count: int, columns: int | None = None) -> NDArray[Any]:
        """Reads an array of ``count`` items, or of ``count`` rows with ``columns`` items.

        :param dtype: a NumPy type, such as ``"f4"``, ``"u2"`` or a structured type; the byte order is that of the
            cursor
        """
        kind = np.dtype(dtype)
        if kind.hasobject or kind.itemsize == 0:
            raise TypeError(f"{kind} isn't a type of fixed size")
        kind = kind.newbyteorder(self._order)
        items = count * (1 if columns is None else columns)
        data = self._take(items * kind.itemsize)
        array = np.frombuffer(data, kind, items).astype(kind.newbyteorder("="), copy=True)
        return array if columns is None else array.reshape(count, columns)

    def error(self, message: str) -> Error:
        """Returns an error with the current position: ``raise data.error("unknown version 7")``."""
        return Error(f"{message} at offset 0x{self._offset:x}", offset=self._offset)

    def _take(self, count: int) -> memoryview:
        if count < 0:
            raise self.error(f"negative size {count}")
        if count > self.remaining:
            bytes_needed = f"{count:,} byte{'s' if count != 1 else ''} needed"
            raise Error(
                f"truncated at offset 0x{self._offset:x}: {bytes_needed}, {self.remaining:,} left",
                offset=self._offset,
            )
        start = self._offset
        self._offset += count
        return self._data[start : self._offset]

    def _number(self, code: str, size: int) -> float:
        return cast(float, struct.unpack(self._order + code, self._take(size))[0])


class Text:
    """A cursor over the lines of a text file, for error messages with line numbers.

    Blank lines, white space around lines and comments are skipped.

    >>> text = Text(b"bones 2\\n\\n0 1 2 # the first\\n", comment="#")
    >>> text.next()
    'bones 2'
    >>> text.numbers(text.next(), 3)
    [0.0, 1.0, 2.0]
    >>> text.line
    3
    """

    def __init__(self, data: bytes | str, *, comment: str | None = None) -> None:
        if isinstance(data, bytes):
            data = decode(data.removeprefix(b"\xef\xbb\xbf"))
        self._lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._comment = comment
        self._next = 0
        self._line = 0

    @property
    def line(self) -> int:
        """The number of the line that was read last, from 1."""
        return self._line

    def next(self) -> str:
        """Reads the next line that isn't blank."""
        line = self.next_or_none()
        if line is None:
            raise self.error("the file ends here and is truncated")
        return line

    def next_or_none(self) -> str | None:
        """Reads the next line that isn't blank; ``None`` at the end of the file."""
        lines, comment = self._lines, self._comment
        for at in range(self._next, len(lines)):
            line = lines[at]
            if comment is not None:
                line = line.partition(comment)[0]
            line = line.strip()
            if line:
                self._line = self._next = at + 1
                return line
        self._next = len(lines)
        self._line = len(lines)
        return None

    def rest(self) -> Iterator[str]:
        """Reads the remaining lines."""
        while (line := self.next_or_none()) is not None:
            yield line

    def numbers(self, line: str | Iterable[str], count: int | None = None) -> list[float]:
        """Parses finite numbers that are separated by white space.

        :param count: the required number of values
        """
        parts = line.split() if isinstance(line, str) else list(line)
        if count is not None and len(parts) != count:
            raise self.error(f"expected {count} numbers, found {len(parts)} values")
        try:
            values = [float(part) for part in parts]
        except ValueError:
            raise self.error(f"expected numbers, found {shortened(' '.join(parts))}") from None
        if not all(abs(value) < 3.4e38 for value in values):
            raise self.error(f"a number isn't finite: {shortened(' '.join(parts))}")
        return values

    def integer(self, part: str, what: str = "an integer") -> int:
        """Parses an integer of 32 bits."""
        try:
            value = int(part)
        except ValueError:
            raise self.error(f"expected {what}, found {shortened(part)}") from None
        if not -(2**31) <= value < 2**32:
            raise self.error(f"{what}: {shortened(part)} is out of range")
        return value

    def error(self, message: str, line: int | None = None) -> Error:
        """Returns an error with the number of the current line: ``raise text.error("expected a name")``."""
        place = f"line {line or self._line}"
        return Error(f"{place}: {message}", place=place)


def decode(data: bytes) -> str:
    """Decodes text as UTF-8, or as Latin-1 if it isn't valid UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def shortened(text: str, limit: int = 60) -> str:
    """Quotes text of a file for a message."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")
