// The window in the page: interaction, and comparison with the native window.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

import { Visit, pause } from "./browser.mjs";
import { SAMPLE, grid, run, scratch, windowScreenshot } from "./native.mjs";
import { host } from "./opening.mjs";
import { INSPECTOR, MOST_APART, VIEW, WHOLE, detail, difference } from "./images.mjs";

/** The page looks like the native window, in the whole window and in the view. */
async function sameAsNative(visit, what, ...words) {
    const [page, native] = [await visit.settled(), windowScreenshot(...words)];
    for (const [area, name] of [[WHOLE, "window"], [VIEW, "view"]]) {
        const apart = difference(page, native, area);
        console.log(`    ${what}, ${name}: ${(100 * apart).toFixed(3)} % apart`);
        assert.ok(apart < MOST_APART, `${what}, ${name}: ${apart}`);
    }
}

export const tests = {
    async "the window looks like the native one"({ browser, address, dist }) {
        const visit = await Visit.opened(browser, `${address}?clip=walk&time=0.3&panes=outline,inspector,findings`, "sample.bsm2");
        await sameAsNative(visit, "sample", SAMPLE, "--clip", "walk", "--time", "0.3", "--panes", "outline,inspector,findings");
        await visit.end();
        const glb = path.join(scratch, "lit.glb");
        run("convert", SAMPLE, "-o", glb, "--force");
        const lit = await Visit.opened(browser, `${address}?url=${host(dist, glb)}&run=bones,wireframe`, "lit.glb");
        await sameAsNative(lit, "environment, bones, wireframe", glb, "--run", "bones,wireframe");
        await lit.end();
    },

    async "playback starts and stops"({ browser, address }) {
        const visit = await Visit.opened(browser, address, "sample.bsm2");
        const still = await visit.settled();
        await visit.page.keyboard.press("Space");
        await visit.changed(still, 0, "another image", VIEW);
        await visit.page.keyboard.press("Space");
        await visit.settled();
        await visit.end();
    },

    async "the ruler is scrubbed"({ browser, address }) {
        const visit = await Visit.opened(browser, `${address}?clip=walk&time=0`, "sample.bsm2");
        const before = await visit.settled();
        await visit.drag([200, 735], 600);
        await visit.changed(before, 0.0005, "another pose", VIEW);
        await visit.end();
    },

    async "a drag orbits, the wheel zooms, and a click picks"({ browser, address }) {
        const visit = await Visit.opened(browser, address, "sample.bsm2");
        const before = await visit.settled();
        await visit.drag([620, 150], 720);
        await visit.changed(before, 0.002, "another view direction", VIEW);
        const turned = await visit.settled();
        await visit.page.mouse.wheel({ deltaY: -300 });
        await visit.changed(turned, 0.002, "a closer view", VIEW);
        await visit.settled();
        await visit.keys("f");
        const framed = await visit.settled();
        await visit.page.mouse.click(620, 250);
        await visit.changed(framed, 0.002, "the selection in the inspector", INSPECTOR);
        await visit.end();
    },

    async "two files are compared"({ browser, address, dist }) {
        const other = path.join(scratch, "other.bsm2");
        run("convert", SAMPLE, "-o", other, "--limit-influences", "1", "--force");
        const urls = host(dist, SAMPLE, other);
        const visit = await Visit.opened(browser, `${address}?url=${urls[0]}&compare=${urls[1]}&panes=compare`, "sample.bsm2");
        await sameAsNative(visit, "compared", SAMPLE, "--compare", other, "--panes", "compare");
        await visit.end();
    },

    async "the GPU check passes as it does natively"({ browser, address }) {
        const visit = await Visit.opened(browser, `${address}?clip=walk&time=0.3&run=check-the-gpu-over-the-clip`, "sample.bsm2");
        await visit.showsStatus("GPU and CPU agree.");
        await visit.end();
    },

    async "settings persist between visits"({ browser, address }) {
        const visit = await Visit.opened(browser, address, "sample.bsm2");
        const before = await visit.settled();
        await visit.page.keyboard.press("b");
        await visit.changed(before, 0, "bones", VIEW);
        await visit.until("bones in the settings", () => visit.page.evaluate(() => localStorage.getItem("rigscope.settings").includes("bones: true")));
        const bones = await visit.settled();
        await visit.page.reload();
        await visit.opened("sample.bsm2");
        assert.equal(difference(bones, await visit.settled(), VIEW), 0);
        await visit.end();
    },

    async "an 800 by 600 window is usable, and touch orbits and zooms"({ browser, address }) {
        const visit = await Visit.opened(browser, address, "sample.bsm2", { size: { width: 800, height: 600, hasTouch: true } });
        const area = [300, 80, 200, 200];
        const before = await visit.settled();
        fs.writeFileSync(path.join(scratch, "small.png"), await visit.page.screenshot());
        const touch = visit.page.touchscreen;
        await touch.touchStart(350, 120);
        for (let x = 350; x <= 430; x += 10) await touch.touchMove(x, 122);
        await touch.touchEnd();
        await visit.changed(before, 0.002, "a finger orbits", area);
        const turned = await visit.settled();
        const client = await visit.page.createCDPSession();
        const fingers = (type, apart) => client.send("Input.dispatchTouchEvent", { type, touchPoints: apart ? [{ x: 400 - apart, y: 180, id: 0 }, { x: 400 + apart, y: 180, id: 1 }] : [] });
        await fingers("touchStart", 20);
        for (let apart = 20; apart <= 60; apart += 5) {
            await fingers("touchMove", apart);
            await pause(20);
        }
        await fingers("touchEnd");
        await visit.changed(turned, 0.002, "two fingers zoom in", area);
        await visit.end();
    },

    async "a 100 MB file opens without blocking the page"({ browser, address, dist }) {
        const large = path.join(dist, "given", "large.glb");
        fs.mkdirSync(path.dirname(large), { recursive: true });
        grid(1_320_000, large);
        const megabytes = fs.statSync(large).size / 1e6;
        assert.ok(megabytes > 100, `${megabytes} MB`);
        const begun = Date.now();
        const visit = await Visit.begin(browser, `${address}?url=given/large.glb`);
        let longest = 0;
        let isOpen = false;
        const opened = visit.opened("large.glb", 300_000).then(() => { isOpen = true; });
        while (!isOpen) {
            const asked = Date.now();
            // The page doesn't respond while it reloads.
            await Promise.race([visit.page.evaluate(() => 1).catch(() => 0), opened]);
            longest = Math.max(longest, Date.now() - asked);
            await Promise.race([pause(50), opened]);
        }
        console.log(`    ${megabytes.toFixed(0)} MB: open after ${Date.now() - begun} ms, blocked for at most ${longest} ms`);
        const image = await visit.settled();
        assert.ok(detail(image, VIEW) > 0.001, "there is something to see");
        fs.rmSync(large);
        await visit.end();
    },
};
