#!/usr/bin/env bash
# Packs the programs in folder BIN with their accompanying files into target/archives: scripts/archive.sh BIN SYSTEM
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=rigscope-$version-$2
ending=""
[[ $2 == *windows* ]] && ending=.exe
rm -rf "target/archives/$name"
mkdir -p "target/archives/$name"
cp "$1/rigscope$ending" "$1/fbx_bsm2$ending" README.md CHANGELOG.md LICENSE LICENSE-MIT LICENSE-APACHE "target/archives/$name/"
cd target/archives
if [ -n "$ending" ]; then
    7z a -bd "$name.zip" "$name" > /dev/null
else
    tar -czf "$name.tar.gz" "$name"
fi
rm -r "$name"
