#!/usr/bin/env bash
# Runs the tests of the command line with the programs for Linux on aarch64 under QEMU, which also emulates the Vulkan
# driver: scripts/aarch64-test.sh [FILTER…]
# The programs are those of scripts/linux.sh, which builds them if they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
.ci/packages g++ qemu-user
[ -x target/linux/aarch64/rigscope ] || scripts/linux.sh aarch64
scripts/aarch64-root.sh
root=$PWD/target/aarch64-root

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
