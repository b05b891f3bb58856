#!/usr/bin/env bash
# Packs the programs in target/windows, which scripts/windows.sh builds: scripts/windows-package.sh
#
# Writes into target/archives:
#   rigscope-VERSION-x86_64-windows.zip         the programs in one folder
#   rigscope-VERSION-x86_64-windows-setup.exe   the installer of packaging/rigscope.nsi
# The same programs give the same bytes: times are those of the last commit, or of SOURCE_DATE_EPOCH.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/packages nsis zip
command -v makensis zip > /dev/null || { echo "makensis or zip is missing; install NSIS 3.08 or later and zip" >&2; exit 1; }
programs=(rigscope.exe rigscope-gui.exe fbx_bsm2.exe)
for program in "${programs[@]}"; do
    [ -f "target/windows/$program" ] || { echo "target/windows/$program is missing; run scripts/windows.sh first" >&2; exit 1; }
done
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8

name=rigscope-$version-x86_64-windows
out=$PWD/target/archives
rm -rf "${out:?}/$name" "$out/$name.zip" "$out/$name-setup.exe"
mkdir -p "$out/$name"
cp "${programs[@]/#/target/windows/}" README.md CHANGELOG.md LICENSE LICENSE-MIT LICENSE-APACHE "$out/$name/"
chmod 644 "$out/$name"/*
touch --date="@$SOURCE_DATE_EPOCH" "$out/$name"/*

(cd "$out" && printf '%s\n' "$name"/* | zip -X -9 -q "$name.zip" -@)
makensis -V2 -WX -NOCD -INPUTCHARSET UTF8 -DVERSION="$version" -DFILES="$out/$name" \
    -DICON="$PWD/target/windows/resources/rigscope.ico" -DOUTPUT="$out/$name-setup.exe" packaging/rigscope.nsi
rm -r "${out:?}/$name"
ls -l "target/archives/$name.zip" "target/archives/$name-setup.exe"
