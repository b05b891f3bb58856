"""A folder of Parquet files with a manifest that describes its source.

Invariant: a part is complete when it has its final name, because it is written under a temporary name and then
renamed. A part that is written again replaces the old one.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import __version__, _rigscope
from .paths import file_system, fingerprint, is_url, plain

SCHEMA = "rigscope.farm/1"
MANIFEST = "_manifest.json"
#: Default number of files in a shard.
SHARD_FILES = 256
#: Counts of a part, and their key in its metadata.
COUNTS = ("rows", "not_ok", "unread")
COUNTS_KEY = b"rigscope.farm"


class Mismatch(ValueError):
    """The folder contains a table of other files, or of another version."""


@dataclass(frozen=True)
class Manifest:
    """The source of a dataset."""

    schema: str
    #: Of the package, with a hash of its compiled module, because another build may give other results.
    version: str
    build: str
    num_files: int
    #: Hash of the file names, with size and modification time of local files.
    files: str
    shard_files: int
    #: Added when all parts are complete.
    counts: dict[str, int] | None = None

    @classmethod
    def of(cls, files: list[str], shard_files: int) -> Manifest:
        compiled = Path(_rigscope.__file__).read_bytes()
        build = hashlib.sha256(compiled).hexdigest()
        return cls(SCHEMA, __version__, build, len(files), fingerprint(files), shard_files)

    def why_not(self, other: Manifest) -> str | None:
        """The first difference from ``other`` as text, or ``None`` if both have the same source."""
        if self.schema != other.schema:
            return f"its schema is {self.schema}, not {other.schema}"
        if (self.version, self.build) != (other.version, other.build):
            return f"it was made by rigscope {self.version} (build {self.build[:8]}), and this is " + (
                f"{other.version} (build {other.build[:8]})"
            )
        if self.num_files != other.num_files:
            return f"it has {self.num_files} files, and these are {other.num_files}"
        if self.files != other.files:
            return "it has other files, or some files have changed since"
        if self.shard_files != other.shard_files:
            return f"it has shards of {self.shard_files} files, not of {other.shard_files}"
        return None


class Dataset:
    """A folder, local or in any storage that fsspec can write."""

    def __init__(self, out: str | os.PathLike[str], storage_options: dict[str, Any] | None = None) -> None:
        out = plain(os.fspath(out))
        self.is_local = not is_url(out)
        if self.is_local:
            out = os.path.abspath(out)
        #: Absolute, because workers may have another working folder.
        self.place = out
        self.fs, self.root = file_system(out, None if self.is_local else storage_options)
        self.root = self.root.rstrip("/")

    def begin(self, files: list[str], shard_files: int | None, redo: bool) -> list[list[str]]:
        """The shards of ``files``. The folder is empty, contains an unfinished table, or is replaced."""
        self.fs.makedirs(self.root, exist_ok=True)
        names = self._names()
        others = [name for name in names if not name.startswith(".")]
        if others and MANIFEST not in others:
            raise Mismatch(f"the folder contains other things, such as {others[0]}: {self.root}")
        present = self.manifest() if others and not redo else None
        manifest = Manifest.of(files, shard_files or (present and present.shard_files) or SHARD_FILES)
        if present is not None and (why := present.why_not(manifest)):
            raise Mismatch(
                f"the folder contains a different table: {why}; choose another folder, or replace the table "
                f"(redo, --redo): {self.root}"
            )
        if present is None:
            # Old parts are removed before the manifest is written, so that they can't be mistaken for new ones.
            self._remove_parts(names)
            self._write_manifest(manifest)
        size = manifest.shard_files
        return [files[at : at + size] for at in range(0, len(files), size)]

    def end(self, counts: dict[str, int]) -> None:
        """Marks the table as complete, and removes files left by killed tasks."""
        self._remove_parts([name for name in self._names() if name.startswith(".")])
        present = self.manifest()
        self._write_manifest(Manifest(**{**asdict(present), "counts": counts}))

    def manifest(self) -> Manifest:
        """The manifest in the folder."""
        try:
            fields = json.loads(self.fs.cat_file(self._at(MANIFEST)))
            return Manifest(**{field: fields.get(field) for field in Manifest.__dataclass_fields__})
        except (ValueError, AttributeError):
            raise Mismatch(f"the manifest of the folder cannot be understood: {self.root}") from None

    @staticmethod
    def part(shard: int, num_shards: int) -> str:
        """The name of the part of a shard."""
        return f"part-{shard:05}-of-{num_shards:05}.parquet"

    def counted(self, num_shards: int) -> dict[int, dict[str, int]]:
        """The counts of existing parts, by shard."""
        present = set(self._names())
        parts = {at: self.part(at, num_shards) for at in range(num_shards)}
        counts = {at: self.counts(part) for at, part in parts.items() if part in present}
        return {at: found for at, found in counts.items() if found is not None}

    def counts(self, part: str) -> dict[str, int] | None:
        """The counts of a part; ``None`` if it is missing or incomplete."""
        import pyarrow.parquet as pq

        try:
            with self.fs.open(self._at(part), "rb") as file:
                metadata = pq.read_metadata(file)
            counts: dict[str, int] = json.loads(metadata.metadata[COUNTS_KEY])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return counts if counts.get("rows") == metadata.num_rows else None

    def write(self, part: str, content: bytes) -> None:
        """Writes a part atomically."""
        self._put(part, content)

    def _put(self, name: str, content: bytes) -> None:
        beside = self._at(f".{name}.{uuid.uuid4().hex}")
        if self.is_local:
            with open(beside, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self._at(name))
            return
        self.fs.pipe_file(beside, content)
        if self.fs.exists(self._at(name)):
            self.fs.rm_file(self._at(name))
        self.fs.mv(beside, self._at(name))

    def _write_manifest(self, manifest: Manifest) -> None:
        self._put(MANIFEST, (json.dumps(asdict(manifest), indent=1) + "\n").encode())

    def _remove_parts(self, names: list[str]) -> None:
        for name in names:
            if name.lstrip(".").startswith(("part-", f"{MANIFEST}.")):
                self.fs.rm_file(self._at(name))

    def _names(self) -> list[str]:
        self.fs.invalidate_cache()
        paths = self.fs.ls(self.root, detail=False)
        return sorted(path.rstrip("/").rsplit("/", 1)[-1] for path in paths)

    def _at(self, name: str) -> str:
        return f"{self.root}/{name}"
