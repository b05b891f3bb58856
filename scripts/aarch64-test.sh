#!/usr/bin/env bash
# Runs the tests of the command line with the programs for Linux on aarch64 under QEMU, which also emulates the Vulkan
# driver: scripts/aarch64-test.sh [FILTER…]
# Debian's libraries for aarch64 are unpacked into target/aarch64-root. The programs are those of scripts/linux.sh, which
# builds them if they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/packages g++ qemu-user
command -v apt-get > /dev/null || { echo "this test fetches libraries for aarch64 with apt: run it on Debian or Ubuntu" >&2; exit 1; }
[ -x target/linux/aarch64/rigscope ] || scripts/linux.sh aarch64

root=$PWD/target/aarch64-root
if [ ! -e "$root/unpacked" ]; then
    mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial"
    touch "$root/apt/status"
    options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Install-Recommends=false
        -o APT::Sandbox::User= -o Debug::NoLocking=1 -o "Dir::State::lists=$root/apt/lists" -o "Dir::State::status=$root/apt/status"
        -o "Dir::Cache=$root/apt" -o "Dir::Cache::archives=$root/apt/archives")
    apt-get "${options[@]}" update
    apt-get "${options[@]}" --yes --download-only install libc6 libgcc-s1 libstdc++6 libvulkan1 mesa-vulkan-drivers
    for package in "$root"/apt/archives/*.deb; do dpkg -x "$package" "$root"; done
    touch "$root/unpacked"
fi

# The tests run as usual and start these scripts. The program would start itself again to set variables that are missing
# (library_environment.rs), which QEMU can't do.
mkdir -p "$root/programs"
for program in rigscope fbx_bsm2; do
    cat > "$root/programs/$program" <<SCRIPT
#!/bin/sh
exec qemu-aarch64 -L "$root" -E VK_DRIVER_FILES="$root/usr/share/vulkan/icd.d/lvp_icd.aarch64.json" \\
    -E XDG_RUNTIME_DIR=/tmp -E XKB_LOG_LEVEL=crit -E MESA_LOG_LEVEL=error -E MESA_VK_IGNORE_CONFORMANCE_WARNING=true \\
    "$PWD/target/linux/aarch64/$program" "\$@"
SCRIPT
    chmod +x "$root/programs/$program"
done
RIGSCOPE_TEST_PROGRAMS=$root/programs exec "${CARGO:-cargo}" test --locked --workspace --features rigscope/catalog --test cli -- "$@"
