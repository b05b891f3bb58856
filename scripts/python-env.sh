#!/usr/bin/env bash
# Creates the virtual environment FOLDER with these PACKAGES, unless it exists:
# scripts/python-env.sh FOLDER PACKAGE…
# Exits with 3 if packages can't be fetched.
set -euo pipefail
folder=$1
shift
python=${PYTHON:-python3}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "Python 3.10 or later is missing" >&2
    exit 3
fi
wanted="$*"
[ "$(cat "$folder/packages.txt" 2>/dev/null)" = "$wanted" ] && exit 0
if [ ! -x "$folder/bin/python" ]; then
    "$python" -m venv "$folder" || { rm -rf "$folder"; echo "python3-venv is missing" >&2; exit 3; }
fi
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@" || exit 3
echo "$wanted" > "$folder/packages.txt"
