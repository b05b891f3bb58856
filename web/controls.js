// The controls of an embedded page (embed.html): playback, clip, time, findings, full screen.
//
// For: HTML controls and their state. Not for: messages to the outer page (embedded.js).

const controls = {
    /** The document that is shown; null before one is. */
    document: null,
    state: { clip: null, time: 0, playing: false, select: "" },
    /** Whether playback continues at the end of a drag on the time slider. */
    resumes: false,
};

const part = (id) => document.getElementById(id);
const shownClip = () => controls.document?.clips[controls.state.clip];

/** Connects the controls: `request` passes requests to the program, and `describe` resolves to the findings. */
function startControls(request, describe) {
    part("play").onclick = () => request({ playing: !controls.state.playing });
    part("clip").onchange = ({ target }) => request({ clip: target.value, playing: controls.state.playing });
    part("time").oninput = ({ target }) => {
        controls.resumes ||= controls.state.playing;
        request({ time: (shownClip()?.start ?? 0) + Number(target.value) });
    };
    part("time").onchange = () => {
        if (controls.resumes) request({ playing: true });
        controls.resumes = false;
    };
    part("fullscreen").onclick = () => {
        if (document.fullscreenElement) document.exitFullscreen();
        else document.documentElement.requestFullscreen().catch((error) => console.warn("full screen:", error.message));
    };
    part("fullscreen").hidden = !document.fullscreenEnabled;
    part("findings-button").onclick = () => showFindings(part("findings").hidden, describe);
    part("findings-close").onclick = () => showFindings(false, describe);
    part("findings").onkeydown = (event) => { if (event.key === "Escape") showFindings(false, describe); };
}

/** Shows the controls for a document. */
function controlDocument(shown) {
    controls.document = shown;
    const { clips } = shown;
    part("clip").replaceChildren(...clips.map(({ name }, at) => node("option", { value: String(at) }, name || `clip ${at}`)));
    part("clip").hidden = clips.length < 2;
    part("facts").textContent = `${formatNumber(shown.vertices)} vertices · ${formatNumber(shown.triangles)} triangles · ${formatNumber(shown.bones)} bones`;
    part("findings").hidden = true;
    part("findings-button").hidden = false;
    part("findings-button").setAttribute("aria-expanded", "false");
    countFindings(null);
    controlState(controls.state);
}

/** Updates the controls to the state of the playback. */
function controlState(state) {
    controls.state = state;
    const clip = shownClip();
    const canPlay = Boolean(clip && clip.duration > 0);
    for (const id of ["play", "time", "clock"]) part(id).hidden = !canPlay;
    part("facts").hidden = canPlay;
    if (clip) part("clip").value = String(state.clip);
    if (!canPlay) return;
    part("play").classList.toggle("playing", state.playing);
    part("play").setAttribute("aria-label", state.playing ? "Pause" : "Play");
    const time = Math.max(state.time - clip.start, 0);
    const text = `${time.toFixed(2)} / ${clip.duration.toFixed(2)} s`;
    const slider = part("time");
    slider.max = String(clip.duration);
    slider.value = String(time);
    slider.setAttribute("aria-valuetext", `${time.toFixed(2)} of ${clip.duration.toFixed(2)} seconds`);
    part("clock").textContent = text;
}

/** Shows the number of findings on their button; null if it isn't known yet. */
function countFindings(findings) {
    const button = part("findings-button");
    const worst = ["error", "warning", "info"].find((name) => findings?.some(({ severity }) => severity === name));
    button.className = worst ?? (findings ? "none" : "");
    button.textContent = findings ? `Findings (${findings.length})` : "Findings";
    // Narrow bars show only the colour.
    button.setAttribute("aria-label", button.textContent);
}

async function showFindings(isOpen, describe) {
    part("findings").hidden = !isOpen;
    part("findings-button").setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return part("findings-button").focus();
    part("findings").focus();
    part("findings-list").replaceChildren("Checking the file…");
    try {
        const { findings } = await describe();
        part("findings-list").replaceChildren(findingsList(findings));
    } catch (error) {
        part("findings-list").replaceChildren(String(error.message || error));
    }
}
