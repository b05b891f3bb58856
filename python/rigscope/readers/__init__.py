"""Readers of further formats, which Rigscope starts as programs.

>>> from rigscope import reader, readers
>>> model = reader.open("hero.psk", readers.FORMATS["psk"].read)

``python -m rigscope.readers --settings`` prints the lines for Rigscope's settings that make the window and the command
line open these formats. They are complete examples of readers, too: each is one module with the layout of its format.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import bvh, dae, md5, psk, smd

__all__ = ["FORMATS", "Format", "settings"]


@dataclass(frozen=True)
class Format:
    """A format and its reader."""

    #: Identifier on the command line.
    id: str
    #: Name of the format.
    name: str
    #: File name extensions and, if all files begin with the same text, that text.
    extensions: dict[str, str | None]
    #: Reads a file to a dictionary for `rigscope.reader.run` and `rigscope.reader.build`.
    read: Callable[[Path], dict[str, Any]]


#: All formats, by identifier.
FORMATS = {
    format.id: format
    for format in [
        Format("smd", "Valve StudioMdl Data", {"smd": None}, smd.read),
        Format("md5", "id Tech 4 MD5", {"md5mesh": None, "md5anim": None}, md5.read),
        Format("psk", "Unreal ActorX", {"psk": "ACTRHEAD", "pskx": "ACTRHEAD", "psa": "ANIMHEAD"}, psk.read),
        Format("bvh", "Biovision hierarchy", {"bvh": None}, bvh.read),
        Format("dae", "COLLADA", {"dae": None}, dae.read),
    ]
}


def settings(python: str = sys.executable) -> str:
    """The lines for Rigscope's `config.toml` that use these readers.

    :param python: the Python interpreter to run
    """
    tables = []
    for format in FORMATS.values():
        by_magic: dict[str | None, list[str]] = {}
        for extension, magic in format.extensions.items():
            by_magic.setdefault(magic, []).append(extension)
        for magic, extensions in by_magic.items():
            name = format.id if extensions[0].startswith(format.id) else extensions[0]
            command = [python, "-m", "rigscope.readers", format.id, "{file}"]
            lines = [
                f"[readers.{name}]",
                # JSON text is also a TOML basic string.
                f"command = [{', '.join(json.dumps(part, ensure_ascii=False) for part in command)}]",
                f"extensions = {json.dumps(extensions)}",
            ]
            if magic is not None:
                lines.append(f"magic = {json.dumps(magic)}")
            tables.append("\n".join(lines) + "\n")
    return "\n".join(tables)
