#!/usr/bin/env bash
# Runs the tests of the command line for Windows under Wine: scripts/windows-test.sh [FILTER…]
#
# Wine's folder of settings is target/wine. Tests of Unix only are listed as ignored with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/packages gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 wine64 xvfb xauth mesa-vulkan-drivers libvulkan1
target=x86_64-pc-windows-gnu
rustup target add "$target" > /dev/null 2>&1 || { echo "the Rust target $target can't be installed" >&2; exit 1; }
wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)
folder=$PWD/target/wine
mkdir -p "$folder/dlls"
# Debian's Wine 8 has no bcryptprimitives.dll.
x86_64-w64-mingw32-gcc -shared -O1 -o "$folder/dlls/bcryptprimitives.dll" scripts/wine-random.c -ladvapi32
export WINEPREFIX=$folder/prefix WINEDEBUG=-all WINEPATH="Z:${folder//\//\\}\\dlls"
source scripts/windows-flags.sh
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine
# Debian's Wine can't start Direct3D 12: it has no compiler for its shaders.
export WGPU_BACKEND=vulkan
exec xvfb-run -a -s "-screen 0 1600x1000x24" "${CARGO:-cargo}" test --locked --target "$target" --features catalog --test cli -- "$@"
