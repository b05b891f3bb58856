#!/usr/bin/env bash
# Installs the programs of folder BIN and their accompanying files below ROOT/PREFIX, or removes them:
# scripts/install.sh BIN ROOT PREFIX
# scripts/install.sh --remove ROOT PREFIX
set -euo pipefail
cd "$(dirname "$0")/.."
from=$1
root=$2$3
share=$root/share

files=(
    bin/rigscope bin/fbx_bsm2
    share/applications/rigscope.desktop
    share/thumbnailers/rigscope.thumbnailer
    share/mime/packages/rigscope.xml
    share/metainfo/rigscope.metainfo.xml
    share/icons/hicolor/128x128/apps/rigscope.png
    share/man/man1/rigscope.1.gz share/man/man1/fbx_bsm2.1.gz
    share/bash-completion/completions/rigscope
    share/zsh/vendor-completions/_rigscope
    share/fish/vendor_completions.d/rigscope.fish
    share/doc/rigscope/changelog.gz
    share/rigscope/web/index.html share/rigscope/web/rigscope.js share/rigscope/web/rigscope_bg.wasm
)

# Updates the databases of the desktop; for packages, the system does this.
update_desktop_databases() {
    [ -z "$1" ] || return 0
    if command -v update-mime-database >/dev/null; then update-mime-database "$share/mime" || true; fi
    if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$share/applications" || true; fi
}

if [ "$from" = --remove ]; then
    for file in "${files[@]}"; do rm -f "$root/$file"; done
    rmdir "$share/doc/rigscope" "$share/rigscope/web" "$share/rigscope" 2>/dev/null || true
    update_desktop_databases "$2"
    exit 0
fi

program=$from/rigscope
put() { install -D -m "$1" "$2" "$root/$3"; }
put 755 "$program" bin/rigscope
put 755 "$from/fbx_bsm2" bin/fbx_bsm2
put 644 packaging/rigscope.desktop share/applications/rigscope.desktop
put 644 packaging/rigscope.thumbnailer share/thumbnailers/rigscope.thumbnailer
put 644 packaging/rigscope-mime.xml share/mime/packages/rigscope.xml
put 644 packaging/rigscope.metainfo.xml share/metainfo/rigscope.metainfo.xml
put 644 assets/icon.png share/icons/hicolor/128x128/apps/rigscope.png
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$program" man | gzip -9n > "$made/rigscope.1.gz"
gzip -9nc packaging/fbx_bsm2.1 > "$made/fbx_bsm2.1.gz"
gzip -9nc CHANGELOG.md > "$made/changelog.gz"
"$program" completions bash > "$made/bash"
"$program" completions zsh > "$made/zsh"
"$program" completions fish > "$made/fish"
put 644 "$made/rigscope.1.gz" share/man/man1/rigscope.1.gz
put 644 "$made/fbx_bsm2.1.gz" share/man/man1/fbx_bsm2.1.gz
put 644 "$made/changelog.gz" share/doc/rigscope/changelog.gz
put 644 "$made/bash" share/bash-completion/completions/rigscope
put 644 "$made/zsh" share/zsh/vendor-completions/_rigscope
put 644 "$made/fish" share/fish/vendor_completions.d/rigscope.fish
# The web page for `rigscope share`, if it has been built.
if [ -f dist/rigscope_bg.wasm ]; then
    for file in index.html rigscope.js rigscope_bg.wasm; do put 644 "dist/$file" "share/rigscope/web/$file"; done
fi
for file in "${files[@]}"; do [[ $file = share/rigscope/web/* ]] || [ -f "$root/$file" ] || { echo "$file is missing" >&2; exit 1; }; done
update_desktop_databases "$2"
