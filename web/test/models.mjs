// Real models, with textures and several materials: the page, shared pages and the component show them like the native
// window.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

import { Visit, serve } from "./browser.mjs";
import { screenshot } from "./component.mjs";
import { MOST_APART, VIEW, difference, pixels } from "./images.mjs";
import { SAMPLES, run, scratch, windowScreenshot } from "./native.mjs";
import { host } from "./opening.mjs";

const folder = path.join(SAMPLES, "gltf");
const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => /\.gl(tf|b)$/.test(name)) : [];
const ignored = names.length === 0 ? "no samples" : "";
const needsSamples = (test) => Object.assign(test, { ignored });
/** Has textures. */
const FOX = path.join(folder, "Fox.glb");

function assertAlike(what, image, native, area) {
    const apart = difference(image, native, area);
    console.log(`    ${what}: ${(100 * apart).toFixed(3)} % apart`);
    assert.ok(apart < MOST_APART, `${what}: ${apart}`);
}

/** Share of pixels with the colours of a fox. */
function orange({ data }) {
    let found = 0;
    for (let at = 0; at < data.length; at += 4) found += data[at] > data[at + 1] + 30 && data[at + 1] > data[at + 2] + 30;
    return (4 * found) / data.length;
}

export const tests = {
    "every sample model looks like in the native window": needsSamples(async ({ browser, address, dist }) => {
        for (const name of names) {
            const file = path.join(folder, name);
            const visit = await Visit.opened(browser, `${address}?url=${host(dist, file)}`, name);
            assertAlike(name, await visit.settled(), windowScreenshot(file), VIEW);
            await visit.end();
        }
    }),

    "a shared page of a textured model looks like the native window": needsSamples(async ({ browser, dist }) => {
        const page = path.join(scratch, "fox.html");
        run("share", FOX, "-o", page, "--viewer", dist, "--force");
        const visit = await Visit.opened(browser, `file://${page}`, "Fox.glb");
        assertAlike("shared Fox.glb", await visit.settled(), windowScreenshot(FOX), VIEW);
        await visit.end();
    }),

    "the component shows the colours of a textured model": needsSamples(async ({ browser, dist }) => {
        const png = path.join(scratch, "fox.png");
        run("render", FOX, "-o", png, "--size", "640x400", "--clip", "0", "--time", "0", "--shading", "physical", "--force");
        const wanted = orange(pixels(fs.readFileSync(png)));
        host(dist, FOX);
        fs.writeFileSync(path.join(dist, "given", "fox.html"), `<!DOCTYPE html><body style="margin: 0"><script type="module" src="../rigscope-viewer.js"></script>
            <rigscope-viewer src="Fox.glb" controls="none" style="width: 640px; height: 400px"></rigscope-viewer>`);
        const server = await serve(dist);
        const visit = await Visit.begin(browser, `http://127.0.0.1:${server.address().port}/given/fox.html`, { size: { width: 640, height: 400 } });
        const taken = await screenshot(visit, "rigscope-viewer");
        for (const [what, image] of [["screenshot", taken], ["view", await visit.settled()]]) {
            // The cameras differ a little.
            const ratio = orange(image) / wanted;
            console.log(`    ${what}: ${ratio.toFixed(3)} times the orange pixels of render`);
            assert.ok(Math.abs(ratio - 1) < 0.2, `${what}: ${ratio}`);
        }
        await visit.end();
        server.close();
    }),
};
