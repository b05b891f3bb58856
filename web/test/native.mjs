// The native program, for creating files and reference images.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { execFileSync } from "node:child_process";

import { SETTINGS } from "./browser.mjs";
import { pixels } from "./images.mjs";

export const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "rigscope-web-"));
/** In a separate folder, so that it has no related files. */
export const SAMPLE = path.join(scratch, "sample", "sample.bsm2");
fs.mkdirSync(path.dirname(SAMPLE));
fs.copyFileSync("assets/sample.bsm2", SAMPLE);

/** Real models, which aren't in the repository. */
export const SAMPLES = process.env.RIGSCOPE_SAMPLES || "../shared/samples";

const TARGETS = ["target/debug", "target/release"];
const built = (name) => TARGETS.map((place) => path.resolve(place, name)).find((file) => fs.existsSync(file));
const program = process.env.RIGSCOPE_PROGRAM || built("rigscope");

export function run(...words) {
    return execFileSync(program, words, { stdio: "pipe", encoding: "utf8" });
}

/** Writes a GLB with about `num` vertices. */
export function grid(num, file) {
    execFileSync(built("examples/make_grid"), [String(num), file]);
}

/** A screenshot of the native window at 1280 by 800. */
export function windowScreenshot(...words) {
    const folder = path.join(scratch, "native");
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "settings.ron"), SETTINGS);
    const out = path.join(folder, "window.png");
    fs.rmSync(out, { force: true });
    const view = [program, "view", ...words, "--screenshot", out, "--exit-after-frames", "6"];
    execFileSync("xvfb-run", ["-a", "-s", "-screen 0 1280x800x24", ...view], { stdio: "pipe", env: { ...process.env, RIGSCOPE_CONFIG_DIR: folder } });
    return pixels(fs.readFileSync(out));
}

/** Files of every format, each as the name of the main file and the paths of all files: converted from the sample, and
 * real ones if available. */
export function bundles() {
    const found = [];
    for (const [format, extension] of [["bsm2", "bsm2"], ["glb", "glb"], ["gltf", "gltf"], ["iqm", "iqm"], ["obj", "obj"], ["bsm", "bsm"], ["ozz", "ozz"]]) {
        const name = `made.${extension}`;
        const folder = path.join(scratch, format);
        fs.mkdirSync(folder, { recursive: true });
        run("convert", SAMPLE, "-o", path.join(folder, name), "--force");
        const others = fs.readdirSync(folder).filter((file) => file !== name);
        found.push({ name, files: [name, ...others].map((file) => path.join(folder, file)) });
    }
    for (const [folder, extension] of [["fbx", ".fbx"], ["gltf", ".glb"], ["sims", ".skn"], ["sims", ".bmf"], ["bsm", ".bsm"], ["iqm", ".iqm"], ["ozz", ".ozz"], ["bonespro", "fox_walk_mesh_absolute.txt"]]) {
        const inside = path.join(SAMPLES, folder);
        if (!fs.existsSync(inside)) continue;
        const all = fs.readdirSync(inside).filter((file) => file.toLowerCase().endsWith(extension)).map((file) => path.join(inside, file));
        const small = all.filter((file) => fs.statSync(file).size < 2 << 20).sort((a, b) => fs.statSync(b).size - fs.statSync(a).size)[0];
        if (small) found.push({ name: path.basename(small), files: [small] });
    }
    return found;
}
