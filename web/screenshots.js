// Images of the view: for the clipboard, and for scripts of the outer page.
//
// For: encoding rendered pixels, and frames while the view is hidden. Not for: rendering, which the program does.

const SCREENSHOT_MS = 30_000;
/** Interval at which frames are drawn for a screenshot if the browser doesn't request them. */
const HIDDEN_FRAME_MS = 100;

/** Screenshots that the program is rendering. */
const screenshots = [];

async function encodeImage(rgba, width, height, type) {
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(rgba), width, height), 0, 0);
    return canvas.convertToBlob({ type });
}

async function copyImage(rgba, width, height) {
    const blob = await encodeImage(rgba, width, height, "image/png");
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
}

/** Callbacks of requested frames by their number. */
const frameCallbacks = new Map();

/** Makes requested frames known to `drawHiddenFrame`. */
function recordFrames() {
    const [request, cancel] = [requestAnimationFrame.bind(globalThis), cancelAnimationFrame.bind(globalThis)];
    globalThis.cancelAnimationFrame = (number) => { frameCallbacks.delete(number); cancel(number); };
    globalThis.requestAnimationFrame = (callback) => {
        const number = request((time) => { frameCallbacks.delete(number); callback(time); });
        frameCallbacks.set(number, callback);
        return number;
    };
}

/** Draws a frame: browsers request none for frames of other sites that aren't in the viewport. */
function drawHiddenFrame() {
    for (const [number, callback] of [...frameCallbacks]) {
        cancelAnimationFrame(number);
        callback(performance.now());
    }
    if (screenshots.length > 0) setTimeout(drawHiddenFrame, HIDDEN_FRAME_MS);
}

/** Resolves after the last screenshot: the program renders one at a time. */
let lastScreenshot = Promise.resolve();

/** Resolves to an image of the view, which the program renders when requested. */
function takeScreenshot(type, request) {
    const taken = lastScreenshot.then(() => renderScreenshot(type, request));
    lastScreenshot = taken.catch(() => {});
    return taken;
}

function renderScreenshot(type, request) {
    return new Promise((resolve, reject) => {
        const waiting = {
            type,
            take: (blob) => { clearTimeout(failed); resolve(blob); },
            reject: (error) => { clearTimeout(failed); reject(error); },
        };
        const failed = setTimeout(() => {
            screenshots.splice(screenshots.indexOf(waiting), 1);
            reject(new Error("the image wasn't rendered in time"));
        }, SCREENSHOT_MS);
        screenshots.push(waiting);
        request({ run: "copy-image" });
        setTimeout(drawHiddenFrame, HIDDEN_FRAME_MS);
    });
}

/** The program can't render the image. */
function imageFailed(message) { screenshots.shift()?.reject(new Error(message)); }

/** Takes an image that the program has rendered to copy it. */
function imageRendered(rgba, width, height) {
    const waiting = screenshots.shift();
    if (!waiting) return copyImage(rgba, width, height);
    return encodeImage(rgba, width, height, waiting.type).then(waiting.take, waiting.reject);
}
