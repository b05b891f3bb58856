// Reads files of formats other than glTF, for the engines in JavaScript that open them.
//
// Import gltf.mjs first: it sends the messages of engines to stderr.

import { readFileSync } from "node:fs";
import { basename } from "node:path";

/**
 * Runs `load(bytes)`, which returns a function from a pose to its vertices, for every pose of the request, and prints
 * the answer. The vertices may be in any order.
 */
export async function mainOfFormat(engine, version, load) {
  const [path, requestPath] = process.argv.slice(2);
  const answer = { engine, version, file: basename(path), error: null, poses: [] };
  try {
    const bytes = new Uint8Array(readFileSync(path));
    for (const request of JSON.parse(readFileSync(requestPath)).poses) {
      // A fresh copy per pose: engines keep the state of the previous one.
      const pose = await load(bytes);
      answer.poses.push({ ...request, vertices: pose(request) });
    }
  } catch (error) {
    answer.error = String(error?.message ?? error);
    answer.poses = [];
  }
  process.stdout.write(JSON.stringify(answer) + "\n", () => process.exit(0));
}
