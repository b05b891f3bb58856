"""`python -m rigscope.readers FORMAT FILE`: reads a file for Rigscope."""

from __future__ import annotations

import argparse
import sys

from .. import reader
from . import FORMATS, settings


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m rigscope.readers",
        description="Reads a file of another format for Rigscope. Without arguments, lists the formats.",
        allow_abbrev=False,
    )
    parser.add_argument("--settings", action="store_true", help="print the lines for Rigscope's config.toml")
    parser.add_argument("format", metavar="FORMAT", nargs="?", choices=[*FORMATS], help=", ".join(FORMATS))
    parser.add_argument("rest", metavar="FILE", nargs=argparse.REMAINDER, help="the file, and options of the reader")
    options = parser.parse_args()
    if options.settings:
        sys.stdout.write(settings())
    elif options.format is None:
        for format in FORMATS.values():
            extensions = ", ".join(f".{extension}" for extension in format.extensions)
            print(f"{format.id:5} {format.name:22} {extensions}")
    else:
        reader.run(FORMATS[options.format].read, options.rest)


if __name__ == "__main__":
    main()
