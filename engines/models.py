#!/usr/bin/env python3
"""Writes small glTF files, each about one feature: models.py FOLDER

Each function of the modules below that isn't private is a file; its docstring is the feature.
"""

import inspect
import sys
from pathlib import Path

import models_clips
import models_common
import models_influences
import models_morphs
import models_nodes

MODULES = [models_common, models_influences, models_nodes, models_morphs, models_clips]
# Parts of other files.
HELPERS = {"add_morphs"}


def models():
    """The function of each file, by the name of the file."""
    functions = {}
    for module in MODULES:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_") and name not in HELPERS:
                functions[name.replace("_", "-")] = function
    return functions


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, function in models().items():
        function().write(folder / f"{name}.glb")


if __name__ == "__main__":
    main()
