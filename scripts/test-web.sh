#!/usr/bin/env bash
# Builds the page and does in Chromium, with WebGPU in software, what a visitor does (web/test).
#
#   scripts/test-web.sh [--tools]      with --tools only what that needs is fetched
#
# WEB_PROFILE=web tests the page as it is given away. Ends with 3 where that cannot be fetched.
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
# What `make test` has built already: with the same features all crates below are the same.
"$cargo" build --locked --quiet --workspace --features rigscope/catalog --bin rigscope --example make_grid
exec node web/test/main.mjs target/web-test/dist target/web-test
