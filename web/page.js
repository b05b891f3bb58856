// The page around the window: files, downloads, clipboard, workers. It follows the glue that wasm-bindgen makes, in
// one file that is three things: the page's script, its workers', and the service worker that lets static hosts
// give pages memory that workers share.
//
// For: what needs the browser's own objects. Not for: deciding anything; that is src/app.

/** Folders that are dropped are read this deep, and no more files of them than that. */
const MAX_FOLDER_DEPTH = 3;
const MAX_FOLDER_FILES = 2000;
/** How often files are looked at that may change, in milliseconds. */
const WATCH_MS = 1000;
/** More workers than this compute nothing that anybody waits for. */
const MAX_WORKERS = 4;
const SETTINGS_KEY = "rigscope.settings";

const isPage = typeof document !== "undefined";
const isServiceWorker = typeof ServiceWorkerGlobalScope !== "undefined" && self instanceof ServiceWorkerGlobalScope;

// ---- Workers

/** Idle workers, and how many jobs wait for one. */
const idle = [];
let numWaiting = 0;
let hasWorkers = false;

function giveWork() {
    while (numWaiting > 0 && idle.length > 0) {
        numWaiting -= 1;
        idle.pop().postMessage("work");
    }
}

function startJob() {
    if (!hasWorkers) {
        // After the next frame, which shows what is about to be done.
        requestAnimationFrame(() => setTimeout(work, 0));
        return;
    }
    numWaiting += 1;
    giveWork();
}

/** Starts workers over the same module and memory; without shared memory there are none. */
async function startWorkers(module, memory) {
    const canShare = globalThis.crossOriginIsolated && memory.buffer instanceof SharedArrayBuffer;
    const num = Math.min(Math.max((navigator.hardwareConcurrency || 2) - 1, 1), MAX_WORKERS);
    if (!canShare) return;
    const begun = [];
    for (let number = 0; number < num; number++) {
        const worker = new Worker(import.meta.url, { type: "module", name: `rigscope ${number + 1}` });
        begun.push(new Promise((resolve) => {
            worker.onmessage = ({ data }) => {
                if (data === "failed") {
                    failed("A worker stopped. The page goes on, but what it was doing is lost: reload the page if something never ends.");
                    resolve(false);
                    return;
                }
                idle.push(worker);
                resolve(true);
                giveWork();
            };
            worker.onerror = (event) => {
                event.preventDefault();
                console.error(event.message || "a worker could not be started");
                resolve(false);
            };
        }));
        worker.postMessage({ module, memory });
    }
    hasWorkers = (await Promise.all(begun)).some(Boolean);
}

function beWorker() {
    self.onmessage = async ({ data }) => {
        try {
            if (data === "work") work();
            else await init({ module_or_path: data.module, memory: data.memory });
            self.postMessage("idle");
        } catch (error) {
            console.error(error);
            self.postMessage("failed");
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

/** Whether the page is to be loaded again, now with shared memory. */
async function isolates() {
    const isServed = location.protocol === "https:" || location.hostname === "localhost" || location.hostname === "127.0.0.1";
    if (globalThis.crossOriginIsolated || !isServed || !navigator.serviceWorker) return false;
    if (sessionStorage.getItem("rigscope.isolated")) return false;
    try {
        sessionStorage.setItem("rigscope.isolated", "tried");
        await navigator.serviceWorker.register(import.meta.url, { type: "module" });
        await navigator.serviceWorker.ready;
        location.reload();
        return true;
    } catch (error) {
        console.warn("no service worker:", error.message);
        return false;
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

async function fileAt(path, file, isMeant, handle) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (handle) watched.push({ path, handle, modified: file.lastModified });
    return { path, bytes, modified: file.lastModified, isMeant };
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
                found.push(await fileAt(innerPath, file, false));
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
                found.push({ path, isFolder: true, isMeant: true });
            } else if (file) {
                found.push(await fileAt(`${folder}/${file.name}`, file, true, await handle));
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
    take(await read(() => Promise.all(picked.map(({ file, handle }) => fileAt(`${folder}/${file.name}`, file, true, handle)))));
}

/** What `?url=` names: of this host, or of one that allows it. */
async function filesOfAddress() {
    const urls = new URLSearchParams(location.search).getAll("url");
    if (urls.length === 0) return [];
    const folder = newFolder();
    return read(() => Promise.all(urls.map(async (url, number) => {
        const response = await fetch(new URL(url, location.href));
        if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
        const name = decodeURIComponent(new URL(url, location.href).pathname.split("/").pop() || "model");
        const bytes = new Uint8Array(await response.arrayBuffer());
        return { path: `${folder}/${name}`, bytes, modified: 0, isMeant: true, number };
    })));
}

async function lookAgain(changed) {
    for (const one of watched) {
        try {
            const file = await one.handle.getFile();
            if (file.lastModified === one.modified) continue;
            one.modified = file.lastModified;
            const bytes = new Uint8Array(await file.arrayBuffer());
            changed([{ path: one.path, bytes, modified: file.lastModified, isMeant: true }]);
        } catch {
            // It may come back: many programs replace a file by deleting it first.
        }
    }
    setTimeout(() => lookAgain(changed), WATCH_MS);
}

function listen(drop, changed, opened, pasted) {
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
    if (shared) opened(sharedFiles());
    else filesOfAddress().then((found) => found.length > 0 && opened(found));
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
let sharedBytes = [];

async function unpacked(base64) {
    const packed = await (await fetch(`data:application/octet-stream;base64,${base64}`)).blob();
    const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

function sharedFiles() {
    const folder = newFolder();
    return shared.files.map(({ name, isMeant }, number) => ({
        path: `${folder}/${name}`, bytes: sharedBytes[number], modified: 0, isMeant,
    }));
}

async function moduleOf() {
    if (shared) {
        sharedBytes = await Promise.all(shared.files.map(({ data }) => unpacked(data)));
        return WebAssembly.compile(await unpacked(shared.wasm));
    }
    const response = await fetch(new URL("rigscope_bg.wasm", import.meta.url));
    if (!response.ok) throw new Error(`the program cannot be fetched: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await withProgress(response));
}

/** The bytes of an answer, with how far they are. */
async function withProgress(response) {
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
        say(`Loading Rigscope… ${Math.min(Math.round((100 * length) / total), 100)} %`);
    }
    return new Blob(chunks).arrayBuffer();
}

async function bePage() {
    if (!navigator.gpu) {
        say("");
        failed("This browser has no WebGPU, which Rigscope draws with. Chrome and Edge 113 and later, Firefox 141 and later (Windows, macOS 145), and Safari 26 have it; on Linux Chrome may need chrome://flags/#enable-unsafe-webgpu. The desktop program needs none.");
        return;
    }
    if (!shared && await isolates()) return;
    try {
        say("Loading Rigscope…");
        const module = await moduleOf();
        const exports = await init({ module_or_path: module });
        await startWorkers(module, exports.memory);
        say("");
        open();
        document.body.classList.add("open");
    } catch (error) {
        // winit leaves by an exception that means no harm.
        if (String(error).includes("Using exceptions for control flow")) return;
        console.error(error);
        say("");
        failed(`Rigscope could not be started: ${error.message || error}`);
    }
}

if (isPage) {
    globalThis.rigscopePage = {
        bringsFiles: () => Boolean(shared) || new URLSearchParams(location.search).has("url"),
        startJob, pickFiles, listen, download, copyImage, failed,
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
