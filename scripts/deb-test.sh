#!/usr/bin/env bash
# Checks a package, installs it into a fresh system in FOLDER, runs the queries of desktops, and removes it:
# scripts/deb-test.sh PACKAGE.deb FOLDER
# Needs root, debootstrap and lintian.
set -euo pipefail
package=$(realpath "$1")
root=$(realpath -m "$2")
suite=${SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}

# Known findings: there is no request for the package (no bug to close), and the maintainer has no address yet.
known=initial-upload-closes-no-bugs,bogus-mail-host,bogus-mail-host-in-debian-changelog
lintian --fail-on error,warning --suppress-tags "$known" "$package"

if [ ! -d "$root/etc" ]; then
    debootstrap --variant=minbase --include=shared-mime-info,desktop-file-utils,libglib2.0-bin,xdg-utils,appstream,mesa-vulkan-drivers \
        "$suite" "$root"
fi
inside() { chroot "$root" env XDG_CACHE_HOME=/tmp DEBIAN_FRONTEND=noninteractive XDG_RUNTIME_DIR=/tmp "$@"; }
cp "$package" "$root/tmp/rigscope.deb"
inside find / -xdev -path /proc -prune -o -path /tmp -prune -o -path /var -prune -o -type f -print | sort > "$root/tmp/before"
inside apt-get install --yes --quiet --no-install-recommends /tmp/rigscope.deb

echo "installed; asking"
cp assets/sample.bsm2 "$root/tmp/a.bsm2"
inside rigscope convert /tmp/a.bsm2 -o /tmp/a.glb --force > /dev/null
inside rigscope convert /tmp/a.bsm2 -o /tmp/a.iqm --force > /dev/null
cp "$root/tmp/a.iqm" "$root/tmp/without_extension"
is() { [ "$2" = "$3" ] || { echo "$1: $2 instead of $3" >&2; exit 1; }; }
type_of() { inside gio info -a standard::content-type "/tmp/$1" | sed -n 's/.*standard::content-type: //p'; }
is "type by name" "$(type_of a.bsm2)" model/x-bsm2
is "type by content" "$(type_of without_extension)" model/x-iqm
is "type that desktops know" "$(type_of a.glb)" model/gltf-binary
is "type asked of xdg-mime" "$(inside env XDG_CURRENT_DESKTOP=GNOME xdg-mime query filetype /tmp/a.bsm2)" model/x-bsm2
is "program for it" "$(inside gio mime model/x-bsm2 | sed -n 's/^.*: *\(rigscope.desktop\)$/\1/p' | head -1)" rigscope.desktop
inside desktop-file-validate /usr/share/applications/rigscope.desktop
inside appstreamcli validate --no-net /usr/share/metainfo/rigscope.metainfo.xml
for file in a.bsm2 a.glb a.iqm; do
    inside rigscope thumbnail "/tmp/$file" /tmp/small 128
    is "size of a thumbnail" "$(od -An -tu1 -j16 -N8 "$root/tmp/small" | tr -s ' ')" " 0 0 0 128 0 0 0 128"
done
inside fbx_bsm2 --help > /dev/null

inside apt-get purge --yes --quiet --autoremove rigscope
inside find / -xdev -path /proc -prune -o -path /tmp -prune -o -path /var -prune -o -type f -print | sort > "$root/tmp/after"
diff "$root/tmp/before" "$root/tmp/after" || { echo "files were left behind" >&2; exit 1; }
echo "installed and removed"
