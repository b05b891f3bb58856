// In React and other JSX, declare the element once:
//
//     declare module "react" {
//         namespace JSX {
//             interface IntrinsicElements {
//                 "rigscope-viewer": React.DetailedHTMLProps<React.HTMLAttributes<RigscopeViewer> & RigscopeViewerAttributes, RigscopeViewer>;
//             }
//         }
//     }

/** A clip of the model. Times are in seconds. */
export interface RigscopeClip {
    name: string;
    start: number;
    duration: number;
}

/** The model that is shown. */
export interface RigscopeInfo {
    name: string;
    /** Id of the format, such as `gltf`. */
    format: string;
    vertices: number;
    triangles: number;
    bones: number;
    clips: RigscopeClip[];
    /** False without WebGPU: the element then shows tables and findings. */
    hasView: boolean;
}

/** A problem found in a file. */
export interface RigscopeFinding {
    /** Code of the rule, such as `blended-normals`. */
    code: string;
    severity: "error" | "warning" | "info";
    message: string;
    /** The affected part of the file, such as `meshes[0].vertices[415]`. */
    place: string;
    /** Number of affected places. */
    count: number;
    /** The effect on the image or on runtimes. */
    effect: string;
    fix: string;
}

export interface RigscopeTime {
    /** Name of the clip; null if the model has no clips. */
    clip: string | null;
    /** Time within the clip, in seconds. */
    time: number;
    playing: boolean;
}

export interface RigscopeError {
    message: string;
    /**
     * - `fetch`: a file can't be fetched.
     * - `model`: a file can't be read or drawn.
     * - `viewer`: the viewer can't start or has stopped.
     * - `request`: the model is shown, but a request isn't possible, such as for a clip that doesn't exist.
     */
    kind: "fetch" | "model" | "viewer" | "request";
}

export interface RigscopeProgress {
    /** From 0 to 1; 1 if the model is shown or can't be. */
    totalProgress: number;
}

/** A position of the camera around the model. */
export interface RigscopeOrbit {
    /** Angle around the vertical axis, in radians; 0 is the front. */
    theta: number;
    /** Angle down from the top, in radians. */
    phi: number;
    /** Distance to the centre of the orbit in metres, or in the file's unit if the file doesn't state it. */
    radius: number;
    /** A value for `cameraOrbit`. */
    toString(): string;
}

/** A file given as bytes. Without a name, the format is detected from the content. */
export type RigscopeFile = Blob | ArrayBuffer | ArrayBufferView | { name: string; data: Blob | ArrayBuffer | ArrayBufferView };

export interface RigscopeViewerEventMap {
    /** A model is shown. */
    loaded: CustomEvent<RigscopeInfo>;
    /** A model can't be shown, or a request isn't possible. */
    error: CustomEvent<RigscopeError>;
    /** Loading has progressed. */
    progress: CustomEvent<RigscopeProgress>;
    /** The selection has changed. */
    select: CustomEvent<{ select: string }>;
    /** The clip, the time or the playback state has changed; every frame during playback. */
    timechange: CustomEvent<RigscopeTime>;
}

/** Attributes of the element. */
export interface RigscopeViewerAttributes {
    src?: string;
    with?: string;
    clip?: string;
    time?: number | string;
    select?: string;
    autoplay?: boolean | "";
    controls?: "none" | "";
    loading?: "lazy" | "eager";
    poster?: string;
    "camera-orbit"?: string;
    background?: string;
}

export declare class RigscopeViewer extends HTMLElement {
    /** Address of the folder with embed.html. Set it before the first element is created if a bundler moves the module. */
    static base: string;

    /** Address of the model. */
    src: string;
    /** Addresses of related files, separated by spaces. */
    with: string;
    /** Name of the clip; the name or number of a clip can be set. */
    get clip(): string;
    set clip(value: string | number);
    /** Time within the clip, in seconds. */
    time: number;
    /** The selected item: `bone:NAME`, `vertex:NUMBER` or `subset:NUMBER`; empty for none. */
    select: string;
    /** Whether the clip plays after loading. */
    autoplay: boolean;
    /** `none` hides the controls. */
    controls: "none" | "";
    /** `lazy`, the default, loads when the element comes near the viewport. */
    loading: "lazy" | "eager";
    /** Address of an image that is shown until the model is. */
    poster: string;
    /** The requested camera as theta, phi and radius, such as `45deg 75deg 2m`; each may be `auto`. */
    cameraOrbit: string;
    /** A CSS colour behind the model, which may be translucent; empty for the viewer's own background. */
    background: string;
    playing: boolean;
    /** Files to show instead of `src`: the model, or the model and its related files. */
    model: RigscopeFile | RigscopeFile[] | null;
    /** The model that is shown; null before one is. */
    readonly info: RigscopeInfo | null;

    play(): void;
    pause(): void;
    /** The current camera; null before a model is shown. */
    getCameraOrbit(): RigscopeOrbit | null;
    /** The findings of the file's checks, most severe first. */
    findings(): Promise<RigscopeFinding[]>;
    /** The view as an image, without the controls. */
    screenshot(options?: { type?: "image/png" | "image/jpeg" | "image/webp" }): Promise<Blob>;

    addEventListener<K extends keyof RigscopeViewerEventMap>(type: K, listener: (this: RigscopeViewer, event: RigscopeViewerEventMap[K]) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof RigscopeViewerEventMap>>(type: K, listener: (this: RigscopeViewer, event: HTMLElementEventMap[K]) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<K extends keyof RigscopeViewerEventMap>(type: K, listener: (this: RigscopeViewer, event: RigscopeViewerEventMap[K]) => void, options?: boolean | EventListenerOptions): void;
    removeEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof RigscopeViewerEventMap>>(type: K, listener: (this: RigscopeViewer, event: HTMLElementEventMap[K]) => void, options?: boolean | EventListenerOptions): void;
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
    interface HTMLElementTagNameMap {
        "rigscope-viewer": RigscopeViewer;
    }
}
