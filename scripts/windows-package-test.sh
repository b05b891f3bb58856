#!/usr/bin/env bash
# Tests the packages of scripts/windows-package.sh under Wine: scripts/windows-package-test.sh
#
# Installs, starts, upgrades, moves and removes Rigscope in a new Wine prefix, and compares the registry and all files
# before and after. Prints one line per check and stops at the first failure. Everything it writes, including the
# screenshots shortcut.png and open.png, is in target/wine-install. WINGET_SCHEMAS=FOLDER, a folder with the JSON schemas
# of winget, also validates the winget manifests; that needs the Python modules yaml and jsonschema.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/packages gcc-mingw-w64-x86-64 wine64 xvfb xdotool imagemagick mesa-vulkan-drivers libvulkan1 unzip
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=rigscope-$version-x86_64-windows
archives=$PWD/target/archives
setup=$archives/$name-setup.exe
for file in "$setup" "$archives/$name.zip"; do
    [ -f "$file" ] || { echo "$file is missing; run scripts/windows-package.sh first" >&2; exit 1; }
done

folder=$PWD/target/wine-install
rm -rf "$folder"
mkdir -p "$folder/dlls" "$folder/home" "$folder/runtime"
# Debian's Wine 8 has no bcryptprimitives.dll.
x86_64-w64-mingw32-gcc -shared -O1 -o "$folder/dlls/bcryptprimitives.dll" scripts/wine-random.c -ladvapi32

wine=$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)
wineserver=$(command -v wineserver || echo /usr/lib/wine/wineserver)
# In Windows notation.
windows_path() { echo "Z:${1//\//\\}"; }
export WINEPREFIX=$folder/prefix WINEDEBUG=-all HOME=$folder/home XDG_RUNTIME_DIR=$folder/runtime LC_ALL=C.UTF-8
WINEPATH=$(windows_path "$folder/dlls")
# Without Mono and Gecko, and without menu entries on the host.
export WINEPATH WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe="
# Debian's Wine can't start Direct3D 12: it has no compiler for its shaders.
export WGPU_BACKEND=vulkan
run() { timeout 300 "$wine" "$@" | tr -d '\r'; }

xvfb=
finish() {
    "$wineserver" -k 2> /dev/null || true
    if [ -n "$xvfb" ]; then
        kill "$xvfb"
        wait "$xvfb" || true
    fi
}
trap finish EXIT
trap 'echo "FAILED: line $LINENO" >&2' ERR
Xvfb -displayfd 1 -screen 0 1600x1000x24 > "$folder/display" 2> /dev/null &
xvfb=$!
for _ in {1..100}; do [ -s "$folder/display" ] && break; sleep 0.1; done
DISPLAY=:$(cat "$folder/display")
export DISPLAY

checks=0
passed() { checks=$((checks + 1)); echo "ok: $1"; }
failed() { echo "FAILED: $1" >&2; trap - ERR; exit 1; }
# Fails unless two texts are equal.
equal() { [ "$2" = "$3" ] || failed "$1: '$2' instead of '$3'"; passed "$1"; }
# Runs a program and compares its exit code.
exits() {
    local text=$1 code=$2 actual=0
    timeout 300 "$wine" "${@:3}" > "$folder/output" 2>&1 || actual=$?
    [ "$actual" = "$code" ] || failed "$text: exit code $actual instead of $code"
    passed "$text: exit code $code"
}
# Type and data of a registry value below HKEY_CURRENT_USER, empty without it. /ve instead of "/v NAME": the default.
# reg prints in the code page of terminals.
value() {
    run reg query "HKCU\\$1" "${@:2}" 2> /dev/null | iconv -f CP437 -t UTF-8 \
        | sed -n 's/^    .*    \(REG_[A-Z_]*    .*\)/\1/p' || true
}

# All keys and values of the user and of the machine's software as text, and all files with their sizes.
snapshot() {
    local key
    "$wineserver" -w
    for key in 'HKCU\Software' 'HKCU\Environment' 'HKLM\Software'; do
        run reg export "$key" "$(windows_path "$folder/export.reg")" /y > /dev/null
        iconv -f UTF-16 -t UTF-8 "$folder/export.reg" | tr -d '\r'
    # Wine keeps system colours and metrics there while a program with a window runs.
    done | awk 'BEGIN { RS = ""; ORS = "\n\n" } !/^\[.*\\Temporary System Parameters/' > "$folder/$1.registry"
    # NSIS runs uninstallers from a copy in Temp, which Windows deletes at the next start. Rigscope writes its settings
    # to AppData/Roaming/rigscope and thumbnails to AppData/Local/rigscope; uninstalling keeps them.
    (cd "$WINEPREFIX/drive_c" && find . -path './users/*/Temp/*' -prune -o -path './users/*/AppData/Roaming/rigscope' -prune \
        -o -path './users/*/AppData/Local/rigscope' -prune -o -type f -printf '%p %s\n' -o -print) | sort > "$folder/$1.files"
}
unchanged() {
    diff "$folder/$1.registry" "$folder/$2.registry" || failed "$3: the registry differs"
    passed "$3: the registry is as before ($(grep -c '^\[' "$folder/$1.registry") keys)"
    diff "$folder/$1.files" "$folder/$2.files" || failed "$3: files differ"
    passed "$3: files are as before ($(wc -l < "$folder/$1.files") files and folders)"
}
window_opens() {
    for _ in {1..240}; do
        if xdotool search --name "$2" > /dev/null 2>&1; then
            sleep 5 # until the first frames are drawn
            import -window root "$folder/$3"
            colors=$(identify -format %k "$folder/$3")
            [ "$colors" -gt 20 ] || failed "$1: the window is blank"
            passed "$1: '$(xdotool search --name "$2" getwindowname | head -1)' ($colors colours, target/wine-install/$3)"
            return
        fi
        sleep 0.5
    done
    failed "$1: no window appeared in two minutes"
}
close_window() { run taskkill /f /im rigscope.exe > /dev/null; "$wineserver" -w; }

# --- A user's machine: other programs own defaults, entries and a part of PATH -----------------------------------------
timeout 300 "$wine" wineboot --init > /dev/null 2>&1
run winecfg -v win10
users=$WINEPREFIX/drive_c/users/$(id -un)
programs=$users/AppData/Local/Programs
start_menu="$users/AppData/Roaming/Microsoft/Windows/Start Menu/Programs"
mkdir -p "$programs/Other" "$start_menu" "$WINEPREFIX/drive_c/Tools"
touch "$programs/Other/other.exe" "$start_menu/Other.lnk"
add() { run reg add "HKCU\\$1" "${@:2}" /f > /dev/null; }
add 'Software\Classes\.glb' /ve /d Other.Viewer
add 'Software\Classes\.glb\OpenWithProgids' /v Other.Viewer
add 'Software\Classes\.obj' /v PerceivedType /d text
add 'Software\Classes\.fbx\OpenWithProgids' /v Other.Viewer
add 'Software\Classes\Applications\other.exe' /v FriendlyAppName /d Other
add 'Software\Microsoft\Windows\CurrentVersion\Uninstall\Other' /v DisplayName /d Other
path='REG_EXPAND_SZ    %USERPROFILE%\bin;C:\Tools'
set_path() { add Environment /v Path /t "${1%%    *}" /d "${1#*    }"; }
set_path "$path"
snapshot before

# --- Zip ---------------------------------------------------------------------------------------------------------------
unpacked="$folder/für 模型/$name"
mkdir -p "${unpacked%/*}"
unzip -q "$archives/$name.zip" -d "${unpacked%/*}"
equal "zip: version" "$(run "$unpacked/rigscope.exe" --version)" "rigscope $version"
run "$unpacked/rigscope.exe" info "$(windows_path "$PWD/assets/sample.bsm2")" > "$folder/info.txt"
grep -q bones "$folder/info.txt" || failed "zip: info prints no bones"
passed "zip: info in a folder with a space and other letters ($(wc -l < "$folder/info.txt") lines)"

# --- Installation ------------------------------------------------------------------------------------------------------
installed=$programs/Rigscope
target="C:\\users\\$(id -un)\\AppData\\Local\\Programs\\Rigscope"
uninstall_key='Software\Microsoft\Windows\CurrentVersion\Uninstall\Rigscope'
exits "silent installation" 0 "$setup" /S
has_files() {
    equal "$1: files" "$(ls "$2")" "$( (ls "$unpacked"; echo uninstall.exe) | sort)"
    for file in "$unpacked"/*; do
        cmp "$file" "$2/${file##*/}" || failed "$1: ${file##*/} differs"
    done
    passed "$1: contents are those of the zip"
}
has_files "installation" "$installed"
entry() { equal "Uninstall entry: $1" "$(value "$uninstall_key" /v "$1")" "$2"; }
entry DisplayName "REG_SZ    Rigscope"
entry DisplayVersion "REG_SZ    $version"
entry DisplayIcon "REG_SZ    $target\\rigscope-gui.exe"
entry Publisher "REG_SZ    The authors of Rigscope"
entry InstallLocation "REG_SZ    $target"
entry UninstallString "REG_SZ    \"$target\\uninstall.exe\""
entry QuietUninstallString "REG_SZ    \"$target\\uninstall.exe\" /S"
entry NoModify "REG_DWORD    0x1"
entry NoRepair "REG_DWORD    0x1"
kib=$(($(stat --format=%s "$unpacked"/* | paste -sd+) >> 10))
estimated=$(($(value "$uninstall_key" /v EstimatedSize | sed 's/.* //')))
((estimated >= kib && estimated < kib + 1000)) || failed "EstimatedSize: $estimated instead of $kib KiB"
passed "Uninstall entry: EstimatedSize $estimated KiB"

command="REG_SZ    \"$target\\rigscope-gui.exe\" \"%1\""
equal "application: command" "$(value 'Software\Classes\Applications\rigscope-gui.exe\shell\open\command' /ve)" "$command"
equal "application: name" "$(value 'Software\Classes\Applications\rigscope-gui.exe' /v FriendlyAppName)" "REG_SZ    Rigscope"
equal "type: command" "$(value 'Software\Classes\Rigscope.Model\shell\open\command' /ve)" "$command"
snapshot installed
extensions=$(run "$installed/rigscope.exe" formats --json | python3 -c '
import json, sys
formats = [f for f in json.load(sys.stdin)["formats"] if f["read"]]
print(*sorted({e for f in formats for e in f["extensions"]} - {"txt", "json"}))')
progids=$(awk -F'[\\\\.]' '/^\[/ { extension = /OpenWithProgids\]$/ ? $(NF - 1) : "" }
    /^"Rigscope\.Model"=/ { print extension }' "$folder/installed.registry")
equal "Open with: extensions" "$(echo "$progids" | sort | paste -sd' ')" "$extensions"
types=$(run reg query 'HKCU\Software\Classes\Applications\rigscope-gui.exe\SupportedTypes' \
    | sed -n 's/^    \.\([a-z0-9]*\) .*/\1/p')
equal "application: extensions" "$(echo "$types" | sort | paste -sd' ')" "$extensions"
# The installer adds lines and neither changes nor removes any, except that PATH becomes longer.
changed=$(diff "$folder/before.registry" "$folder/installed.registry" | grep '^<' | grep -v '^< "Path"=\|^<   ' || true)
equal "values of other programs that changed" "$changed" ""
equal "default program of .glb" "$(value 'Software\Classes\.glb' /ve)" "REG_SZ    Other.Viewer"
defaults=$(awk '/^\[/ { key = $0 } /^@=/ && key ~ /\\Classes\\\.[^\\]*\]$/ { print key $0 }' "$folder/installed.registry")
equal "extensions with Rigscope as the default" "$(echo "$defaults" | grep Rigscope || true)" ""
for extension in glb fbx; do
    [[ $(value "Software\\Classes\\.$extension\\OpenWithProgids" /v Other.Viewer) == REG_SZ* ]] \
        || failed ".$extension: the other program is missing"
done
passed "Open with: other programs remain"
equal "PATH" "$(value Environment /v Path)" "$path;$target"

# --- Start -------------------------------------------------------------------------------------------------------------
run "$installed/rigscope.exe" info "$(windows_path "$PWD/assets/sample.bsm2")" | cmp - "$folder/info.txt" \
    || failed "info prints something different than in the zip"
passed "installed rigscope.exe: info"
exits "installed fbx_bsm2.exe: help" 0 "$installed/fbx_bsm2.exe" --help
(cd / && timeout 300 "$wine" start /unix "$start_menu/Rigscope.lnk" > /dev/null 2>&1)
window_opens "Start menu entry" Rigscope shortcut.png
exits "installation while Rigscope runs" 3 "$setup" /S
exits "removal while Rigscope runs" 3 "$installed/uninstall.exe" /S "_?=$target"
has_files "still installed" "$installed"
close_window
cp assets/sample.bsm2 "$folder/my model.bsm2"
timeout 300 "$wine" "$installed/rigscope-gui.exe" "$(windows_path "$folder/my model.bsm2")" > /dev/null 2>&1
window_opens "Open with" "my model" open.png
close_window

# --- Upgrade -----------------------------------------------------------------------------------------------------------
echo old > "$installed/README.md"
rm "$installed/fbx_bsm2.exe"
add "$uninstall_key" /v DisplayVersion /d 0.0.1
exits "upgrade" 0 "$setup" /S
has_files "upgrade" "$installed"
snapshot upgraded
unchanged installed upgraded "upgrade"
exits "upgrade without PATH" 0 "$setup" /S /PATH=no
equal "PATH without Rigscope" "$(value Environment /v Path)" "$path"
exits "the next upgrade" 0 "$setup" /S
equal "PATH is still without Rigscope" "$(value Environment /v Path)" "$path"
exits "upgrade with PATH" 0 "$setup" /S /PATH=yes
equal "PATH with Rigscope" "$(value Environment /v Path)" "$path;$target"

# --- Another folder ----------------------------------------------------------------------------------------------------
moved="$WINEPREFIX/drive_c/Tools/Rigscope für alle"
# As three arguments, because Wine would put quotation marks around one with spaces, which NSIS doesn't accept.
exits "installation in another folder" 0 "$setup" /S '/D=C:\Tools\Rigscope' für alle
has_files "other folder" "$moved"
[ ! -e "$installed" ] || failed "the first installation remains"
passed "the first installation is removed"
equal "PATH of the other folder" "$(value Environment /v Path)" "$path;C:\\Tools\\Rigscope für alle"
entry InstallLocation 'REG_SZ    C:\Tools\Rigscope für alle'
run "$moved/rigscope.exe" --version | grep -qx "rigscope $version" || failed "rigscope.exe of the other folder"
passed "rigscope.exe of the other folder"

# --- Removal -----------------------------------------------------------------------------------------------------------
# The uninstaller returns before its copy in Temp has finished; snapshot waits for it.
uninstall() { exits "$1" 0 "$2/uninstall.exe" /S; "$wineserver" -w; }
echo mine > "$moved/notes.txt"
set_path 'REG_EXPAND_SZ    %USERPROFILE%\bin;C:\Tools\Rigscope für alle;C:\Tools'
uninstall "removal" "$moved"
equal "a user's file remains" "$(ls "$moved")" notes.txt
rm -r "$moved"
snapshot after
unchanged before after "removal"
[ -f "$users/AppData/Roaming/rigscope/config/settings.ron" ] || failed "the settings are missing"
passed "settings remain"
equal "PATH entry in the middle" "$(value Environment /v Path)" "$path"

# --- PATH of unusual length or type ------------------------------------------------------------------------------------
long=$(printf 'C:\\Programs\\%090d;' {1..14})
for case in "longer than a string of NSIS:REG_EXPAND_SZ    ${long}C:\\Last" 'without expansion:REG_SZ    C:\100%\bin;' \
    'with one entry:REG_SZ    x'; do
    set_path "${case#*:}"
    snapshot before
    exits "PATH ${case%%:*}: installation" 0 "$setup" /S
    equal "PATH ${case%%:*}" "$(value Environment /v Path)" "${case#*:};$target"
    uninstall "PATH ${case%%:*}: removal" "$installed"
    snapshot after
    unchanged before after "PATH ${case%%:*}"
done
set_path "REG_EXPAND_SZ    $long${long:0:600}"
full=$(value Environment /v Path)
exits "PATH that is almost full: installation" 0 "$setup" /S
equal "PATH that is almost full is unchanged" "$(value Environment /v Path)" "$full"
uninstall "PATH that is almost full: removal" "$installed"
equal "PATH that is almost full after removal" "$(value Environment /v Path)" "$full"
run reg delete 'HKCU\Environment' /v Path /f > /dev/null
snapshot before
exits "no PATH: installation" 0 "$setup" /S
equal "no PATH: new value" "$(value Environment /v Path)" "REG_EXPAND_SZ    $target"
uninstall "no PATH: removal" "$installed"
snapshot after
unchanged before after "no PATH"

# --- Manifests ---------------------------------------------------------------------------------------------------------
scripts/windows-manifests.py "$version" "https://example.org/rigscope/releases/download/v$version" "$archives" \
    "$folder/manifests" > /dev/null
python3 - "$folder/manifests" "$unpacked" "$setup" <<'PYTHON'
import hashlib, json, os, sys
from pathlib import Path

manifests, unpacked, setup = map(Path, sys.argv[1:])
scoop = json.loads((manifests / "scoop/rigscope.json").read_text())
package = scoop["architecture"]["64bit"]
assert package["extract_dir"] == unpacked.name
for program in [*scoop["bin"], scoop["shortcuts"][0][0]]:
    assert (unpacked / program).is_file(), program
archive = setup.with_name(f"{unpacked.name}.zip")
assert package["url"].endswith("/" + archive.name)
assert package["hash"] == hashlib.sha256(archive.read_bytes()).hexdigest()
print("ok: Scoop manifest")

installer = (manifests / "winget/Rigscope.Rigscope.installer.yaml").read_text()
assert hashlib.sha256(setup.read_bytes()).hexdigest().upper() in installer
try:
    import yaml
except ImportError:
    print("skipped: winget manifests; the Python module yaml is missing")
    sys.exit()
parsed = [yaml.safe_load(path.read_text()) for path in sorted(manifests.glob("winget/*.yaml"))]
assert sorted(manifest["ManifestType"] for manifest in parsed) == ["defaultLocale", "installer", "version"]
print("ok: winget manifests are YAML")
schemas = os.environ.get("WINGET_SCHEMAS")
if not schemas:
    print("skipped: winget schemas; WINGET_SCHEMAS isn't set")
    sys.exit()
import jsonschema
for manifest in parsed:
    kind, schema_version = manifest["ManifestType"], manifest["ManifestVersion"]
    schema = json.loads((Path(schemas) / f"manifest.{kind}.{schema_version}.json").read_text())
    jsonschema.validate(manifest, schema)
    print(f"ok: winget schema of {kind}")
PYTHON
echo "$checks checks of the packages passed"
