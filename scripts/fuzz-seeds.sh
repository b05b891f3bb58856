#!/usr/bin/env bash
# Renews fuzz/seeds/every after SECONDS of fuzzing: scripts/fuzz-seeds.sh SECONDS
# It starts from the files of tests/support/seeds.rs and the present seeds only. Inputs of other origin, as may be in
# fuzz/corpus, must not get into the repository.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=$1
cargo=${CARGO:-cargo}
work=$PWD/target/seeds
max_bytes=300000
rm -rf "$work"
mkdir -p "$work"/{made,found,small,rest}

RIGSCOPE_WRITE_SEEDS=$work/made $cargo test --quiet --locked --manifest-path ../Cargo.toml --package rigscope-io --test every
cat dictionaries/*.dict > target/every.dict
fuzz() { $cargo fuzz run --sanitizer none every "$@"; }
fuzz "$work/found" "$work/made" "$PWD/seeds/every" -- \
    -dict="$PWD/target/every.dict" -max_total_time="$seconds" -max_len=6000 -rss_limit_mb=4096 -timeout=20

# Which code each small input reaches, without counting how often.
find "$work/made" "$work/found" seeds/every -type f -size -9 -exec cp {} "$work/small" \;
fuzz "$work/rest" "$work/small" -- -merge=1 -use_counters=0 -merge_control_file="$work/control"
find seeds/every -type f -delete
python3 ../scripts/fuzz-seeds.py "$work/control" seeds/every "$max_bytes"
