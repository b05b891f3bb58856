"""One shard: so many files read one after another into one part. What a worker does."""

from __future__ import annotations

import atexit
import io
import json
import os
from dataclasses import dataclass

import pyarrow.parquet as pq

from .. import __version__
from . import columns
from .dataset import COUNTS_KEY, Dataset
from .reader import Reader, unread

#: Rows become columns when they take so much memory.
BATCH_BYTES = 16 << 20

#: The process that reads, kept between the shards that one worker does.
_kept: dict[tuple, Reader] = {}


@dataclass(frozen=True)
class Asked:
    """What all shards have in common."""

    out: str
    num_shards: int
    version: str
    time_limit: float
    memory_limit: int
    storage_options: dict | None


def pack(paths: list[str]) -> bytes:
    """Paths as bytes: they may be no text."""
    return b"\0".join(os.fsencode(path) for path in paths)


def do(item: dict, asked: Asked) -> dict:
    """Reads the files of a shard and writes its part; says what was counted. Done again it gives the same."""
    if __version__ != asked.version:
        raise RuntimeError(f"this worker has rigscope {__version__} and not {asked.version}")
    dataset = Dataset(asked.out, asked.storage_options)
    part = dataset.part(item["shard"], asked.num_shards)
    counts = dataset.counts(part)
    if counts is None:
        paths = [os.fsdecode(path) for path in item["paths"].split(b"\0")]
        content, counts = _made(paths, _reader(asked))
        dataset.write(part, content)
    return {"shard": item["shard"], **counts}


def _reader(asked: Asked) -> Reader:
    key = (asked.time_limit, asked.memory_limit, json.dumps(asked.storage_options, default=str))
    if key not in _kept:
        for reader in _kept.values():
            reader.close()
        _kept.clear()
        _kept[key] = Reader(asked.time_limit, asked.memory_limit, asked.storage_options)
        atexit.register(_kept[key].close)
    return _kept[key]


def _made(paths: list[str], reader: Reader) -> tuple[bytes, dict]:
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
