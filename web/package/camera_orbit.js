// Camera orbits in the notation of model-viewer: "45deg 75deg 2m", which are theta (around the vertical axis), phi (down
// from the top) and the radius (distance to the centre of the model).

const ANGLE_UNITS = { deg: Math.PI / 180, rad: 1 };
const LENGTH_UNITS = { m: 1, cm: 0.01, mm: 0.001 };

/** A number in one of the `units`; undefined for "auto". */
function orbitTerm(text, units) {
    if (text === "auto") return undefined;
    const [, number, unit] = text.match(/^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/i) ?? [];
    const value = Number(number) * units[unit];
    if (!Number.isFinite(value)) throw new Error(`'${text}' must be a number with one of the units ${Object.keys(units).join(", ")}, or auto`);
    return value;
}

/** The orbit that `text` describes: angles in radians, `radius` in metres or `zoom` as a multiple of the distance that
 * shows the whole model. Missing fields are automatic. */
function parseOrbit(text) {
    const terms = text.trim().split(/\s+/).filter(Boolean);
    try {
        if (terms.length > 3) throw new Error(`${terms.length} values instead of 3`);
        const [theta = "auto", phi = "auto", radius = "auto"] = terms;
        const length = radius.endsWith("%") ? "zoom" : "radius";
        return {
            theta: orbitTerm(theta, ANGLE_UNITS),
            phi: orbitTerm(phi, ANGLE_UNITS),
            [length]: orbitTerm(radius, { ...LENGTH_UNITS, "%": 0.01 }),
        };
    } catch (error) {
        throw new Error(`camera-orbit="${text}": ${error.message}`);
    }
}

/** The camera of a view, which can be assigned to `cameraOrbit`. */
function describedOrbit({ theta, phi, radius }) {
    return { theta, phi, radius, toString: () => `${theta}rad ${phi}rad ${radius}m` };
}
