// The web component in a page on another origin, and pages without WebGPU.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";

import { Visit, pause, serve } from "./browser.mjs";
import { SAMPLE, grid, run, scratch } from "./native.mjs";
import { detail, difference, image, pixels } from "./images.mjs";
import { host } from "./opening.mjs";

/** The policies that the package's README states, for two hosts. */
const VIEWER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'";
const pagePolicy = (viewer) => `default-src 'none'; script-src 'self' ${viewer}; connect-src 'self'; img-src 'self'; style-src 'unsafe-inline'; frame-src ${viewer}`;

const withoutWebGpu = () => Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined });
/** Defines elements only after an event named "define". */
const defineLater = () => {
    const define = customElements.define.bind(customElements);
    customElements.define = (...args) => addEventListener("define", () => define(...args));
};
/** Records all events of viewers from the beginning. They don't bubble, but the document captures them. */
const recordEvents = () => {
    globalThis.seen = [];
    for (const type of ["loaded", "error", "progress", "select", "timechange"]) {
        document.addEventListener(type, ({ detail, target }) => detail && seen.push({ type, id: target.id, detail }), true);
    }
};

/** Serves a page with `body` on another origin than the viewer, visits it, and closes the servers afterwards. The page's
 * host has the `files`, by name, and answers requests of the path `slow` once that file exists. While the visit
 * `isBroken`, the viewer's host doesn't answer requests of the program. */
async function embed(browser, dist, body, test, { before, files = {}, slow, isBroken = false } = {}) {
    const state = { isBroken };
    const respond = async (name) => {
        const file = path.join(folder, name);
        while (name === slow && !fs.existsSync(file)) await pause(50);
        return 200;
    };
    const viewer = await serve(dist, { "Content-Security-Policy": VIEWER_POLICY, "Access-Control-Allow-Origin": "*" }, (name) => state.isBroken && name.endsWith(".wasm") ? 503 : 200);
    const viewerAddress = `http://127.0.0.1:${viewer.address().port}`;
    const folder = fs.mkdtempSync(path.join(scratch, "outer-"));
    fs.writeFileSync(path.join(folder, "index.html"), `<!DOCTYPE html><title>outer</title><script type="module" src="${viewerAddress}/rigscope-viewer.js"></script>${body}`);
    fs.copyFileSync(SAMPLE, path.join(folder, "sample.bsm2"));
    for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), bytes);
    const outer = await serve(folder, { "Content-Security-Policy": pagePolicy(viewerAddress) }, respond);
    try {
        const visit = await Visit.begin(browser, `http://127.0.0.1:${outer.address().port}/`, { before: [recordEvents, before], size: { width: 900, height: 700 } });
        Object.defineProperty(visit, "isBroken", { set: (is) => { state.isBroken = is; } });
        await test(visit, folder);
    } finally {
        viewer.close();
        outer.close();
    }
}

/** Waits for an event of the viewer with that id, and returns its detail. */
function event(visit, id, type, matches = () => true) {
    const find = async () => (await visit.page.evaluate(() => globalThis.seen)).find((one) => one.id === id && one.type === type && matches(one.detail));
    return visit.until(`${type} of ${id}`, find).then(({ detail }) => detail);
}

const forget = (visit) => visit.page.evaluate(() => { seen.length = 0; });

/** A viewer's screenshot. */
export async function screenshot(visit, selector) {
    const base64 = await visit.page.$eval(selector, async (viewer) => {
        const bytes = new Uint8Array(await (await viewer.screenshot()).arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    });
    return pixels(Buffer.from(base64, "base64"));
}

/** Whether the tables of a page contain all of these texts. */
const shows = (visit, ...texts) => visit.page.evaluate((texts) => {
    const tables = document.querySelector("main")?.textContent ?? "";
    return texts.every((text) => tables.includes(text));
}, texts);

/** The frame of the viewer with that id. */
async function frameOf(visit, id) {
    const frame = await visit.page.evaluateHandle((id) => document.getElementById(id).shadowRoot.querySelector("iframe"), id);
    return frame.asElement().contentFrame();
}

export const tests = {
    async "a page on another origin embeds the viewer under a strict policy"({ browser, dist }) {
        await embed(browser, dist, '<rigscope-viewer id="a" src="sample.bsm2" clip="walk" time="0.3"></rigscope-viewer>', async (visit) => {
            const loaded = await event(visit, "a", "loaded");
            assert.deepEqual([loaded.name, loaded.format, loaded.vertices, loaded.hasView], ["sample.bsm2", "bsm2", 4224, true]);
            assert.deepEqual(loaded.clips.map(({ name }) => name), ["walk", "wave"]);
            await event(visit, "a", "timechange", ({ clip, time, playing }) => clip === "walk" && Math.abs(time - 0.3) < 1e-6 && !playing);
            const posed = await screenshot(visit, "#a");
            assert.ok(detail(posed) > 0.002, "the image isn't blank");
            const types = await visit.page.$eval("#a", async (viewer) => {
                const images = await Promise.all(["image/png", "image/jpeg"].map((type) => viewer.screenshot({ type })));
                return images.map(({ type }) => type);
            });
            assert.deepEqual(types, ["image/png", "image/jpeg"], "two screenshots at once");
            await visit.page.$eval("#a", (viewer) => viewer.setAttribute("time", "0.8"));
            await event(visit, "a", "timechange", ({ time }) => Math.abs(time - 0.8) < 1e-6);
            assert.ok(difference(posed, await screenshot(visit, "#a")) > 0.0005, "another time is another pose");

            await visit.page.$eval("#a", (viewer) => { viewer.clip = "wave"; });
            await event(visit, "a", "timechange", ({ clip }) => clip === "wave");
            await visit.page.$eval("#a", (viewer) => { viewer.select = "bone:head"; });
            await event(visit, "a", "select", ({ select }) => select === "bone:head");
            await visit.page.$eval("#a", (viewer) => viewer.play());
            await event(visit, "a", "timechange", ({ playing }) => playing);
            await visit.page.$eval("#a", (viewer) => viewer.pause());
            await visit.until("a pause", () => visit.page.$eval("#a", (viewer) => !viewer.playing));
            assert.deepEqual(await visit.page.$eval("#a", ({ clip, select }) => [clip, select]), ["wave", "bone:head"]);

            const findings = await visit.page.$eval("#a", (viewer) => viewer.findings());
            assert.ok(findings.some(({ code, severity }) => code === "vertex-cache-order" && severity === "info"), JSON.stringify(findings));
            await visit.page.$eval("#a", (viewer) => { viewer.clip = "no such clip"; });
            await event(visit, "a", "error", ({ kind, message }) => kind === "request" && message.includes("no such clip"));
            await visit.end();
        });
    },

    async "the viewer follows its box, and its controls work"({ browser, dist }) {
        await embed(browser, dist, '<rigscope-viewer id="a" src="sample.bsm2"></rigscope-viewer>', async (visit) => {
            await event(visit, "a", "loaded");
            const frame = await frameOf(visit, "a");
            for (const [width, height] of [[640, 400], [300, 200]]) {
                await visit.page.$eval("#a", (viewer, width, height) => Object.assign(viewer.style, { width: `${width}px`, height: `${height}px` }), width, height);
                const bar = await frame.$eval("#bar", (bar) => bar.offsetHeight);
                assert.ok(bar > 20 && bar < 50, `${bar}`);
                await visit.until("the canvas follows", () => frame.$eval("#rigscope", (canvas, ...size) => canvas.width === size[0] && canvas.height === size[1], width, height - bar));
                const image = await screenshot(visit, "#a");
                assert.deepEqual([image.width, image.height], [width, height - bar]);
                assert.ok(detail(image) > 0.002, "the image isn't blank");
            }
            await forget(visit);
            await frame.click("#play");
            await event(visit, "a", "timechange", ({ playing }) => playing);
            await frame.select("#clip", "1");
            await event(visit, "a", "timechange", ({ clip, playing }) => clip === "wave" && playing);
            await frame.click("#play");
            await visit.until("a pause", () => visit.page.$eval("#a", (viewer) => !viewer.playing));
            await frame.focus("#time");
            const before = await visit.page.$eval("#a", ({ time }) => time);
            await visit.page.keyboard.press("ArrowRight");
            await visit.until("a later time", () => visit.page.$eval("#a", (viewer, before) => viewer.time > before, before));
            await visit.until("the number of findings", () => frame.$eval("#findings-button", ({ textContent }) => /^Findings \([1-9]\d*\)$/.test(textContent)));
            await frame.focus("#findings-button");
            await visit.page.keyboard.press("Enter");
            await visit.until("the findings", () => frame.$eval("#findings", ({ hidden, textContent }) => !hidden && textContent.includes("vertex-cache-order")));
            await visit.page.keyboard.press("Escape");
            await visit.until("closed findings", () => frame.$eval("#findings", ({ hidden }) => hidden));
            // Tab leaves the view: it isn't a keyboard trap.
            await frame.focus("#rigscope");
            await visit.page.keyboard.press("Tab");
            assert.equal(await frame.evaluate(() => document.activeElement.id), "play");
            await visit.page.$eval("#a", (viewer) => viewer.setAttribute("controls", "none"));
            await visit.until("no controls", () => frame.$eval("#bar", ({ hidden }) => hidden));
            await visit.until("a higher canvas", () => frame.$eval("#rigscope", ({ height }) => height === 200));
            await visit.end();
        });
    },

    async "viewers load near the viewport, from addresses and from bytes"({ browser, dist }) {
        // In blocks: until the viewers are defined, they would be in one line with the canvas, and the field at its
        // bottom, to which the focus scrolls.
        const body = ['<input id="first" autofocus>', '<rigscope-viewer id="a" src="missing.bsm2"></rigscope-viewer>', '<canvas width="1" height="5000"></canvas>', '<rigscope-viewer id="b" src="sample.bsm2" autoplay></rigscope-viewer>'].map((part) => `<div>${part}</div>`).join("");
        await embed(browser, dist, body, async (visit) => {
            const error = await event(visit, "a", "error");
            assert.match(error.message, /missing.bsm2: 404/);
            assert.equal(error.kind, "fetch");
            const frame = await frameOf(visit, "a");
            await visit.until("the error in the frame", () => frame.$eval("#error", ({ hidden, textContent }) => !hidden && textContent.includes("404")));
            await visit.page.$eval("#a", async (viewer) => {
                const bytes = await (await fetch("sample.bsm2")).arrayBuffer();
                viewer.model = { name: "given.bsm2", data: bytes };
            });
            await event(visit, "a", "loaded", ({ name }) => name === "given.bsm2");
            assert.equal(await visit.page.evaluate(() => `${document.activeElement.id} ${scrollY}`), "first 0", "the viewer took the focus");
            await visit.until("no error in the frame", () => frame.$eval("#error", ({ hidden }) => hidden));
            await visit.page.$eval("#a", (viewer) => { viewer.model = new Blob(["not a model"]); });
            await event(visit, "a", "error", ({ kind, message }) => kind === "model" && message.startsWith("model: not a file format"));

            assert.equal(await visit.page.$eval("#b", (viewer) => viewer.shadowRoot.querySelector("iframe")), null, "loaded below the fold");
            await visit.page.$eval("#b", (viewer) => viewer.scrollIntoView());
            await event(visit, "b", "loaded");
            const times = async () => new Set((await visit.page.evaluate(() => globalThis.seen)).filter(({ id, type, detail }) => id === "b" && type === "timechange" && detail.playing).map(({ detail }) => detail.time));
            await visit.until("playback", async () => (await times()).size >= 4);
            await visit.end("404");
        });
    },

    async "after an error, promises reject, and the same address is tried again"({ browser, dist }) {
        await embed(browser, dist, '<rigscope-viewer id="a" src="later.bsm2"></rigscope-viewer>', async (visit, folder) => {
            const early = visit.page.$eval("#a", (viewer) => viewer.findings()).catch((error) => error.message);
            await event(visit, "a", "error", ({ kind }) => kind === "fetch");
            assert.match(await early, /later.bsm2: 404/);
            for (const method of ["findings", "screenshot"]) {
                await assert.rejects(visit.page.$eval("#a", (viewer, method) => viewer[method](), method), /later.bsm2: 404/);
            }
            fs.copyFileSync(SAMPLE, path.join(folder, "later.bsm2"));
            await visit.page.$eval("#a", (viewer) => { viewer.src = "later.bsm2"; });
            await event(visit, "a", "loaded");
            assert.ok((await visit.page.$eval("#a", (viewer) => viewer.findings())).length > 0);

            const frame = await frameOf(visit, "a");
            const taken = visit.page.$eval("#a", (viewer) => viewer.screenshot()).then(() => "an image", (error) => error.message);
            const rejected = await visit.until("a rejection", async () => {
                await frame.evaluate(() => rigscopePage.imageFailed("the image is too large"));
                return Promise.race([taken, pause(20)]);
            });
            assert.match(rejected, /too large/);
            await visit.end("404");
        });
    },

    async "a viewer that can't start is started again"({ browser, dist }) {
        await embed(browser, dist, '<rigscope-viewer id="a" src="sample.bsm2" loading="eager"></rigscope-viewer>', async (visit) => {
            await event(visit, "a", "error", ({ kind, message }) => kind === "viewer" && message.includes("could not be fetched"));
            await assert.rejects(visit.page.$eval("#a", (viewer) => viewer.screenshot()), /could not be fetched/);
            visit.isBroken = false;
            await visit.page.$eval("#a", (viewer) => { viewer.src = "sample.bsm2"; });
            await event(visit, "a", "loaded");

            await forget(visit);
            await (await frameOf(visit, "a")).evaluate(() => rigscopePage.programStopped("the GPU was lost"));
            await event(visit, "a", "error", ({ kind }) => kind === "viewer");
            await assert.rejects(visit.page.$eval("#a", (viewer) => viewer.findings()), /the GPU was lost/);
            await visit.page.$eval("#a", (viewer) => { viewer.src = "sample.bsm2"; });
            await event(visit, "a", "loaded");
            await visit.end("503", "could not be fetched");
        }, { isBroken: true });
    },

    async "the next model may lack the clip and the selection of the previous one"({ browser, dist }) {
        const body = '<rigscope-viewer id="a" src="sample.bsm2" clip="wave" time="0.5" select="bone:head"></rigscope-viewer>';
        await embed(browser, dist, body, async (visit, folder) => {
            grid(500, path.join(folder, "grid.glb"));
            await event(visit, "a", "select", ({ select }) => select === "bone:head");
            await forget(visit);
            await visit.page.$eval("#a", (viewer) => { viewer.src = "grid.glb"; });
            await event(visit, "a", "loaded", ({ name }) => name === "grid.glb");
            await visit.page.$eval("#a", (viewer) => viewer.findings());
            const errors = async () => (await visit.page.evaluate(() => globalThis.seen)).filter(({ type }) => type === "error");
            assert.deepEqual(await errors(), []);

            // In either order, they are for the new model.
            await visit.page.$eval("#a", (viewer) => { viewer.clip = "walk"; viewer.src = "sample.bsm2"; });
            await event(visit, "a", "timechange", ({ clip }) => clip === "walk");
            assert.deepEqual(await errors(), []);
            await visit.page.$eval("#a", (viewer) => { viewer.src = "grid.glb"; viewer.select = "bone:hand_l"; });
            await event(visit, "a", "error", ({ kind, message }) => kind === "request" && message.includes("hand_l"));
            await visit.end();
        });
    },

    async "poster, progress, camera and background work as in model-viewer"({ browser, dist }) {
        const body = '<body style="background: rgb(0 128 0)"><rigscope-viewer id="a" src="slow.bsm2" poster="poster.png" camera-orbit="90deg auto 3m" background="#ff0000"></rigscope-viewer>';
        await embed(browser, dist, body, async (visit, folder) => {
            const poster = () => visit.page.$eval("#a", (viewer) => {
                const shown = viewer.shadowRoot.querySelector("#poster");
                return [shown.querySelector("img").naturalWidth, getComputedStyle(shown).visibility];
            });
            await event(visit, "a", "progress");
            await visit.until("the poster", async () => String(await poster()) === "4,visible");
            fs.copyFileSync(SAMPLE, path.join(folder, "slow.bsm2"));
            await event(visit, "a", "loaded");
            await visit.until("no poster", async () => (await poster())[1] === "hidden");
            const totals = (await visit.page.evaluate(() => globalThis.seen)).filter(({ type }) => type === "progress").map(({ detail }) => detail.totalProgress);
            assert.deepEqual([totals[0], totals.at(-1)], [0, 1]);
            assert.ok(totals.length > 3 && totals.every((total, at) => at === 0 || total > totals[at - 1]), `${totals}`);

            const orbit = () => visit.page.$eval("#a", (viewer) => ({ ...viewer.getCameraOrbit(), text: String(viewer.getCameraOrbit()) }));
            const near = ({ theta, radius }, ...wanted) => Math.abs(theta - wanted[0]) < 1e-3 && Math.abs(radius - wanted[1]) < 1e-3;
            await visit.until("the camera", async () => near(await orbit(), Math.PI / 2, 3));
            const side = await screenshot(visit, "#a");
            const corner = ({ data }) => [...data.subarray(0, 4)];
            assert.deepEqual(corner(side), [255, 0, 0, 255]);
            await visit.page.$eval("#a", (viewer) => { viewer.cameraOrbit = "0rad 80deg 100%"; });
            await visit.until("another camera", async () => !near(await orbit(), Math.PI / 2, 3));
            const whole = await orbit();
            assert.ok(Math.abs(whole.theta) < 1e-3 && Math.abs(whole.phi - 80 * Math.PI / 180) < 1e-3, JSON.stringify(whole));
            assert.ok(difference(side, await screenshot(visit, "#a")) > 0.005, "another view");
            await visit.page.$eval("#a", (viewer) => { viewer.cameraOrbit = "0rad 80deg 200%"; });
            await visit.until("twice the distance", async () => near(await orbit(), 0, 2 * whole.radius));
            await visit.page.$eval("#a", (viewer) => { viewer.cameraOrbit = "45"; });
            await event(visit, "a", "error", ({ kind, message }) => kind === "request" && message.includes("deg, rad"));
            await visit.page.$eval("#a", (viewer) => { viewer.background = "no colour"; });
            await event(visit, "a", "error", ({ kind, message }) => kind === "request" && message.includes("not a CSS colour"));

            // The page shows through.
            await visit.page.$eval("#a", (viewer) => { viewer.background = "transparent"; });
            assert.equal(corner(await screenshot(visit, "#a"))[3], 0);
            await visit.until("the page's green", async () => {
                const { data, width } = await visit.screenshot();
                return String([...data.subarray(4 * (20 * width + 20)).subarray(0, 3)]) === "0,128,0";
            });
            await visit.end();
        }, { slow: "/slow.bsm2", files: { "poster.png": image(4, 4) } });
    },

    async "the rule in the README keeps the page from shifting"({ browser, dist }) {
        const [rule] = fs.readFileSync("web/package/README.md", "utf8").match(/rigscope-viewer:not\(:defined\).*/);
        await embed(browser, dist, `<style>${rule}</style><div style="width: 640px"><rigscope-viewer></rigscope-viewer></div>`, async (visit) => {
            const state = () => visit.page.$eval("rigscope-viewer", (viewer) => [viewer.matches(":defined"), viewer.offsetWidth, viewer.offsetHeight]);
            assert.deepEqual(await state(), [false, 640, 400]);
            await visit.page.evaluate(() => dispatchEvent(new Event("define")));
            await visit.until("the definition", async () => (await state())[0]);
            assert.deepEqual(await state(), [true, 640, 400]);
            await visit.end();
        }, { before: defineLater });
    },

    async "the package's example works under the policy of its README"({ browser, dist }) {
        const folder = path.join(scratch, "package");
        execFileSync("scripts/web-package.sh", [dist, folder]);
        const [policy] = fs.readFileSync("web/package/README.md", "utf8").match(/(?<=Content-Security-Policy: ).*/);
        const server = await serve(folder, { "Content-Security-Policy": policy });
        const visit = await Visit.begin(browser, `http://127.0.0.1:${server.address().port}/example.html`);
        await visit.until("the findings", async () => /^sample.bsm2: 22 bones, 2 clips, [1-9]\d* findings$/.test(await visit.text("state")));
        await visit.page.$eval("#second", (viewer) => viewer.scrollIntoView());
        await visit.until("the state", async () => (await visit.text("second-state")) === "wave, 1.05 s");
        await visit.page.click("#toggle");
        await visit.until("playback", async () => (await visit.text("second-state")).endsWith("playing"));
        await visit.end();
        server.close();
    },

    async "without WebGPU, the component shows tables and findings"({ browser, dist }) {
        await embed(browser, dist, '<rigscope-viewer id="a" src="sample.bsm2"></rigscope-viewer>', async (visit) => {
            const loaded = await event(visit, "a", "loaded");
            assert.deepEqual([loaded.name, loaded.bones, loaded.hasView], ["sample.bsm2", 22, false]);
            const frame = await frameOf(visit, "a");
            const text = await frame.$eval("main", ({ textContent }) => textContent);
            for (const part of ["Chrome", "Firefox", "4,224 vertices", "boots_and_gloves", "wave", "scarf_2", "vertex-cache-order"]) assert.ok(text.includes(part), part);
            assert.ok((await visit.page.$eval("#a", (viewer) => viewer.findings())).length > 0);
            await assert.rejects(visit.page.$eval("#a", (viewer) => viewer.screenshot()), /WebGPU/);
            await visit.end();
        }, { before: withoutWebGpu });
    },

    async "without WebGPU, the page shows tables and findings of files"({ browser, address, dist }) {
        const before = withoutWebGpu;
        const empty = await Visit.begin(browser, address, { before });
        await empty.until("the browsers", async () => /Chrome and Edge 113.*Firefox 141.*Safari 26/.test(await empty.text("no-webgpu")));
        await empty.drop([["notes.png", Buffer.from("x")], ["dropped.bsm2", fs.readFileSync(SAMPLE)]]);
        await empty.until("the dropped file", () => shows(empty, "dropped.bsm2", "blended-normals"));
        await empty.drop([["cut.bsm2", fs.readFileSync(SAMPLE).subarray(0, 3000)]]);
        await empty.until("an error", () => empty.page.evaluate(() => document.querySelector("main .error")?.textContent.includes("cut.bsm2")));
        await empty.end();

        const [url] = host(dist, SAMPLE);
        const linked = await Visit.begin(browser, `${address}?url=${url}`, { before });
        await linked.until("the tables", async () => (await linked.page.title()) === "sample.bsm2 — Rigscope");
        const tables = await linked.page.$$eval("h2", (titles) => titles.map(({ textContent }) => textContent));
        assert.match(tables.join(), /^Findings[1-9]\d*,Meshes1,Materials6,Clips2,Bones22$/);
        await linked.end();

        const shared = path.join(scratch, "tables.html");
        run("share", SAMPLE, "-o", shared, "--viewer", dist, "--force");
        const visit = await Visit.begin(browser, `file://${shared}`, { before });
        await visit.until("the tables", () => shows(visit, "scarf_2"));
        await visit.end();
    },
};
