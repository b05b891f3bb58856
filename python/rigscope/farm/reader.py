"""Manages a reader process, and returns a row for each file even if the process fails.

Invariant: each file gives one row. If the process ends or takes too long, the reason is in ``error`` of that row,
and the next file gets a new process.
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
from typing import Any, TypeAlias

from . import frames
from .paths import is_url
from .store import CannotFetch, Remote

#: Time limit for starting a process.
START_SECS = 120
#: Length limit for the last line of stderr of a process that ended.
MAX_STDERR_CHARS = 300
#: Lines that Rust prints last, and that don't explain the error.
BOILERPLATE = ("skipping backtrace", "stack backtrace", "note: ")

#: Frames to send: kind and content.
Messages: TypeAlias = list[tuple[bytes, bytes]]


class CannotStart(RuntimeError):
    """The reader process cannot be started. This is a problem of the machine, not of a file."""


class Reader:
    """Reads files in a process with limits.

    :param time_limit: seconds per file, without the time to fetch it
    :param memory_limit: bytes per file, in addition to those of the process itself (Linux)
    :param storage_options: options for fsspec
    """

    def __init__(
        self,
        time_limit: float = 60.0,
        memory_limit: int = 2 << 30,
        storage_options: dict[str, Any] | None = None,
    ) -> None:
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.storage_options = storage_options
        self.child: Child | None = None

    def row(self, path: str) -> str:
        """The row of a file as JSON. ``file`` is the path as passed."""
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

    def _read(self, messages: Messages, around: Remote | None, path: str) -> str:
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
                # A process that has read other files may have ended because of those: retry in a new one.
                if is_new:
                    return unread(path, f"ended the process that read it: {ended}")
            except BaseException:
                # Interrupted: the next reply would be for this file.
                self.close()
                raise


def unread(path: str, error: str) -> str:
    """The row of a file that cannot be read."""
    return json.dumps({"file": path, "ok": False, "error": error})


class Fault(Exception):
    """An exception in the process."""


class TookTooLong(Exception):
    """The process is still working on the file."""


class Ended(Exception):
    """The process has ended; the text is the reason."""


class Child:
    """A reader process, and a thread that communicates with it, so that no wait is unbounded."""

    def __init__(self, memory_limit: int) -> None:
        self.num_read = 0
        # Each process reads one file at a time on one core, and thread pools use address space.
        threads = dict.fromkeys(["RAYON_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"], "1")
        self.stderr = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rigscope.farm.child", str(memory_limit), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            env={**os.environ, **threads},
        )
        self.requests: queue.SimpleQueue[Messages | None] = queue.SimpleQueue()
        self.replies: queue.SimpleQueue[tuple[bytes, bytes] | None] = queue.SimpleQueue()
        threading.Thread(target=self._talk, daemon=True).start()
        try:
            self._reply(START_SECS)
        except (TookTooLong, Ended) as error:
            self.end()
            raise CannotStart(f"rigscope.farm.child does not start: {error}") from None

    def row(self, messages: Messages, around: Remote | None, time_limit: float) -> str:
        """The row of the file in ``messages``."""
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
        """Kills the process."""
        self.process.kill()
        self.requests.put(None)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            # The process is blocked by a disk or network that does not respond; don't wait for it.
            pass
        self.stderr.close()

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
        self.stderr.seek(0)
        lines = self.stderr.read().decode("utf-8", "replace").splitlines()
        lines = [line for line in lines if line.strip() and not line.startswith(BOILERPLATE)]
        return f"{how}, {lines[-1][:MAX_STDERR_CHARS]}" if lines else how

    def _talk(self) -> None:
        """Sends requests and receives one reply for each."""
        sink, source = self.process.stdin, self.process.stdout
        assert sink is not None and source is not None, "both are pipes"
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
            raise CannotFetch("no related files are available")
        if kind == frames.ASK_LIST:
            return frames.LIST, json.dumps(around.list(name)).encode()
        return frames.FILE, around.read(name)
    except Exception as error:
        return frames.ABSENT, str(error).encode("utf-8", "replace")
