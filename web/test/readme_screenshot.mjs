// Takes README's screenshot of the page in a browser window; needs a display of 1280 by 860:
//
//   node web/test/readme_screenshot.mjs DIST FOLDER-WITH-PUPPETEER OUT.png

import { createRequire } from "node:module";
import path from "node:path";
import { execFileSync } from "node:child_process";

import { Visit, launch, serve } from "./browser.mjs";

const [dist, modules, out] = process.argv.slice(2);
const puppeteer = createRequire(path.resolve(modules, "package.json"))("puppeteer-core");
const server = await serve(dist);
const browser = await launch(puppeteer, { headless: false, args: ["--window-size=1280,860", "--window-position=0,0", "--test-type"], ignoreDefaultArgs: ["--enable-automation"] });
const address = `http://127.0.0.1:${server.address().port}/?clip=wave&time=1.05&run=bones&panes=outline,inspector,findings`;
const visit = await Visit.opened(browser, address, "sample.bsm2", { size: null });
await (await browser.pages())[0].close();
await visit.settled();
execFileSync("import", ["-window", "root", "-colors", "255", `png8:${out}`]);
await browser.close();
server.close();
