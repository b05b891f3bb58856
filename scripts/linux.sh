#!/usr/bin/env bash
# Builds the programs for Linux with glibc 2.28 or later, for a processor: scripts/linux.sh x86_64|aarch64
# The result is in target/linux/PROCESSOR. The C++ library is linked statically.
# LINUX_PROFILE=release builds faster.
set -euo pipefail
cd "$(dirname "$0")/.."
processor=${1:?for which processor}
target=$processor-unknown-linux-gnu
profile=${LINUX_PROFILE:-dist}
source scripts/release-tools.sh
rustup target add "$target" > /dev/null 2>&1 || { echo "the Rust target $target can't be installed" >&2; exit 1; }
cargo-zigbuild zigbuild --locked --profile "$profile" --target "$target.2.28" --bins --features catalog
out=target/linux/$processor
mkdir -p "$out"
for program in rigscope fbx_bsm2; do
    cp "target/$target/$profile/$program" "$out/$program"
done
ls -l "$out"
