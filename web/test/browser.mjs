// A browser that visits the page, and what a visitor does and sees.

import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

import { detail, difference, pixels } from "./pictures.mjs";

const CHROMIUM = process.env.CHROMIUM || ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => fs.existsSync(file));
// SwiftShader for WebGPU and for what shows the canvas: without the latter the page stays blank.
const FLAGS = [
    "--no-sandbox", "--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-webgpu-adapter=swiftshader", "--use-vulkan=swiftshader",
    "--use-angle=swiftshader", "--ignore-gpu-blocklist", "--disable-gpu-watchdog",
];
export const SIZE = { width: 1280, height: 800 };
/** Nothing to read first, and nothing drawn because the pointer is somewhere: pictures are to be compared. */
export const SETTINGS = "(theme: Dark, shows_hints: false, hover: false, window_size: (1280.0, 800.0))";
const PATIENCE_MS = 60_000;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

export const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** A static host of `folder`, as any other. */
export function serve(folder) {
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

export function launch(puppeteer, { args = [], ...options } = {}) {
    // A list of its own: puppeteer takes flags out of it.
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
        // winit leaves by an exception that means no harm.
        visit.page.on("pageerror", (error) => String(error).includes("control flow") || visit.errors.push(String(error)));
        await visit.page.evaluateOnNewDocument((settings) => {
            try {
                localStorage.getItem("rigscope.settings") || localStorage.setItem("rigscope.settings", settings);
            } catch { /* A page on disk may keep nothing. */ }
        }, settings);
        if (before) await visit.page.evaluateOnNewDocument(before);
        await visit.page.goto(address);
        return visit;
    }

    /** A visit that sees `name` opened. */
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

    /** What the line at the bottom says, and what was said last. */
    status() { return this.text("status"); }

    async until(what, is, patience = PATIENCE_MS) {
        const end = Date.now() + patience;
        for (;;) {
            // The page loads itself again once, to share memory with its workers.
            const found = await is().catch((error) => {
                if (!/context|detached|JavaScript world/.test(error.message)) throw error;
            });
            if (found) return found;
            if (Date.now() > end) {
                const seen = [await this.page.title(), await this.text("says"), await this.status(), await this.text("fault"), ...this.errors];
                throw new Error(`not seen in ${patience / 1000} s: ${what}; ${seen.join(" | ")}`);
            }
            await pause(50);
        }
    }

    opened(name, patience) {
        return this.until(`${name} in the title`, async () => (await this.page.title()) === `${name} — Rigscope` && this.status(), patience);
    }

    /** Waits until the line at the bottom has these words. */
    says(words, patience) {
        return this.until(`"${words}" in the line at the bottom`, async () => (await this.status()).includes(words), patience);
    }

    /** Lets files go over the page, as [name, bytes]. */
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

    /** What the page shows. */
    async picture() {
        // Otherwise the page is laid out anew for each, and the window draws at another size.
        return pixels(await this.page.screenshot({ captureBeyondViewport: false, optimizeForSpeed: true }));
    }

    /** Waits until something is drawn and two pictures in turn are equal, and gives the last. */
    async settled() {
        let last = await this.picture();
        for (let number = 0; number < 60; number++) {
            await pause(300);
            const next = await this.picture();
            if (difference(last, next) === 0 && detail(next) > 0.002) return next;
            last = next;
        }
        throw new Error("the picture does not come to rest");
    }

    /** Waits for a picture that differs from `before` by so much. */
    async changed(before, least, what, area) {
        await this.until(what, async () => difference(before, await this.picture(), area) > least);
    }

    /** Moves the pointer from one place to another with its button down. */
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
        assert.deepEqual(odd, [], "errors of the console");
    }
}
