"""The protocol between two processes on pipes. A frame is a letter, a length and that many bytes."""

from __future__ import annotations

import struct
from typing import IO

HEAD = struct.Struct(">cQ")

#: To the child: read the file at this path; read these bytes, preceded by their name; replies to requests.
PATH, NAME, BYTES, LIST, FILE, ABSENT = b"P", b"N", b"B", b"L", b"F", b"A"
#: From the child: ready; a row; list this folder; read this file; an unexpected error.
READY, ROW, ASK_LIST, ASK_FILE, FAULT = b"!", b"r", b"l", b"f", b"x"


def send(pipe: IO[bytes], kind: bytes, content: bytes) -> None:
    pipe.write(HEAD.pack(kind, len(content)))
    pipe.write(content)
    pipe.flush()


def receive(pipe: IO[bytes]) -> tuple[bytes, bytes] | None:
    """The next frame; ``None`` at the end of the stream, even in the middle of a frame."""
    head = pipe.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, length = HEAD.unpack(head)
    content = pipe.read(length)
    return (kind, content) if len(content) == length else None
