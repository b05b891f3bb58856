// Images as pixels, and their differences.

import { createRequire } from "node:module";
import path from "node:path";

const { PNG } = createRequire(path.resolve(process.argv[3], "package.json"))("pngjs");

/** Width, height and RGBA of a PNG. */
export const pixels = (bytes) => PNG.sync.read(Buffer.from(bytes));

/** A grey PNG. */
export const image = (width, height) => PNG.sync.write(Object.assign(new PNG({ width, height }), { data: Buffer.alloc(4 * width * height, 128) }));

/** Parts of the window at 1280 by 800, as [x, y, width, height]. */
export const VIEW = [250, 64, 740, 380];
export const INSPECTOR = [1006, 60, 274, 590];
export const WHOLE = [0, 0, 1280, 800];

/** Limit of the mean difference between images of the page and of the native program. Wrong colours of a model are
 * about 1 % of the view. */
export const MOST_APART = 0.003;

/** Mean absolute difference of channels in an area, 0 to 1. */
export function difference(a, b, [left, top, width, height] = [0, 0, a.width, a.height]) {
    if (a.width !== b.width || a.height !== b.height) throw new Error(`${a.width}x${a.height} is not ${b.width}x${b.height}`);
    const [right, bottom] = [Math.min(left + width, a.width), Math.min(top + height, a.height)];
    let sum = 0;
    for (let y = top; y < bottom; y++) {
        for (let at = 4 * (y * a.width + left); at < 4 * (y * a.width + right); at++) sum += Math.abs(a.data[at] - b.data[at]);
    }
    return sum / (4 * (right - left) * (bottom - top)) / 255;
}

/** Share of an area's pixels that differ from their right neighbour, to detect an empty image. */
export function detail(image, [left, top, width, height] = [0, 0, image.width, image.height]) {
    let found = 0;
    for (let y = top; y < top + height; y++) {
        for (let x = left; x < left + width - 1; x++) {
            const at = 4 * (y * image.width + x);
            if ([0, 1, 2].some((channel) => Math.abs(image.data[at + channel] - image.data[at + 4 + channel]) > 8)) found += 1;
        }
    }
    return found / (width * height);
}
