"""``python -m rigscope.farm``: a table of many files, made on this machine or on a Ray cluster."""

from __future__ import annotations

import argparse
import json
import sys
import time

from .. import __version__
from .dataset import SHARD_FILES, Mismatch
from .run import catalog


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m rigscope.farm",
        description="Reads many files on all workers of a Ray cluster, or on all cores of this machine, and writes "
        "one row per file to a folder of Parquet files, with the columns of `rigscope catalog`. A stopped run is "
        "resumed when it is started again.",
    )
    parser.add_argument(
        "source",
        nargs="?",
        metavar="SOURCE",
        help="a folder to search, a file, or an fsspec URL: s3://bucket/exports, gs://…/*.bsm2",
    )
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the folder or URL to write")
    parser.add_argument("--files-from", metavar="LIST", help="also read the files in this list, one path per line")
    parser.add_argument("--address", help="cluster address: auto or HOST:PORT [RAY_ADDRESS, otherwise this machine]")
    parser.add_argument("--cores", type=int, metavar="N", help="cores to use without a cluster [all]")
    parser.add_argument(
        "--time-limit", type=float, default=60, metavar="SECONDS", help="time limit for one file [%(default)s]"
    )
    parser.add_argument(
        "--memory-limit", type=int, default=2048, metavar="MIB", help="memory limit for one file [%(default)s]"
    )
    parser.add_argument(
        "--task-memory", type=int, metavar="MIB", help="memory that Ray reserves per task [the memory limit]"
    )
    parser.add_argument("--shard-files", type=int, metavar="N", help=f"files per part [{SHARD_FILES}]")
    parser.add_argument("--redo", action="store_true", help="replace an existing table")
    parser.add_argument("--storage-options", type=json.loads, metavar="JSON", help="options for fsspec")
    parser.add_argument("--quiet", action="store_true", help="don't show progress")
    parser.add_argument("--version", action="version", version=f"rigscope {__version__}")
    return parser


class Pace:
    """Shows progress and rate on stderr."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.last_shown = 0.0
        self.width = 0

    def show(self, num_done: int, num_files: int, num_kept: int) -> None:
        now = time.monotonic()
        is_line = sys.stderr.isatty()
        # In a log, where each update is a line, updates are rare.
        if now - self.last_shown < (0.2 if is_line else 10) and num_done < num_files:
            return
        self.last_shown = now
        rate = (num_done - num_kept) / max(now - self.begun, 1e-3)
        text = f"{num_done} of {num_files}"
        if num_done > num_kept:
            text += f", {rate:.0f}/s"
            if num_done < num_files:
                text += f", {(num_files - num_done) / rate:.0f} s left"
        if num_kept:
            text += f", {num_kept} already done"
        end = "\r" if is_line and num_done < num_files else "\n"
        print(text.ljust(self.width if is_line else 0), end=end, file=sys.stderr, flush=True)
        self.width = len(text)


def main() -> int:
    parser = arguments()
    args = parser.parse_args()
    if args.source is None and args.files_from is None:
        parser.error("SOURCE or --files-from is required")
    for name in ("cores", "time_limit", "memory_limit", "task_memory", "shard_files"):
        value = getattr(args, name)
        if value is not None and value <= 0:
            parser.error(f"--{name.replace('_', '-')} must be more than 0")
    try:
        done = catalog(
            args.source,
            args.output,
            files_from=args.files_from,
            time_limit=args.time_limit,
            memory_limit=args.memory_limit << 20,
            task_memory=args.task_memory and args.task_memory << 20,
            shard_files=args.shard_files,
            redo=args.redo,
            address=args.address,
            num_cpus=args.cores,
            storage_options=args.storage_options,
            progress=None if args.quiet else Pace().show,
        )
    except (Mismatch, OSError, ImportError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; run it again to resume", file=sys.stderr)
        return 130
    print(f"{done.rows} rows, {done.not_ok} not ok, {done.unread} of them unread: {args.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
