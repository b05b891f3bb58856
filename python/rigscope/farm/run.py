"""All of it on Ray Data: a task a shard."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from .. import __version__
from . import paths
from .dataset import COUNTS, Dataset
from .shard import Asked, do, pack


@dataclass(frozen=True)
class Done:
    """What a table has."""

    #: One a file.
    rows: int
    #: Files that cannot be read, or of which a finding is an error.
    not_ok: int
    #: Files that cannot be read.
    unread: int
    #: Rows that were there before this run.
    kept: int


def catalog(
    source,
    out,
    *,
    files_from=None,
    time_limit: float = 60.0,
    memory_limit: int = 2 << 30,
    task_memory: int | None = None,
    shard_files: int | None = None,
    redo: bool = False,
    address: str | None = None,
    num_cpus: int | None = None,
    storage_options: dict | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Done:
    """Reads files on all workers of a cluster of Ray, and writes a row each into a folder of Parquet files.

    :param source: a folder, a file, an fsspec URL (a folder, a file, or with ``*``), or an iterable of paths
        and URLs of files; ``None`` where ``files_from`` has all of them
    :param out: the folder to write, on a disk that all workers share, or an fsspec URL
    :param files_from: a list of more files, one a line, or each with a zero byte behind it
    :param time_limit: seconds that reading one file may take; after that it is a row with an ``error``
    :param memory_limit: bytes that reading one file may take (Linux); after that the same
    :param task_memory: bytes that Ray plans for a task; ``memory_limit`` where nobody says
    :param shard_files: files in one part
    :param redo: make the table anew, also where it is of other files or another version
    :param address: of the cluster; without one and without ``RAY_ADDRESS``, this machine alone
    :param num_cpus: cores of this machine that are used, where there is no cluster
    :param storage_options: for fsspec
    :param progress: is told how many files are done, how many there are, and how many were done before

    A run that was stopped goes on where it was when it is called again: parts that are there are kept. Ray is
    started and stopped where the caller has not done so.

    :raises rigscope.farm.Mismatch: where ``out`` has a table of other files or of another version
    """
    try:
        import ray
    except ImportError as error:
        raise ImportError("rigscope.farm needs Ray: pip install 'rigscope[ray]'") from error

    files = paths.find(source, storage_options) if source is not None else []
    if files_from is not None:
        files = sorted({*files, *paths.find(paths.listed(files_from))})
    dataset = Dataset(out, storage_options)
    shards = dataset.begin(files, shard_files, redo)
    counted = dataset.counted(len(shards))
    num_kept = sum(counts["rows"] for counts in counted.values())
    progress = progress or (lambda *_: None)
    progress(num_kept, len(files), num_kept)
    left = [at for at in range(len(shards)) if at not in counted]
    if left:
        asked = Asked(
            dataset.place, len(shards), __version__, time_limit, memory_limit, storage_options
        )
        items = [{"shard": at, "paths": pack(shards[at])} for at in left]
        num_done = num_kept
        with _ray(ray, address, num_cpus):
            for counts in _counts(ray, items, asked, task_memory or memory_limit):
                counted[counts.pop("shard")] = counts
                num_done += counts["rows"]
                progress(num_done, len(files), num_kept)
    # What is there counts, and not what was said of it.
    counted = dataset.counted(len(shards))
    sums = {key: sum(counts[key] for counts in counted.values()) for key in COUNTS}
    if len(counted) != len(shards) or sums["rows"] != len(files):
        raise RuntimeError(f"{sums['rows']} rows of {len(files)} files: {dataset.place}")
    dataset.end(sums)
    return Done(**sums, kept=num_kept)


@contextmanager
def _ray(ray, address: str | None, num_cpus: int | None) -> Iterator[None]:
    """Ray, as the caller has started it, else for as long as it is needed."""
    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    address = address or os.environ.get("RAY_ADDRESS")
    if address:
        ray.init(address, log_to_driver=False, logging_level=logging.WARNING)
    else:
        # Nobody else has to do with it.
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


def _counts(ray, items: list[dict], asked: Asked, task_memory: int) -> Iterator[dict]:
    """What was counted in each shard, as they are done."""
    most = max((node["Resources"].get("memory", 0) for node in ray.nodes() if node["Alive"]), default=0)
    if most < task_memory:
        raise ValueError(
            f"no worker has the {task_memory >> 20} MiB that a task asks for, the largest has "
            f"{int(most) >> 20} MiB: lower the memory limit, or what is planned for a task"
        )
    context = ray.data.DataContext.get_current()
    shows_bars, context.enable_progress_bars = context.enable_progress_bars, False
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    try:
        shards = ray.data.from_items(items, override_num_blocks=len(items))
        # A task whose worker has ended is done again, as often as that happens: Ray's own way.
        done = shards.map(partial(do, asked=asked), num_cpus=1, memory=task_memory)
        for counts in done.iter_rows():
            yield dict(counts)
    finally:
        context.enable_progress_bars = shows_bars
