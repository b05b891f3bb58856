// CSS colours as numbers.

/** Red, green, blue and alpha of a CSS colour, 0 to 1, in sRGB. `root` is a connected node, for inherited colours. */
function resolvedColor(root, color) {
    const probe = document.createElement("span");
    // Mixing resolves all notations to a single one.
    probe.style.color = `color-mix(in srgb, ${color} 100%, transparent)`;
    root.append(probe);
    const text = getComputedStyle(probe).color;
    probe.remove();
    const [, red, green, blue, alpha = "1"] = text.match(/^color\(srgb (\S+) (\S+) ([^\s)]+)(?: \/ ([^\s)]+))?\)$/) ?? [];
    return [red, green, blue, alpha].map((part) => Math.min(Math.max(Number(part) || 0, 0), 1));
}
