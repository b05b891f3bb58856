"""Processes one shard: reads its files one after another into one part."""

from __future__ import annotations

import atexit
import io
import json
import os
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq

from .. import __version__
from . import columns
from .dataset import COUNTS_KEY, Dataset
from .reader import Reader, unread

#: Rows are converted to columns when they reach this size.
BATCH_BYTES = 16 << 20

#: The reader process, reused for all shards of a worker.
_readers: dict[tuple[float, int, str], Reader] = {}


@dataclass(frozen=True)
class ShardOptions:
    """Options of all shards."""

    out: str
    num_shards: int
    version: str
    time_limit: float
    memory_limit: int
    storage_options: dict[str, Any] | None


def pack(paths: list[str]) -> bytes:
    """Encodes paths as bytes, because they may not be valid text."""
    return b"\0".join(os.fsencode(path) for path in paths)


def write_shard(item: dict[str, Any], options: ShardOptions) -> dict[str, int]:
    """Reads the files of a shard, writes its part, and returns the counts. Can be repeated."""
    if __version__ != options.version:
        raise RuntimeError(f"this worker has rigscope {__version__}, not {options.version}")
    dataset = Dataset(options.out, options.storage_options)
    part = dataset.part(item["shard"], options.num_shards)
    counts = dataset.counts(part)
    if counts is None:
        paths = [os.fsdecode(path) for path in item["paths"].split(b"\0")]
        content, counts = _encode(paths, _reader(options))
        dataset.write(part, content)
    return {"shard": item["shard"], **counts}


def _reader(options: ShardOptions) -> Reader:
    key = (options.time_limit, options.memory_limit, json.dumps(options.storage_options, default=str))
    if key not in _readers:
        for reader in _readers.values():
            reader.close()
        _readers.clear()
        _readers[key] = Reader(options.time_limit, options.memory_limit, options.storage_options)
        atexit.register(_readers[key].close)
    return _readers[key]


def _encode(paths: list[str], reader: Reader) -> tuple[bytes, dict[str, int]]:
    schema = columns.schema()
    content = io.BytesIO()
    counts = {"rows": 0, "not_ok": 0, "unread": 0}
    waiting: list[str] = []
    with pq.ParquetWriter(content, schema, compression="snappy") as writer:

        def flush() -> None:
            if not waiting:
                return
            table = columns.table(waiting, schema)
            waiting.clear()
            counts["rows"] += table.num_rows
            counts["not_ok"] += table.num_rows - (table["ok"].to_pylist().count(True))
            counts["unread"] += table.num_rows - table["error"].null_count
            writer.write_table(table)

        num_bytes = 0
        for path in paths:
            row = reader.row(path)
            if len(row) > columns.MAX_ROW_BYTES:
                row = unread(os.fsencode(path).decode("utf-8", "replace"), "its row is too large")
            if waiting and num_bytes + len(row) > BATCH_BYTES:
                flush()
                num_bytes = 0
            waiting.append(row)
            num_bytes += len(row)
        flush()
        if counts["rows"] != len(paths):
            raise RuntimeError(f"{counts['rows']} rows of {len(paths)} files")
        writer.add_key_value_metadata({COUNTS_KEY: json.dumps(counts)})
    return content.getvalue(), counts
