#!/usr/bin/env bash
# The CPU seconds of a build from nothing, by crate, next to those in CONTRIBUTING.md: scripts/build-cost.sh
#   scripts/build-cost.sh                builds the programs as `make run` does, in target/build-cost
#   scripts/build-cost.sh --log FILE     only prints the totals of a log that scripts/rustc-cost.sh wrote
set -euo pipefail
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
book=CONTRIBUTING.md
row=release
if [ "${1:-}" = --log ]; then
    log=$2
    row=tests
else
    target=target/build-cost
    log=$PWD/$target/crates.txt
    rm -rf "$target"
    mkdir -p "$target"
    echo "Compiling Rigscope from nothing…"
    begun=$(date +%s)
    BUILD_COST_LOG=$log RUSTC_WRAPPER=$PWD/scripts/rustc-cost.sh "$cargo" build --quiet --locked --release --target-dir "$target"
    echo "$(($(date +%s) - begun)) s on $(nproc) cores; $(($(du -sk "$target" | cut -f 1) / 1024)) MB in the target folder"
    awk '{ secs[$3] += $1 + $2 } END { for (crate in secs) printf "%7.1f s  %s\n", secs[crate], crate }' "$log" | sort -rn | head -n 40
fi
# Runs that only query the compiler have no crate, and are short.
now=$(awk '$3 != "___" { secs += $1 + $2; if (NF > 2 && $3 != "build_script_build") crates[$3] } END { print int(secs + 0.5), length(crates) }' "$log")
before=$(sed -n "s/^| $row | \([0-9,]*\) s | \([0-9]*\) |.*/\1 \2/p" "$book" | tr -d ,)
echo "$row: ${now% *} CPU seconds, ${now#* } crates; recorded in $book: ${before% *} CPU seconds, ${before#* } crates"
