#!/usr/bin/env bash
# Fails if a program imports a DLL that isn't part of Windows 10: [ALSO="python3"] scripts/windows-imports.sh PROGRAM…
# ALSO names other DLLs that are present when the program runs.
set -euo pipefail
# All in System32 of Windows 10; DirectX and Vulkan are loaded at run time.
known="advapi32 api-ms-win-core-path-l1-1-0 api-ms-win-core-synch-l1-2-0 api-ms-win-core-winrt-error-l1-1-0 bcrypt bcryptprimitives combase comctl32
comdlg32 d3d12 d3dcompiler_47 dcomp dwmapi dxgi gdi32 imm32 kernel32 msvcrt ntdll ole32 oleaut32 opengl32 propsys psapi
rpcrt4 secur32 setupapi shell32 shlwapi ucrtbase user32 userenv uxtheme version winmm ws2_32 ${ALSO:-}"
failed=0
for program in "$@"; do
    imports=$(x86_64-w64-mingw32-objdump --private-headers "$program" | sed -n 's/^\s*DLL Name: //p' | tr 'A-Z' 'a-z' | sort -u)
    for library in $imports; do
        name=${library%.dll}
        grep -qw -- "$name" <<< "${known//$'\n'/ }" || { echo "$program imports $library" >&2; failed=1; }
    done
    echo "$(basename "$program"): $(tr '\n' ' ' <<< "$imports")"
done
exit "$failed"
