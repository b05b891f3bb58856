const [first, second] = document.querySelectorAll("rigscope-viewer");
const state = document.getElementById("state");
const secondState = document.getElementById("second-state");

first.addEventListener("loaded", async ({ detail }) => {
    const findings = await first.findings();
    state.textContent = `${detail.name}: ${detail.bones} bones, ${detail.clips.length} clips, ${findings.length} findings`;
});
for (const [viewer, line] of [[first, state], [second, secondState]]) {
    viewer.addEventListener("error", ({ detail }) => { line.textContent = detail.message; });
}

second.addEventListener("timechange", ({ detail }) => {
    secondState.textContent = `${detail.clip ?? "no clip"}, ${detail.time.toFixed(2)} s${detail.playing ? ", playing" : ""}`;
});
document.getElementById("toggle").addEventListener("click", () => { second.playing = !second.playing; });
document.getElementById("save").addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await second.screenshot());
    link.download = "model.png";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});
document.getElementById("file").addEventListener("change", ({ target }) => { second.model = [...target.files]; });
