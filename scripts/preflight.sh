#!/usr/bin/env bash
# Checks the requirements of a build, and downloads the sources of the libraries: scripts/preflight.sh MIB
# If something is missing, one sentence has the remedy.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
needed_mib=$1

fail() {
    echo "$1" >&2
    exit 1
}

command -v "$cargo" > /dev/null || fail "Rust is missing: install it with rustup (https://rustup.rs) and run this again."

wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
found=$("$cargo" --version | awk '{ sub(/-.*/, "", $2); print $2 }')
[ "$(printf '%s\n' "$wanted" "$found" | sort --version-sort | head -n 1)" = "$wanted" ] \
    || fail "Rust $found is too old: run 'rustup update' to get $wanted or later, and run this again."

# An earlier build can be replaced.
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
free_mib=$(df -Pk "$target" | awk 'NR == 2 { print int($4 / 1024) }')
used_mib=$(du -sk "$target" | awk '{ print int($1 / 1024) }')
[ $((free_mib + used_mib)) -ge "$needed_mib" ] \
    || fail "The build needs about $((needed_mib / 1000)) GB in $(cd "$target" && pwd), where $free_mib MB are free: make room, or set CARGO_TARGET_DIR to a folder on another disk."

# After the first time, no network is needed.
host=$(rustc -vV | sed -n 's/^host: //p')
if ! "$cargo" fetch --locked --offline --target "$host" > /dev/null 2>&1; then
    echo "Downloading the sources of the libraries…"
    errors=$("$cargo" fetch --quiet --locked --target "$host" 2>&1) \
        || fail "The sources of the libraries can't be downloaded: check the network connection, and run this again. ($(tail -n 1 <<< "$errors" | sed 's/^ *//'))"
fi
