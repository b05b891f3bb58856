// The page around the window: files, downloads, clipboard, workers. The build appends it to wasm-bindgen's glue code.
// The resulting file has three roles: the script of the page, the script of its workers, and the service worker that
// enables memory shared with workers on static hosts.
//
// For: code that needs browser objects. Not for: decisions, which are made in crates/window.

/** Limits for dropped folders: depth and number of files. */
const MAX_FOLDER_DEPTH = 3;
const MAX_FOLDER_FILES = 2000;
/** Largest file: browsers limit the size of arrays. */
const MAX_FILE_BYTES = 2 ** 31 - 1;
/** Interval of checks for changed files, in milliseconds. */
const WATCH_MS = 1000;
/** Time in milliseconds after which a page that hasn't reloaded continues without shared memory. */
const RELOAD_MS = 5000;
/** More workers than this wouldn't shorten any wait. */
const MAX_WORKERS = 4;
const SETTINGS_KEY = "rigscope.settings";

const isPage = typeof document !== "undefined";
const isServiceWorker = typeof ServiceWorkerGlobalScope !== "undefined" && self instanceof ServiceWorkerGlobalScope;

// ---- Workers

/** Idle workers, and queued jobs. */
const idle = [];
const queue = [];
let numWorkers = 0;

function assignJobs() {
    while (queue.length > 0 && idle.length > 0) {
        const worker = idle.pop();
        worker.job = queue.shift();
        worker.postMessage(worker.job);
    }
}

function startJob(number) {
    if (numWorkers > 0) {
        queue.push(number);
        assignJobs();
        return;
    }
    // After the next frame, so that it shows the pending job.
    requestAnimationFrame(() => setTimeout(() => {
        try {
            work(number);
        } catch (error) {
            fail_job(number, String(error.message));
        }
    }, 0));
}

/** Starts a worker with the same module and memory. Resolves to whether it has started. */
function startWorker(module, memory, name) {
    const worker = new Worker(import.meta.url, { type: "module", name });
    worker.job = 0;
    let hasBegun = false;
    return new Promise((resolve) => {
        const stopped = (why) => {
            worker.terminate();
            resolve(false);
            if (!hasBegun) return;
            // Shared memory stays valid: report its job as failed, and start a replacement.
            numWorkers -= 1;
            if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
            if (worker.job !== 0) fail_job(worker.job, why);
            startWorker(module, memory, name).then(runQueueWithoutWorkers);
        };
        worker.onmessage = ({ data }) => {
            if (data !== "idle") return stopped(data.stopped);
            if (!hasBegun) numWorkers += 1;
            hasBegun = true;
            worker.job = 0;
            idle.push(worker);
            resolve(true);
            assignJobs();
        };
        worker.onerror = (event) => {
            event.preventDefault();
            stopped(event.message || "the worker could not be started");
        };
        worker.postMessage({ module, memory });
    });
}

/** Starts the workers; none if memory can't be shared. */
async function startWorkers(module, memory) {
    if (!globalThis.crossOriginIsolated || !(memory.buffer instanceof SharedArrayBuffer)) return;
    const num = Math.min(Math.max((navigator.hardwareConcurrency || 2) - 1, 1), MAX_WORKERS);
    const names = Array.from({ length: num }, (_, at) => `rigscope ${at + 1}`);
    await Promise.all(names.map((name) => startWorker(module, memory, name)));
}

/** Runs queued jobs on the page's thread if no worker is left. */
function runQueueWithoutWorkers() {
    if (numWorkers === 0) queue.splice(0).forEach(startJob);
}

function runAsWorker() {
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

// ---- Service worker: adds the headers for shared memory, which static hosts don't send.

function runAsServiceWorker() {
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

/** Reloads the page with shared memory. Returns if that isn't possible. */
async function isolate() {
    const isServed = location.protocol === "https:" || location.hostname === "localhost" || location.hostname === "127.0.0.1";
    if (globalThis.crossOriginIsolated || !isServed || !navigator.serviceWorker) return;
    if (sessionStorage.getItem("rigscope.isolated")) return;
    try {
        sessionStorage.setItem("rigscope.isolated", "tried");
        await navigator.serviceWorker.register(import.meta.url, { type: "module" });
        await navigator.serviceWorker.ready;
        // Not `reload`, which never finishes if the page was loaded bypassing the service worker (Shift+F5).
        location.replace(location.pathname + location.search);
        await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
    } catch (error) {
        console.warn("no service worker:", error.message);
    }
}

// ---- Files

let numFolders = 0;
/** Files watched for changes: path, handle, and time of the last modification. */
const watched = [];

/** A separate folder for each set of files, so that equal names don't clash. */
function newFolder() {
    numFolders += 1;
    return `/${numFolders}`;
}

/** A file as an object for the program. `word` is its role; undefined for a related file. */
async function fileAt(path, file, word, handle) {
    if (file.size > MAX_FILE_BYTES) {
        throw new Error(`${file.name} has ${(file.size / 2 ** 30).toFixed(1)} GiB; in a browser, the limit is 2 GiB. Open it with the desktop program.`);
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

/** The dropped files. Items are only valid during the event, so they are queried immediately. */
function droppedFiles(transfer) {
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

/** Reads files, with a message if that takes a while. */
async function read(reading) {
    const messageTimer = setTimeout(() => showMessage("Reading files…"), 300);
    try {
        return await reading();
    } catch (error) {
        showError(`The files can't be read: ${error.message}`);
        return [];
    } finally {
        clearTimeout(messageTimer);
        showMessage("");
    }
}

function filesFromInput(accept, allowsMany) {
    return new Promise((resolve) => {
        const input = document.createElement("input");
        input.type = "file";
        input.accept = accept;
        input.multiple = allowsMany;
        input.onchange = () => resolve([...input.files].map((file) => ({ file })));
        input.oncancel = () => resolve([]);
        input.click();
    });
}

async function filesFromPicker(allowsMany) {
    try {
        const handles = await showOpenFilePicker({ multiple: allowsMany });
        return await Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle })));
    } catch (error) {
        if (error.name === "AbortError") return [];
        throw error;
    }
}

async function pickFiles(accept, allowsMany, take) {
    // Handles allow checking for changes. The picker has no extension filter, because the list would be too long.
    const picks = globalThis.showOpenFilePicker ? filesFromPicker(allowsMany) : filesFromInput(accept, allowsMany);
    const picked = await picks.catch(() => filesFromInput(accept, allowsMany));
    const folder = newFolder();
    take(await read(() => Promise.all(picked.map(({ file, handle }) => fileAt(`${folder}/${file.name}`, file, "file", handle)))));
}

// ---- Arguments of the page

/** Parameters that name files, on this host or on one that allows cross-origin requests. */
const FILE_WORDS = ["url", "with", "compare"];

/** The arguments in the address, named like command-line options: fetched files, and all other arguments. */
async function argsFromAddress() {
    const words = [...new URLSearchParams(location.search)];
    const named = words.filter(([word]) => FILE_WORDS.includes(word));
    const folder = newFolder();
    const files = await read(async () => (await Promise.all(named.map(([word, url]) => fetchFiles(folder, url, word)))).flat());
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

/** A fetched file, and the files referenced by a .gltf. */
async function fetchFiles(folder, address, word) {
    const url = new URL(address, location.href);
    const file = { path: `${folder}/${nameOf(url)}`, bytes: await bytesAt(url), modified: 0, word };
    if (!url.pathname.toLowerCase().endsWith(".gltf")) return [file];
    return [file, ...await Promise.all(partsOfGltf(file.bytes).map(async (part) => {
        try {
            return [{ path: `${folder}/${decodeURIComponent(part)}`, bytes: await bytesAt(new URL(part, url)), modified: 0 }];
        } catch {
            return []; // The reader reports the missing file.
        }
    })).then((parts) => parts.flat())];
}

/** Files in the folder of a .gltf that it references. */
function partsOfGltf(bytes) {
    try {
        const gltf = JSON.parse(new TextDecoder().decode(bytes));
        const parts = [...gltf.buffers ?? [], ...gltf.images ?? []].map(({ uri }) => uri);
        return [...new Set(parts.filter((uri) => typeof uri === "string" && !/^[a-z][a-z0-9+.-]*:|^\/|\.\.\//i.test(uri)))];
    } catch {
        return []; // The reader reports the error.
    }
}

async function checkWatchedFiles(changed) {
    for (const one of watched) {
        try {
            const file = await one.handle.getFile();
            if (file.lastModified === one.modified) continue;
            one.modified = file.lastModified;
            const bytes = new Uint8Array(await file.arrayBuffer());
            changed([{ path: one.path, bytes, modified: file.lastModified }]);
        } catch {
            // It may come back: many programs delete a file before replacing it.
        }
    }
    setTimeout(() => checkWatchedFiles(changed), WATCH_MS);
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
        drop(await droppedFiles(event.dataTransfer));
    });
    // Otherwise the window would block these keys for the browser.
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
    checkWatchedFiles(changed);
}

function download(name, bytes) {
    const url = URL.createObjectURL(new Blob([bytes]));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// ---- Clipboard, settings, messages

async function copyImage(rgba, width, height) {
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(rgba), width, height), 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/png" });
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
}

/** Announces the status bar's text to screen readers. */
function announceStatus(text) {
    const line = document.getElementById("status");
    if (line.textContent !== text) line.textContent = text;
}

/** Shows a message over the page; an empty text hides it. */
function showMessage(text) {
    const line = document.getElementById("message");
    line.textContent = text;
    line.hidden = text === "";
}

/** Shows an error over the page. */
function showError(text) {
    const line = document.getElementById("error");
    line.textContent = text;
    line.hidden = false;
}

// ---- A page with a model in it (`rigscope share`)

/** Embedded files as gzip in base64; undefined on other pages. */
const shared = globalThis.rigscopeShared;

async function decompress(base64) {
    const packed = await (await fetch(`data:application/octet-stream;base64,${base64}`)).blob();
    const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function argsFromSharedPage() {
    const folder = newFolder();
    const files = shared.files.map(async ({ name, data, word }) => ({ path: `${folder}/${name}`, bytes: await decompress(data), modified: 0, word }));
    return { files: await Promise.all(files), words: shared.words };
}

async function compileModule() {
    if (shared) return WebAssembly.compile(await decompress(shared.wasm));
    const response = await fetch(new URL("rigscope_bg.wasm", import.meta.url));
    if (!response.ok) throw new Error(`the program could not be fetched: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await withProgress(response, "Loading Rigscope…"));
}

/** The bytes of a response, with progress messages. */
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
        showMessage(`${what} ${Math.min(Math.round((100 * length) / total), 100)} %`);
    }
    return new Blob(chunks).arrayBuffer();
}

async function runAsPage() {
    if (!navigator.gpu) {
        showMessage("");
        showError("Rigscope needs WebGPU, which this browser doesn't support. Chrome and Edge 113 or later, Firefox 141 or later (145 on macOS) and Safari 26 or later support it; Chrome on Linux may need chrome://flags/#enable-unsafe-webgpu. The desktop program doesn't need WebGPU.");
        return;
    }
    if (!shared) await isolate();
    try {
        showMessage("Loading Rigscope…");
        const [module, args] = await Promise.all([compileModule(), shared ? argsFromSharedPage() : argsFromAddress()]);
        const exports = await init({ module_or_path: module });
        await startWorkers(module, exports.memory);
        showMessage("");
        open(args);
        document.body.classList.add("open");
    } catch (error) {
        // winit throws a harmless exception to leave `main`.
        if (String(error).includes("Using exceptions for control flow")) return;
        console.error(error);
        showMessage("");
        showError(`Rigscope can't start: ${error.message || error}`);
    }
}

if (isPage) {
    globalThis.rigscopePage = {
        startJob, pickFiles, listen, download, copyImage, showError, announceStatus,
        copyText: (text) => navigator.clipboard.writeText(text).catch((error) => showError(`Copying to the clipboard failed: ${error.message}`)),
        openUrl: (url) => globalThis.open(url, "_blank", "noopener"),
        storedSettings: () => { try { return localStorage.getItem(SETTINGS_KEY); } catch { return null; } },
        storeSettings: (text) => { try { localStorage.setItem(SETTINGS_KEY, text); } catch { /* The browser doesn't allow storage. */ } },
    };
    runAsPage();
} else if (isServiceWorker) {
    runAsServiceWorker();
} else {
    runAsWorker();
}
