"""Runs all shards on Ray Data, one task per shard."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Any

from .. import __version__
from . import paths
from .dataset import COUNTS, Dataset
from .shard import ShardOptions, pack, write_shard


@dataclass(frozen=True)
class Done:
    """Counts of a finished table."""

    #: One per file.
    rows: int
    #: Files that cannot be read, or that have a finding of severity error.
    not_ok: int
    #: Files that cannot be read.
    unread: int
    #: Rows from earlier runs.
    kept: int


def catalog(
    source: str | PathLike[str] | Iterable[str | PathLike[str]] | None,
    out: str | PathLike[str],
    *,
    files_from: str | PathLike[str] | None = None,
    time_limit: float = 60.0,
    memory_limit: int = 2 << 30,
    task_memory: int | None = None,
    shard_files: int | None = None,
    redo: bool = False,
    address: str | None = None,
    num_cpus: int | None = None,
    storage_options: dict[str, Any] | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Done:
    """Reads files on all workers of a Ray cluster, and writes one row per file to a folder of Parquet files.

    :param source: a folder, a file, an fsspec URL (a folder, a file, or with ``*``), or an iterable of paths
        and URLs of files; ``None`` if all files are in ``files_from``
    :param out: the folder to write, on a disk shared by all workers, or an fsspec URL
    :param files_from: a list of additional files, separated by line ends or zero bytes
    :param time_limit: seconds for reading one file; a file that takes longer gets a row with an ``error``
    :param memory_limit: bytes for reading one file (Linux); a file that needs more gets a row with an ``error``
    :param task_memory: bytes that Ray reserves per task; by default ``memory_limit``
    :param shard_files: files per part
    :param redo: replace an existing table, even one of other files or another version
    :param address: address of the cluster; without it and without ``RAY_ADDRESS``, uses only this machine
    :param num_cpus: cores to use without a cluster
    :param storage_options: options for fsspec
    :param progress: called with the number of finished files, of all files, and of files from earlier runs

    A stopped run is resumed by calling it again; existing parts are reused. Starts and stops Ray unless the
    caller has started it.

    :raises rigscope.farm.Mismatch: if ``out`` contains a table of other files or of another version
    """
    try:
        import ray
    except ImportError as error:
        raise ImportError("rigscope.farm needs Ray: pip install 'rigscope[ray]'") from error

    files = paths.find(source, storage_options) if source is not None else []
    if files_from is not None:
        files = sorted({*files, *paths.find(paths.read_list(files_from))})
    dataset = Dataset(out, storage_options)
    shards = dataset.begin(files, shard_files, redo)
    counted = dataset.counted(len(shards))
    num_kept = sum(counts["rows"] for counts in counted.values())
    progress = progress or (lambda *_: None)
    progress(num_kept, len(files), num_kept)
    left = [at for at in range(len(shards)) if at not in counted]
    if left:
        options = ShardOptions(
            dataset.place, len(shards), __version__, time_limit, memory_limit, storage_options
        )
        items = [{"shard": at, "paths": pack(shards[at])} for at in left]
        num_done = num_kept
        with _ray(ray, address, num_cpus):
            for counts in _counts(ray, items, options, task_memory or memory_limit):
                counted[counts.pop("shard")] = counts
                num_done += counts["rows"]
                progress(num_done, len(files), num_kept)
    # Counts the parts in the folder instead of trusting the results of tasks.
    counted = dataset.counted(len(shards))
    sums = {key: sum(counts[key] for counts in counted.values()) for key in COUNTS}
    if len(counted) != len(shards) or sums["rows"] != len(files):
        raise RuntimeError(f"{sums['rows']} rows of {len(files)} files: {dataset.place}")
    dataset.end(sums)
    return Done(**sums, kept=num_kept)


@contextmanager
def _ray(ray: Any, address: str | None, num_cpus: int | None) -> Iterator[None]:
    """Uses the running Ray instance, or starts one and stops it at the end."""
    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    address = address or os.environ.get("RAY_ADDRESS")
    if address:
        ray.init(address, log_to_driver=False, logging_level=logging.WARNING)
    else:
        # This Ray instance is private to the run.
        ray.init(
            "local",
            num_cpus=num_cpus,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.WARNING,
            _node_ip_address="127.0.0.1",
        )
    try:
        yield
    finally:
        ray.shutdown()


def _counts(
    ray: Any, items: list[dict[str, Any]], options: ShardOptions, task_memory: int
) -> Iterator[dict[str, int]]:
    """The counts of each shard, as shards finish."""
    most = max((node["Resources"].get("memory", 0) for node in ray.nodes() if node["Alive"]), default=0)
    if most < task_memory:
        raise ValueError(
            f"no worker has the {task_memory >> 20} MiB that a task requires; the largest has "
            f"{int(most) >> 20} MiB. Lower the memory limit or the memory per task"
        )
    context = ray.data.DataContext.get_current()
    shows_bars, context.enable_progress_bars = context.enable_progress_bars, False
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    try:
        shards = ray.data.from_items(items, override_num_blocks=len(items))
        # Ray retries a task whose worker has ended without a limit, which is its default.
        done = shards.map(partial(write_shard, options=options), num_cpus=1, memory=task_memory)
        for counts in done.iter_rows():
            yield dict(counts)
    finally:
        context.enable_progress_bars = shows_bars
