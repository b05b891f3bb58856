#!/usr/bin/env bash
# Builds the packages of a release into target/archives, with checksums: scripts/release.sh [PART…]
# PARTS: web linux windows wheels blender manual sbom; all without arguments. Packages for macOS can only be built there
# (.github/workflows/release.yml).
set -euo pipefail
cd "$(dirname "$0")/.."
parts=("$@")
[ $# -gt 0 ] || parts=(web linux windows wheels blender manual sbom)
# Before anything is built: everything that the parts install.
.ci/packages g++ make git zip unzip binutils dpkg-dev clang llvm nsis gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 python3-venv
cargo=${CARGO:-cargo}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
archives=$PWD/target/archives
mkdir -p "$archives"
time=$(git log -1 --format=%ct 2>/dev/null || echo 0)

# pack FOLDER NAME: a ZIP file with the contents of the folder, in the same order and with the same times each time.
pack() {
    local copy=target/archives/$2
    rm -rf "$copy" "$archives/$2.zip"
    cp -r "$1" "$copy"
    find "$copy" -exec touch --date="@$time" {} +
    (cd "$copy" && find . -type f | LC_ALL=C sort | TZ=UTC zip -q -X "$archives/$2.zip" -@)
    rm -r "$copy"
}

web() {
    scripts/web.sh dist
    pack dist "rigscope-$version-web"
}

linux() {
    local processor
    for processor in x86_64 aarch64; do
        scripts/linux.sh "$processor"
        scripts/archive.sh "target/linux/$processor" "$processor-linux"
    done
    rm -rf target/debian
    scripts/deb.sh target/linux/x86_64
    cp target/debian/*.deb "$archives/"
}

windows() {
    scripts/windows.sh
    scripts/windows-package.sh
}

wheels() {
    rm -rf target/wheels
    scripts/wheels.sh x86_64-linux aarch64-linux x86_64-windows
    cp target/wheels/*.whl "$archives/"
}

blender() {
    python3 scripts/blender-extension.py "$archives/rigscope-blender-$version.zip" "$archives"/rigscope-*.whl
}

manual() {
    make --no-print-directory book
    scripts/python-reference.sh "$archives"/rigscope-"$version"-*manylinux*x86_64.whl
    pack target/book "rigscope-$version-manual"
}

# All crates in the programs, with versions and licences, in CycloneDX.
sbom() {
    command -v cargo-cyclonedx > /dev/null || "$cargo" install --quiet --locked cargo-cyclonedx
    "$cargo" cyclonedx --quiet --format json --features catalog --override-filename rigscope-sbom
    mv rigscope-sbom.json "$archives/rigscope-$version.cdx.json"
    find . -name rigscope-sbom.json -not -path './target/*' -delete
}

for part in "${parts[@]}"; do
    case $part in
        web | linux | windows | wheels | blender | manual | sbom) ;;
        *) echo "unknown part '$part'; known: web linux windows wheels blender manual sbom" >&2; exit 1 ;;
    esac
done
for part in "${parts[@]}"; do
    begun=$SECONDS
    echo "== $part"
    "$part"
    echo "== $part: $((SECONDS - begun)) s"
done
(cd "$archives" && rm -f SHA256SUMS && sha256sum -- * > SHA256SUMS)
ls -l "$archives" | awk 'NR > 1 { printf "%7.1f MB  %s\n", $5 / 1e6, $9 }'
