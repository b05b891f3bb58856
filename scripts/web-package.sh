#!/usr/bin/env bash
# Makes the npm package of the web component from a built page (scripts/web.sh). `npm pack` in the folder packs it.
#
#   scripts/web-package.sh [DIST [OUT]]      by default dist and target/web-package
set -euo pipefail
cd "$(dirname "$0")/.."
dist=${1:-dist} out=${2:-target/web-package}
[ -f "$dist/rigscope-viewer.js" ] || { echo "$dist: the page is missing; build it with 'make web'" >&2; exit 1; }

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
rm -rf "$out"
mkdir -p "$out"
cp "$dist"/{rigscope-viewer.js,embed.html,embed.css,rigscope.js,rigscope_bg.wasm} "$out/"
cp web/package/{rigscope-viewer.d.ts,README.md,example.html,example.js,example.css} assets/sample.bsm2 LICENSE-MIT LICENSE-APACHE "$out/"
sed "s/\"version\": \".*\"/\"version\": \"$version\"/" web/package/package.json > "$out/package.json"
