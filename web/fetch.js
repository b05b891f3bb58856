// Fetching models: a file, and the files that a .gltf refers to. Part of the page's script and of the web component.

/** The bytes of a response. `report` is called with the finished share, 0 to 1, if the length is known. */
async function readResponse(response, report) {
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
        report(Math.min(length / total, 1));
    }
    return new Blob(chunks).arrayBuffer();
}

function nameOf(url) {
    return decodeURIComponent(url.pathname.split("/").pop() || "model");
}

/** A progress message. */
const fetchMessage = (url, share) => `Fetching ${nameOf(url)}… ${Math.round(100 * share)} %`;

/** The bytes of a file. `report` is called with the address and the finished share. */
async function fetchBytes(url, report) {
    let response;
    try {
        response = await fetch(url);
    } catch {
        const why = url.origin === location.origin ? "" : ", or its server doesn't allow this page to read it (CORS)";
        throw new Error(`${url.pathname}: the file can't be fetched: there is no connection${why}`);
    }
    if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await readResponse(response, (share) => report(url, share)));
}

/** A file for the program, and the files referenced by a .gltf. `word` is its role. `report` as in `fetchBytes`. */
async function fetchModel(folder, url, word, report) {
    const file = { path: `${folder}/${nameOf(url)}`, bytes: await fetchBytes(url, report), modified: 0, word };
    if (!url.pathname.toLowerCase().endsWith(".gltf")) return [file];
    const parts = partsOfGltf(file.bytes).map(async (part) => {
        try {
            return [{ path: `${folder}/${decodeURIComponent(part)}`, bytes: await fetchBytes(new URL(part, url), report), modified: 0 }];
        } catch {
            return []; // The reader reports the missing file.
        }
    });
    return [file, ...(await Promise.all(parts)).flat()];
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
