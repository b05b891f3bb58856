// The progress of a load, from its parts.

/** Weights of the parts: the program of the viewer, the model's files, and reading them. */
const LOAD_PARTS = { viewer: 0.3, files: 0.5, reading: 0.2 };

class LoadProgress {
    #report;
    #done = {};
    #weights = LOAD_PARTS;
    #total = 0;

    /** `report` is called with each new total, 0 to 1. */
    constructor(report) { this.#report = report; }

    /** Begins a load. Once the viewer runs, it no longer counts. */
    begin() {
        const { viewer } = this.#done;
        this.#done = { viewer };
        this.#weights = viewer === 1 ? { ...LOAD_PARTS, viewer: 0 } : LOAD_PARTS;
        this.#total = 0;
        this.#report(0);
    }

    /** Sets the finished share of a part. The total never decreases during a load. */
    set(part, share) {
        this.#done[part] = Math.max(this.#done[part] ?? 0, share);
        const names = Object.keys(this.#weights);
        const sum = names.reduce((sum, name) => sum + this.#weights[name], 0);
        // Below 1 until the model is shown.
        const total = Math.min(names.reduce((done, name) => done + this.#weights[name] * (this.#done[name] ?? 0), 0) / sum, 0.99);
        if (total <= this.#total) return;
        this.#total = total;
        this.#report(total);
    }

    /** The model is shown, or can't be. */
    end() {
        if (this.#total === 1) return;
        this.#total = 1;
        this.#report(1);
    }

    /** The viewer was removed, and has to be loaded again. */
    reset() { this.#done = {}; this.#total = 0; }
}
