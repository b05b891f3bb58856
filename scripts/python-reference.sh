#!/usr/bin/env bash
# Python's classes and functions from their docstrings, in target/book/python-reference: scripts/python-reference.sh [WHEEL]
# Without a wheel, the package is built first.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=target/python-docs
scripts/python-env.sh "$environment" "pdoc>=15,<17" "numpy>=1.24"
if [ $# -gt 0 ]; then
    "$environment/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$1"
else
    "${CARGO:-cargo}" build --quiet --locked --workspace --features rigscope/catalog --lib --example make_grid
    cp target/debug/lib_rigscope.so python/rigscope/_rigscope.abi3.so
    export PYTHONPATH=$PWD/python
fi
"$environment/bin/python" -m pdoc --docformat numpy --no-show-source \
    rigscope '!rigscope.farm' '!rigscope.arrays' '!rigscope.shortcuts' '!rigscope.catalog' '!rigscope.errors' \
    --output-directory target/book/python-reference
