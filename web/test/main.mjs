// Tests of the page, in Chromium with software WebGPU:
//
//   node web/test/main.mjs DIST FOLDER-WITH-PUPPETEER [NAME]
//
// A test fails on unexpected console errors.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { launch, serve } from "./browser.mjs";
import { tests as component } from "./component.mjs";
import { tests as models } from "./models.mjs";
import { scratch } from "./native.mjs";
import { tests as opening } from "./opening.mjs";
import { tests as output } from "./output.mjs";
import { tests as window } from "./window.mjs";

const [dist, modules, only] = process.argv.slice(2);
const puppeteer = createRequire(path.resolve(modules, "package.json"))("puppeteer-core");

const server = await serve(dist);
const address = `http://127.0.0.1:${server.address().port}/`;
let [passed, failed, ignored] = [0, 0, 0];
for (const [name, test] of Object.entries({ ...opening, ...window, ...output, ...component, ...models })) {
    if (only && !name.includes(only)) continue;
    if (test.ignored) {
        ignored += 1;
        console.log(`test ${name} ... ignored, ${test.ignored}`);
        continue;
    }
    const browser = await launch(puppeteer);
    const begun = Date.now();
    try {
        await test({ browser, address, dist });
        passed += 1;
        console.log(`ok: ${name}, ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    } catch (error) {
        failed += 1;
        console.log(`FAILED: ${name}: ${error.stack}`);
        const [page] = (await browser.pages()).slice(-1);
        await page.screenshot({ path: path.join(scratch, "failed.png") }).catch(() => {});
        console.log(`    ${scratch}/failed.png`);
    }
    await browser.close();
}
server.close();
fs.rmSync(path.join(dist, "given"), { recursive: true, force: true });
if (failed === 0) fs.rmSync(scratch, { recursive: true, force: true });
console.log(`test result: ${failed === 0 ? "ok" : "FAILED"}. ${passed} passed; ${failed} failed; ${ignored} ignored`);
process.exit(failed > 0 ? 1 : 0);
