"""Fetches files from fsspec storage.

A file is fetched whole. Its folder is listed once, and files in it are fetched, when the reader requests them. The
parent folder is only listed if it contains the ``config.json`` of an effect. Recent listings and files are cached,
because models in the same folder share them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from .paths import file_system

#: As for folders on disk: textures may be one or two folders down, and a huge folder is only listed partially.
MAX_DEPTH = 3
MAX_PATHS = 20_000
#: Size limit of related files; sixteen of them are cached.
MAX_AROUND_BYTES = 64 << 20
#: Waiting times before each attempt; errors that aren't caused by the file itself are retried.
WAITS_SECS = (0, 1, 4)


_T = TypeVar("_T")


class CannotFetch(Exception):
    """A file cannot be fetched; the text is the reason in its row."""


class Remote:
    """A file in a store."""

    def __init__(self, url: str, storage_options: dict[str, Any] | None, limit_bytes: int) -> None:
        self.fs, self.path = file_system(url, storage_options)
        self.limit_bytes = limit_bytes
        folder = self.path.rpartition("/")[0]
        self.folders = {"": folder, "../": folder.rpartition("/")[0]}

    def content(self) -> bytes:
        """The bytes of the file."""
        return _fetch(self.fs, self.path, self.limit_bytes)

    def list(self, folder: str) -> list[str]:
        """Paths of all files below ``""`` or ``"../"``."""
        root = self.folders[folder]
        return list(_list_cached(self.fs, root)) if root else []

    def read(self, path: str) -> bytes:
        """The bytes of a related file."""
        folder = "../" if path.startswith("../") else ""
        below = path.removeprefix(folder)
        root = self.folders[folder]
        if not root or ".." in below.split("/"):
            raise CannotFetch("its path leads outside the model's folder")
        content = _fetch_cached(self.fs, f"{root}/{below}", self.limit_bytes)
        if isinstance(content, CannotFetch):
            raise content
        return content


def _retry(work: Callable[[], _T]) -> _T:
    last: Exception | None = None
    for wait in WAITS_SECS:
        time.sleep(wait)
        try:
            return work()
        except FileNotFoundError:
            raise CannotFetch("no such file or folder") from None
        except (PermissionError, IsADirectoryError) as error:
            raise CannotFetch(f"cannot be fetched: {error}") from None
        except Exception as error:
            # Stores raise the exceptions of their network libraries.
            last = error
    raise CannotFetch(f"cannot be fetched: {last}")


def _fetch(fs: Any, path: str, limit_bytes: int) -> bytes:
    size: int | None = _retry(lambda: fs.size(path))
    if size is not None and size > limit_bytes:
        raise CannotFetch(f"too large to fetch: {size} bytes")
    return _retry(lambda: bytes(fs.cat_file(path)))


@lru_cache(maxsize=16)
def _fetch_cached(fs: Any, path: str, limit_bytes: int) -> bytes | CannotFetch:
    # A missing file is cached too, because each mesh requests the config of an effect.
    try:
        return _fetch(fs, path, min(limit_bytes, MAX_AROUND_BYTES))
    except CannotFetch as error:
        return error


@lru_cache(maxsize=16)
def _list_cached(fs: Any, root: str) -> tuple[str, ...]:
    paths: list[str] = _retry(lambda: fs.find(root, maxdepth=MAX_DEPTH))
    below = (path[len(root) :].lstrip("/") for path in paths if path.startswith(root))
    seen = [path for path in below if path and not _is_hidden(path)]
    return tuple(sorted(seen, key=lambda path: (path.count("/"), path))[:MAX_PATHS])


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/")[:-1])
