#!/usr/bin/env python3
"""Counts wordings that CONTRIBUTING.md rules out, in comments, documentation and messages.

    scripts/words.py                 a table by folder; fails above the limit
    scripts/words.py --list [PATH]   every match with file and line, for files below PATH
    scripts/words.py --worst 20      the files with the most matches

A match isn't proof of a bad sentence, and a sentence without a match isn't proof of a good one.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Matches per 1,000 lines of text. By these patterns, image 0.25 has 4.9, winit 0.30 has 4.1, wgpu-core 30 has 3.3
# and clap_builder 4.6 has 1.5.
LIMIT = 2.0

UNITS = r"(vertex|frame|line|bone|pixel|second|mesh|pose|key|file|model|core|row|clip|format|pass|side|texel|step|draw|triangle|slot|track|run|shape|name|thread|subset)"

# Name, pattern, what to write instead.
PATTERNS = [
    ("what-clause", r"(?<!this is )(?<!no matter )\bwhat (?!if\b|to\b|you\b|we\b|kind\b|type\b|happen|went wrong|changed\b|is wrong\b|follows\b)(?!.*\?)", "name the thing"),
    ("person", r"\b(nobody|somebody|whoever|nowhere)\b", "the caller, the reader, this function"),
    ("saying", r"\b(is|are|was|were|be|been) (told|said|asked|lent|brought)\b|\b(tells?|told|says?|said) (so|that|which|what|how|of|whether)\b", "reports, prints, shows"),
    ("lying", r"\b(lies?|lying|lay) (in|at|on|there|beside|below|above|by|under|within|where|apart|outside|inside|along|behind|next)\b", "is in, is at"),
    ("standing", r"\bstands? (in|at|on|there|beside|below|above|alone|where)\b|\bhangs? on\b|\bgo(es)? along\b|\balong with it\b", "is in, depends on"),
    ("rate", r"\b(\d[\d,]*(?:\.\d+)?|one|two|three|four|bytes?|[KMG]i?B|ms|samples?|once|times|numbers?|matrix|entry|folder|letter|draw|a few|many) an? " + UNITS + r"\b", "per vertex, each frame"),
    ("alone", r"\balone\b|\bbut (for|by|of)\b|\banew\b", "only, except, again"),
    ("own", r"\bof (its|their|his|one's|your|our) own\b", "separate, or nothing"),
    ("beside", r"\bbesides?\b", "next to, along with, also"),
    ("genitives", r"\bof (all |each )?\w+s of (all |each )?\w+", "a compound noun"),
    ("negation", r"(?<!there )\b(is|are|was|were) no (?!longer\b|more\b)\w+|\b(has|have|had|is|are) none\b|\bno \w+ but\b|\bnothing but\b|\bnothing else\b", "isn't a, has no, only"),
    ("where", r"\bwhere (there|no|none|that is|it is|they are|possible|one is|none is|nothing)\b", "if, when, without"),
    ("all that", r"\b(all|everything|something|anything|nothing) that\b|\bthat of\b|\bfor want of\b|\bthereof\b", "name the thing"),
    ("riddle", r"\b(rooms|front door|hostile|mends?|mended|occluders?|lent)\b", "docs/glossary.md"),
]
COMPILED = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern, _ in PATTERNS]

# Sentences that are right as they are.
ALLOWED = [
    re.compile(r"where clause"),
    re.compile(r"Permission is hereby granted|AS IS|WARRANTIES", re.IGNORECASE),
]

SKIPPED = {"target", "dist", ".git", "node_modules", "snapshots"}
SUFFIXES = {".rs", ".wgsl", ".md", ".py", ".js", ".mjs", ".sh", ".toml", ".html"}
OTHERS = {"glossary.md", "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md", "words.py", "Cargo.lock"}

STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def text_of(path: Path):
    """Line numbers and text of comments, strings that read as prose, and documents."""
    raw = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix in {".md", ".html"}:
        in_code = False
        for number, line in enumerate(raw.splitlines(), 1):
            if line.lstrip().startswith("```"):
                in_code = not in_code
            elif not in_code and line.strip():
                yield number, line
        return
    comment = {".py": "#", ".sh": "#", ".toml": "#"}.get(path.suffix, "//")
    for number, line in enumerate(raw.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith(comment) or (comment == "//" and stripped.startswith("*")):
            text = stripped.lstrip("/#!* ")
            if text:
                yield number, text
        elif comment in line and f"{comment} " in line:
            yield number, line.split(f"{comment} ", 1)[1]
        elif path.suffix != ".toml":
            for found in STRING.findall(line):
                if found.count(" ") >= 2 and re.search(r"[a-z]{2} [a-z]", found):
                    yield number, found


def files(below: Path):
    for path in sorted(below.rglob("*") if below.is_dir() else [below]):
        parts = set(path.relative_to(ROOT).parts)
        if path.is_file() and path.suffix in SUFFIXES and path.name not in OTHERS and not parts & SKIPPED:
            yield path


def matches(text: str):
    if any(allowed.search(text) for allowed in ALLOWED):
        return
    for name, pattern in COMPILED:
        for found in pattern.finditer(text):
            yield name, found.group(0)


def group_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if parts[0] == "crates" else parts[0] if len(parts) > 1 else "."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", default=str(ROOT))
    parser.add_argument("--list", action="store_true", help="print every match")
    parser.add_argument("--worst", type=int, metavar="N", help="print the N files with the most matches")
    args = parser.parse_args()
    lines, found, kinds, worst = Counter(), Counter(), Counter(), Counter()
    for path in files(Path(args.path).resolve()):
        group = group_of(path)
        for number, text in text_of(path):
            lines[group] += 1
            for name, match in matches(text):
                found[group] += 1
                kinds[name] += 1
                worst[path] += 1
                if args.list:
                    print(f"{path.relative_to(ROOT)}:{number}: {name}: {text.strip()}")
    if args.worst:
        for path, num in worst.most_common(args.worst):
            print(f"{num:5} {path.relative_to(ROOT)}")
    if not args.list and not args.worst:
        print(f"{'':20} {'lines':>7} {'matches':>8} {'per 1,000':>10}")
        for group in sorted(lines):
            print(f"{group:20} {lines[group]:7} {found[group]:8} {1000 * found[group] / lines[group]:10.1f}")
        print("by pattern:", ", ".join(f"{name} {num}" for name, num in kinds.most_common()))
    rate = 1000 * found.total() / max(lines.total(), 1)
    print(f"{found.total()} matches in {lines.total()} lines of text: {rate:.1f} per 1,000; limit {LIMIT}")
    return int(rate > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
