// What a visitor does with the page, in Chromium with WebGPU in software:
//
//   node web/test.mjs DIST FOLDER-WITH-PUPPETEER [NAME]
//
// Files of every format are those that the program writes of its own sample, and real ones where RIGSCOPE_SAMPLES or
// ../shared/samples has them. A test fails on any error of the console that it does not expect.

import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { execFileSync } from "node:child_process";

const [dist, modules, only] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, "package.json"));
const puppeteer = require("puppeteer-core");

const CHROMIUM = process.env.CHROMIUM || ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => fs.existsSync(file));
// SwiftShader for WebGPU and for what shows the canvas: without the latter the page stays blank.
const FLAGS = ["--no-sandbox", "--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-webgpu-adapter=swiftshader", "--use-vulkan=swiftshader", "--use-angle=swiftshader", "--ignore-gpu-blocklist", "--disable-gpu-watchdog"];
const SIZE = { width: 1280, height: 800 };
const PATIENCE_MS = 30_000;
const SAMPLE = path.resolve("assets/sample.bsm2");
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "rigscope-web-"));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

function serve(folder) {
    const server = http.createServer((request, response) => {
        const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
        const file = path.join(folder, path.normalize(name.endsWith("/") ? `${name}index.html` : name));
        fs.readFile(file, (error, bytes) => {
            if (error) return response.writeHead(404).end();
            response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] || "application/octet-stream", "Content-Length": bytes.length });
            response.end(bytes);
        });
    });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** The native program, to make files and pictures with; none where it is not built. */
const program = [process.env.RIGSCOPE_PROGRAM, "target/release/rigscope", "target/debug/rigscope"].find((file) => file && fs.existsSync(file));
const run = (...words) => execFileSync(program, words, { stdio: "pipe" });

class Visit {
    static async begin(browser, address, options = {}) {
        const visit = new Visit();
        visit.errors = [];
        visit.page = await browser.newPage();
        await visit.page.setViewport(options.size || SIZE);
        visit.page.on("console", (message) => message.type() === "error" && visit.errors.push(message.text()));
        visit.page.on("pageerror", (error) => String(error).includes("control flow") || visit.errors.push(String(error)));
        visit.page.on("dialog", (dialog) => dialog.dismiss());
        if (options.before) await visit.page.evaluateOnNewDocument(options.before);
        await visit.page.goto(address);
        return visit;
    }

    title() { return this.page.title(); }

    fault() { return this.page.$eval("#fault", (line) => (line.hidden ? "" : line.textContent)); }

    async until(what, is, patience = PATIENCE_MS) {
        const end = Date.now() + patience;
        for (;;) {
            // The page loads itself again once, to share memory with its workers.
            const found = await is().catch((error) => {
                if (!/Execution context|detached/.test(error.message)) throw error;
            });
            if (found) return found;
            if (Date.now() > end) {
                await this.page.screenshot({ path: path.join(scratch, "failed.png") });
                throw new Error(`not seen in ${patience / 1000} s: ${what}; title "${await this.title()}", fault "${await this.fault()}", errors ${this.errors}; ${scratch}/failed.png`);
            }
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
    }

    opened(name, patience) {
        return this.until(`${name} in the title`, async () => (await this.title()).startsWith(`${name} `), patience);
    }

    /** Lets files go over the page, as [name, bytes]. */
    async drop(files) {
        const list = files.map(([name, bytes]) => [name, bytes.toString("base64")]);
        await this.page.evaluate((list) => {
            const transfer = new DataTransfer();
            for (const [name, base64] of list) {
                const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
                transfer.items.add(new File([bytes], name));
            }
            dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }, list);
    }

    /** The window's pixels. */
    async picture() {
        const png = await this.page.screenshot({ encoding: "base64" });
        return this.page.evaluate(async (png) => {
            const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const context = canvas.getContext("2d");
            context.drawImage(bitmap, 0, 0);
            return [...context.getImageData(0, 0, bitmap.width, bitmap.height).data];
        }, png);
    }

    /** Waits until two pictures in turn are equal, and gives the last. */
    async settled() {
        let last = await this.picture();
        for (let number = 0; number < 40; number++) {
            await new Promise((resolve) => setTimeout(resolve, 250));
            const next = await this.picture();
            if (difference(last, next) === 0) return next;
            last = next;
        }
        throw new Error("the picture does not come to rest");
    }

    async keys(...keys) {
        for (const key of keys.slice(0, -1)) await this.page.keyboard.down(key);
        await this.page.keyboard.press(keys.at(-1));
        for (const key of keys.slice(0, -1).reverse()) await this.page.keyboard.up(key);
    }

    /** Runs a command of the palette. */
    async command(name) {
        await this.keys("Control", "Shift", "p");
        await new Promise((resolve) => setTimeout(resolve, 300));
        await this.page.keyboard.type(name, { delay: 10 });
        await new Promise((resolve) => setTimeout(resolve, 300));
        await this.page.keyboard.press("Enter");
    }

    async end(expected = []) {
        const odd = this.errors.filter((error) => !expected.some((part) => error.includes(part)));
        await this.page.close();
        assert.deepEqual(odd, [], "errors of the console");
    }
}

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** Mean of how far channels are apart, 0 to 1. */
function difference(a, b) {
    assert.equal(a.length, b.length);
    let sum = 0;
    for (let at = 0; at < a.length; at++) sum += Math.abs(a[at] - b[at]);
    return sum / a.length / 255;
}

/** A bundle of files that opens as `name`. */
function* bundles() {
    if (program) {
        for (const [format, name] of [["bsm2", "a.bsm2"], ["glb", "a.glb"], ["iqm", "a.iqm"], ["obj", "a.obj"], ["bsm", "a.bsm"], ["ozz", "a.ozz"]]) {
            const out = path.join(scratch, format, name);
            fs.mkdirSync(path.dirname(out), { recursive: true });
            run("convert", SAMPLE, "-o", out);
            const all = fs.readdirSync(path.dirname(out)).map((file) => [file, fs.readFileSync(path.join(path.dirname(out), file))]);
            yield { name, files: all.sort(([a], [b]) => (b === name) - (a === name)) };
        }
    }
    const samples = process.env.RIGSCOPE_SAMPLES || "../shared/samples";
    for (const [folder, extension] of [["fbx", ".fbx"], ["gltf", ".glb"], ["sims", ".skn"], ["sims", ".bmf"], ["bsm", ".bsm"], ["iqm", ".iqm"], ["ozz", ".ozz"], ["bonespro", "fox_walk_mesh_absolute.txt"]]) {
        const inside = path.join(samples, folder);
        if (!fs.existsSync(inside)) continue;
        const small = fs.readdirSync(inside).filter((file) => file.toLowerCase().endsWith(extension)).map((file) => [file, fs.statSync(path.join(inside, file)).size]).filter(([, size]) => size < 2 << 20).sort((a, b) => b[1] - a[1])[0];
        if (small) yield { name: small[0], files: [[small[0], fs.readFileSync(path.join(inside, small[0]))]] };
    }
}

const tests = {
    async "the sample is shown at once, with workers, and plays"({ browser, address }) {
        const visit = await Visit.begin(browser, address);
        await visit.opened("sample.bsm2");
        assert.equal(await visit.page.evaluate(() => crossOriginIsolated), true, "workers share memory");
        const still = await visit.settled();
        await visit.page.keyboard.press("Space");
        await visit.until("another picture", async () => difference(still, await visit.picture()) > 0);
        await visit.page.keyboard.press("Space");
        await visit.end();
    },

    async "a drag turns the model, and a click picks what is under it"({ browser, address }) {
        const visit = await Visit.begin(browser, address);
        await visit.opened("sample.bsm2");
        const before = await visit.settled();
        await visit.page.mouse.move(700, 250);
        await visit.page.mouse.down();
        for (let x = 700; x <= 820; x += 20) {
            await visit.page.mouse.move(x, 260);
            await pause(150);
        }
        await visit.page.mouse.up();
        await visit.page.mouse.move(900, 100);
        const turned = await visit.settled();
        assert.ok(difference(before, turned) > 0.0005, `the view has turned: ${difference(before, turned)}`);
        await visit.page.mouse.click(621, 290);
        await visit.until("something is selected", async () => difference(turned, await visit.picture()) > 0.0005);
        await visit.end();
    },

    async "files of every format open"({ browser, address }) {
        let number = 0;
        for (const { name, files } of bundles()) {
            const folder = path.join(dist, "given", String(number));
            fs.mkdirSync(folder, { recursive: true });
            for (const [file, bytes] of files) fs.writeFileSync(path.join(folder, file), bytes);
            const urls = files.map(([file]) => `url=${encodeURIComponent(`given/${number}/${file}`)}`);
            const visit = await Visit.begin(browser, `${address}?${urls.join("&")}`);
            await visit.opened(name);
            assert.equal(await visit.fault(), "", name);
            await visit.end();
            number += 1;
        }
        fs.rmSync(path.join(dist, "given"), { recursive: true, force: true });
        console.log(`    ${number} files`);
        assert.ok(number >= 1, "there is a file to open");
    },

    async "a dropped file opens"({ browser, address }) {
        const visit = await Visit.begin(browser, address);
        await visit.opened("sample.bsm2");
        await visit.drop([["dropped.bsm2", fs.readFileSync(SAMPLE)]]);
        await visit.opened("dropped.bsm2");
        await visit.end();
    },

    async "a broken file is said, and the last one stays"({ browser, address }) {
        const visit = await Visit.begin(browser, address);
        await visit.opened("sample.bsm2");
        const before = await visit.settled();
        const bytes = fs.readFileSync(SAMPLE);
        await visit.drop([["cut.bsm2", bytes.subarray(0, bytes.length / 2)]]);
        await visit.until("something is said", async () => difference(before, await visit.picture()) > 0.005);
        await visit.drop([["again.bsm2", bytes]]);
        await visit.opened("again.bsm2");
        await visit.end();
    },

    async "an address names a file"({ browser, address }) {
        fs.copyFileSync(SAMPLE, path.join(dist, "from-address.bsm2"));
        const visit = await Visit.begin(browser, `${address}?url=from-address.bsm2`);
        await visit.opened("from-address.bsm2");
        fs.rmSync(path.join(dist, "from-address.bsm2"));
        await visit.end();
    },

    async "what is written is downloaded, byte for byte"({ browser, address }) {
        const before = () => {
            globalThis.downloads = [];
            HTMLAnchorElement.prototype.click = function () {
                const { download, href } = this;
                fetch(href).then((answer) => answer.arrayBuffer()).then((bytes) => globalThis.downloads.push([download, [...new Uint8Array(bytes)]]));
            };
        };
        const visit = await Visit.begin(browser, address, { before });
        await visit.opened("sample.bsm2");
        await visit.settled();
        await visit.keys("Control", "e");
        await visit.settled();
        await visit.page.keyboard.press("Enter");
        const [[name, bytes]] = await visit.until("a download", () => visit.page.evaluate(() => (globalThis.downloads.length > 0 ? globalThis.downloads : null)));
        assert.match(name, /\.bsm2$/);
        assert.deepEqual(Buffer.from(bytes), fs.readFileSync(SAMPLE));
        await visit.end();
    },

    async "the pane of the GPU check opens by the palette"({ browser, address }) {
        const visit = await Visit.begin(browser, address);
        await visit.opened("sample.bsm2");
        const still = await visit.settled();
        await visit.command("GPU check");
        await visit.until("the pane is shown", async () => difference(still, await visit.picture()) > 0.005);
        await visit.end();
    },

    async "a browser without WebGPU is told which have it"({ browser, address }) {
        const before = () => Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined });
        const visit = await Visit.begin(browser, address, { before });
        await visit.until("words", async () => (await visit.fault()).includes("Chrome"));
        await visit.end();
    },

    async "settings are kept from one visit to the next"({ browser, address }) {
        const visit = await Visit.begin(browser, address);
        await visit.opened("sample.bsm2");
        await visit.page.mouse.click(700, 200);
        await visit.page.keyboard.press("b");
        await visit.until("bones in the settings", () => visit.page.evaluate(() => (localStorage.getItem("rigscope.settings") || "").includes("bones: true")));
        await visit.page.evaluate(() => localStorage.clear());
        await visit.end();
    },

    async "100 MB open while the page goes on"({ browser, address }) {
        if (!program || !fs.existsSync("examples/make_grid.rs")) return "no program";
        const large = process.env.RIGSCOPE_LARGE;
        if (!large) return "RIGSCOPE_LARGE names no file";
        fs.copyFileSync(large, path.join(dist, "large.glb"));
        const visit = await Visit.begin(browser, `${address}?url=large.glb`);
        let longest = 0;
        const open = visit.opened("large.glb", 240_000).then(() => true);
        while (!(await Promise.race([open, new Promise((resolve) => setTimeout(() => resolve(false), 50))]))) {
            const begun = Date.now();
            await visit.page.evaluate(() => 1);
            longest = Math.max(longest, Date.now() - begun);
        }
        fs.rmSync(path.join(dist, "large.glb"));
        console.log(`    longest without an answer: ${longest} ms`);
        await visit.end();
    },

    async "it fits windows of 800 by 600, by touch too"({ browser, address }) {
        const visit = await Visit.begin(browser, address, { size: { width: 800, height: 600, hasTouch: true } });
        await visit.opened("sample.bsm2");
        const before = await visit.settled();
        await visit.page.touchscreen.touchStart(400, 200);
        for (let x = 400; x <= 480; x += 10) await visit.page.touchscreen.touchMove(x, 205);
        await visit.page.touchscreen.touchEnd();
        const after = await visit.settled();
        assert.ok(difference(before, after) > 0.001, "a finger turns the model");
        await visit.page.screenshot({ path: path.join(scratch, "small.png") });
        await visit.end();
    },

    async "a shared page opens from disk, without a server or workers"({ browser }) {
        if (!program) return "no program";
        const page = path.join(scratch, "shared.html");
        run("share", SAMPLE, "-o", page, "--viewer", dist, "--notes");
        const visit = await Visit.begin(browser, `file://${page}`);
        await visit.opened("sample.bsm2");
        assert.equal(await visit.page.evaluate(() => crossOriginIsolated), false);
        assert.match(await visit.page.$eval("details", (details) => details.textContent), /vertex-cache-order/);
        await visit.settled();
        await visit.end();
    },
};

const server = await serve(dist);
const address = `http://127.0.0.1:${server.address().port}/`;
let [passed, failed, skipped] = [0, 0, 0];
for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const browser = await puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
    const begun = Date.now();
    try {
        const why = await test({ browser, address });
        if (why) skipped += 1; else passed += 1;
        console.log(`${why ? `skipped (${why})` : "ok"}: ${name}, ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    } catch (error) {
        failed += 1;
        console.log(`FAILED: ${name}: ${error.message}`);
    }
    await browser.close();
}
server.close();
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 ? 1 : 0);
