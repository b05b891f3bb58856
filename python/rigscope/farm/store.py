"""Files in fsspec's places: what is fetched, and when.

A file is fetched whole. The names in its folder are listed once, and files among them fetched, when its reader
asks for them; of the folder above nothing but an effect's ``config.json`` is looked for, unless it is there. The
last of all these are kept, since files of one folder share them.
"""

from __future__ import annotations

import time
from functools import lru_cache

from .paths import file_system

#: As for folders on disk: textures lie one or two folders down, and a huge folder is listed in part.
MAX_DEPTH = 3
MAX_PATHS = 20_000
#: Sixteen of these are kept.
MAX_AROUND_BYTES = 64 << 20
#: How often what fails for no reason of the file's own is tried, and how long is waited before.
WAITS_SECS = (0, 1, 4)


class CannotFetch(Exception):
    """Why a file cannot be had, for its row."""


class Remote:
    """A file in a store."""

    def __init__(self, url: str, storage_options: dict | None, limit_bytes: int) -> None:
        self.fs, self.path = file_system(url, storage_options)
        self.limit_bytes = limit_bytes
        folder = self.path.rpartition("/")[0]
        self.folders = {"": folder, "../": folder.rpartition("/")[0]}

    def content(self) -> bytes:
        """Its bytes."""
        return _fetched(self.fs, self.path, self.limit_bytes)

    def list(self, folder: str) -> list[str]:
        """Paths of all files below ``""`` or ``"../"``."""
        root = self.folders[folder]
        return list(_listed(self.fs, root)) if root else []

    def read(self, path: str) -> bytes:
        """The bytes of a file around it."""
        folder = "../" if path.startswith("../") else ""
        below = path.removeprefix(folder)
        root = self.folders[folder]
        if not root or ".." in below.split("/"):
            raise CannotFetch("is outside of the model's folder")
        content = _kept(self.fs, f"{root}/{below}", self.limit_bytes)
        if isinstance(content, CannotFetch):
            raise content
        return content


def _tried(work):
    for wait in WAITS_SECS:
        time.sleep(wait)
        try:
            return work()
        except FileNotFoundError:
            raise CannotFetch("no such file or directory") from None
        except (PermissionError, IsADirectoryError) as error:
            raise CannotFetch(f"cannot be fetched: {error}") from None
        except Exception as error:
            # Stores raise whatever their network libraries do.
            last = error
    raise CannotFetch(f"cannot be fetched: {last}")


def _fetched(fs, path: str, limit_bytes: int) -> bytes:
    size = _tried(lambda: fs.size(path))
    if size is not None and size > limit_bytes:
        raise CannotFetch(f"too large to fetch: {size} bytes")
    return _tried(lambda: fs.cat_file(path))


@lru_cache(maxsize=16)
def _kept(fs, path: str, limit_bytes: int) -> bytes | CannotFetch:
    # That there is none is kept too: each mesh asks for the config of an effect.
    try:
        return _fetched(fs, path, min(limit_bytes, MAX_AROUND_BYTES))
    except CannotFetch as error:
        return error


@lru_cache(maxsize=16)
def _listed(fs, root: str) -> tuple[str, ...]:
    paths = _tried(lambda: fs.find(root, maxdepth=MAX_DEPTH))
    below = (path[len(root) :].lstrip("/") for path in paths if path.startswith(root))
    is_hidden = lambda path: any(part.startswith(".") for part in path.split("/")[:-1])  # noqa: E731
    seen = [path for path in below if path and not is_hidden(path)]
    return tuple(sorted(seen, key=lambda path: (path.count("/"), path))[:MAX_PATHS])
