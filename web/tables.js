// The summary and the findings of a file as HTML, for browsers without WebGPU and for pages with a view inside.
//
// For: presenting the JSON of `describe`. Not for: computing it, which crates/window does.

const TABLES_CSS = `
.tables { box-sizing: border-box; max-width: 64rem; margin: 0 auto; padding: 1rem 1.25rem 2rem; font: 14px/1.5 system-ui, sans-serif; color: #d7dade; }
.tables h1 { margin: 0 0 .6rem; font-size: 1.25rem; overflow-wrap: anywhere; }
.tables h2 { margin: 1.6rem 0 .5rem; font-size: 1rem; }
.tables h2 small { margin-left: .4em; color: #98a0aa; font-weight: normal; }
.tables .notice { margin: 0 0 1rem; padding: .6rem .9rem; border-left: 3px solid #6cb2ff; border-radius: 4px; background: #262a30; }
.tables .notice.error { border-color: #ff7b7b; background: #3a2426; }
.tables .opener { display: flex; flex-wrap: wrap; gap: .8rem; align-items: center; margin: 0 0 1.2rem; color: #98a0aa; }
.tables button { padding: .35rem .9rem; border: 1px solid #4a5059; border-radius: 5px; background: #33383f; color: #d7dade; font: inherit; cursor: pointer; }
.tables button:hover { background: #3d434c; }
.tables button:focus-visible { outline: 2px solid #6cb2ff; outline-offset: 1px; }
.tables .scroll { overflow-x: auto; }
.tables table { border-collapse: collapse; min-width: 100%; }
.tables th, .tables td { padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid #2f343b; text-align: left; vertical-align: top; }
.tables thead th { color: #98a0aa; font-weight: 500; white-space: nowrap; }
.tables tbody th { width: 9rem; color: #98a0aa; font-weight: 500; }
.tables .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.findings { margin: 0; padding: 0; list-style: none; font: 14px/1.45 system-ui, sans-serif; }
.findings li { padding: .6rem 0 .6rem .8rem; border-left: 3px solid #6b7480; }
.findings li + li { margin-top: .5rem; }
.findings li.error { border-color: #ff7b7b; }
.findings li.warning { border-color: #f0b849; }
.findings li.info { border-color: #6cb2ff; }
.findings p { margin: .2rem 0 0; color: #a9b0b9; overflow-wrap: anywhere; }
.findings p:first-child { margin: 0; color: #e6e9ed; }
.findings b { font-weight: 600; }
.findings .error b { color: #ff9a9a; }
.findings .warning b { color: #f5c96e; }
.findings .info b { color: #8fc4ff; }
.findings code { font: 12px/1.4 ui-monospace, monospace; color: #98a0aa; }
`;

/** Long lists are cut after this many rows. */
const MAX_ROWS = 1000;

/** Adds the styles to this page. A constructed sheet doesn't need `unsafe-inline`. */
function addTableStyles() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(TABLES_CSS);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function node(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

const formatNumber = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 3 });

/** A table with a heading. Columns are pairs of title and function; functions that return numbers align right. */
function table(title, rows, columns) {
    if (rows.length === 0) return [];
    const cell = (value) => {
        if (typeof value === "number") return node("td", { className: "number" }, formatNumber(value));
        return node("td", {}, value ?? "–");
    };
    const shown = rows.slice(0, MAX_ROWS);
    const isNumber = columns.map(([, value]) => typeof value(rows[0], 0) === "number");
    const head = columns.map(([name], at) => node("th", { scope: "col", className: isNumber[at] ? "number" : "" }, name));
    const body = shown.map((row, at) => node("tr", {}, ...columns.map(([, value]) => cell(value(row, at)))));
    const made = node("table", {}, node("thead", {}, node("tr", {}, ...head)), node("tbody", {}, ...body));
    const rest = rows.length - shown.length;
    const more = rest > 0 ? [node("p", {}, `${formatNumber(rest)} more aren't shown.`)] : [];
    return [heading(title, rows.length), node("div", { className: "scroll" }, made), ...more];
}

function heading(title, count) {
    return node("h2", {}, title, node("small", {}, formatNumber(count)));
}

/** The general facts of a file as rows of name and value. */
function facts(info) {
    const { totals, bounds, axes } = info;
    const size = bounds && bounds.max.map((max, at) => formatNumber(max - bounds.min[at])).join(" × ");
    const unit = info.unit_meters ? `; one unit is ${formatNumber(info.unit_meters)} m` : "";
    const hands = axes.handedness ? `, ${axes.handedness}-handed` : "";
    const rows = [
        ["Format", info.format],
        ["Size", `${formatNumber(info.bytes)} bytes`],
        ["Geometry", `${formatNumber(totals.vertices)} vertices, ${formatNumber(totals.triangles)} triangles, ${formatNumber(totals.subsets)} subsets`],
        ["Bones", formatNumber(totals.bones)],
        ["Clips", formatNumber(totals.clips)],
        ["Dimensions", size && `${size} units${unit}`],
        ["Axes", axes.up && `${axes.up.toUpperCase()} up${hands}`],
    ];
    const cells = rows.filter(([, value]) => value).map(([name, value]) => node("tr", {}, node("th", { scope: "row" }, name), node("td", {}, value)));
    return node("table", {}, node("tbody", {}, ...cells));
}

/** The findings as a list, or a sentence if there are none. */
function findingsList(findings) {
    if (findings.length === 0) return node("p", {}, "No findings.");
    const item = ({ code, severity, message, place, count, effect, fix }) => {
        const times = count > 1 ? ` (${formatNumber(count)} places, the first at ${place})` : place ? ` (${place})` : "";
        const lines = [node("p", {}, node("b", {}, severity), ` ${message}${times} `, node("code", {}, code))];
        if (effect) lines.push(node("p", {}, `Effect: ${effect}`));
        if (fix) lines.push(node("p", {}, `Fix: ${fix}`));
        return node("li", { className: `finding ${severity}` }, ...lines);
    };
    return node("ul", { className: "findings" }, ...findings.map(item));
}

/** All tables of a file. */
function describedFile(name, { info, findings }) {
    const seconds = (value) => `${value.toFixed(3)} s`;
    const material = (number) => (number === null ? "–" : info.materials[number]?.name || String(number));
    return [
        node("h1", {}, name),
        facts(info),
        heading("Findings", findings.length), findingsList(findings),
        ...table("Meshes", info.meshes, [
            ["Name", ({ name }, at) => name || `mesh ${at}`], ["Vertices", ({ vertices }) => vertices], ["Triangles", ({ triangles }) => triangles],
            ["Most influences", ({ max_influences: most }) => most],
            ["Materials", ({ subsets }) => [...new Set(subsets.map((subset) => material(subset.material)))].join(", ")],
        ]),
        ...table("Materials", info.materials, [["Name", ({ name }, at) => name || `material ${at}`], ["Textures", ({ textures }) => textures.join(", ") || "–"]]),
        ...table("Clips", info.clips, [
            ["Name", ({ name }, at) => name || `clip ${at}`], ["Start", ({ start_secs: start }) => seconds(start)],
            ["Duration", ({ duration_secs: duration }) => seconds(duration)], ["Keys", ({ keys }) => keys],
        ]),
        ...table("Bones", info.bones, [
            ["Number", (_, at) => at], ["Name", ({ name }) => name], ["Parent", ({ parent }) => (parent === null ? "–" : info.bones[parent]?.name)],
            ["Kind", ({ kind }) => kind ?? "bone"],
        ]),
    ];
}

const SECONDARY_FILES = /\.(png|jpe?g|webp|bmp|tga|dds|ktx2?|basis|bin|mtl|txt|json|md)$/i;

/** The file to open among `files`: the first that doesn't look like a related file. */
function mainFile(files) {
    const named = files.filter(({ word }) => word);
    return named.find(({ path, isFolder }) => isFolder || !SECONDARY_FILES.test(path)) ?? named[0];
}

/** The summary and the findings of `files`. */
function descriptionOf(files) {
    const main = mainFile(files);
    const others = files.filter((file) => file !== main && file.word !== "compare");
    // Files of a folder come first, because its largest model is chosen among them.
    const related = others.map((file) => ({ ...file, word: file.word && !main.isFolder ? "with" : undefined }));
    const ordered = main.isFolder ? [...related, main] : [main, ...related];
    return { name: main.path.split("/").pop(), ...JSON.parse(describe({ files: ordered })) };
}

/** Shows tables and findings instead of the window, and lets the user open other files. */
async function runWithoutView(module, files, problem) {
    await init({ module_or_path: module });
    addTableStyles();
    document.getElementById("rigscope").hidden = true;
    document.body.classList.add("without-view");
    const content = node("div", {});
    const show = async (files) => {
        if (files.length === 0) return;
        showMessage("Reading files…");
        // The message appears before the program blocks the page.
        await new Promise((resolve) => { setTimeout(resolve, 50); });
        try {
            const described = descriptionOf(files);
            document.title = `${described.name} — Rigscope`;
            content.replaceChildren(...describedFile(described.name, described));
        } catch (error) {
            content.replaceChildren(node("p", { className: "notice error", role: "alert" }, String(error.message || error)));
        }
        showMessage("");
    };
    const open = node("button", { type: "button", onclick: () => pickFiles("", true, show) }, "Open files…");
    const opener = node("div", { className: "opener" }, open, "or drop files or a folder here. They stay on this machine.");
    const notice = `${problem} Without it, this page shows the tables and findings of a file. The desktop program doesn't need WebGPU.`;
    const main = node("main", { className: "tables" }, node("p", { className: "notice", id: "no-webgpu" }, notice), opener, content);
    document.body.append(main);
    listenForDrops(show);
    await show(files);
    showMessage("");
}
