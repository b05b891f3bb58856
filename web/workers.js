// Background work of the page: workers, and the service worker that enables memory shared with them on static hosts.
//
// For: starting and replacing workers, and running jobs without them. Not for: the jobs, which are in crates/window.

/** Time in milliseconds after which a page that hasn't reloaded continues without shared memory. */
const RELOAD_MS = 5000;
/** More workers than this wouldn't shorten any wait. */
const MAX_WORKERS = 4;
/** Time in milliseconds after which a job starts without a frame: browsers draw no frames of hidden pages. */
const FRAME_MS = 200;

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
    const frame = new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve, 0)); });
    Promise.race([frame, new Promise((resolve) => { setTimeout(resolve, FRAME_MS); })]).then(() => {
        try {
            work(number);
        } catch (error) {
            fail_job(number, String(error.message));
        }
    });
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
