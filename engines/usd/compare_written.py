#!/usr/bin/env python3
"""Checks the USD files that Rigscope writes: Pixar's library opens them, its validators find nothing, and it poses them
as Rigscope poses the sources.

Converts the sound test stages, or the given models, to all three forms in OUT/written, and writes OUT/written.md. A form
passes if no vertex deviates by more than 1e-5 of the diagonal of the box around the stage. Clips are compared with the
written file instead of the source if `convert` reports that it sampled curves, which changes the motion between keys.
"""

import argparse
import subprocess
from pathlib import Path

from answers import answer
from compare import DIFFERENT, Expectation, outcome
from stages import STAGES
from validate_stages import reports
from write_stages import write

FORMS = ("usda", "usdc", "usdz")
TIMEOUT_SECS = 120


def converted(rigscope, source, target):
    """The output of `rigscope convert`; an error if it fails."""
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [rigscope, "convert", "--force", str(source), "-o", str(target)]
    process = subprocess.run(command, capture_output=True, timeout=TIMEOUT_SECS)
    text = (process.stdout + process.stderr).decode(errors="replace")
    if process.returncode:
        raise RuntimeError(text.strip().splitlines()[-1] if text.strip() else f"exit status {process.returncode}")
    return text


def check(rigscope, source, target):
    """The cell of the table, and whether the file is as it should be."""
    try:
        text = converted(rigscope, source, target)
    except RuntimeError as error:
        return f"not written: {error}", False
    result = answer(target)
    if result["error"]:
        return f"not opened: {result['error']}", False
    found = reports(target)
    if found:
        return "; ".join(f"{name}: {message}" for name, message in found), False
    expected = Expectation(result)
    compared = target if "curves" in text else source
    posed = outcome(rigscope, compared, result, expected)
    return posed.text, posed.kind == "passes"


def sources(arguments):
    """Names and paths of the models to convert."""
    if arguments.models:
        return [(path.stem, path) for path in arguments.models]
    folder = arguments.out / "stages"
    names = [name for name in arguments.only or list(STAGES) if name not in DIFFERENT]
    entries = [entry for entry in write(folder, names) if entry["kind"] == "sound"]
    return [(entry["name"], folder / entry["files"][0]) for entry in entries]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rigscope", help="the program to test")
    parser.add_argument("out", type=Path, help="the folder for files and report")
    parser.add_argument("models", type=Path, nargs="*", help="models to convert instead of the test stages")
    parser.add_argument("--only", metavar="NAME", action="append", help="convert only this stage")
    arguments = parser.parse_args()
    lines, failures, num = ["| source | usda | usdc | usdz |", "|---|---|---|---|"], [], 0
    for name, source in sources(arguments):
        cells = []
        for form in FORMS:
            cell, passes = check(arguments.rigscope, source, arguments.out / "written" / name / f"{name}.{form}")
            cells.append(cell.replace("|", "\\|").replace("\n", " "))
            num += 1
            if not passes:
                failures.append(f"{name}.{form}: {cells[-1]}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    (arguments.out / "written.md").write_text("\n".join(lines) + "\n")
    print("\n".join(failures))
    print(f"{num - len(failures)} of {num} files pass")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
