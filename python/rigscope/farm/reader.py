"""Keeps a process that reads files, and gives a row of each whatever happens to it.

Invariant: a file becomes one row. What ends the process, or takes too long, is in that row's ``error``; the
next file gets a new process.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from . import frames
from .paths import is_url
from .store import CannotFetch, Remote

#: How long a new process may take until it can read.
START_SECS = 120
#: Of what a process that ended wrote to stderr, so much of the last line is told.
TOLD_CHARS = 300
#: What Rust says last, and what a reader of tables does not want to know.
TELL_NOTHING = ("skipping backtrace", "stack backtrace", "note: ")


class CannotStart(RuntimeError):
    """No process that reads can be started here: the fault of the machine and not of a file."""


class Reader:
    """Reads files in a process with limits.

    :param time_limit: seconds that one file may take, without the time to fetch it
    :param memory_limit: bytes that it may take besides those of the process itself (Linux)
    :param storage_options: for fsspec
    """

    def __init__(
        self,
        time_limit: float = 60.0,
        memory_limit: int = 2 << 30,
        storage_options: dict | None = None,
    ) -> None:
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.storage_options = storage_options
        self.child: Child | None = None

    def row(self, path: str) -> str:
        """The row of a file as JSON. ``file`` is the path as it is given."""
        text = os.fsencode(path).decode("utf-8", "replace")
        if not is_url(path):
            return self._read([(frames.PATH, os.fsencode(path))], None, text)
        try:
            remote = Remote(path, self.storage_options, self.memory_limit)
            content = remote.content()
        except CannotFetch as error:
            return unread(text, str(error))
        except Exception as error:
            return unread(text, f"cannot be fetched: {error}")
        return self._read([(frames.NAME, text.encode()), (frames.BYTES, content)], remote, text)

    def close(self) -> None:
        """Ends the process."""
        if self.child:
            self.child.end()
            self.child = None

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _read(self, messages: list[tuple[bytes, bytes]], around: Remote | None, path: str) -> str:
        while True:
            if self.child is None:
                self.child = Child(self.memory_limit)
            is_new = self.child.num_read == 0
            try:
                return self.child.row(messages, around, self.time_limit)
            except Fault as fault:
                return unread(path, str(fault))
            except TookTooLong:
                self.close()
                return unread(path, f"took longer than {self.time_limit:g} seconds to read")
            except Ended as ended:
                self.close()
                # One that has read others before may have ended for their sake: then a new one tries.
                if is_new:
                    return unread(path, f"ended the process that read it: {ended}")
            except BaseException:
                # Interrupted: what comes next would be about this file.
                self.close()
                raise


def unread(path: str, error: str) -> str:
    """The row of a file that cannot be read."""
    return json.dumps({"file": path, "ok": False, "error": error})


class Fault(Exception):
    """What the process raised."""


class TookTooLong(Exception):
    """The process is at it still."""


class Ended(Exception):
    """The process is no more, and why."""


class Child:
    """A process that reads, and a thread that talks to it, so that nothing here waits without an end."""

    def __init__(self, memory_limit: int) -> None:
        self.num_read = 0
        # One file is read at a time, for one core; and pools of threads take address space.
        threads = dict.fromkeys(["RAYON_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"], "1")
        self.said = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rigscope.farm.child", str(memory_limit), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.said,
            env={**os.environ, **threads},
        )
        self.requests: queue.SimpleQueue = queue.SimpleQueue()
        self.replies: queue.SimpleQueue = queue.SimpleQueue()
        threading.Thread(target=self._talk, daemon=True).start()
        try:
            self._reply(START_SECS)
        except (TookTooLong, Ended) as error:
            self.end()
            raise CannotStart(f"rigscope.farm.child does not start: {error}") from None

    def row(self, messages, around: Remote | None, time_limit: float) -> str:
        """The row of the file that ``messages`` are about."""
        left = time_limit
        while True:
            began = time.monotonic()
            self.requests.put(messages)
            kind, content = self._reply(left)
            left -= time.monotonic() - began
            if kind == frames.ROW:
                self.num_read += 1
                return content.decode()
            if kind == frames.FAULT:
                self.num_read += 1
                raise Fault(content.decode())
            messages = [_answer(kind, content.decode(), around)]

    def end(self) -> None:
        """Ends it, whatever it is at."""
        self.process.kill()
        self.requests.put(None)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            # It waits for a disk or a network that does not answer. Nobody waits for it.
            pass
        self.said.close()

    def _reply(self, limit: float) -> tuple[bytes, bytes]:
        try:
            reply = self.replies.get(timeout=max(limit, 0.001))
        except queue.Empty:
            raise TookTooLong("it takes too long") from None
        if reply is None:
            raise Ended(self._why())
        return reply

    def _why(self) -> str:
        try:
            code = self.process.wait(5)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        try:
            how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        except ValueError:
            how = f"signal {-code}"
        self.said.seek(0)
        said = self.said.read().decode("utf-8", "replace").splitlines()
        said = [line for line in said if line.strip() and not line.startswith(TELL_NOTHING)]
        return f"{how}, {said[-1][:TOLD_CHARS]}" if said else how

    def _talk(self) -> None:
        """Sends what is asked and takes one reply, again and again."""
        sink, source = self.process.stdin, self.process.stdout
        try:
            reply = frames.receive(source)
            while reply is not None:
                self.replies.put(reply)
                messages = self.requests.get()
                if messages is None:
                    break
                for kind, content in messages:
                    frames.send(sink, kind, content)
                reply = frames.receive(source)
        except (OSError, ValueError, MemoryError):
            # The pipe is broken: the process has ended.
            pass
        self.replies.put(None)
        for pipe in (sink, source):
            try:
                pipe.close()
            except OSError:
                pass


def _answer(kind: bytes, name: str, around: Remote | None) -> tuple[bytes, bytes]:
    try:
        if around is None:
            raise CannotFetch("nothing lies around it")
        if kind == frames.ASK_LIST:
            return frames.LIST, json.dumps(around.list(name)).encode()
        return frames.FILE, around.read(name)
    except Exception as error:
        return frames.ABSENT, str(error).encode("utf-8", "replace")
