// Plays a glTF file in Filament: node filament.mjs FILE REQUEST.json
//
// The vertices are those of the engine's vertex shader in headless Chromium; see filament_page.mjs.

import { main } from "./gltf.mjs";
import { inBrowser, installed } from "./browser.mjs";

/**
 * Writes the index of each node into its `extras`. The loader shows only names, which may repeat, and its list of
 * entities isn't in the order of the file.
 */
function numbered({ json, bytes, ...file }) {
  json.nodes.forEach((node, index) => (node.extras = { index }));
  let text = JSON.stringify(json);
  if (file.extension !== ".glb") return { ...file, json, bytes: Buffer.from(text) };
  while (Buffer.byteLength(text) % 4) text += " ";
  const data = bytes.subarray(20 + Buffer.from(bytes).readUInt32LE(12));
  const header = Buffer.alloc(20);
  header.write("glTF", 0, "latin1");
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(20 + Buffer.byteLength(text) + data.length, 8);
  header.writeUInt32LE(Buffer.byteLength(text), 12);
  header.write("JSON", 16, "latin1");
  return { ...file, json, bytes: Buffer.concat([header, Buffer.from(text), data]) };
}

const load = inBrowser("filament_page.mjs");
await main("Filament", installed("filament"), (file) => load(numbered(file)));
