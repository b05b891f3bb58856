// Plays a glTF file in CesiumJS: node cesium.mjs FILE REQUEST.json
//
// The vertices are those of the engine's vertex shader in headless Chromium; see cesium_page.mjs.

import { main } from "./gltf.mjs";
import { inBrowser, installed } from "./browser.mjs";

await main("CesiumJS", installed("cesium"), inBrowser("cesium_page.mjs"));
