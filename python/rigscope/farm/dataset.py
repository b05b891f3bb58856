"""A folder of Parquet files, and a manifest that says what it is of.

Invariant: a part has its name once it is whole: it is written beside and renamed. So what has its name is
done, and what is done again takes its place.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from .. import __version__, _rigscope
from .paths import file_system, fingerprint, is_url, plain

SCHEMA = "rigscope.farm/1"
MANIFEST = "_manifest.json"
#: Files in a shard, where nobody says.
SHARD_FILES = 256
#: What is counted in a part, and where its metadata has that.
COUNTS = ("rows", "not_ok", "unread")
COUNTS_KEY = b"rigscope.farm"


class Mismatch(ValueError):
    """The folder has a table of other files, or one that another version made."""


@dataclass(frozen=True)
class Manifest:
    """What a dataset is of."""

    schema: str
    #: Of the package, and a hash of its compiled part: another may find other things.
    version: str
    build: str
    num_files: int
    #: Hash of the names of files, with length and time of change where they are of this system.
    files: str
    shard_files: int
    #: Added once all parts are there.
    counts: dict | None = None

    @classmethod
    def of(cls, files: list[str], shard_files: int) -> Manifest:
        compiled = Path(_rigscope.__file__).read_bytes()
        build = hashlib.sha256(compiled).hexdigest()
        return cls(SCHEMA, __version__, build, len(files), fingerprint(files), shard_files)

    def why_not(self, other: Manifest) -> str | None:
        """Why this is not of what ``other`` is, in words."""
        if self.schema != other.schema:
            return f"it is a {self.schema} and no {other.schema}"
        if (self.version, self.build) != (other.version, other.build):
            return f"rigscope {self.version} (build {self.build[:8]}) made it, and this is " + (
                f"{other.version} (build {other.build[:8]})"
            )
        if self.num_files != other.num_files:
            return f"it is of {self.num_files} files, and these are {other.num_files}"
        if self.files != other.files:
            return "it is of other files, or some have changed since"
        if self.shard_files != other.shard_files:
            return f"it has shards of {self.shard_files} files and not of {other.shard_files}"
        return None


class Dataset:
    """The folder: on this system, or anywhere that fsspec writes."""

    def __init__(self, out, storage_options: dict | None = None) -> None:
        out = plain(os.fspath(out))
        self.is_local = not is_url(out)
        if self.is_local:
            out = os.path.abspath(out)
        #: The same for a worker, which may have another working folder.
        self.place = out
        self.fs, self.root = file_system(out, None if self.is_local else storage_options)
        self.root = self.root.rstrip("/")

    def begin(self, files: list[str], shard_files: int | None, redo: bool) -> list[list[str]]:
        """The shards of ``files``, for a folder that is empty, begun, or is to be made anew."""
        self.fs.makedirs(self.root, exist_ok=True)
        names = self._names()
        others = [name for name in names if not name.startswith(".")]
        if others and MANIFEST not in others:
            raise Mismatch(f"the folder has other things, such as {others[0]}: {self.root}")
        present = self.manifest() if others and not redo else None
        manifest = Manifest.of(files, shard_files or (present and present.shard_files) or SHARD_FILES)
        if present is not None and (why := present.why_not(manifest)):
            raise Mismatch(
                f"the folder has another table: {why}; take another folder, or say that it is to be made "
                f"anew (redo, --redo): {self.root}"
            )
        if present is None:
            # Parts go before the manifest that they are of: nothing is left that is taken for another's.
            self._remove_parts(names)
            self._write_manifest(manifest)
        size = manifest.shard_files
        return [files[at : at + size] for at in range(0, len(files), size)]

    def end(self, counts: dict) -> None:
        """Says that all parts are there, and takes away what tasks that were killed have left."""
        self._remove_parts([name for name in self._names() if name.startswith(".")])
        present = self.manifest()
        self._write_manifest(Manifest(**{**asdict(present), "counts": counts}))

    def manifest(self) -> Manifest:
        """What it is of."""
        try:
            fields = json.loads(self.fs.cat_file(self._at(MANIFEST)))
            return Manifest(**{field: fields.get(field) for field in Manifest.__dataclass_fields__})
        except (ValueError, AttributeError):
            raise Mismatch(f"the folder's manifest cannot be understood: {self.root}") from None

    @staticmethod
    def part(shard: int, num_shards: int) -> str:
        """The name of a shard's part."""
        return f"part-{shard:05}-of-{num_shards:05}.parquet"

    def counted(self, num_shards: int) -> dict[int, dict]:
        """What was counted in the parts that are there, by shard."""
        present = set(self._names())
        parts = {at: self.part(at, num_shards) for at in range(num_shards)}
        counts = {at: self.counts(part) for at, part in parts.items() if part in present}
        return {at: found for at, found in counts.items() if found is not None}

    def counts(self, part: str) -> dict | None:
        """What was counted in a part; none where it is not whole, or not there, after all."""
        import pyarrow.parquet as pq

        try:
            with self.fs.open(self._at(part), "rb") as file:
                metadata = pq.read_metadata(file)
            counts = json.loads(metadata.metadata[COUNTS_KEY])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return counts if counts.get("rows") == metadata.num_rows else None

    def write(self, part: str, content: bytes) -> None:
        """Puts a part in its place, whole."""
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
