// `<rigscope-viewer src="hero.glb" clip="walk" autoplay>`: a web component that shows a skinned mesh. The build puts
// web/fetch.js and the other scripts of this folder in front of this file.
//
// Each element holds a frame with the viewer (embed.html), which is created when the element comes near the viewport.
// This page fetches the model, so its cookies and CORS permissions apply, and passes the bytes to the frame.
//
// For: the element's attributes, properties, methods and events. Not for: the view and its controls, which are in the
// frame (web/embedded.js, web/controls.js).

/** How far from the viewport an element starts to load. */
const NEAR = "300px";
/** Time in milliseconds for the frame's script to answer after the frame has loaded. */
const CONNECT_MS = 10_000;

// An indirection, because bundlers would replace `new URL(…, import.meta.url)` by the address of a copy.
const moduleAddress = import.meta.url;

// With another colour scheme than embed.css, browsers would make the frame opaque.
const CSS = `
:host { display: block; position: relative; overflow: hidden; aspect-ratio: 16 / 10; min-height: 120px; background: #1b1d20; color: #d7dade; contain: content; }
:host([hidden]) { display: none; }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; color-scheme: dark; }
`;
const NO_STATE = { clip: null, time: 0, playing: false, select: "", camera: null };
/** Attributes of the view of a model, with the name of their request. */
const VIEW_ATTRIBUTES = { clip: "clip", time: "time", select: "select", "camera-orbit": "orbit" };

const numberOf = (text) => {
    const number = text === null || text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(number) ? number : undefined;
};

/** The complete address; `text` itself if it isn't one, as in images. */
const addressOf = (text) => URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : text;

/** A copy of the bytes of a file given as an object, for the frame. */
async function givenFile(given, at) {
    const isNamed = !(given instanceof Blob) && given.data !== undefined && !ArrayBuffer.isView(given);
    const data = isNamed ? given.data : given;
    const bytes = data instanceof Blob ? new Uint8Array(await data.arrayBuffer())
        : ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
        : new Uint8Array(data.slice(0));
    return { path: `/${given.name || (at === 0 ? "model" : `related-${at}`)}`, bytes, word: at === 0 ? "url" : "with" };
}

/** Without a DOM, such as on a server, the class can be imported but not used. */
const Base = globalThis.HTMLElement ?? class {};

export class RigscopeViewer extends Base {
    static observedAttributes = ["src", "with", ...Object.keys(VIEW_ATTRIBUTES), "autoplay", "controls", "poster", "background"];
    /** The folder with embed.html: that of this module, unless a bundler moves the module. */
    static base = new URL(".", moduleAddress).href;

    #frame = null;
    #port = null;
    #observer = null;
    #poster = null;
    #backgroundSheet = new CSSStyleSheet();
    /** Files given as bytes instead of by `src`. */
    #model = null;
    /** Increases with each load, so that results of an earlier one are recognized. */
    #load = 0;
    #isLoadPending = false;
    #info = null;
    /** Why no model is shown: an error, and its kind. */
    #failure = null;
    #state = NO_STATE;
    #progress = new LoadProgress((totalProgress) => {
        this.#poster.progress = totalProgress;
        this.#dispatch("progress", { totalProgress });
    });
    /** Requests for the model that is shown, or for the next one. Sent together. */
    #requested = {};
    #isRequestPending = false;
    /** View attributes whose value an earlier model was shown with. The next model may lack that clip or bone. */
    #applied = new Set();
    /** Callers that wait for the model, and calls that the frame hasn't answered, by number. */
    #waiting = [];
    #calls = new Map();
    #lastCall = 0;

    constructor() {
        super();
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(CSS + POSTER_CSS);
        this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet, this.#backgroundSheet];
        this.shadowRoot.append(document.createElement("slot"));
        this.#poster = new Poster(this.shadowRoot);
    }

    connectedCallback() {
        if (this.getAttribute("loading") === "eager") return this.#start();
        this.#observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.#start(), { rootMargin: NEAR });
        this.#observer.observe(this);
    }

    disconnectedCallback() {
        this.#observer?.disconnect();
        this.#stop("the viewer was removed from the page");
    }

    attributeChangedCallback(name, before, now) {
        if (name === "poster") return this.#showPoster();
        if (name === "background") return this.#showBackground();
        this.#applied.delete(name);
        if (!this.#frame) return;
        // After an error, the same address is tried again.
        if (name === "src" || name === "with") (before !== now || this.#failure) && this.#loadSoon();
        else if (name === "controls") this.#post({ kind: "controls", isShown: this.controls !== "none" });
        else if (name === "autoplay") now !== null && before === null && this.#request({ playing: true });
        else if (name === "select") this.#request({ select: now ?? "" });
        else if (name === "clip" && now !== null) this.#request({ clip: now, playing: this.playing });
        else if (name === "time" && numberOf(now) !== undefined) this.#request({ time: numberOf(now), playing: this.playing });
        else if (name === "camera-orbit") this.#request({ orbit: this.#orbit() });
    }

    // ---- Properties

    get src() { return this.hasAttribute("src") ? addressOf(this.getAttribute("src")) : ""; }
    set src(value) { this.setAttribute("src", value); }
    /** Addresses of related files, separated by spaces. */
    get with() { return this.getAttribute("with") ?? ""; }
    set with(value) { this.setAttribute("with", value); }
    get controls() { return this.getAttribute("controls") === "none" ? "none" : ""; }
    set controls(value) { value === "none" || value === false ? this.setAttribute("controls", "none") : this.removeAttribute("controls"); }
    get loading() { return this.getAttribute("loading") === "eager" ? "eager" : "lazy"; }
    set loading(value) { this.setAttribute("loading", value); }
    get autoplay() { return this.hasAttribute("autoplay"); }
    set autoplay(value) { this.toggleAttribute("autoplay", Boolean(value)); }
    /** Address of an image that is shown until the model is. */
    get poster() { return this.getAttribute("poster") ? addressOf(this.getAttribute("poster")) : ""; }
    set poster(value) { this.#setOrRemove("poster", value); }
    /** A CSS colour; empty for the viewer's own background. */
    get background() { return this.getAttribute("background") ?? ""; }
    set background(value) { this.#setOrRemove("background", value); }
    /** The requested camera; `getCameraOrbit` returns the current one. */
    get cameraOrbit() { return this.getAttribute("camera-orbit") ?? "auto auto auto"; }
    set cameraOrbit(value) { this.#setOrRemove("camera-orbit", value); }
    /** Name of the clip that is shown. */
    get clip() { return this.#info?.clips[this.#state.clip]?.name ?? this.getAttribute("clip") ?? ""; }
    set clip(value) { this.setAttribute("clip", value); }
    /** Time within the clip in seconds. */
    get time() { return this.#info ? this.#state.time : numberOf(this.getAttribute("time")) ?? 0; }
    set time(value) { this.setAttribute("time", value); }
    /** The selected item, such as `bone:head`. */
    get select() { return this.#info ? this.#state.select : this.getAttribute("select") ?? ""; }
    set select(value) { this.#setOrRemove("select", value); }
    get playing() { return this.#requested.playing ?? (this.#info ? this.#state.playing : this.autoplay); }
    set playing(value) { this.#request({ playing: Boolean(value) }); }
    /** The model that is shown; null before one is. */
    get info() { return this.#info; }
    /** Files to show instead of `src`: the model, then its related files. */
    get model() { return this.#model; }
    set model(value) {
        this.#model = value ?? null;
        if (this.#frame) this.#loadSoon();
    }

    #setOrRemove(name, value) { value ? this.setAttribute(name, value) : this.removeAttribute(name); }

    // ---- Methods

    play() { this.playing = true; }
    pause() { this.playing = false; }

    /** The camera, in radians and metres; null before a model is shown. */
    getCameraOrbit() { return this.#state.camera && describedOrbit(this.#state.camera); }

    /** The findings of the file's checks, most severe first. */
    findings() { return this.#call("findings"); }

    /** The view as an image, without the controls. */
    screenshot({ type = "image/png" } = {}) { return this.#call("screenshot", { type }); }

    async #call(name, argument) {
        this.#start();
        if (this.#failure) throw new Error(this.#failure.message);
        if (!this.#info) await new Promise((resolve, reject) => { this.#waiting.push({ resolve, reject }); });
        this.#lastCall += 1;
        const id = this.#lastCall;
        return new Promise((resolve, reject) => {
            this.#calls.set(id, { resolve, reject });
            this.#post({ kind: "call", id, name, argument });
        });
    }

    // ---- The frame

    #start() {
        if (this.#frame || !this.isConnected) return;
        this.#observer?.disconnect();
        const address = new URL("embed.html", new URL(this.constructor.base, document.baseURI));
        this.#frame = document.createElement("iframe");
        this.#frame.title = this.getAttribute("aria-label") ?? "3D viewer";
        this.#frame.allow = "fullscreen; clipboard-write; cross-origin-isolated";
        this.#frame.onload = () => this.#connect(address);
        this.#frame.src = address.href;
        this.shadowRoot.append(this.#frame);
    }

    /** Removes the frame. */
    #stop(reason) {
        this.#port?.close();
        this.#frame?.remove();
        this.#frame = this.#port = this.#info = this.#failure = null;
        this.#load += 1;
        this.#state = NO_STATE;
        this.#progress.reset();
        this.#poster.dismiss("");
        this.#showPoster();
        this.#reject(reason);
    }

    /** Connects to the frame whenever it has loaded, also after a reload. */
    #connect(address) {
        const channel = new MessageChannel();
        const silent = setTimeout(() => {
            if (this.#port === channel.port1) this.#fail("viewer", `${address.href} doesn't answer; set RigscopeViewer.base to the folder that contains it`);
        }, CONNECT_MS);
        channel.port1.onmessage = ({ data }) => {
            clearTimeout(silent);
            if (this.#port === channel.port1) this.#receive(data);
        };
        if (this.#port) this.#rejectCalls("the viewer was reloaded");
        this.#port = channel.port1;
        // Only the page at this address receives the port.
        this.#frame.contentWindow.postMessage({ kind: "rigscope-viewer" }, address.origin, [channel.port2]);
        this.#post({ kind: "controls", isShown: this.controls !== "none" });
        this.#showBackground();
        this.#loadSoon();
    }

    #post(message, transferred = []) { this.#port?.postMessage(message, transferred); }

    /** Requests made one after the other are sent together, after all properties are set. */
    #request(request) {
        Object.assign(this.#requested, request);
        if (this.#isRequestPending) return;
        this.#isRequestPending = true;
        queueMicrotask(() => {
            this.#isRequestPending = false;
            this.#sendRequests();
        });
    }

    #sendRequests() {
        if (!this.#info) return;
        if (Object.keys(this.#requested).length > 0) this.#post({ kind: "request", request: this.#requested });
        this.#requested = {};
        for (const name of Object.keys(VIEW_ATTRIBUTES)) if (this.hasAttribute(name)) this.#applied.add(name);
    }

    /** The requested camera. Reports a syntax error once. */
    #orbit() {
        try {
            return parseOrbit(this.cameraOrbit);
        } catch (error) {
            if (!this.#applied.has("camera-orbit")) this.#fail("request", error.message);
            return undefined;
        }
    }

    /** Loads once, even if several properties are set one after the other. */
    #loadSoon() {
        if (this.#failure?.kind === "viewer") {
            // Loads the viewer again, and then the model.
            this.#stop("the viewer is loaded again");
            return this.#start();
        }
        this.#info = this.#failure = null;
        this.#showPoster();
        if (this.#isLoadPending) return;
        this.#isLoadPending = true;
        queueMicrotask(() => {
            this.#isLoadPending = false;
            this.#loadModel();
        });
    }

    async #loadModel() {
        this.#load += 1;
        const load = this.#load;
        this.#state = NO_STATE;
        if (!this.#port || (!this.#model && !this.hasAttribute("src"))) return;
        this.#progress.begin();
        try {
            const files = await (this.#model ? this.#givenFiles() : this.#fetchedFiles(load));
            if (load !== this.#load) return;
            this.#progress.set("files", 1);
            const transferred = new Set(files.map(({ bytes }) => bytes.buffer));
            this.#post({ kind: "show", files, start: this.#startRequest() }, [...transferred]);
        } catch (error) {
            if (load !== this.#load) return;
            this.#post({ kind: "failed", message: error.message });
            this.#fail("fetch", error.message);
        }
    }

    /** The initial view: the attributes, and requests of playback. */
    #startRequest() {
        const start = { playing: this.playing, optional: [...this.#applied].map((name) => VIEW_ATTRIBUTES[name]) };
        this.#requested = {};
        if (this.hasAttribute("clip")) start.clip = this.getAttribute("clip");
        if (this.hasAttribute("select")) start.select = this.getAttribute("select");
        const time = numberOf(this.getAttribute("time"));
        if (time !== undefined) start.time = time;
        if (this.hasAttribute("camera-orbit")) start.orbit = this.#orbit();
        return start;
    }

    #givenFiles() {
        return Promise.all([this.#model].flat().map(givenFile));
    }

    async #fetchedFiles(load) {
        const shares = new Map();
        const report = (url, share) => {
            if (load !== this.#load) return;
            this.#post({ kind: "message", text: fetchMessage(url, share) });
            shares.set(url.href, share);
            this.#progress.set("files", Math.min(...shares.values()));
        };
        const related = this.with.split(/\s+/).filter(Boolean);
        const fetched = [this.src, ...related].map(async (address, at) => {
            if (!URL.canParse(address, document.baseURI)) throw new Error(`'${address}' isn't an address`);
            return fetchModel("", new URL(address, document.baseURI), at === 0 ? "url" : "with", report);
        });
        return (await Promise.all(fetched)).flat();
    }

    #receive(data) {
        if (data.kind === "loaded") this.#loaded(data.document);
        else if (data.kind === "changed") this.#changed(data.state);
        else if (data.kind === "progress") this.#progress.set("viewer", data.share);
        else if (data.kind === "failed") this.#fail(data.reason, data.message);
        else if (data.kind === "answer") {
            const call = this.#calls.get(data.id);
            this.#calls.delete(data.id);
            if (data.error === undefined) call?.resolve(data.value);
            else call?.reject(new Error(data.error));
        }
    }

    #loaded(info) {
        this.#info = info;
        this.#poster.dismiss(this.poster);
        if (this.#frame && !this.hasAttribute("aria-label")) this.#frame.title = `3D viewer: ${info.name}`;
        this.#sendRequests();
        for (const { resolve } of this.#waiting.splice(0)) resolve();
        this.#progress.end();
        this.#dispatch("loaded", info);
    }

    #changed(state) {
        const before = this.#state;
        this.#state = state;
        if (!this.#info) return;
        const { clip, time, playing, select } = state;
        if (before.clip !== clip || before.time !== time || before.playing !== playing) {
            this.#dispatch("timechange", { clip: this.#info.clips[clip]?.name ?? null, time, playing });
        }
        if (before.select !== select) this.#dispatch("select", { select });
    }

    #fail(kind, message) {
        // A viewer that has stopped shows nothing.
        if (kind === "viewer") this.#info = null;
        if (!this.#info && kind !== "request") {
            this.#failure = { kind, message };
            this.#reject(message);
            this.#showPoster();
            this.#progress.end();
        }
        this.#dispatch("error", { kind, message });
    }

    #reject(message) {
        for (const { reject } of this.#waiting.splice(0)) reject(new Error(message));
        this.#rejectCalls(message);
    }

    #rejectCalls(message) {
        for (const { reject } of this.#calls.values()) reject(new Error(message));
        this.#calls.clear();
    }

    // ---- Appearance

    #showPoster() { this.#poster.show(this.poster, !this.#info && !this.#failure); }

    #showBackground() {
        const { background } = this;
        const isColor = background !== "" && globalThis.CSS.supports("color", background);
        this.#backgroundSheet.replaceSync(isColor ? `:host { background: ${background}; }` : "");
        if (!this.#port) return;
        if (background !== "" && !isColor) this.#fail("request", `background="${background}": not a CSS colour`);
        this.#post({ kind: "background", color: isColor ? resolvedColor(this.shadowRoot, background) : null });
    }

    #dispatch(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }
}

if (globalThis.customElements && !customElements.get("rigscope-viewer")) customElements.define("rigscope-viewer", RigscopeViewer);
