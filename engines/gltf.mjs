// Shared by the programs: the arguments, the file, and the order of its vertices.

import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

// Engines report to the console; stdout is for the answer. Some keep the functions of the console
// as soon as they are loaded, so this module is to be imported first.
console.log = console.info = console.warn = console.debug = (...text) => console.error(...text);

/**
 * Reads a .glb or .gltf file: its JSON and the bytes for the engine. Buffers in other files become
 * part of the JSON, since outside browsers some engines can't fetch them.
 */
function readModel(path) {
  const bytes = readFileSync(path);
  if (bytes.toString("latin1", 0, 4) === "glTF") {
    return { json: JSON.parse(bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12))), bytes: new Uint8Array(bytes) };
  }
  const json = JSON.parse(bytes.toString());
  for (const buffer of json.buffers ?? []) {
    if (!buffer.uri || buffer.uri.startsWith("data:")) continue;
    const data = readFileSync(join(dirname(path), decodeURIComponent(buffer.uri)));
    buffer.uri = `data:application/octet-stream;base64,${data.toString("base64")}`;
  }
  return { json, bytes: new TextEncoder().encode(JSON.stringify(json)) };
}

/**
 * The nodes that have a mesh, in the order of the file. Engines reorder meshes as they load,
 * so their vertices are collected by node and primitive instead of by scene.
 */
export function meshNodes(json) {
  const inScene = new Set();
  const visit = (node) => {
    if (inScene.has(node)) return;
    inScene.add(node);
    for (const child of json.nodes[node].children ?? []) visit(child);
  };
  for (const node of json.scenes[json.scene ?? 0].nodes ?? []) visit(node);
  return json.nodes.flatMap((node, index) => (inScene.has(index) && node.mesh !== undefined ? [index] : []));
}

/**
 * Runs `load(file)`, which returns a function from a pose to its vertices, for every pose of each request, and prints
 * an answer per file as one line. Vertices have six numbers if the normals are known. A file that the engine doesn't
 * load is an answer, too.
 */
export async function main(engine, version, load) {
  const paths = process.argv.slice(2);
  for (let at = 0; at + 1 < paths.length; at += 2) {
    const answer = await answerOf(engine, version, load, paths[at], paths[at + 1]);
    await new Promise((done) => process.stdout.write(JSON.stringify(answer) + "\n", done));
  }
  process.exit(0);
}

async function answerOf(engine, version, load, path, requestPath) {
  const answer = { engine, version, file: basename(path), error: null, poses: [] };
  try {
    const { json, bytes } = readModel(path);
    for (const request of JSON.parse(readFileSync(requestPath)).poses) {
      // A fresh copy per pose: engines keep the state of the previous one, and may change the bytes.
      const file = { name: basename(path), extension: extname(path), json: structuredClone(json), bytes: bytes.slice() };
      const pose = await load(file);
      answer.poses.push({ ...request, vertices: await pose(request) });
    }
  } catch (error) {
    answer.error = String(error?.message ?? error);
    answer.poses = [];
  }
  return answer;
}
