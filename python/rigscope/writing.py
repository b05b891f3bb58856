"""Conversion and fixes."""

from __future__ import annotations

import os
from typing import Literal

from . import _rigscope, arguments, local_files, sources
from ._rigscope import Model
from .opening import model_of, open
from .results import Conversion, Fixed
from .types import Count, Names, Number, Source, Target


def convert(
    source: Model | Source,
    to: Target,
    *,
    to_format: str | None = None,
    save: bool = True,
    overwrite: bool = False,
    check: bool = True,
    part: str | None = None,
    clip: str | None = None,
    rate: Number | None = None,
    step_keys: bool = False,
    scale: Number | None = None,
    merge: bool = False,
    weld: bool = False,
    limit_influences: Count | None = None,
    flip_v: bool = False,
    hierarchy: bool = False,
    last_bones: bool = False,
    make_hulls: bool = False,
    make_occluder: bool = False,
    textures: Literal["copy", "reference", "none"] = "copy",
) -> Conversion:
    """Converts a model to the format that the extension of ``to`` names. The result is read back and compared with its
    source, which fills ``losses`` and ``errors``. ``losses`` includes data that was dropped when the source was read;
    ``added`` names bones that the format needs and the source doesn't have.

    :param source: a model, a path, bytes, an open file, or a pair of name and bytes
    :param to: a path, or an object with ``write``, such as an open file or ``io.BytesIO``
    :param to_format: the extension of the format, such as ``"glb"``, if ``to`` isn't a path
    :param save: with ``False``, nothing is written before :meth:`Conversion.save`
    :param overwrite: replace existing files; inputs never are
    :param check: with ``False``, the result is neither read back nor compared

    The other parameters are the options of ``rigscope convert --help``, with underscores for hyphens, ``make_hulls`` for
    ``--hull`` and ``make_occluder`` for ``--occluder``.

    :raises rigscope.errors.WriteError: if the format can't store the model, or a file is in the way
    :raises TypeError: for a value of another type
    :raises ValueError: for a value out of range, or if an open file would have to contain several files
    """
    made = _rigscope.convert(
        model_of(source),
        _target_path(to, to_format),
        overwrite=arguments.flag("overwrite", overwrite),
        check=arguments.flag("check", check),
        part=part,
        clip=clip,
        rate=rate,
        step_keys=step_keys,
        scale=scale,
        merge=merge,
        weld=weld,
        limit_influences=limit_influences,
        flip_v=flip_v,
        hierarchy=hierarchy,
        last_bones=last_bones,
        make_hulls=make_hulls,
        make_occluder=make_occluder,
        textures=textures,
    )
    if arguments.flag("save", save):
        _write(to, made)
    return made


def fix(
    source: Source,
    to: Target,
    *,
    to_format: str | None = None,
    rules: Names | None = None,
    causes: Names | None = None,
    from_good: Names | None = None,
    good: Model | Source | None = None,
    save: bool = True,
    overwrite: bool = False,
) -> Fixed:
    """Fixes findings and causes in a file. Only the affected bytes change if the format stores the values in place. Each
    fix is proven: when the result is read again, its finding is gone and no other appears.

    :param source: the file to fix: a path, bytes, an open file, or a pair of name and bytes
    :param to: the file to write, of any writable format: a path, or an object with ``write``
    :param to_format: the extension of the format, such as ``"glb"``, if ``to`` isn't a path
    :param rules: codes of findings to fix; by default all, except those whose fix has to be named
    :param causes: causes to undo, as :func:`diagnose` names them
    :param from_good: pieces to take over from ``good``, whether or not a cause is known, such as ``"keys"``; see the
        option ``--from-good`` of the command line
    :param good: a correct version of the model, for causes that show only in comparison
    :param save: with ``False``, nothing is written before :meth:`Fixed.save`
    :param overwrite: replace an existing file; the input never is

    :raises ValueError: if there is no such finding or cause
    :raises rigscope.errors.UnreadableError: if the file can't be read
    :raises rigscope.errors.WriteError: if the format can't store the model, or a file is in the way
    """
    target = _target_path(to, to_format)
    with local_files.on_disk(_named(sources.plain(source), target)) as path:
        made = _rigscope.fix(
            path,
            target,
            rules=None if rules is None else arguments.names("rules", rules),
            causes=None if causes is None else arguments.names("causes", causes),
            from_good=None if from_good is None else arguments.names("from_good", from_good),
            good=None if good is None else model_of(good),
            overwrite=arguments.flag("overwrite", overwrite),
        )
    if arguments.flag("save", save):
        _write(to, made)
    return made


def _named(source: sources.Plain, target: str) -> sources.Plain:
    """Bytes with a name, with the extension of the target if it belongs to their format."""
    if not isinstance(source, bytes):
        return source
    read_as = open(source).format
    format = next(own for own in _rigscope.formats() if own["id"] == read_as)
    extension = os.path.splitext(target)[1].lstrip(".").lower()
    return f"model.{extension if extension in format['extensions'] else format['extensions'][0]}", source


def _target_path(to: Target, to_format: str | None) -> str:
    """The path of a target; its extension selects the format."""
    extension = None if to_format is None else "." + arguments.text("to_format", to_format).lstrip(".")
    if isinstance(to, (str, os.PathLike)):
        if extension is not None:
            raise TypeError("to_format is for open files; the extension of a path names the format")
        return arguments.path("to", to)
    if not sources.is_writable(to):
        raise arguments.wrong_type("to", "a path or an open file", to)
    name = getattr(to, "name", None)
    if extension is None and not isinstance(name, str):
        raise ValueError('the format of an open file needs a name: to_format="glb"')
    return f"model{extension}" if extension is not None else os.path.basename(str(name))


def _write(to: Target, made: Conversion | Fixed) -> None:
    if isinstance(to, (str, os.PathLike)):
        made.save()
    elif made.files:
        sources.write(to, made.files, "the result")
