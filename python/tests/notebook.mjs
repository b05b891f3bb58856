// Opens an exported notebook in Chromium, with WebGPU in software and without: node notebook.mjs PAGE FOLDER-WITH-PUPPETEER
//
// Prints the contents of the view as JSON.

import { createRequire } from "node:module";
import path from "node:path";

import { launch, pause } from "../../web/test/browser.mjs";
import { detail, pixels } from "../../web/test/images.mjs";

const [file, modules] = process.argv.slice(2);
const puppeteer = createRequire(path.resolve(modules, "package.json"))("puppeteer-core");
const PATIENCE_MS = 60_000;

/** The text of an element in the frame of the viewer, when it is there. */
async function textInFrame(page, selector) {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
        const frame = page.frames().find((frame) => frame.url() === "about:srcdoc");
        const text = await frame?.evaluate((selector) => {
            const error = document.getElementById("error");
            const part = document.querySelector(selector);
            return error && !error.hidden && error.textContent || part && !part.hidden && part.textContent;
        }, selector).catch(() => "");
        if (text) return text;
        if (Date.now() > end) throw new Error(`no ${selector} in the viewer`);
        await pause(100);
    }
}

async function look(hasGpu, selector) {
    const browser = await launch(puppeteer);
    const page = await browser.newPage();
    if (!hasGpu) await page.evaluateOnNewDocument(() => Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined }));
    await page.setViewport({ width: 1000, height: 700 });
    await page.goto(`file://${path.resolve(file)}`, { timeout: PATIENCE_MS });
    const text = await textInFrame(page, selector);
    const isUndisturbed = await page.evaluate(() => scrollY === 0 && document.activeElement === document.body);
    const frame = await page.$("iframe");
    await frame.scrollIntoView();
    await pause(3000);
    const image = await frame.screenshot({ captureBeyondViewport: false });
    await browser.close();
    return { text, isUndisturbed, detail: detail(pixels(image)) };
}

const view = await look(true, "#clock");
const table = await look(false, "main h1");
console.log(JSON.stringify({ view, table }));
