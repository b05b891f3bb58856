#!/usr/bin/env bash
# Builds the page and tests it in Chromium with software WebGPU (web/test).
#
#   scripts/test-web.sh [--tools]      with --tools, only fetches the required tools
#
# WEB_PROFILE=web tests the page as published. Exits with 3 if the tools can't be fetched.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}

tools() {
    command -v node >/dev/null || .ci/packages nodejs || return 3
    command -v npm >/dev/null || .ci/packages npm || return 3
    .ci/packages chromium xvfb xauth || return 3
    npm install --silent --no-save --prefix target/web-test puppeteer-core@24 pngjs@7 || return 3
}

tools || exit 3
[ "${1:-}" != --tools ] || exit 0
WEB_PROFILE=${WEB_PROFILE:-web-test} scripts/web.sh target/web-test/dist
# Already built by `make test`, because the features are the same.
"$cargo" build --locked --quiet --workspace --features rigscope/catalog --bin rigscope --example make_grid
exec node web/test/main.mjs target/web-test/dist target/web-test
