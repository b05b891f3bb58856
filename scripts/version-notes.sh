#!/usr/bin/env bash
# Prints the section of CHANGELOG.md for a version: scripts/version-notes.sh 0.2.0
set -euo pipefail
cd "$(dirname "$0")/.."
notes=$(awk -v version="## [$1]" 'index($0, version) == 1 { on = 1; next } /^## \[/ { on = 0 } on' CHANGELOG.md)
[ -n "$notes" ] || { echo "CHANGELOG.md has no section for $1" >&2; exit 1; }
echo "$notes"
