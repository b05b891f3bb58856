#!/usr/bin/env python3
"""Packs the Blender extension with wheels of the library:

    scripts/blender-extension.py OUT.zip WHEEL...
"""

import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "blender"


def main(out: Path, wheels: list[Path]) -> None:
    manifest = (ROOT / "blender_manifest.toml").read_text()
    names = ", ".join(f'"./wheels/{wheel.name}"' for wheel in wheels)
    mark = "# `make blender` adds the wheels.\n"
    assert mark in manifest, "the manifest says where wheels go"
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("blender_manifest.toml", manifest.replace(mark, f"wheels = [{names}]\n"))
        for source in sorted((ROOT / "rigscope_blender").glob("*.py")):
            archive.write(source, source.name)
        for wheel in wheels:
            archive.write(wheel, f"wheels/{wheel.name}")
    print(out)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), [Path(wheel) for wheel in sys.argv[2:]])
