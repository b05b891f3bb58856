"""Conversion and fixes."""

from __future__ import annotations

from os import PathLike
from typing import Literal

from . import _rigscope, arguments
from ._rigscope import Conversion, Fixed, Model
from .types import Names, Source


def convert(
    source: Model | Source,
    to: str | PathLike[str],
    *,
    save: bool = True,
    overwrite: bool = False,
    check: bool = True,
    part: str | None = None,
    clip: str | None = None,
    rate: float | None = None,
    step_keys: bool = False,
    scale: float | None = None,
    merge: bool = False,
    weld: bool = False,
    limit_influences: int | None = None,
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

    :param source: a model, a path, bytes, or a pair of name and bytes
    :param save: with ``False``, nothing is written before :meth:`Conversion.save`
    :param overwrite: replace existing files; inputs never are
    :param check: with ``False``, the result is neither read back nor compared

    The other parameters are the options of ``rigscope convert --help``, with underscores for hyphens, ``make_hulls`` for
    ``--hull`` and ``make_occluder`` for ``--occluder``.

    :raises rigscope.errors.WriteError: if the format can't store the model, or a file is in the way
    :raises TypeError: for a value of another type
    :raises ValueError: for a value out of range
    """
    return _rigscope.convert(
        source,
        arguments.path("to", to),
        save=arguments.flag("save", save),
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


def fix(
    path: str | PathLike[str],
    to: str | PathLike[str],
    *,
    rules: Names | None = None,
    causes: Names | None = None,
    good: Model | Source | None = None,
    save: bool = True,
    overwrite: bool = False,
) -> Fixed:
    """Fixes a file: only the affected bytes change if its format allows that.

    :param path: the file to fix
    :param to: the file to write, of any writable format
    :param rules: codes of findings to fix; by default all that have a fix
    :param causes: causes to revert, as ``rigscope diagnose`` names them
    :param good: a correct version of the model, for causes that show only in comparison
    :param save: with ``False``, nothing is written
    :param overwrite: replace an existing file; the input never is
    """
    return _rigscope.fix(
        arguments.path("path", path),
        arguments.path("to", to),
        rules=None if rules is None else arguments.names("rules", rules),
        causes=None if causes is None else arguments.names("causes", causes),
        good=good,
        save=arguments.flag("save", save),
        overwrite=arguments.flag("overwrite", overwrite),
    )
