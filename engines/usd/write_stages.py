#!/usr/bin/env python3
"""Writes all test stages as .usda, .usdc and .usdz, each into a separate folder.

`stages.json` in the same folder lists them: name, kind ("sound" or the name of the fault), description and files. The
files are deterministic: two runs with the same version of usd-core write the same bytes.
"""

import argparse
import json
from pathlib import Path

from diagnostics import collected_warnings
from stages import STAGES, Scene


def write(folder, names):
    """Writes the stages of the given names, and returns their entries for the manifest."""
    entries = []
    for name in names:
        stage = STAGES[name]
        scene = Scene(folder, name, stage.package_form)
        with collected_warnings():
            stage.fill(scene)
            paths = scene.save()
        entries.append({"name": name, "kind": stage.kind, "description": stage.description,
                        "files": [str(path.relative_to(folder)) for path in paths]})
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("--only", metavar="NAME", action="append", help="write only this stage")
    parser.add_argument("--list", action="store_true", help="list the stages instead of writing them")
    arguments = parser.parse_args()
    names = arguments.only or list(STAGES)
    if arguments.list:
        for name in names:
            print(f"{name:40} {STAGES[name].kind:32} {STAGES[name].description}")
        return
    entries = write(arguments.out, names)
    if not arguments.only:
        manifest = arguments.out / "stages.json"
        manifest.write_text(json.dumps({"schema": "rigscope.usd-stages/1", "stages": entries}, indent=1) + "\n")
    sound = sum(entry["kind"] == "sound" for entry in entries)
    print(f"{len(entries)} stages, {sound} of them sound")


if __name__ == "__main__":
    main()
