// The page around the window: files, downloads, clipboard, workers. It follows the glue that wasm-bindgen makes, in
// one file that is three things: the page's script, its workers', and the service worker that lets static hosts
// give pages memory that workers share.
//
// For: what needs the browser's own objects. Not for: deciding anything; that is src/app.

/** Folders that are dropped are read this deep, and no more files of them than that. */
const MAX_FOLDER_DEPTH = 3;
const MAX_FOLDER_FILES = 2000;
/** What a page can hold of a file: browsers end arrays there. */
const MAX_FILE_BYTES = 2 ** 31 - 1;
/** How often files are looked at that may change, in milliseconds. */
const WATCH_MS = 1000;
/** A page that has not been loaded again by then does without, in milliseconds. */
const RELOAD_MS = 5000;
/** More workers than this compute nothing that anybody waits for. */
const MAX_WORKERS = 4;
const SETTINGS_KEY = "rigscope.settings";

const isPage = typeof document !== "undefined";
const isServiceWorker = typeof ServiceWorkerGlobalScope !== "undefined" && self instanceof ServiceWorkerGlobalScope;

// ---- Workers

/** Workers without a job, and jobs without a worker. */
const idle = [];
const waiting = [];
let numWorkers = 0;

function giveWork() {
    while (waiting.length > 0 && idle.length > 0) {
        const worker = idle.pop();
        worker.job = waiting.shift();
        worker.postMessage(worker.job);
    }
}

function startJob(number) {
    if (numWorkers > 0) {
        waiting.push(number);
        giveWork();
        return;
    }
    // After the next frame, which shows what is about to be done.
    requestAnimationFrame(() => setTimeout(() => {
        try {
            work(number);
        } catch (error) {
            lost(number, String(error.message));
        }
    }, 0));
}

/** Starts a worker over the same module and memory; whether it has begun. */
function startWorker(module, memory, name) {
    const worker = new Worker(import.meta.url, { type: "module", name });
    worker.job = 0;
    let hasBegun = false;
    return new Promise((resolve) => {
        const stopped = (why) => {
            worker.terminate();
            resolve(false);
            if (!hasBegun) return;
            // Its memory is as it was left: what it did is answered for, and another goes on.
            numWorkers -= 1;
            if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
            if (worker.job !== 0) lost(worker.job, why);
            startWorker(module, memory, name).then(withoutWorkers);
        };
        worker.onmessage = ({ data }) => {
            if (data !== "idle") return stopped(data.stopped);
            if (!hasBegun) numWorkers += 1;
            hasBegun = true;
            worker.job = 0;
            idle.push(worker);
            resolve(true);
            giveWork();
        };
        worker.onerror = (event) => {
            event.preventDefault();
            stopped(event.message || "it could not be started");
        };
        worker.postMessage({ module, memory });
    });
}

/** Starts workers; where memory cannot be shared there are none. */
async function startWorkers(module, memory) {
    if (!globalThis.crossOriginIsolated || !(memory.buffer instanceof SharedArrayBuffer)) return;
    const num = Math.min(Math.max((navigator.hardwareConcurrency || 2) - 1, 1), MAX_WORKERS);
    const names = Array.from({ length: num }, (_, at) => `rigscope ${at + 1}`);
    await Promise.all(names.map((name) => startWorker(module, memory, name)));
}

/** Where the last worker has stopped and none takes its place, the page does what waits. */
function withoutWorkers() {
    if (numWorkers === 0) waiting.splice(0).forEach(startJob);
}

function beWorker() {
    self.onmessage = async ({ data }) => {
        try {
            if (typeof data === "number") work(data);
            else await init({ module_or_path: data.module, memory: data.memory });
            self.postMessage("idle");
        } catch (error) {
            self.postMessage({ stopped: String(error.message || error) });
        }
    };
}

// ---- Service worker: static hosts do not say that a page may share memory with its workers, so this does.

function beServiceWorker() {
    self.addEventListener("install", () => self.skipWaiting());
    self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
    self.addEventListener("fetch", (event) => {
        const { request } = event;
        if (new URL(request.url).origin !== self.location.origin) return;
        if (request.cache === "only-if-cached" && request.mode !== "same-origin") return;
        event.respondWith(fetch(request).then((response) => {
            if (response.status === 0) return response;
            const headers = new Headers(response.headers);
            headers.set("Cross-Origin-Opener-Policy", "same-origin");
            headers.set("Cross-Origin-Embedder-Policy", "require-corp");
            return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
        }));
    });
}

/** Loads the page again, now with shared memory, where that is to be had; returns where it is not. */
async function isolate() {
    const isServed = location.protocol === "https:" || location.hostname === "localhost" || location.hostname === "127.0.0.1";
    if (globalThis.crossOriginIsolated || !isServed || !navigator.serviceWorker) return;
    if (sessionStorage.getItem("rigscope.isolated")) return;
    try {
        sessionStorage.setItem("rigscope.isolated", "tried");
        await navigator.serviceWorker.register(import.meta.url, { type: "module" });
        await navigator.serviceWorker.ready;
        // Not `reload`, which waits forever where the page was loaded past the service worker (Shift+F5).
        location.replace(location.pathname + location.search);
        await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
    } catch (error) {
        console.warn("no service worker:", error.message);
    }
}

// ---- Files

let numFolders = 0;
/** Files that may change in their folder: path, handle, and when they last did. */
const watched = [];

/** Each gift lies in a folder of its own, so that files of one name stay apart. */
function newFolder() {
    numFolders += 1;
    return `/${numFolders}`;
}

/** A file as the program takes it: `word` says what it is for, nothing that it is only read along. */
async function fileAt(path, file, word, handle) {
    if (file.size > MAX_FILE_BYTES) {
        throw new Error(`${file.name} has ${(file.size / 2 ** 30).toFixed(1)} GiB, and a page holds files of up to 2 GiB. The desktop program opens it.`);
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (handle) watched.push({ path, handle, modified: file.lastModified });
    return { path, bytes, modified: file.lastModified, word };
}

/** All files of a dropped folder. */
async function filesOfFolder(entry, path, depth, found) {
    const reader = entry.createReader();
    for (;;) {
        const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (entries.length === 0) return;
        for (const inner of entries) {
            if (found.length >= MAX_FOLDER_FILES) return;
            const innerPath = `${path}/${inner.name}`;
            if (inner.isDirectory) {
                if (depth < MAX_FOLDER_DEPTH) await filesOfFolder(inner, innerPath, depth + 1, found);
            } else {
                const file = await new Promise((resolve, reject) => inner.file(resolve, reject));
                found.push(await fileAt(innerPath, file));
            }
        }
    }
}

/** What was let go over the page. The items are gone after this event: they are asked at once. */
function dropped(transfer) {
    const items = [...transfer.items].filter((item) => item.kind === "file").map((item) => ({
        entry: item.webkitGetAsEntry && item.webkitGetAsEntry(),
        file: item.getAsFile(),
        handle: item.getAsFileSystemHandle ? item.getAsFileSystemHandle().catch(() => null) : null,
    }));
    return read(async () => {
        const folder = newFolder();
        const found = [];
        for (const { entry, file, handle } of items) {
            if (entry && entry.isDirectory) {
                const path = `${folder}/${entry.name}`;
                await filesOfFolder(entry, path, 0, found);
                found.push({ path, isFolder: true, word: "file" });
            } else if (file) {
                found.push(await fileAt(`${folder}/${file.name}`, file, "file", await handle));
            }
        }
        return found;
    });
}

/** Reads files, and says that it does where that takes a while. */
async function read(reading) {
    const saying = setTimeout(() => say("Reading files…"), 300);
    try {
        return await reading();
    } catch (error) {
        failed(`The files cannot be read: ${error.message}`);
        return [];
    } finally {
        clearTimeout(saying);
        say("");
    }
}

function filesFromInput(accept, isMany) {
    return new Promise((resolve) => {
        const input = document.createElement("input");
        input.type = "file";
        input.accept = accept;
        input.multiple = isMany;
        input.onchange = () => resolve([...input.files].map((file) => ({ file })));
        input.oncancel = () => resolve([]);
        input.click();
    });
}

async function filesFromPicker(isMany) {
    try {
        const handles = await showOpenFilePicker({ multiple: isMany });
        return await Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle })));
    } catch (error) {
        if (error.name === "AbortError") return [];
        throw error;
    }
}

async function pickFiles(accept, isMany, take) {
    // With handles files can be looked at again; they come with no list of names where that is long.
    const picks = globalThis.showOpenFilePicker ? filesFromPicker(isMany) : filesFromInput(accept, isMany);
    const picked = await picks.catch(() => filesFromInput(accept, isMany));
    const folder = newFolder();
    take(await read(() => Promise.all(picked.map(({ file, handle }) => fileAt(`${folder}/${file.name}`, file, "file", handle)))));
}

// ---- What the page is asked for

/** Words of the address that name files, of this host or of one that allows it. */
const FILE_WORDS = ["url", "with", "compare"];

/** What the address asks for, in the words of the command line: files, fetched, and all other words. */
async function askedByAddress() {
    const words = [...new URLSearchParams(location.search)];
    const named = words.filter(([word]) => FILE_WORDS.includes(word));
    const folder = newFolder();
    const files = await read(async () => (await Promise.all(named.map(([word, url]) => fetched(folder, url, word)))).flat());
    return { files, words: words.filter(([word]) => !FILE_WORDS.includes(word)), wantsSample: named.length === 0 };
}

async function bytesAt(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await withProgress(response, `Fetching ${nameOf(url)}…`));
}

function nameOf(url) {
    return decodeURIComponent(url.pathname.split("/").pop() || "model");
}

/** A file of the web, and what a .gltf says that it is made of. */
async function fetched(folder, address, word) {
    const url = new URL(address, location.href);
    const file = { path: `${folder}/${nameOf(url)}`, bytes: await bytesAt(url), modified: 0, word };
    if (!url.pathname.toLowerCase().endsWith(".gltf")) return [file];
    return [file, ...await Promise.all(partsOfGltf(file.bytes).map(async (part) => {
        try {
            return [{ path: `${folder}/${decodeURIComponent(part)}`, bytes: await bytesAt(new URL(part, url)), modified: 0 }];
        } catch {
            return []; // The reader says what is missing.
        }
    })).then((parts) => parts.flat())];
}

/** Files below its folder that a .gltf names. */
function partsOfGltf(bytes) {
    try {
        const gltf = JSON.parse(new TextDecoder().decode(bytes));
        const parts = [...gltf.buffers ?? [], ...gltf.images ?? []].map(({ uri }) => uri);
        return [...new Set(parts.filter((uri) => typeof uri === "string" && !/^[a-z][a-z0-9+.-]*:|^\/|\.\.\//i.test(uri)))];
    } catch {
        return []; // The reader says what is wrong.
    }
}

async function lookAgain(changed) {
    for (const one of watched) {
        try {
            const file = await one.handle.getFile();
            if (file.lastModified === one.modified) continue;
            one.modified = file.lastModified;
            const bytes = new Uint8Array(await file.arrayBuffer());
            changed([{ path: one.path, bytes, modified: file.lastModified }]);
        } catch {
            // It may come back: many programs replace a file by deleting it first.
        }
    }
    setTimeout(() => lookAgain(changed), WATCH_MS);
}

function listen(drop, changed, pasted) {
    let depth = 0;
    const over = (change) => {
        depth = Math.max(depth + change, 0);
        document.body.classList.toggle("over", depth > 0);
    };
    addEventListener("dragenter", (event) => { event.preventDefault(); over(1); });
    addEventListener("dragleave", () => over(-1));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", async (event) => {
        event.preventDefault();
        over(-depth);
        drop(await dropped(event.dataTransfer));
    });
    // The window would keep these keys from the browser.
    addEventListener("keydown", (event) => {
        const isPaste = (event.ctrlKey || event.metaKey) && event.code === "KeyV";
        const isTool = event.key === "F12" || event.key === "F11" || ((event.ctrlKey || event.metaKey) && event.shiftKey && event.code === "KeyI");
        if (isPaste || isTool) event.stopImmediatePropagation();
    }, true);
    addEventListener("paste", (event) => {
        const text = event.clipboardData && event.clipboardData.getData("text/plain");
        if (text) pasted(text);
    });
    addEventListener("contextmenu", (event) => event.preventDefault());
    lookAgain(changed);
}

function download(name, bytes) {
    const url = URL.createObjectURL(new Blob([bytes]));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// ---- Clipboard, settings, words

async function copyImage(rgba, width, height) {
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(rgba), width, height), 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
}

/** Says what the line at the bottom does, to those who hear the page. */
function sayStatus(text) {
    const line = document.getElementById("status");
    if (line.textContent !== text) line.textContent = text;
}

/** Says something over the page, or nothing any more. */
function say(text) {
    const line = document.getElementById("says");
    line.textContent = text;
    line.hidden = text === "";
}

/** Says what went wrong. */
function failed(text) {
    const line = document.getElementById("fault");
    line.textContent = text;
    line.hidden = false;
}

// ---- A page with a model in it (`rigscope share`)

/** What the page brings along: files as base64 of gzip, or nothing. */
const shared = globalThis.rigscopeShared;

async function unpacked(base64) {
    const packed = await (await fetch(`data:application/octet-stream;base64,${base64}`)).blob();
    const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function askedByShared() {
    const folder = newFolder();
    const files = shared.files.map(async ({ name, data, word }) => ({ path: `${folder}/${name}`, bytes: await unpacked(data), modified: 0, word }));
    return { files: await Promise.all(files), words: shared.words };
}

async function moduleOf() {
    if (shared) return WebAssembly.compile(await unpacked(shared.wasm));
    const response = await fetch(new URL("rigscope_bg.wasm", import.meta.url));
    if (!response.ok) throw new Error(`the program cannot be fetched: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await withProgress(response, "Loading Rigscope…"));
}

/** The bytes of an answer, with how far they are. */
async function withProgress(response, what) {
    const total = Number(response.headers.get("Content-Length")) || 0;
    if (!response.body || total === 0) return response.arrayBuffer();
    const chunks = [];
    let length = 0;
    const reader = response.body.getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        chunks.push(value);
        length += value.length;
        say(`${what} ${Math.min(Math.round((100 * length) / total), 100)} %`);
    }
    return new Blob(chunks).arrayBuffer();
}

async function bePage() {
    if (!navigator.gpu) {
        say("");
        failed("This browser has no WebGPU, which Rigscope draws with. Chrome and Edge 113 and later, Firefox 141 and later (Windows, macOS 145), and Safari 26 have it; on Linux Chrome may need chrome://flags/#enable-unsafe-webgpu. The desktop program needs none.");
        return;
    }
    if (!shared) await isolate();
    try {
        say("Loading Rigscope…");
        const [module, asked] = await Promise.all([moduleOf(), shared ? askedByShared() : askedByAddress()]);
        const exports = await init({ module_or_path: module });
        await startWorkers(module, exports.memory);
        say("");
        open(asked);
        document.body.classList.add("open");
    } catch (error) {
        // winit leaves by an exception that means no harm.
        if (String(error).includes("Using exceptions for control flow")) return;
        console.error(error);
        say("");
        failed(`Rigscope cannot start: ${error.message || error}`);
    }
}

if (isPage) {
    globalThis.rigscopePage = {
        startJob, pickFiles, listen, download, copyImage, failed, sayStatus,
        copyText: (text) => navigator.clipboard.writeText(text).catch((error) => failed(`The browser copies nothing: ${error.message}`)),
        openUrl: (url) => globalThis.open(url, "_blank", "noopener"),
        storedSettings: () => { try { return localStorage.getItem(SETTINGS_KEY); } catch { return null; } },
        storeSettings: (text) => { try { localStorage.setItem(SETTINGS_KEY, text); } catch { /* A browser that keeps nothing. */ } },
    };
    bePage();
} else if (isServiceWorker) {
    beServiceWorker();
} else {
    beWorker();
}
