"""Finds the files of a folder, a file, a URL or a list."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from .. import _rigscope, local_files

#: Bytes at the start of a file that format detection needs.
FRONT_BYTES = 16 * 1024


def is_url(path: str) -> bool:
    """Whether a path is an fsspec URL; all others are local."""
    return "://" in path


def plain(path: str) -> str:
    """Converts the URL of a local file to a path, so that the limited process reads it with its related
    files."""
    for start in ("file://", "local://"):
        if path.startswith(start):
            return path.removeprefix(start)
    return path


def file_system(url: str, storage_options: dict[str, Any] | None) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    from fsspec.core import url_to_fs

    fs, path = url_to_fs(url, **(storage_options or {}))
    return fs, path


def find(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], storage_options: dict[str, Any] | None = None
) -> list[str]:
    """All files of a source, sorted and without duplicates.

    A folder or URL is searched for files with the extension of a readable format, as by ``rigscope catalog``. A
    file is taken as it is, and so is each item of an iterable. A URL may contain ``*``. Local paths are made
    absolute, because workers have other working folders.
    """
    if isinstance(source, (str, os.PathLike)):
        source = plain(os.fspath(source))
        found = _in_url(source, storage_options) if is_url(source) else _in_folder(source)
    else:
        found = [plain(os.fspath(path)) for path in source]
    return sorted({path if is_url(path) else os.path.abspath(path) for path in found})


def read_list(list_path: str | os.PathLike[str]) -> list[str]:
    """The files in a list, separated by line ends or zero bytes, as for ``--files-from``."""
    content = Path(list_path).read_bytes()
    if b"\0" in content:
        names = content.split(b"\0")
    else:
        names = [line.removesuffix(b"\r") for line in content.split(b"\n")]
    return [os.fsdecode(name) for name in names if name]


def _in_folder(root: str) -> Iterable[str]:
    if not os.path.isdir(root):
        # Raises an error for a missing path; also accepts special files such as pipes.
        os.stat(root)
        return [root]
    found = []
    entered = set()
    for folder, folders, names in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        if real in entered:
            # Already entered, through a link.
            folders.clear()
            continue
        entered.add(real)
        for name in names:
            path = os.path.join(folder, name)
            if _rigscope.may_open(_text(name), partial(_front, path)):
                found.append(path)
    return found


def _front(path: str) -> bytes | None:
    try:
        return local_files.front(path, FRONT_BYTES)
    except OSError:
        return None


def _in_url(url: str, storage_options: dict[str, Any] | None) -> Iterable[str]:
    fs, root = file_system(url, storage_options)
    if any(sign in root for sign in "*?["):
        paths = fs.glob(root)
    elif fs.isdir(root):
        paths = fs.find(root)
    elif fs.exists(root):
        return [fs.unstrip_protocol(root)]
    else:
        raise FileNotFoundError(f"no such file or folder: {url}")

    def front(path: str) -> bytes | None:
        try:
            return bytes(fs.cat_file(path, start=0, end=FRONT_BYTES))
        except Exception:
            # On any error of the store, the file isn't considered a model.
            return None

    def is_meant(path: str) -> bool:
        return _rigscope.may_open(path.rsplit("/", 1)[-1], lambda: front(path))

    return [fs.unstrip_protocol(path) for path in paths if is_meant(path)]


def _text(name: str) -> str:
    """A name that may not be valid text, as text."""
    return os.fsencode(name).decode("utf-8", "replace")


def fingerprint(files: list[str]) -> str:
    """Hash of file names, and of size and modification time of local files, to detect other or changed
    files."""
    digest = hashlib.sha256()
    with ThreadPoolExecutor(16) as threads:
        for path, change in zip(files, threads.map(_change, files, chunksize=64)):
            digest.update(os.fsencode(path) + b"\0" + change + b"\0")
    return digest.hexdigest()


def _change(path: str) -> bytes:
    if is_url(path):
        return b""
    try:
        stat = os.stat(path)
    except OSError:
        return b"none"
    return f"{stat.st_size} {stat.st_mtime_ns}".encode()
