"""What two processes tell each other through pipes: a letter, a length, so many bytes."""

from __future__ import annotations

import struct

HEAD = struct.Struct(">cQ")

#: To the child: read the file of that path; take these bytes, whose name came before; an answer.
PATH, NAME, BYTES, LIST, FILE, ABSENT = b"P", b"N", b"B", b"L", b"F", b"A"
#: From the child: it can read; the row; list that folder; read that file; what went wrong besides.
READY, ROW, ASK_LIST, ASK_FILE, FAULT = b"!", b"r", b"l", b"f", b"x"


def send(pipe, kind: bytes, content: bytes) -> None:
    pipe.write(HEAD.pack(kind, len(content)))
    pipe.write(content)
    pipe.flush()


def receive(pipe) -> tuple[bytes, bytes] | None:
    """The next of them; none at the end, also in the middle of one."""
    head = pipe.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, length = HEAD.unpack(head)
    content = pipe.read(length)
    return (kind, content) if len(content) == length else None
