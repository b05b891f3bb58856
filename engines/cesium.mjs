// Plays a glTF file in CesiumJS: node cesium.mjs FILE REQUEST.json
//
// The vertices are those of the engine's vertex shader in headless Chromium; see cesium_page.mjs.

import { main } from "./gltf.mjs";
import { inBrowser, installed } from "./browser.mjs";

const load = inBrowser("cesium_page.mjs");
await main("CesiumJS", installed("cesium"), (file) => {
  const isInstanced = file.json.nodes.some((node) => node.extensions?.EXT_mesh_gpu_instancing);
  if (isInstanced) throw new Error("not compared: instances aren't read back from the shader");
  return load(file);
});
