# Sets flags that link the C++ library of meshopt statically; sourced by other scripts.
# The compiler's folder also has its DLL, which the linker would prefer, so the library is copied to a separate folder.
mkdir -p target/windows/static
cp "$(x86_64-w64-mingw32-g++ -print-file-name=libstdc++.a)" target/windows/static/
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS="-L native=$PWD/target/windows/static -C target-feature=+crt-static"
