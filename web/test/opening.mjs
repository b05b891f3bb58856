// Opening files in the page.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

import { Visit } from "./browser.mjs";
import { SAMPLE, bundles, run, scratch } from "./native.mjs";
import { INSPECTOR, VIEW, detail, difference } from "./images.mjs";

/** Copies files to the static host and returns their addresses. */
export function host(dist, ...files) {
    const folder = path.join(dist, "given");
    fs.mkdirSync(folder, { recursive: true });
    for (const file of files) fs.copyFileSync(file, path.join(folder, path.basename(file)));
    return files.map((file) => `given/${encodeURIComponent(path.basename(file))}`);
}

export const tests = {
    async "the sample is shown immediately, with workers that share memory"({ browser, address }) {
        const begun = Date.now();
        const visit = await Visit.opened(browser, address, "sample.bsm2");
        console.log(`    visible after ${Date.now() - begun} ms, including the page's reload`);
        assert.match(await visit.status(), /Banuba skinned mesh .* vertices .* triangles .* bones/);
        assert.equal(await visit.page.evaluate(() => crossOriginIsolated), true);
        assert.ok(detail(await visit.settled(), VIEW) > 0.005, "there is something to see");
        const again = Date.now();
        await visit.page.reload();
        await visit.opened("sample.bsm2");
        console.log(`    after a reload: ${Date.now() - again} ms`);
        await visit.end();
    },

    async "files of every format open from an address"({ browser, address, dist }) {
        const all = bundles();
        for (const { name, files } of all) {
            const urls = host(dist, ...files).map((url) => `url=${url}`);
            const visit = await Visit.opened(browser, `${address}?${urls.join("&")}`, name);
            assert.equal(await visit.text("error"), "", name);
            await visit.end();
        }
        console.log(`    ${all.length} files`);
    },

    async "a .gltf is opened with the files that it references"({ browser, address, dist }) {
        const gltf = path.join(scratch, "alone", "alone.gltf");
        fs.mkdirSync(path.dirname(gltf), { recursive: true });
        run("convert", SAMPLE, "-o", gltf, "--force");
        const [url] = host(dist, ...fs.readdirSync(path.dirname(gltf)).sort((a, b) => b.endsWith(".gltf") - a.endsWith(".gltf")).map((file) => path.join(path.dirname(gltf), file)));
        const visit = await Visit.opened(browser, `${address}?url=${url}`, "alone.gltf");
        await visit.end();
    },

    async "arguments in the address are applied"({ browser, address }) {
        const visit = await Visit.opened(browser, `${address}?select=vertex:5&panes=inspector,findings&clip=walk&time=0.25&run=wireframe`, "sample.bsm2");
        await visit.settled();
        const settings = () => visit.page.evaluate(() => localStorage.getItem("rigscope.settings"));
        await visit.until("wireframe in the settings", async () => /wireframe: true/.test(await settings()));
        await visit.end();
    },

    async "invalid arguments in the address are reported, and the others apply"({ browser, address, dist }) {
        const plain = await Visit.opened(browser, `${address}?panes=inspector`, "sample.bsm2");
        const usual = await plain.settled();
        await plain.end();
        // A window shows at most four messages.
        for (const wrong of [
            { panes: "pane 'zzz'; valid names: ", run: "command 'zzz'", select: "selection 'zzz'", time: "time=zzz: not a number" },
            { up: "up=zzz: not one of y, z", fps: "fps=zzz: not a number above 0", format: "format=zzz: not one of ", as: "as=zzz: not a runtime" },
            { clip: "no clip 'zzz'", pane: "did you mean 'panes'", with: "zzz: 404" },
        ]) {
            const words = Object.keys(wrong).map((word) => `${word}=zzz`).join("&");
            const visit = await Visit.opened(browser, `${address}?panes=inspector&${words}&url=${host(dist, SAMPLE)}`, "sample.bsm2");
            for (const text of Object.values(wrong)) await visit.showsStatus(text);
            assert.ok(difference(usual, await visit.settled(), INSPECTOR) < 0.01, words);
            assert.equal(await visit.text("error"), "", words);
            await visit.end("404");
        }
        const missing = await Visit.begin(browser, `${address}?url=none.bsm2`);
        await missing.until("the error", async () => (await missing.text("error")).includes("none.bsm2: 404"));
        await missing.end("404");
    },

    async "dropped files open"({ browser, address }) {
        const visit = await Visit.opened(browser, address, "sample.bsm2");
        await visit.drop([["dropped.bsm2", fs.readFileSync(SAMPLE)]]);
        await visit.opened("dropped.bsm2");
        await visit.end();
    },

    async "the largest model of a dropped folder opens"({ browser, address }) {
        const visit = await Visit.opened(browser, address, "sample.bsm2");
        // Scripts can't create folder entries, so this is an object with the same interface.
        await visit.page.evaluate((base64) => {
            const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
            const file = (name, bytes) => ({ name, isDirectory: false, file: (take) => take(new File([bytes], name)) });
            const folder = (name, inside) => ({
                name, isDirectory: true,
                createReader: () => { let left = [inside, []]; return { readEntries: (take) => take(left.shift()) }; },
            });
            const entry = folder("export", [file("readme.txt", new Uint8Array(9)), folder("meshes", [file("inside.bsm2", bytes)])]);
            const event = new Event("drop", { cancelable: true });
            event.dataTransfer = { items: [{ kind: "file", webkitGetAsEntry: () => entry, getAsFile: () => null }] };
            dispatchEvent(event);
        }, fs.readFileSync(SAMPLE).toString("base64"));
        await visit.opened("inside.bsm2");
        await visit.end();
    },

    async "a chosen file is reloaded after a change"({ browser, address }) {
        const before = () => {
            // Dialogs can't be automated; files of the origin-private file system have the same handles.
            globalThis.showOpenFilePicker = async () => {
                const folder = await navigator.storage.getDirectory();
                return [await folder.getFileHandle("watched.bsm2")];
            };
            globalThis.writeWatched = async (base64) => {
                const folder = await navigator.storage.getDirectory();
                const handle = await folder.getFileHandle("watched.bsm2", { create: true });
                const writer = await handle.createWritable();
                await writer.write(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
                await writer.close();
            };
        };
        const visit = await Visit.opened(browser, address, "sample.bsm2", { before });
        const bytes = fs.readFileSync(SAMPLE);
        await visit.page.evaluate((base64) => writeWatched(base64), bytes.toString("base64"));
        await visit.keys("Control", "o");
        await visit.opened("watched.bsm2");
        await visit.page.evaluate((base64) => writeWatched(base64), bytes.subarray(0, 3000).toString("base64"));
        await visit.showsStatus("not reloaded");
        await visit.page.evaluate((base64) => writeWatched(base64), bytes.toString("base64"));
        await visit.showsStatus("reloaded at");
        await visit.end();
    },

    async "a broken file is reported with the offset, and the open file stays"({ browser, address }) {
        const visit = await Visit.opened(browser, address, "sample.bsm2");
        const bytes = fs.readFileSync(SAMPLE);
        await visit.drop([["cut.bsm2", bytes.subarray(0, bytes.length / 2)]]);
        await visit.showsStatus("offset 0x");
        await visit.drop([["again.bsm2", bytes]]);
        await visit.opened("again.bsm2");
        await visit.end();
    },

    async "a missing texture is a finding"({ browser, address, dist }) {
        const gltf = path.join(scratch, "untextured.gltf");
        run("convert", SAMPLE, "-o", gltf, "--force");
        const json = JSON.parse(fs.readFileSync(gltf, "utf8"));
        json.images = [{ uri: "gone.png" }];
        json.textures = [{ source: 0 }];
        json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
        for (const mesh of json.meshes) for (const primitive of mesh.primitives) primitive.material = 0;
        fs.writeFileSync(gltf, JSON.stringify(json));
        const bin = json.buffers[0].uri;
        const [url] = host(dist, gltf, path.join(scratch, bin));
        const visit = await Visit.opened(browser, `${address}?url=${url}`, "untextured.gltf");
        await visit.showsStatus("warning");
        // The browser logs the missing file too.
        await visit.end("404");
    },

    async "files above the size limit are reported, and the page continues"({ browser, address }) {
        const visit = await Visit.opened(browser, address, "sample.bsm2");
        await visit.page.evaluate(() => {
            const file = Object.defineProperty(new File(["x"], "huge.glb"), "size", { value: 3 * 2 ** 30 });
            const event = new Event("drop", { cancelable: true });
            event.dataTransfer = { items: [{ kind: "file", getAsFile: () => file }] };
            dispatchEvent(event);
        });
        await visit.until("the error", async () => (await visit.text("error")).includes("huge.glb has 3.0 GiB"));
        await visit.drop([["after.bsm2", fs.readFileSync(SAMPLE)]]);
        await visit.opened("after.bsm2");
        await visit.end();
    },

    async "a worker that stops is reported and replaced"({ browser, address }) {
        const before = () => {
            const { postMessage } = Worker.prototype;
            Worker.prototype.postMessage = function (message, ...rest) {
                if (!globalThis.stopsNext || typeof message !== "number") return postMessage.call(this, message, ...rest);
                globalThis.stopsNext = false;
                setTimeout(() => this.onmessage({ data: { stopped: "unreachable" } }));
            };
        };
        const visit = await Visit.opened(browser, address, "sample.bsm2", { before });
        await visit.settled();
        for (const name of ["first.bsm2", "second.bsm2"]) {
            await visit.page.evaluate(() => { globalThis.stopsNext = true; });
            await visit.drop([[name, fs.readFileSync(SAMPLE)]]);
            await visit.showsStatus("the page ran out of memory");
            await visit.drop([[name, fs.readFileSync(SAMPLE)]]);
            await visit.opened(name);
        }
        await visit.end();
    },
};
