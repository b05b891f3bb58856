#!/usr/bin/env bash
# Type-checks the crates without GPU and window for macOS on Linux, without Apple's SDK: scripts/macos-check.sh
# Nothing is linked or run.
# Zig compiles the C and C++ of ufbx and meshopt; it contains the headers of macOS.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/release-tools.sh
target=aarch64-apple-darwin
rustup target add "$target" > /dev/null 2>&1 || { echo "the Rust target $target can't be installed" >&2; exit 1; }
cargo-zigbuild check --locked --target "$target" --package rigscope-core --package rigscope-io
