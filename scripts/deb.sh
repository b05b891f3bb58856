#!/usr/bin/env bash
# Packs the programs of a folder for Debian and Ubuntu, in target/debian: scripts/deb.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/packages binutils dpkg-dev
command -v cargo-deb > /dev/null || "${CARGO:-cargo}" install --quiet --locked cargo-deb
root=target/package-root
rm -rf "$root"
scripts/install.sh "$1" "$PWD/$root" /usr
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root"/usr/bin/*
"${CARGO:-cargo}" deb --locked --no-build --output target/debian/
