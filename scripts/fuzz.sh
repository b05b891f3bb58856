#!/usr/bin/env bash
# Fuzzes the reader of each format, image files and the target `every`, SECONDS each: scripts/fuzz.sh SECONDS [SANITIZER]
# SANITIZER is `none` or `address`. AddressSanitizer also watches the C and C++ of ufbx and meshoptimizer, and their
# branches count as coverage. It needs clang, and flags that stable versions of rustc only accept with RUSTC_BOOTSTRAP.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=$1
sanitizer=${2:-none}
cargo=${CARGO:-cargo}

case $sanitizer in
    none) ;;
    address)
        command -v clang++ > /dev/null || { echo "AddressSanitizer needs clang (Debian, Ubuntu: apt install clang)"; exit 1; }
        instrumented="-fsanitize=address,fuzzer-no-link -fno-omit-frame-pointer"
        export RUSTC_BOOTSTRAP=1 CC=clang CXX=clang++ CFLAGS=$instrumented CXXFLAGS=$instrumented
        export CARGO_TARGET_DIR=$PWD/target/address
        ;;
    *) echo "unknown sanitizer '$sanitizer'; known: none, address"; exit 1 ;;
esac

# In the order in which inputs of `every` number them.
ids=$($cargo run --quiet --locked --manifest-path ../Cargo.toml --no-default-features --features cli,usd -- formats | sed '1d;/^$/,$d;s/ .*//')

run() { # TARGET NAME [SEEDS]: the dictionary and the corpus have the same name
    mkdir -p "corpus/$2"
    $cargo fuzz run --sanitizer "$sanitizer" "$1" "$PWD/corpus/$2" "${@:3}" -- \
        -dict="$PWD/target/$2.dict" -max_total_time="$seconds" -rss_limit_mb=4096 -timeout=20
}

mkdir -p target
cp dictionaries/*.dict target/
cat dictionaries/*.dict > target/every.dict

# The files in the seeds of `every`, without the bytes before them, by format.
number=0
for id in $ids; do
    mkdir -p "corpus/$id"
    for seed in seeds/every/*; do
        if [ "$(od -An -tu1 -N1 "$seed" | tr -d ' ')" = "$number" ]; then
            tail -c +4 "$seed" > "corpus/$id/$(basename "$seed")"
        fi
    done
    number=$((number + 1))
done

for id in $ids; do
    RIGSCOPE_FUZZ=$id run reader "$id"
done
run images images
run every every "$PWD/seeds/every"
