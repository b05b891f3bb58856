// The page around the window. The build joins the scripts of this folder to wasm-bindgen's glue code (scripts/web.sh).
// The resulting file has three roles: the script of the page, the script of its workers, and the service worker that
// enables memory shared with workers on static hosts.
//
// For: starting the program, and its browser objects. Not for: decisions, which are made in crates/window.

const SETTINGS_KEY = "rigscope.settings";

const isPage = typeof document !== "undefined";
const isServiceWorker = typeof ServiceWorkerGlobalScope !== "undefined" && self instanceof ServiceWorkerGlobalScope;

// ---- Arguments of the page

/** Parameters that name files, on this host or on one that allows cross-origin requests. */
const FILE_WORDS = ["url", "with", "compare"];

/** The arguments in the address, named like command-line options: fetched files, and all other arguments. */
async function argsFromAddress() {
    const words = [...new URLSearchParams(location.search)];
    const named = words.filter(([word]) => FILE_WORDS.includes(word));
    const folder = newFolder();
    const fetched = async ([word, address]) => fetchModel(folder, new URL(address, location.href), word, (...done) => showMessage(fetchMessage(...done)));
    const results = await Promise.allSettled(named.map(fetched));
    showMessage("");
    const files = results.flatMap(({ value }) => value ?? []);
    const errors = results.filter(({ reason }) => reason).map(({ reason }) => `The file can't be read: ${reason.message}`);
    // Without the model, there is no window to show them in.
    const hasModel = named.length === 0 || files.some(({ word }) => word === "url");
    if (!hasModel && errors.length > 0) showError(errors.join("\n"));
    return {
        files, words: words.filter(([word]) => !FILE_WORDS.includes(word)),
        warnings: hasModel ? errors : [], wantsSample: named.length === 0,
    };
}

// ---- Messages

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

/** Shows an error over the page; an empty text hides it. */
function showError(text) {
    const line = document.getElementById("error");
    line.textContent = text;
    line.hidden = text === "";
}

// ---- A page with a model in it (`rigscope share`)

/** Embedded files as gzip in base64; undefined on other pages. */
const shared = globalThis.rigscopeShared;

async function decompress(base64) {
    // Not with fetch() of a data URL, which the Content-Security-Policy of an outer page may forbid.
    const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function argsFromSharedPage() {
    const folder = newFolder();
    const files = shared.files.map(async ({ name, data, word }) => ({ path: `${folder}/${name}`, bytes: await decompress(data), modified: 0, word }));
    return { files: await Promise.all(files), words: shared.words };
}

// ---- Start

/** Why this browser can't draw; empty if it can. */
async function missingWebGpu() {
    const flag = "Chrome on Linux may need chrome://flags/#enable-unsafe-webgpu.";
    if (!globalThis.isSecureContext) return "Browsers offer WebGPU, which draws the model, only to pages served over HTTPS or from this machine.";
    if (!navigator.gpu) return `This browser doesn't support WebGPU, which draws the model. Chrome and Edge 113 or later, Firefox 141 or later (145 on macOS) and Safari 26 or later support it; ${flag}`;
    const adapter = await navigator.gpu.requestAdapter().catch(() => null);
    return adapter ? "" : `This browser supports WebGPU, which draws the model, but found no usable graphics card or driver. ${flag}`;
}

/** `report` is called with the finished share of the download, 0 to 1. */
async function compileModule(report = ignoreCall) {
    if (shared) return WebAssembly.compile(await decompress(shared.wasm));
    const response = await fetch(new URL("rigscope_bg.wasm", import.meta.url));
    if (!response.ok) throw new Error(`the program could not be fetched: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await readResponse(response, (share) => {
        showMessage(`Loading Rigscope… ${Math.round(100 * share)} %`);
        report(share);
    }));
}

/** Loads the program and starts its workers. */
async function startProgram(module) {
    const exports = await init({ module_or_path: module });
    await startWorkers(module, exports.memory);
}

/** Shows an error of starting. Returns whether it is one. */
function reportStart(error) {
    // winit throws a harmless exception to leave `main`.
    if (String(error).includes("Using exceptions for control flow")) return false;
    console.error(error);
    showMessage("");
    showError(`Rigscope can't start: ${error.message || error}`);
    return true;
}

async function runAsPage() {
    try {
        const problem = await missingWebGpu();
        if (!shared && !problem) await isolate();
        showMessage("Loading Rigscope…");
        const [module, args] = await Promise.all([compileModule(), shared ? argsFromSharedPage() : argsFromAddress()]);
        if (problem) return await runWithoutView(module, args.files, problem);
        await startProgram(module);
        showMessage("");
        open(args);
        document.body.classList.add("open");
    } catch (error) {
        reportStart(error);
    }
}

const ignoreCall = () => {};

if (isPage) {
    globalThis.rigscopePage = {
        startJob, pickFiles, listen, download, copyImage, showError, programStopped: showError, announceStatus,
        copyText: (text) => navigator.clipboard.writeText(text).catch((error) => showError(`Copying to the clipboard failed: ${error.message}`)),
        openUrl: (url) => globalThis.open(url, "_blank", "noopener"),
        storedSettings: () => { try { return localStorage.getItem(SETTINGS_KEY); } catch { return null; } },
        storeSettings: (text) => { try { localStorage.setItem(SETTINGS_KEY, text); } catch { /* The browser doesn't allow storage. */ } },
        // For a page inside another one, which replaces them.
        takeRequests: ignoreCall, viewerLoaded: ignoreCall, viewerChanged: ignoreCall, viewerFailed: ignoreCall, imageFailed: ignoreCall,
    };
    if (document.documentElement.dataset.embedded === undefined) runAsPage();
    else runAsEmbedded();
} else if (isServiceWorker) {
    runAsServiceWorker();
} else {
    runAsWorker();
}
