// The page inside a `<rigscope-viewer>` element (web/package), which controls it through a message port.
//
// The outer page may be on any origin. It sends bytes and requests, and receives the state, the findings and images of
// the model that it sent.
//
// For: the messages, and the program's calls in such a page. Not for: the HTML controls (controls.js).

/** Settings of embedded windows, which store none. */
const EMBEDDED_SETTINGS = "(theme: Dark, hover: false, shows_hints: false)";
/** Files up to this size are checked right after loading; larger ones when the findings are requested. */
const MAX_CHECKED_BYTES = 8 << 20;
/** Keys for the view. All others are left to the browser, such as Tab, scrolling and its shortcuts. */
const VIEW_KEYS = ["Space", "ArrowLeft", "ArrowRight", "Escape", "Home", "KeyA", "KeyF", "Digit0", "Digit1", "Digit3", "Digit5", "Digit7"];

const embedded = {
    /** The port to the element, and messages from before it has connected. */
    port: null,
    unsent: [],
    /** The program's function for requests, and requests for the time after loading. */
    request: null,
    pending: {},
    /** The files of the model, its document once it is shown, and the promise of its description. */
    files: [],
    document: null,
    description: null,
    /** Why this browser can't draw; empty if it can, null before that is known. */
    problem: null,
    /** The colour behind the model; null for the usual background. */
    background: null,
};

/** Sends a message to the element; the first ones once it has connected. */
function toElement(message) {
    if (embedded.port) embedded.port.postMessage(message);
    else embedded.unsent.push(message);
}

const reportProgress = (share) => toElement({ kind: "progress", share });

/** Shows why there is no model, instead of the last one. */
function showLoadError(message) {
    embedded.document = null;
    embedded.request?.({ playing: false });
    showMessage("");
    showError(message);
    document.body.classList.add("failed");
}

/** Handles an error of loading or of a request. The latter only concerns the outer page. `reason` is the kind of the
 * element's error event. */
function reportFailure(message, reason) {
    if (!embedded.document) showLoadError(message);
    toElement({ kind: "failed", reason, message });
}

/** Passes a request to the program, or stores it until the model is shown. */
function requestOfProgram(request) {
    if (embedded.document && embedded.request) embedded.request(request);
    else Object.assign(embedded.pending, request);
}

/** The summary and the findings of the model. Blocks the page while it computes them. */
function descriptionOfModel() {
    const { files } = embedded;
    // After a frame, so that it shows the message of the caller.
    embedded.description ??= new Promise((resolve) => { setTimeout(resolve, 50); }).then(() => descriptionOf(files));
    return embedded.description;
}

async function checkModel() {
    const { files } = embedded;
    const described = await descriptionOfModel();
    if (files === embedded.files && !embedded.problem) countFindings(described.findings);
    return described;
}

const ANSWERS = {
    screenshot({ type }) {
        if (embedded.problem) throw new Error("an image can't be rendered: this browser can't use WebGPU");
        return takeScreenshot(type, embedded.request);
    },
    findings: async () => (await checkModel()).findings,
};

async function answer({ id, name, argument }) {
    try {
        if (!embedded.document) throw new Error("no model is shown");
        toElement({ kind: "answer", id, value: await ANSWERS[name](argument) });
    } catch (error) {
        toElement({ kind: "answer", id, error: String(error.message || error) });
    }
}

// ---- Showing a model

/** Stores the files until the program has started, then shows them. */
function showModel({ files, start }) {
    const folder = newFolder();
    Object.assign(embedded, {
        files: files.map((file) => ({ ...file, path: folder + file.path, modified: 0 })),
        document: null, description: null, pending: start,
    });
    showError("");
    document.body.classList.remove("failed");
    if (embedded.problem) describeModel();
    else if (embedded.request) openModel();
}

function openModel() {
    if (embedded.files.length === 0) return;
    showMessage("Reading files…");
    embedded.request({ files: embedded.files });
}

/** Shows tables instead of the view. */
async function describeModel() {
    if (embedded.files.length === 0) return;
    showMessage("Reading files…");
    const { files } = embedded;
    try {
        const described = await descriptionOfModel();
        if (files !== embedded.files) return;
        const { name, info } = described;
        const clips = info.clips.map((clip) => ({ name: clip.name, start: clip.start_secs, duration: clip.duration_secs }));
        const { vertices, triangles } = info.totals;
        // Without helpers and nodes, as in the window.
        const bones = info.bones.filter(({ kind }) => kind === "bone").length;
        embedded.document = { name, format: info.format, vertices, triangles, bones, clips, hasView: false };
        part("stage").querySelector("main").replaceChildren(node("p", { className: "notice" }, embedded.problem), ...describedFile(name, described));
        toElement({ kind: "loaded", document: embedded.document });
    } catch (error) {
        if (files === embedded.files) reportFailure(String(error.message || error), "model");
    }
    showMessage("");
}

function viewerLoaded(json) {
    embedded.document = { ...JSON.parse(json), hasView: true };
    showMessage("");
    controlDocument(embedded.document);
    toElement({ kind: "loaded", document: embedded.document });
    const start = embedded.pending;
    embedded.pending = {};
    embedded.request(start);
    const size = embedded.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const whenIdle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 500));
    if (size <= MAX_CHECKED_BYTES) whenIdle(() => checkModel().catch(ignoreCall));
}

function viewerChanged(json) {
    const state = JSON.parse(json);
    controlState(state);
    toElement({ kind: "changed", state });
}

function viewerFailed(message, reason) {
    const name = mainFile(embedded.files)?.path.split("/").pop();
    reportFailure(embedded.document || !name ? message : `${name}: ${message}`, reason);
}

// ---- Start

function connect(event) {
    if (event.source !== parent || event.data?.kind !== "rigscope-viewer" || !event.ports[0]) return;
    embedded.port?.close();
    [embedded.port] = event.ports;
    embedded.port.onmessage = ({ data }) => {
        if (data.kind === "show") showModel(data);
        else if (data.kind === "request") requestOfProgram(data.request);
        else if (data.kind === "controls") showControls(data.isShown);
        else if (data.kind === "background") showBackground(data.color);
        else if (data.kind === "message" && !embedded.document) showMessage(data.text);
        else if (data.kind === "failed") showLoadError(data.message);
        else if (data.kind === "call") answer(data);
    };
    toElement({ kind: "connected" });
    for (const message of embedded.unsent.splice(0)) toElement(message);
}

let wantsControls = true;

function showControls(isShown) {
    wantsControls = isShown;
    part("bar").hidden = !isShown || embedded.problem !== "";
}

/** Shows a colour behind the model, given as red, green, blue and alpha; null for the usual background. The element
 * shows the same colour behind this page. */
function showBackground(color) {
    embedded.background = color;
    document.documentElement.style.setProperty("--background", color ? "transparent" : "");
    embedded.request?.({ background: color ?? [] });
}

/** Leaves keys to the browser that aren't for the view: the window would block them, and keep the focus. */
function filterKeys(event) {
    const isForView = VIEW_KEYS.includes(event.code) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isForView) event.stopImmediatePropagation();
}

/** Keeps the window from taking the focus when it opens, which would also scroll the outer page to it. */
function keepFocusOutside(canvas) {
    let isUsed = false;
    addEventListener("pointerdown", () => { isUsed = true; }, true);
    canvas.focus = () => { if (isUsed) HTMLElement.prototype.focus.call(canvas, { preventScroll: true }); };
}

/** The program can't continue. */
function programStopped(message) {
    embedded.document = null;
    reportFailure(message, "viewer");
}

async function runAsEmbedded() {
    Object.assign(globalThis.rigscopePage, {
        listen: ignoreCall, announceStatus: ignoreCall, storeSettings: ignoreCall,
        storedSettings: () => EMBEDDED_SETTINGS,
        copyImage: imageRendered, imageFailed,
        showError: (message) => reportFailure(message, embedded.document ? "request" : "model"),
        programStopped,
        takeRequests: (callback) => { embedded.request = callback; showBackground(embedded.background); },
        viewerLoaded, viewerChanged, viewerFailed,
    });
    addEventListener("message", connect);
    recordFrames();
    addTableStyles();
    startControls(requestOfProgram, checkModel);
    const canvas = part("rigscope");
    keepFocusOutside(canvas);
    for (const type of ["keydown", "keyup"]) addEventListener(type, (event) => event.target === canvas && filterKeys(event), true);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    try {
        showMessage("Loading Rigscope…");
        // A shared page has its model; otherwise, the element sends one later.
        const noFiles = { files: [], words: [] };
        const [module, problem, args] = await Promise.all([compileModule(reportProgress), missingWebGpu(), shared ? argsFromSharedPage() : noFiles]);
        if (shared) embedded.files = args.files;
        if (problem) await init({ module_or_path: module });
        else await startProgram(module);
        embedded.problem = problem;
        reportProgress(1);
        showMessage("");
        showControls(wantsControls);
        if (problem) {
            canvas.hidden = true;
            part("stage").classList.add("without-view");
            part("stage").append(node("main", { className: "tables" }));
            describeModel();
        } else {
            open({ ...args, isEmbedded: true });
            if (!shared) openModel();
        }
    } catch (error) {
        if (!reportStart(error)) return;
        document.body.classList.add("failed");
        toElement({ kind: "failed", reason: "viewer", message: String(error.message || error) });
    }
}
