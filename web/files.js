// The user's files: dropped, chosen in a dialog, watched for changes, and downloads.
//
// For: reading files in the browser. Not for: fetched files (fetch.js), or deciding which file is opened.

/** Limits for dropped folders: depth and number of files. */
const MAX_FOLDER_DEPTH = 3;
const MAX_FOLDER_FILES = 2000;
/** Largest file: browsers limit the size of arrays. */
const MAX_FILE_BYTES = 2 ** 31 - 1;
/** Interval of checks for changed files, in milliseconds. */
const WATCH_MS = 1000;

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

/** Passes dropped files to `drop`. */
function listenForDrops(drop) {
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
}

function listen(drop, changed, pasted) {
    listenForDrops(drop);
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
