// The poster of an element: an image that covers it until a model is shown, with a progress bar.

const POSTER_CSS = `
#poster { position: absolute; inset: 0; z-index: 1; pointer-events: none; transition: opacity .3s, visibility .3s; }
#poster.dismissed { opacity: 0; visibility: hidden; }
#poster img { position: absolute; width: 100%; height: 100%; object-fit: contain; }
#progress { position: absolute; width: 100%; height: 3px; background: #6cb2ff; transform-origin: left; }
@media (prefers-reduced-motion: reduce) { #poster { transition: none; } }
`;

class Poster {
    #root;
    #cover = null;
    #progress = 0;
    /** Address of the image that a model has replaced. The next model may have another one. */
    #dismissed = "";

    constructor(root) { this.#root = root; }

    /** Shows the image at `address` if the element is waiting for a model; an empty address is no image. */
    show(address, isWaiting) {
        if (!this.#cover && !address) return;
        this.#cover ??= this.#newCover();
        const image = this.#cover.querySelector("img");
        if (address && image.src !== address) image.src = address;
        this.#cover.classList.toggle("dismissed", !isWaiting || !address || address === this.#dismissed);
        this.progress = this.#progress;
    }

    /** A model is shown instead of the image at `address`. */
    dismiss(address) {
        this.#dismissed = address;
        this.show(address, false);
    }

    /** From 0 to 1. */
    set progress(share) {
        this.#progress = share;
        const bar = this.#cover?.querySelector("#progress");
        if (bar) bar.style.transform = `scaleX(${share})`;
    }

    #newCover() {
        const [cover, image, bar] = ["div", "img", "div"].map((name) => document.createElement(name));
        cover.id = cover.part = "poster";
        bar.id = bar.part = "progress";
        // The frame has the description.
        image.alt = "";
        cover.append(image, bar);
        this.#root.append(cover);
        return cover;
    }
}
