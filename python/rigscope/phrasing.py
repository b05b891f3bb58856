"""Messages of the library that name commands and options, rewritten for Python."""

from __future__ import annotations

import re

#: Commands that are functions of the package.
_FUNCTIONS = {"convert", "diagnose", "diff", "fix", "render", "rules", "runtimes", "validate"}
#: Keywords with another name than the option.
_KEYWORDS = {"as": "runtime", "cause": "causes", "hull": "make_hulls", "occluder": "make_occluder", "rule": "rules", "with": "companions"}
_COMMAND = re.compile(r"`rigscope (\w+)([^`]*)`")
#: Options that are keywords. Others may be part of a name.
_OPTIONS = "bones-by-order|format|fps|hierarchy|hull|limit-influences|no-effect|occluder|rate|scale|up|weld|with|without"
_OPTION = re.compile(rf"(?<![\w`/-])--({_OPTIONS})( [\d.]+)?(?![\w`-])")
#: Placeholders for the file that is read.
_SOURCES = {"IN", "FILE", "SOURCE", "OLD", "A"}


def in_python(text: str) -> str:
    """A message with functions and keywords of the package in place of commands and options.

    >>> in_python("run `rigscope convert IN -o OUT.glb --rate 30`")
    'run `rigscope.convert(source, "OUT.glb", rate=30)`'
    """
    if "rigscope " not in text and "--" not in text:
        return text
    text = text.replace("--force overwrites it", "overwrite=True replaces it")
    return _OPTION.sub(_option, _COMMAND.sub(_command, text))


def _command(found: re.Match[str]) -> str:
    name, words = found[1], found[2].split()
    if name not in _FUNCTIONS:
        return found[0]
    if "--help" in words:
        return f"`help(rigscope.{name})`"
    arguments, keywords = [], []
    while words:
        word = words.pop(0)
        if word == "-o":
            target = words.pop(0) if words else "OUT"
            # `render` returns the image.
            arguments += [f'"{target}"'] if name != "render" else []
        elif word.startswith("--"):
            value = words.pop(0) if words and not words[0].startswith("-") else None
            keywords.append(_keyword(word[2:], value))
        else:
            arguments.append("source" if word in _SOURCES else f'"{word}"')
    return f"`rigscope.{name}({', '.join(arguments + keywords)})`"


def _option(found: re.Match[str]) -> str:
    name = found[1]
    return _keyword(name, found[2].strip()) if found[2] else _KEYWORDS.get(name, name.replace("-", "_"))


def _keyword(option: str, value: str | None) -> str:
    name = _KEYWORDS.get(option, option.replace("-", "_"))
    if value is None:
        return f"{name}=True"
    is_number = re.fullmatch(r"[\d.]+", value) is not None
    literal = value if is_number or value == "F" else f'"{value}"'
    return f"{name}=[{literal}]" if name in ("rules", "causes", "companions", "without") else f"{name}={literal}"
