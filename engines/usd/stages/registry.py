"""The list of all test stages.

A stage is a function that fills an empty `Scene`. Its name is the name of the function with hyphens, and its
description is the first line of the docstring.
"""

from typing import Callable, NamedTuple

SOUND = "sound"


class TestStage(NamedTuple):
    """A registered stage."""

    name: str
    # `SOUND`, or the name of the fault.
    kind: str
    description: str
    fill: Callable
    # The form of the layers inside the .usdz package.
    package_form: str


STAGES: dict[str, TestStage] = {}


def sound(function):
    """Registers a stage without faults."""
    return _register(function, SOUND)


def sound_with_text_package(function):
    """Registers a stage without faults whose package contains .usda layers, which the USDZ specification permits."""
    return _register(function, SOUND, "usda")


def fault(name):
    """Registers a stage with exactly one fault. `name` is the expected finding."""
    return lambda function: _register(function, name)


def _register(function, kind, package_form="usdc"):
    name = function.__name__.replace("_", "-")
    if name in STAGES:
        raise ValueError(f"two stages are named {name}")
    STAGES[name] = TestStage(name, kind, function.__doc__.strip().splitlines()[0], function, package_form)
    return function
