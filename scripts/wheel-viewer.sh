#!/usr/bin/env bash
# Copies the viewer from a folder (dist) into the Python package, so that wheels contain it for `Model.view`. Without the
# folder, wheels are built without a viewer.
set -euo pipefail
cd "$(dirname "$0")/.."
from=${1:-dist}
to=python/rigscope/web
rm -rf "$to"
[ -f "$from/rigscope_bg.wasm" ] || { echo "wheels without a viewer: $from doesn't contain one (make web builds it)" >&2; exit 0; }
mkdir -p "$to"
cp "$from"/{index.html,embed.html,embed.css,rigscope.js,rigscope_bg.wasm} "$to/"
