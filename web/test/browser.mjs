// Drives a browser on the page: user input and screenshots.

import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

import { detail, difference, pixels } from "./images.mjs";

const CHROMIUM = process.env.CHROMIUM || ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => fs.existsSync(file));
// SwiftShader for WebGPU and for compositing: without the latter, the page stays blank.
const FLAGS = [
    "--no-sandbox", "--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-webgpu-adapter=swiftshader", "--use-vulkan=swiftshader",
    "--use-angle=swiftshader", "--ignore-gpu-blocklist", "--disable-gpu-watchdog",
];
export const SIZE = { width: 1280, height: 800 };
/** Without hints and hover effects, so that screenshots are comparable. */
export const SETTINGS = "(theme: Dark, shows_hints: false, hover: false, window_size: (1280.0, 800.0))";
const PATIENCE_MS = 60_000;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

export const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** Serves `folder` like any static host, with additional response headers. `status` resolves to the status of the
 * response to a path. */
export function serve(folder, headers = {}, status = () => 200) {
    const server = http.createServer(async (request, response) => {
        const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
        // Browsers request it for pages without an icon.
        const code = name === "/favicon.ico" ? 204 : await status(name);
        if (code !== 200) return response.writeHead(code).end();
        const file = path.join(folder, path.normalize(name.endsWith("/") ? `${name}index.html` : name));
        fs.readFile(file, (error, bytes) => {
            if (error) return response.writeHead(404).end();
            response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] || "application/octet-stream", "Content-Length": bytes.length, ...headers });
            response.end(bytes);
        });
    });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

export function launch(puppeteer, { args = [], ...options } = {}) {
    // A copy, because puppeteer modifies the list.
    return puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: [...FLAGS, ...args], protocolTimeout: 600_000, ...options });
}

/** One visit of the page. */
export class Visit {
    static async begin(browser, address, { size = SIZE, before, settings = SETTINGS } = {}) {
        const visit = new Visit();
        visit.errors = [];
        visit.page = await browser.newPage();
        await visit.page.setViewport(size);
        visit.page.on("console", (message) => message.type() === "error" && visit.errors.push(message.text()));
        /** Requests without a response, for messages. */
        visit.pending = new Set();
        visit.page.on("request", (request) => visit.pending.add(request.url()));
        for (const type of ["requestfinished", "requestfailed"]) visit.page.on(type, (request) => visit.pending.delete(request.url()));
        // winit throws a harmless exception to leave `main`.
        visit.page.on("pageerror", (error) => String(error).includes("control flow") || visit.errors.push(String(error)));
        await visit.page.evaluateOnNewDocument((settings) => {
            try {
                localStorage.getItem("rigscope.settings") || localStorage.setItem("rigscope.settings", settings);
            } catch { /* A page opened from disk may not have storage. */ }
        }, settings);
        for (const script of [before].flat()) if (script) await visit.page.evaluateOnNewDocument(script);
        await visit.page.goto(address);
        return visit;
    }

    /** A visit in which `name` has been opened. */
    static async opened(browser, address, name, options) {
        const visit = await Visit.begin(browser, address, options);
        await visit.opened(name);
        return visit;
    }

    text(id) {
        return this.page.evaluate((id) => {
            const line = document.getElementById(id);
            return line && !line.hidden ? line.textContent : "";
        }, id);
    }

    /** The status bar's text and the last message. */
    status() { return this.text("status"); }

    async until(what, is, patience = PATIENCE_MS) {
        const end = Date.now() + patience;
        for (;;) {
            // The page reloads once, to enable memory shared with its workers.
            const found = await is().catch((error) => {
                if (!/context|detached|JavaScript world/.test(error.message)) throw error;
            });
            if (found) return found;
            if (Date.now() > end) {
                const visibility = await this.page.evaluate(() => document.visibilityState);
                const frames = this.page.frames().map((frame) => frame.url()).join(" ");
                const seen = [await this.page.title(), await this.text("message"), await this.status(), await this.text("error"), ...this.errors, visibility, frames, `pending: ${[...this.pending].join(" ")}`];
                throw new Error(`not seen in ${patience / 1000} s: ${what}; ${seen.join(" | ")}`);
            }
            await pause(50);
        }
    }

    opened(name, patience) {
        return this.until(`${name} in the title`, async () => (await this.page.title()) === `${name} — Rigscope` && this.status(), patience);
    }

    /** Waits until the status bar contains these words. */
    showsStatus(words, patience) {
        return this.until(`"${words}" in the status bar`, async () => (await this.status()).includes(words), patience);
    }

    /** Drops files, given as [name, bytes], on the page. */
    async drop(files) {
        const list = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
        await this.page.evaluate((list) => {
            const transfer = new DataTransfer();
            for (const [name, base64] of list) {
                transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
            }
            dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }, list);
    }

    /** A screenshot of the page. */
    async screenshot() {
        // Otherwise each screenshot changes the layout, and the window draws at a different size.
        return pixels(await this.page.screenshot({ captureBeyondViewport: false, optimizeForSpeed: true }));
    }

    /** Waits until something is drawn and two consecutive screenshots are equal, and returns the last. */
    async settled() {
        let last = await this.screenshot();
        for (let number = 0; number < 60; number++) {
            await pause(300);
            const next = await this.screenshot();
            if (difference(last, next) === 0 && detail(next) > 0.002) return next;
            last = next;
        }
        throw new Error("the image keeps changing");
    }

    /** Waits for a screenshot that differs from `before` by more than `least`. */
    async changed(before, least, what, area) {
        await this.until(what, async () => difference(before, await this.screenshot(), area) > least);
    }

    /** Drags the pointer from one position to another. */
    async drag([fromX, y], toX) {
        await this.page.mouse.move(fromX, y);
        await this.page.mouse.down();
        for (let step = 1; step <= 10; step++) {
            await this.page.mouse.move(fromX + ((toX - fromX) * step) / 10, y);
            await pause(40);
        }
        await this.page.mouse.up();
    }

    async keys(...keys) {
        for (const key of keys.slice(0, -1)) await this.page.keyboard.down(key);
        await this.page.keyboard.press(keys.at(-1));
        for (const key of keys.slice(0, -1).reverse()) await this.page.keyboard.up(key);
    }

    async end(...expected) {
        const odd = this.errors.filter((error) => !expected.some((part) => error.includes(part)));
        await this.page.close();
        assert.deepEqual(odd, [], "console errors");
    }
}
