#!/usr/bin/env python3
"""Counts the causes that `rigscope diagnose` names for models that gltfpack and glTF-Transform have rewritten.

    scripts/optimizers.py RIGSCOPE TOOLS FOLDER

TOOLS is the folder of the npm packages gltfpack and @gltf-transform/cli (node_modules/.bin), FOLDER has glTF models.
Each result is diagnosed twice: without a reference, and with the original as the reference. Models that have a cause before
they are rewritten are left out.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

GLTFPACK = {
    "gltfpack": [],
    "gltfpack -cc": ["-cc"],
    "gltfpack -noq -kn": ["-noq", "-kn"],
    "gltfpack -vp 12 -vn 8 -kn": ["-vp", "12", "-vn", "8", "-kn"],
}
TRANSFORMS = [
    "dedup", "draco", "flatten", "join", "meshopt", "prune", "quantize", "reorder", "resample", "sparse", "unweld", "weld",
]
SIMPLIFY = ["--ratio", "0.9", "--error", "0.0005"]


def commands(tools: Path, source: Path, result: Path) -> dict[str, list[str]]:
    pack, transform = str(tools / "gltfpack"), str(tools / "gltf-transform")
    paths = [str(source), str(result)]
    made = {name: [pack, "-i", paths[0], "-o", paths[1], *options] for name, options in GLTFPACK.items()}
    made |= {name: [transform, name, *paths] for name in TRANSFORMS}
    return made | {"simplify": [transform, "simplify", *paths, *SIMPLIFY]}


def causes(rigscope: str, path: Path, source: Path | None = None) -> list[str]:
    reference = ["--source", str(source)] if source else []
    run = subprocess.run([rigscope, "diagnose", str(path), *reference, "--json"], capture_output=True, text=True)
    return [f"{own['cause']}: {own['message']}" for own in json.loads(run.stdout)["causes"]]


def main() -> None:
    rigscope, tools, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    num, accused = Counter(), Counter()
    models = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {".glb", ".gltf"})
    with tempfile.TemporaryDirectory() as scratch:
        result = Path(scratch) / "result.glb"
        for model in models:
            try:
                if causes(rigscope, model):
                    continue
            except json.JSONDecodeError:
                continue
            for name, command in commands(tools, model, result).items():
                result.unlink(missing_ok=True)
                subprocess.run(command, capture_output=True, timeout=300)
                if not result.exists():
                    continue
                for source in (None, model):
                    num[name] += 1
                    found = causes(rigscope, result, source)
                    accused[name] += bool(found)
                    if found:
                        print(f"{model.name}, {name}, {'with the original' if source else 'alone'}: {found}")
    for name in num:
        print(f"{name}: {accused[name]} of {num[name]}")
    print(f"all: {sum(accused.values())} of {sum(num.values())}")


if __name__ == "__main__":
    main()
