"""Checks of arguments, with messages that name the argument."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np


def flag(name: str, value: object) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise wrong_type(name, "True or False", value)


def text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise wrong_type(name, "text", value)


def number(name: str, value: Any) -> float:
    """A finite number."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise wrong_type(name, "a number", value)
    if not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, not {value}")
    return float(value)


def count(name: str, value: object) -> int:
    """A whole number that isn't negative."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        raise wrong_type(name, "a whole number", value)
    if not 0 <= value < 2**32:
        raise ValueError(f"{name} must be from 0 to 4,294,967,295, not {value}")
    return int(value)


def path(name: str, value: object) -> str:
    if isinstance(value, (str, os.PathLike)):
        found = os.fspath(value)
        if isinstance(found, str):
            return found
    raise wrong_type(name, "a path", value)


def names(name: str, value: object) -> list[str]:
    """Names in a list, or in one text separated by commas."""
    if isinstance(value, str):
        return value.split(",")
    if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
        found = list(value)
        if all(isinstance(item, str) for item in found):
            return found
    raise wrong_type(name, "a list of names", value)


def pair(name: str, value: Any, expected: str) -> tuple[Any, Any]:
    """Two values in a tuple or list."""
    if isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes)) and len(value) == 2:
        return value[0], value[1]
    raise wrong_type(name, expected, value)


def dictionaries(name: str, value: object) -> list[Mapping[str, Any]]:
    """A list of dictionaries, which describe parts of a model."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping)):
        raise wrong_type(name, "a list of dictionaries", value)
    found: list[Mapping[str, Any]] = []
    for number, item in enumerate(value):
        if not isinstance(item, Mapping):
            raise wrong_type(f"{name}[{number}]", "a dictionary", item)
        found.append(item)
    return found


def wrong_type(name: str, expected: str, value: object) -> TypeError:
    return TypeError(f"{name} must be {expected}, not {type(value).__name__}")
