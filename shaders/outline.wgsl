// Outlines: a ring around each mask, bright where the selection is visible and dimmer where it is hidden. A
// dark halo outside the ring separates it from the background; a dark line inside separates it from an
// orange surface. Pixels covered by a mask don't change.
// Only tiles that a ring can touch are drawn. A first pass, which reads each pixel of the masks once, finds
// them.

// Coverage of the selected part (all of it, its visible area), and of the hovered part.
@group(1) @binding(0) var masks: texture_2d<f32>;
// One texel per tile: largest and smallest coverage of the selected and of the hovered part.
@group(1) @binding(1) var tiles: texture_2d<f32>;
@group(1) @binding(2) var linear: sampler;

// Keep in sync with crates/core/src/visual/outlined.rs.
const SELECTED: vec3f = vec3f(1.00, 0.36, 0.04);
const HOVERED: vec3f = vec3f(0.90, 0.92, 0.95);

// Opacity around hidden parts, of the halo, and of the line inside the ring.
const HIDDEN: f32 = 0.40;
const HALO: f32 = 0.55;
const GAP: f32 = 0.90;

// A ring is at most four points wide, so with tiles of eight points it only touches neighbouring tiles.
// Keep in sync with crates/gpu/src/outline.rs.
fn tile_px() -> u32 {
    return max(8u, u32(ceil(8.0 * frame.pixels_per_point)));
}

@vertex
fn vertex_tiles(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering(index), 0.0, 1.0);
}

@fragment
fn fragment_tiles(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let first = vec2u(at.xy) * tile_px();
    let end = min(first + tile_px(), textureDimensions(masks));
    var most = vec2f(0.0);
    var least = vec2f(1.0);
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            let covered = textureLoad(masks, vec2u(x, y), 0).xz;
            most = max(most, covered);
            least = min(least, covered);
        }
    }
    return vec4f(most.x, least.x, most.y, least.y);
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> @builtin(position) vec4f {
    let size = textureDimensions(masks);
    let num = (size + tile_px() - 1u) / tile_px();
    let tile = vec2u(instance % num.x, instance / num.x);
    var most = vec2f(0.0);
    let last = min(tile + 1u, num - 1u);
    for (var y = max(tile.y, 1u) - 1u; y <= last.y; y++) {
        for (var x = max(tile.x, 1u) - 1u; x <= last.x; x++) {
            most = max(most, textureLoad(tiles, vec2u(x, y), 0).xz);
        }
    }
    let least = textureLoad(tiles, tile, 0).yw;
    if !any((most > vec2f(0.0)) & (least < vec2f(1.0))) {
        return OUTSIDE;
    }
    let corner = vec2f(tile) + quad_corner(index) * 0.5 + 0.5;
    let share = corner * f32(tile_px()) / vec2f(size);
    return vec4f(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0, 0.0, 1.0);
}

// The maximum of the masks on a circle around a pixel.
fn around(at_px: vec2f, radius_points: f32, num: u32) -> vec4f {
    let size = vec2f(textureDimensions(masks));
    let radius_px = radius_points * frame.pixels_per_point;
    var most = vec4f(0.0);
    for (var step = 0u; step < num; step++) {
        let turn = (f32(step) + 0.5) / f32(num) * 6.28318531;
        let there = at_px + vec2f(cos(turn), sin(turn)) * radius_px;
        most = max(most, textureSampleLevel(masks, linear, there / size, 0.0));
    }
    return most;
}

// A ring of a dark line, a line of `color` and a halo, premultiplied. Each argument has the coverage of the
// whole mask and of its visible part: in the pixel, and in the reach of each line.
fn ring(color: vec3f, own: vec2f, gap: vec2f, line: vec2f, halo: vec2f) -> vec4f {
    let in_gap = max(gap.y, gap.x * HIDDEN) * GAP;
    let in_line = max(line.y, line.x * HIDDEN) * (1.0 - in_gap);
    let in_halo = max(halo.y, halo.x * HIDDEN) * HALO;
    let dark = in_gap + in_halo * (1.0 - in_gap - in_line);
    return vec4f(color * in_line, in_line + dark) * (1.0 - own.x);
}

@fragment
fn fragment_main(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let own = textureLoad(masks, vec2u(at.xy), 0);
    let one = max(own, around(at.xy, 1.0, 8u));
    let two = max(one, around(at.xy, 2.0, 16u));
    let three = max(two, around(at.xy, 2.75, 20u));
    let four = max(three, around(at.xy, 3.75, 24u));
    let selected = ring(SELECTED, own.xy, one.xy, three.xy, four.xy);
    let hovered = ring(HOVERED, own.zw, vec2f(0.0), one.zw, two.zw);
    return selected + hovered * (1.0 - selected.a);
}
