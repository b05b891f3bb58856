#!/usr/bin/env python3
"""Writes small files, each about one feature: models.py FOLDER

Each function of the modules below that isn't private is a file; its docstring is the feature. glTF files have its name;
those of other formats have the format in front of it.
"""

import inspect
import sys
from pathlib import Path

import models_clips
import models_common
import models_fbx
import models_fbx_text
import models_influences
import models_iqm
import models_morphs
import models_nodes
import models_obj

MODULES = [models_common, models_influences, models_nodes, models_morphs, models_clips]
OTHER_FORMATS = [("fbx", models_fbx), ("fbx", models_fbx_text), ("iqm", models_iqm), ("obj", models_obj)]
# Parts of other files.
HELPERS = {"add_morphs", "export"}


def functions(module):
    """The functions of a module by the name of their file, without its extension."""
    found = inspect.getmembers(module, inspect.isfunction)
    own = {name: function for name, function in found if function.__module__ == module.__name__}
    return {name.replace("_", "-"): function for name, function in own.items()
            if not name.startswith("_") and name not in HELPERS}


def write(module, function, path):
    if module == models_fbx:
        models_fbx.export(function, path)
        return
    content = function()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for module in MODULES:
        for name, function in functions(module).items():
            function().write(folder / f"{name}.glb")
    for extension, module in OTHER_FORMATS:
        for name, function in functions(module).items():
            write(module, function, folder / f"{extension}-{name}.{extension}")


if __name__ == "__main__":
    main()
