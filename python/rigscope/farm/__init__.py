"""Tables of any number of files, made on a cluster of machines: ``pip install rigscope[ray]``.

>>> from rigscope import farm
>>> farm.catalog("s3://exports/tonight", "/mnt/tables/tonight")
Done(rows=812345, not_ok=1702, unread=31, kept=0)

The columns are those of ``rigscope catalog``. The work is split into shards of a few hundred files. A shard is
a Ray task and produces one Parquet file with a unique name, which is written under a temporary name and then
renamed. Repeating a task therefore doesn't duplicate anything, and a stopped run can be resumed.

Files are read in a separate process, which is reused from file to file. A file that hangs, crashes or uses too
much memory ends that process, and gives a row with the reason in ``error``.

===========  ==========================================================
module       is for
===========  ==========================================================
``paths``    finding files
``store``    files in fsspec storage, and their related files
``child``    the reader process
``frames``   the protocol between it and its parent
``reader``   managing the reader process and its limits
``columns``  conversion of rows to Arrow columns
``dataset``  the folder of Parquet files, and its manifest
``shard``    the work of one task: some files, one Parquet file
``run``      running all shards on Ray
===========  ==========================================================

Only ``run`` needs Ray.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dataset import Mismatch
    from .run import Done, catalog

__all__ = ["Done", "Mismatch", "catalog"]


def __getattr__(name: str) -> Any:
    # The reader process imports this package too, and needs neither Ray nor Arrow.
    if name == "Mismatch":
        from .dataset import Mismatch

        return Mismatch
    if name in __all__:
        from . import run

        return getattr(run, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
