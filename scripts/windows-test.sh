#!/usr/bin/env bash
# Runs the tests of the command line, and of files in the other crates, for Windows under Wine; then compares an image and
# the window with those of Linux: scripts/windows-test.sh [FILTER…]
# With filters, runs only those tests of the command line. Wine's folder is target/wine.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/packages gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 wine64 xvfb xauth xdotool imagemagick mesa-vulkan-drivers libvulkan1
target=x86_64-pc-windows-gnu
rustup target add "$target" > /dev/null 2>&1 || { echo "the Rust target $target can't be installed" >&2; exit 1; }
cargo=${CARGO:-cargo}
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

display() { xvfb-run -a -s "-screen 0 1600x1000x24" "$@"; }
tests=("$cargo" test --locked --target "$target" --features rigscope/catalog)
display "${tests[@]}" --test cli -- "$@"
[ $# -eq 0 ] || exit 0

echo "== tests that need more"
# Wine finds network shares in this folder.
share=$WINEPREFIX/dosdevices/unc/server/share
rm -rf "$share"
mkdir -p "$share"
RIGSCOPE_TEST_SHARE='\\server\share' "${tests[@]}" --test cli -- --ignored network_shares
"${tests[@]}" --package rigscope --package rigscope-io --package rigscope-window --lib -- files:: names:: watch:: settings_file::

echo "== images"
"$cargo" build --quiet --locked --workspace --features rigscope/catalog --bin rigscope
windows=("$wine" "$PWD/target/$target/debug/rigscope.exe")
linux=("$PWD/target/debug/rigscope")
results=$folder/images
rm -rf "$results"
mkdir -p "$results"

# differing A.png B.png [DIFFERENCE.png]: the number of pixels that differ visibly.
differing() {
    # Large numbers are printed like 1.2e+06.
    { compare -metric AE -fuzz 2% "$results/$1" "$results/$2" "${3:-null:}" 2>&1 || true; } | awk '{ printf "%d", $1 }'
}

# same NAME LIMIT: at most LIMIT pixels differ between the images of both systems.
same() {
    local differ
    differ=$(differing "$1-linux.png" "$1-windows.png" "$results/$1-difference.png")
    echo "$1: $differ pixels differ from Linux"
    [ "$differ" -le "$2" ]
}

for system in linux windows; do
    declare -n program=$system
    display "${program[@]}" render assets/sample.bsm2 -o "target/wine/images/render-$system.png" --clip walk --time 0.3 > /dev/null
    mkdir "$results/settings-$system"
    echo '(shows_hints: false, theme: Dark, window_size: (1280.0, 800.0))' > "$results/settings-$system/settings.ron"
    RIGSCOPE_CONFIG_DIR=target/wine/images/settings-$system display "${program[@]}" view assets/sample.bsm2 --clip walk \
        --time 0.3 --panes outline,findings --exit-after-frames 14 --screenshot "target/wine/images/window-$system.png"
done
same render 0
# The pointer may be over a control on one of them.
same window 2000

# Settings are in %APPDATA% unless RIGSCOPE_CONFIG_DIR is set.
settings="$WINEPREFIX/drive_c/users/$(id -un)/AppData/Roaming/rigscope/config/settings.ron"
rm -f "$settings"
display "${windows[@]}" view assets/sample.bsm2 --exit-after-frames 3 > /dev/null
[ -s "$settings" ] || { echo "no settings in %APPDATA%" >&2; exit 1; }
echo "settings are in %APPDATA%"

# The window loads a file again after an exporter has replaced it.
watched=$results/watched.bsm2
cp assets/sample.bsm2 "$watched"
"${linux[@]}" convert assets/sample.bsm2 -o "$results/small.bsm2" --scale 0.3 > /dev/null
cat > "$results/watch.sh" <<'SCRIPT'
set -euo pipefail
RIGSCOPE_CONFIG_DIR=$results/settings-windows "$@" view "$results/watched.bsm2" &
until xdotool search --onlyvisible --name watched > /dev/null 2>&1; do sleep 1; done
sleep 5
import -window root "$results/watched-before.png"
cp "$results/small.bsm2" "$results/watched.bsm2"
sleep 5
import -window root "$results/watched-after.png"
xdotool search --onlyvisible --name watched key ctrl+q
wait
SCRIPT
results=$results timeout 120 xvfb-run -a -s "-screen 0 1600x1000x24" bash "$results/watch.sh" "${windows[@]}"
changed=$(differing watched-before.png watched-after.png)
echo "watched: $changed pixels changed after the file was replaced"
[ "$changed" -gt 10000 ]

echo "== not compiled for Windows, because they test Unix"
awk 'FNR == 1 { unix = 0 } /#\[cfg\(unix\)\]/ { unix = 4 } unix-- > 0 && /^ *(pub )?(fn|mod) / { sub(/[({;].*/, ""); print FILENAME ": " $NF }' \
    tests/cli/*.rs
