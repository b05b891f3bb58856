"""Readers as programs that Rigscope starts."""

from __future__ import annotations

import argparse
import os
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

from .._rigscope import Model
from .._rigscope import open as open_model
from ..errors import Error as BaseError
from .messages import take_warnings
from .models import Data, build
from .output import write


def run(read: Callable[[Path], Data | Model | bytes], arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs a reader as a program: reads the file that the command line names and writes the model to standard output.

    Errors about the file are printed as one line to standard error with exit code 1. Rigscope adds the path of the
    file. Other exceptions are printed with a traceback. ``--summary`` prints a description of the model instead.

    :param read: a function that returns a dictionary, a model, or the bytes of a GLB file
    :param arguments: the command line without the program; that of the process by default
    """
    about = (read.__doc__ or "Reads a model for Rigscope.").strip().partition("\n")[0]
    parser = argparse.ArgumentParser(description=about, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to read")
    parser.add_argument("--summary", action="store_true", help="print the contents of the model as text")
    options = parser.parse_args(arguments)
    try:
        take_warnings()
        # Lines on standard error become findings of the model.
        with np.errstate(all="ignore"):
            result = read(options.file)
            output = summary(result).encode() if options.summary else write(result)
    except (BaseError, OSError, struct.error, EOFError, MemoryError) as error:
        print(_reason(error), file=sys.stderr)
        sys.exit(1)
    try:
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The program that reads the output, such as `head`, needs no more of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        return "the model needs more memory than there is"
    text = " ".join(str(error).split())
    if isinstance(error, (struct.error, EOFError)):
        return f"truncated ({text})" if text else "truncated"
    return text


def summary(result: Data | Model | bytes) -> str:
    """Describes the contents of a model in a few lines, to check a reader while writing it."""
    found = take_warnings()
    if isinstance(result, bytes):
        model = open_model(("model.glb", result))
    elif isinstance(result, Model):
        model = result
    else:
        found = [*result.get("findings", ()), *found]
        model = build({**result, "findings": ()})
    lines = [f"{model.name or 'model'}: {model.up.upper()} up, {model.handedness}-handed"]
    for mesh in model.meshes:
        low, high = (mesh.positions.min(axis=0), mesh.positions.max(axis=0)) if mesh.num_vertices else ((), ())
        lines.append(f"mesh {mesh.name!r}: {mesh.num_vertices:,} vertices, {mesh.num_triangles:,} triangles")
        lines.append(f"  from {_vector(low)} to {_vector(high)}, skin: {mesh.skin}, UV sets: {len(mesh.uvs)}")
    for bone in model.skeleton.bones:
        parent = "" if bone.parent is None else f", child of bone {bone.parent}"
        lines.append(f"bone {bone.index} {bone.name!r}{parent}, at {_vector(bone.rest[:3, 3])}")
    for clip in model.clips:
        lines.append(f"clip {clip.name!r}: {clip.duration:.3g} s, {clip.num_keys or 'no'} keys")
    for material in model.materials:
        lines.append(f"material {material.name!r}: {', '.join(t.path for t in material.textures) or 'no textures'}")
    lines.extend(f"{note.severity}: {note.message}" for note in model.notes)
    lines.extend(f"warning: {text}" for text in found)
    return "\n".join(lines) + "\n"


def _vector(values: Iterable[float]) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in values) + ")"
