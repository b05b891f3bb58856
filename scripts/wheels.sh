#!/usr/bin/env bash
# Builds wheels of the Python package for Linux (glibc 2.28 or later) and Windows into target/wheels:
# scripts/wheels.sh SYSTEM…, each of: x86_64-linux aarch64-linux x86_64-windows
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/release-tools.sh
scripts/wheel-viewer.sh
for system in "$@"; do
    case $system in
        x86_64-linux | aarch64-linux)
            target=${system%-linux}-unknown-linux-gnu
            more=(--zig --compatibility manylinux_2_28)
            ;;
        x86_64-windows)
            .ci/packages gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64
            target=x86_64-pc-windows-gnu
            source scripts/windows-flags.sh
            more=()
            ;;
        *) echo "unknown system $system" >&2; exit 1 ;;
    esac
    rustup target add "$target" > /dev/null 2>&1 || { echo "the Rust target $target can't be installed" >&2; exit 1; }
    maturin build --profile dist --locked --strip --manifest-path python/Cargo.toml --out target/wheels \
        --target "$target" "${more[@]}"
done
