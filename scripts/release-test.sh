#!/usr/bin/env bash
# Installs each package of target/archives into an empty place and opens the sample with it: scripts/release-test.sh [PART…]
# PARTS: checksums linux aarch64 deb windows wheels blender web manual sbom; all without arguments. Needs root for the
# Debian package, and a display or xvfb-run.
set -euo pipefail
cd "$(dirname "$0")/.."
parts=("$@")
[ $# -gt 0 ] || parts=(checksums linux aarch64 deb windows wheels blender web manual sbom)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
archives=$PWD/target/archives
sample=$PWD/assets/sample.bsm2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

done_with() { printf 'ok: %s\n' "$1"; }
fail() { printf 'failed: %s\n' "$1" >&2; exit 1; }
# Arguments of a conversion that gives the same bytes on every system with the same processor.
conversion=(convert "$sample" --force -o)

# has_sample PROGRAM…: the program reads the sample and converts it like the build of this checkout: to the same bytes, or
# within single precision on another processor.
has_sample() {
    "$@" info "$sample" --json | grep -E '"triangles": *6856' > /dev/null || fail "$*: info"
    "$@" "${conversion[@]}" "$place/own.glb" > /dev/null
    cmp --quiet "$place/own.glb" "$place/expected.glb" && return
    [[ $* = *aarch64* ]] && "$program" diff "$place/own.glb" "$place/expected.glb" --tolerance 1e-6 > /dev/null \
        || fail "$*: the conversion differs"
}

checksums() {
    (cd "$archives" && sha256sum --quiet --check SHA256SUMS)
    [ "$(ls "$archives" | grep -vc '^SHA256SUMS$')" = "$(wc -l < "$archives/SHA256SUMS")" ] || fail "a file has no checksum"
    done_with "checksums of $(wc -l < "$archives/SHA256SUMS") files"
}

linux() {
    tar -C "$place" -xzf "$archives/rigscope-$version-x86_64-linux.tar.gz"
    local programs=$place/rigscope-$version-x86_64-linux
    has_sample "$programs/rigscope"
    "$programs/fbx_bsm2" --help > /dev/null
    RIGSCOPE_CONFIG_DIR=$place/settings xvfb-run -a -s "-screen 0 1600x1000x24" "$programs/rigscope" --sample \
        --exit-after-frames 4 --screenshot "$place/window.png"
    [ -s "$place/window.png" ] || fail "no screenshot"
    # The newest symbol of glibc.
    local newest
    newest=$(objdump -T "$programs/rigscope" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
    [ "$(printf 'GLIBC_2.28\n%s\n' "$newest" | sort -V | tail -1)" = GLIBC_2.28 ] || fail "the program needs $newest"
    done_with "archive for Linux on x86-64: commands, window, $newest"
}

aarch64() {
    .ci/packages qemu-user
    tar -C "$place" -xzf "$archives/rigscope-$version-aarch64-linux.tar.gz"
    scripts/aarch64-root.sh
    has_sample qemu-aarch64 -L target/aarch64-root "$place/rigscope-$version-aarch64-linux/rigscope"
    done_with "archive for Linux on aarch64: commands, emulated"
}

deb() {
    .ci/packages lintian debootstrap
    scripts/deb-test.sh "$archives"/rigscope_*.deb target/deb-test > "$place/log" 2>&1 || { tail -30 "$place/log"; fail "Debian package"; }
    done_with "Debian package: lintian, commands, desktop integration, removal"
}

windows() {
    scripts/windows-package-test.sh
    done_with "ZIP file and installer for Windows, under Wine"
}

# The wheel in an empty environment, and the libraries that the others need.
wheels() {
    python3 -m venv "$place/python"
    "$place/python/bin/pip" install --quiet --disable-pip-version-check "$archives"/rigscope-"$version"-*manylinux*x86_64.whl
    (cd "$place" && "$place/python/bin/python" - "$sample") <<'PYTHON' || fail "wheel"
import sys
import rigscope
model = rigscope.open(sys.argv[1])
assert sum(mesh.num_triangles for mesh in model.meshes) == 6856, model
PYTHON
    target/release-tools/bin/auditwheel show "$archives"/rigscope-"$version"-*manylinux*x86_64.whl | grep manylinux_2_28 > /dev/null || fail "wheel for x86-64"
    unzip -q -o "$archives"/rigscope-"$version"-*aarch64.whl -d "$place/arm"
    readelf -h "$place"/arm/rigscope/*.so | grep AArch64 > /dev/null || fail "wheel for aarch64"
    unzip -q -o "$archives"/rigscope-"$version"-*win_amd64.whl -d "$place/win"
    ALSO=python3 scripts/windows-imports.sh "$place"/win/rigscope/*.pyd > /dev/null || fail "wheel for Windows"
    done_with "wheels: opened on x86-64, libraries and DLLs checked for aarch64 and Windows"
}

# Blender's manifest names each wheel, and the archive contains it.
blender() {
    mkdir "$place/blender"
    unzip -q "$archives/rigscope-blender-$version.zip" -d "$place/blender"
    python3 - "$place/blender" <<'PYTHON' || fail "extension for Blender"
import pathlib, sys, tomllib
folder = pathlib.Path(sys.argv[1])
manifest = tomllib.loads((folder / "blender_manifest.toml").read_text())
named = sorted(pathlib.Path(wheel).name for wheel in manifest["wheels"])
assert named == sorted(path.name for path in (folder / "wheels").iterdir()) and len(named) >= 3, named
for source in folder.glob("*.py"):
    compile(source.read_text(), str(source), "exec")
PYTHON
    done_with "extension for Blender: manifest and wheels"
}

web() {
    scripts/test-web.sh --tools
    mkdir "$place/web"
    unzip -q "$archives/rigscope-$version-web.zip" -d "$place/web"
    xvfb-run -a -s "-screen 0 1280x860x24" node web/test/readme_screenshot.mjs "$place/web" target/web-test "$place/page.png"
    [ -s "$place/page.png" ] || fail "web page"
    done_with "web page: opened in Chromium"
}

manual() {
    mkdir "$place/manual"
    unzip -q "$archives/rigscope-$version-manual.zip" -d "$place/manual"
    [ -s "$place/manual/index.html" ] && [ -s "$place/manual/python-reference/rigscope.html" ] || fail "manual"
    done_with "manual: $(find "$place/manual" -name '*.html' | wc -l) pages"
}

sbom() {
    python3 - "$archives/rigscope-$version.cdx.json" <<'PYTHON' || fail "bill of materials"
import json, sys
bill = json.load(open(sys.argv[1]))
names = {part["name"] for part in bill["components"]}
assert bill["bomFormat"] == "CycloneDX" and {"wgpu", "ufbx", "meshopt", "winit"} <= names, names
unlicensed = [part["name"] for part in bill["components"] if not part.get("licenses")]
assert not unlicensed, unlicensed
print(len(names), "crates")
PYTHON
    done_with "bill of materials"
}

program=target/dist/rigscope
if [ ! -x "$program" ]; then
    "${CARGO:-cargo}" build --quiet --locked --workspace --features rigscope/catalog --bin rigscope
    program=target/debug/rigscope
fi
"$program" "${conversion[@]}" "$place/expected.glb" > /dev/null
for part in "${parts[@]}"; do
    case $part in
        checksums | linux | aarch64 | deb | windows | wheels | blender | web | manual | sbom) "$part" ;;
        *) echo "unknown part '$part'" >&2; exit 1 ;;
    esac
done
