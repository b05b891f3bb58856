#!/usr/bin/env bash
# Packs the programs of a folder with their accompanying files into target/archives: scripts/archive.sh FOLDER SYSTEM
# The times and order of the files are those of the last commit, so that equal programs make equal archives.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=rigscope-$version-$2
files=target/archives/$name
rm -rf "$files"
mkdir -p "$files"
cp "$1/rigscope" "$1/fbx_bsm2" README.md CHANGELOG.md LICENSE LICENSE-MIT LICENSE-APACHE "$files/"
time=$(git log -1 --format=%ct 2>/dev/null || echo 0)
options=()
# macOS has another tar.
if tar --version | grep -q GNU; then
    options=(--sort=name --owner=0 --group=0 --numeric-owner "--mtime=@$time")
fi
tar -C target/archives ${options[@]+"${options[@]}"} -c "$name" | gzip -9n > "$files.tar.gz"
rm -r "$files"
