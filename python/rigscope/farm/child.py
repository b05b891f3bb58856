"""The reader process: reads files one after another under a memory limit. Internal.

``python -m rigscope.farm.child MEMORY_BYTES PARENT``
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import IO

import rigscope

from . import frames


class Around:
    """Requests related files from the parent."""

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self.source, self.sink = source, sink

    def ask(self, kind: bytes, name: str) -> bytes:
        frames.send(self.sink, kind, name.encode())
        answer = frames.receive(self.source)
        if answer is None:
            raise OSError("nobody answers")
        kind, content = answer
        if kind == frames.ABSENT:
            raise OSError(content.decode())
        return content

    def list(self, folder: str) -> list[str]:
        paths: list[str] = json.loads(self.ask(frames.ASK_LIST, folder))
        return paths

    def read(self, path: str) -> bytes:
        return self.ask(frames.ASK_FILE, path)


def limit_memory(num_bytes: int) -> None:
    """Limits the additional address space of this process; larger allocations fail."""
    try:
        import resource

        with open("/proc/self/statm") as statm:
            present = int(statm.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = present + num_bytes
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ImportError, OSError, ValueError):
        # Only Linux supports this limit; elsewhere only the time limit applies.
        pass


def end_with(parent: int) -> None:
    """Ends this process when its parent has ended, even in the middle of a file."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    # Output that libraries print must not mix with the frames.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = sys.stdin.buffer
    end_with(int(sys.argv[2]))
    limit_memory(int(sys.argv[1]))
    around = Around(source, sink)
    frames.send(sink, frames.READY, b"")
    name = ""
    while (request := frames.receive(source)) is not None:
        kind, content = request
        if kind == frames.NAME:
            name = content.decode()
            continue
        try:
            if kind == frames.PATH:
                row = rigscope._rigscope.catalog_row(os.fsdecode(content))
            else:
                row = rigscope._rigscope.catalog_row((name, content), around=around)
        except Exception as error:
            frames.send(sink, frames.FAULT, f"{type(error).__name__}: {error}".encode())
        else:
            frames.send(sink, frames.ROW, row.encode())


if __name__ == "__main__":
    main()
