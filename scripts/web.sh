#!/usr/bin/env bash
# Builds the page into a folder that any static host can serve: index.html, embed.html, embed.css, rigscope.js,
# rigscope_bg.wasm, rigscope-viewer.js.
#
#   scripts/web.sh OUT [cargo flags]      WEB_PROFILE=dev builds faster, but the result is larger
#
# Exits with 3 if dependencies can't be fetched: C and C++ need clang, cargo fetches the rest. Workers share the memory
# of the page, which requires rebuilding the standard library; RUSTC_BOOTSTRAP allows that on a stable toolchain.
# wasm-opt isn't used: after fat LTO it gains little, and the version in Debian 12 corrupts the tables of reference types.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:?where to}
shift
profile=${WEB_PROFILE:-web}
tools=$PWD/target/web-tools

# A rustup toolchain, which includes the source of the standard library, or the one of Debian for browsers.
cargo=${CARGO:-cargo}
rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || true
rustup component add rust-src >/dev/null 2>&1 || true
sysroot=$(rustc --print sysroot 2>/dev/null || true)
if [ "$sysroot" = /usr ] || ! [ -f "$sysroot/lib/rustlib/src/rust/library/Cargo.lock" ]; then
    .ci/packages rustc-web cargo-web rust-web-src lld-19 || exit 3
    export RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19
    cargo=/usr/bin/cargo
fi

newest() { # the newest of clang, clang-19 …, or its relative
    command -v "$1" || compgen -c "$1" | grep -E "^$1(-[0-9]+)?$" | sort -V | tail -n 1
}
[ -n "$(newest clang)" ] && [ -n "$(newest llvm-ar)" ] || .ci/packages g++ clang llvm || exit 3
clang=$(newest clang) clangxx=$(newest clang++) ar=$(newest llvm-ar)

version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)
if ! "$tools/bin/wasm-bindgen" --version 2>/dev/null | grep -q " $version$"; then
    # Only one of its three programs, without optimisation: 6 s slower for the page, but a minute less to build.
    install=(env CARGO_PROFILE_RELEASE_OPT_LEVEL=0 "$cargo" install --quiet wasm-bindgen-cli --bin wasm-bindgen --version "$version" --root "$tools")
    # Its lock file may contain versions that a mirror doesn't have yet.
    "${install[@]}" --locked || "${install[@]}" || exit 3
fi

# Keep in sync with `work` of crates/window/src/app/web/jobs.rs and web/workers.js: flags for shared memory.
threads="-Ctarget-feature=+atomics,+bulk-memory,+mutable-globals -Clink-arg=--shared-memory -Clink-arg=--import-memory"
threads="$threads -Clink-arg=--max-memory=4294967296 -Clink-arg=--export=__heap_base"
for name in __wasm_init_tls __tls_size __tls_align __tls_base; do
    threads="$threads -Clink-arg=--export=$name"
done
flags="-matomics -mbulk-memory -include $PWD/web/libc.h"

env RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$PWD/target/web" \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$threads" \
    CC_wasm32_unknown_unknown="$clang" CXX_wasm32_unknown_unknown="$clangxx" AR_wasm32_unknown_unknown="$ar" \
    CFLAGS_wasm32_unknown_unknown="$flags" CXXFLAGS_wasm32_unknown_unknown="$flags" \
    "$cargo" build --locked --package rigscope-web --profile "$profile" --target wasm32-unknown-unknown \
    -Zbuild-std=std,panic_abort "$@"

folder=$profile
[ "$profile" = dev ] && folder=debug
glue=target/web/glue
rm -rf "$glue"
"$tools/bin/wasm-bindgen" --target web --no-typescript --out-name rigscope --out-dir "$glue" \
    "target/web/wasm32-unknown-unknown/$folder/rigscope_web.wasm"

scripts/web-assemble.sh "$glue" "$out"
ls -l "$out" | awk 'NR > 1 { print $5, $9 }'
gzip -9 -c "$out/rigscope_bg.wasm" | wc -c | awk '{ printf "gzipped: %.2f MiB\n", $1 / 1048576 }'
