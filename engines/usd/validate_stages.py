#!/usr/bin/env python3
"""Runs all validators of Pixar's UsdValidation on the stages, and fails if they report a sound one.

USD 26.11 no longer has `UsdUtils.ComplianceChecker`; UsdValidation replaces it
(https://openusd.org/release/api/class_usd_validation_registry.html). The validators don't check most of the faults, so
a faulty stage without a report isn't a failure.
"""

import argparse
import json
from pathlib import Path

from pxr import Usd, UsdValidation

from diagnostics import collected_warnings


def reports(path):
    """The names and messages of all errors and warnings about a file."""
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    with collected_warnings():
        stage = Usd.Stage.Open(str(path))
        errors = UsdValidation.ValidationContext(validators).Validate(stage)
    return sorted({(error.GetName(), error.GetMessage()) for error in errors})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the output of write_stages.py")
    arguments = parser.parse_args()
    failures = 0
    for entry in json.loads((arguments.folder / "stages.json").read_text())["stages"]:
        for form in ("usda", "usdz"):
            file = f"{entry['name']}/{entry['name']}.{form}"
            if file not in entry["files"]:
                continue
            for name, message in reports(arguments.folder / file):
                failures += entry["kind"] == "sound"
                print(f"{file} ({entry['kind']}): {name}: {message}")
    print(f"{failures} reports about sound stages")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
