#!/usr/bin/env bash
# Unpacks Debian's libraries for aarch64, which programs need under QEMU, into target/aarch64-root.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD/target/aarch64-root
[ ! -e "$root/unpacked" ] || exit 0
command -v apt-get > /dev/null || { echo "this test fetches libraries for aarch64 with apt: run it on Debian or Ubuntu" >&2; exit 1; }
mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
touch "$root/apt/status"
options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Install-Recommends=false
    -o APT::Sandbox::User= -o Debug::NoLocking=1 -o "Dir::State::lists=$root/apt/lists" -o "Dir::State::status=$root/apt/status"
    -o "Dir::Cache=$root/apt" -o "Dir::Cache::archives=$root/apt/archives")
apt-get "${options[@]}" update
apt-get "${options[@]}" --yes --download-only install libc6 libgcc-s1 libstdc++6 libvulkan1 mesa-vulkan-drivers
for package in "$root"/apt/archives/*.deb; do dpkg -x "$package" "$root"; done
touch "$root/unpacked"
