#!/usr/bin/env bash
# Joins the scripts of the page and copies its other files; called by web.sh after wasm-bindgen.
#
#   scripts/web-assemble.sh GLUE OUT      GLUE is the output folder of wasm-bindgen
set -euo pipefail
cd "$(dirname "$0")/.."
glue=${1:?the output folder of wasm-bindgen} out=${2:?the folder to write}

mkdir -p "$out"
cp "$glue/rigscope_bg.wasm" web/index.html web/embed.html web/embed.css "$out/"
# A single script, because `rigscope share` inlines it: the code of the page follows the glue code, and calls it by name.
{
    sed 's/^export default __wbg_init;$/const init = __wbg_init;/; s/^export { initSync, __wbg_init as default };$/const init = __wbg_init;/; s/^export { initSync };$//; s/^export function/function/' \
        "$glue/rigscope.js"
    for name in workers files fetch screenshots tables controls embedded page; do cat "web/$name.js"; done
} > "$out/rigscope.js"
# The web component is a single module too.
cat web/fetch.js web/package/{camera_orbit,colors,load_progress,poster,rigscope-viewer}.js > "$out/rigscope-viewer.js"
