# Installs the tools of PyPI that build for other systems, and adds them to PATH; sourced by other scripts.
# Zig is a C compiler and linker that knows older versions of glibc, other processors, and macOS.
scripts/python-env.sh target/release-tools "maturin>=1.9,<2" "ziglang>=0.15" "cargo-zigbuild>=0.20" "auditwheel>=6"
export PATH=$PWD/target/release-tools/bin:$PATH
