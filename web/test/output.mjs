// Output of the page: downloads and shared pages.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

import { Visit } from "./browser.mjs";
import { SAMPLE, run, scratch } from "./native.mjs";
import { VIEW, detail, pixels } from "./images.mjs";

/** Opens a panel with Ctrl and `key`, accepts its default choice, and returns the visit and the downloaded file. */
async function downloaded(browser, address, key) {
    const folder = fs.mkdtempSync(path.join(scratch, "downloads-"));
    const visit = await Visit.opened(browser, address, "sample.bsm2");
    const client = await browser.target().createCDPSession();
    await client.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
    await visit.settled();
    await visit.keys("Control", key);
    await visit.settled();
    await visit.page.keyboard.press("Enter");
    const file = await visit.until("a download", async () => {
        const files = fs.readdirSync(folder).filter((file) => !file.endsWith(".crdownload") && !file.startsWith("."));
        return files.length > 0 && fs.statSync(path.join(folder, files[0])).size > 0 && path.join(folder, files[0]);
    });
    return { visit, file };
}

export const tests = {
    async "an exported file is downloaded and equals the command line's"({ browser, address }) {
        const { visit, file } = await downloaded(browser, address, "e");
        const same = path.join(scratch, `same${path.extname(file)}`);
        run("convert", SAMPLE, "-o", same, "--force");
        assert.ok(fs.readFileSync(file).equals(fs.readFileSync(same)), `${path.basename(file)} differs from the output of convert`);
        await visit.end();
    },

    async "an image is downloaded and shows the model"({ browser, address }) {
        const { visit, file } = await downloaded(browser, address, "s");
        assert.equal(path.extname(file), ".png");
        const image = pixels(fs.readFileSync(file));
        assert.ok(detail(image) > 0.005, "there is something to see");
        await visit.end();
    },

    async "a shared page opens from disk, without a server or workers"({ browser, dist }) {
        const page = path.join(scratch, "shared.html");
        run("share", SAMPLE, "-o", page, "--viewer", dist, "--notes", "--force", "--clip", "walk", "--time", "0.3");
        const visit = await Visit.opened(browser, `file://${page}`, "sample.bsm2");
        assert.equal(await visit.page.evaluate(() => crossOriginIsolated), false);
        assert.match(await visit.page.$eval("details", (details) => details.textContent), /vertex-cache-order/);
        const posed = await visit.settled();
        await visit.keys("Space");
        await visit.changed(posed, 0, "it plays", VIEW);
        await visit.end();
    },

    async "a shared page contains all files that its model needs"({ browser, address, dist }) {
        const gltf = path.join(scratch, "with-bin", "parts.gltf");
        fs.mkdirSync(path.dirname(gltf), { recursive: true });
        run("convert", SAMPLE, "-o", gltf, "--force");
        const page = path.join(dist, "given", "parts.html");
        fs.mkdirSync(path.dirname(page), { recursive: true });
        run("share", gltf, "-o", page, "--viewer", dist, "--force");
        const visit = await Visit.opened(browser, `${address}given/parts.html`, "parts.gltf");
        assert.ok(detail(await visit.settled(), VIEW) > 0.005, "there is something to see");
        await visit.end();
    },
};
