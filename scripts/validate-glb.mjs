// Runs the Khronos glTF validator on every .glb in a folder, and fails on errors.
// Run by `make validate-glb`, which fetches the validator; it isn't part of this project.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [folder, modules] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, "package.json"));
const validator = require("gltf-validator");

const files = fs.readdirSync(folder).filter((name) => name.endsWith(".glb")).sort();
const seen = new Map();
let numErrors = 0;
for (const name of files) {
  const bytes = new Uint8Array(fs.readFileSync(path.join(folder, name)));
  // External textures don't exist here.
  const options = { uri: name, maxIssues: 0, ignoredIssues: ["IO_ERROR"] };
  const report = await validator.validateBytes(bytes, options);
  numErrors += report.issues.numErrors;
  for (const issue of report.issues.messages) {
    const severity = ["error", "warning", "info", "hint"][issue.severity];
    const key = `${severity} ${issue.code}`;
    const entry = seen.get(key) ?? { count: 0, files: new Set(), first: `${issue.message} (${issue.pointer})` };
    entry.count += 1;
    entry.files.add(name);
    seen.set(key, entry);
  }
}
for (const [key, { count, files, first }] of [...seen].sort()) {
  console.log(`${key}: ${count} in ${[...files].slice(0, 4).join(", ")}${files.size > 4 ? ", …" : ""}: ${first}`);
}
console.log(`${files.length} files, ${numErrors} errors, validator ${validator.version()}`);
process.exit(numErrors > 0 || files.length === 0 ? 1 : 0);
