"""A table of any number of files, made by any number of machines: ``pip install rigscope[ray]``.

>>> from rigscope import farm
>>> farm.catalog("s3://exports/tonight", "/mnt/tables/tonight")
Done(rows=812345, not_ok=1702, unread=31, kept=0)

The columns are those of ``rigscope catalog``. Work is cut into shards of a few hundred files; a shard is a
task of Ray and becomes one Parquet file with a name of its own, written beside and renamed. So a task that
is done twice leaves one file, and a run that was stopped goes on where it was.

Each file is read in a process of its own kind, which is kept from file to file: one that hangs, crashes or
asks for too much memory ends that process, and becomes a row whose ``error`` says so.

===========  ==========================================================
module       is for
===========  ==========================================================
``paths``    which files are meant
``store``    files in fsspec's places, and what lies around them
``child``    the process that reads
``frames``   what it and its parent tell each other
``reader``   keeping such a process, and its limits
``columns``  rows as Arrow's columns
``dataset``  the folder of Parquet files, and what it is of
``shard``    what a worker does: some files, one Parquet file
``run``      all of it on Ray
===========  ==========================================================

None of them but ``run`` needs Ray.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .dataset import Mismatch
    from .run import Done, catalog

__all__ = ["Done", "Mismatch", "catalog"]


def __getattr__(name: str):
    # The process that reads files lies here too, and needs neither Ray nor Arrow.
    if name == "Mismatch":
        from .dataset import Mismatch

        return Mismatch
    if name in __all__:
        from . import run

        return getattr(run, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
