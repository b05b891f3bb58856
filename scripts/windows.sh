#!/usr/bin/env bash
# Builds the programs for Windows on Linux, in target/windows: rigscope.exe, fbx_bsm2.exe and rigscope-gui.exe.
#
# Everything is linked statically except the DLLs of Windows itself; scripts/windows-imports.sh checks that.
# WINDOWS_PROFILE=release builds faster.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/packages gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64
target=x86_64-pc-windows-gnu
rustup target add "$target" > /dev/null 2>&1 || { echo "the Rust target $target can't be installed" >&2; exit 1; }
profile=${WINDOWS_PROFILE:-dist}
out=target/windows
mkdir -p "$out/resources"

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
python3 scripts/windows-icon.py assets/icon.png "$out/resources/rigscope.ico"
x86_64-w64-mingw32-windres --codepage=65001 -I "$out/resources" \
    -DVERSION_COMMAS="${version//./,},0" -DVERSION_TEXT="\\\"$version\\\"" \
    packaging/rigscope.rc -O coff -o "$out/resources/rigscope.res.o"

source scripts/windows-flags.sh
export RIGSCOPE_WINDOWS_RESOURCES=$PWD/$out/resources/rigscope.res.o
"${CARGO:-cargo}" build --locked --profile "$profile" --target "$target" --bins --features catalog,launcher
for program in rigscope fbx_bsm2 rigscope-gui; do
    x86_64-w64-mingw32-strip -o "$out/$program.exe" "target/$target/$profile/$program.exe"
done
scripts/windows-imports.sh "$out"/*.exe
ls -l "$out"/*.exe
