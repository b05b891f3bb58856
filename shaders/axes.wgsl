// The compass in the lower left corner: x red, y green, z blue, with letters. The negative ends are plain
// dots. One instance per end: 6 vertices of its line, then 6 of its dot.

const ARM_POINTS: f32 = 30.0;
const DOT_POINTS: f32 = 8.0;
const SMALL_DOT_POINTS: f32 = 4.0;
const MARGIN_POINTS: f32 = 46.0;
const LINE_POINTS: f32 = 2.0;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) offset_points: vec2f, // from the dot's centre, y up
    @location(1) @interpolate(flat) end: u32,
    @location(2) @interpolate(flat) is_line: u32,
}

fn end_color(end: u32) -> vec3f {
    switch end % 3u {
        case 0u: { return vec3f(0.80, 0.06, 0.08); }
        case 1u: { return vec3f(0.16, 0.55, 0.04); }
        default: { return vec3f(0.04, 0.22, 0.85); }
    }
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) end: u32,
) -> Varying {
    let direction = vec3f(f32(end % 3u == 0u), f32(end % 3u == 1u), f32(end % 3u == 2u))
        * select(1.0, -1.0, end >= 3u);
    let in_view = (frame.view_from_world * vec4f(direction, 0.0)).xyz;
    let tip = in_view.xy * ARM_POINTS;
    let is_line = index < 6u;
    let corner = quad_corner(index % 6u);
    var offset = vec2f(0.0);
    var at = vec2f(0.0);
    if is_line {
        let along = tip / max(length(tip), 1e-3);
        // Negative ends have no line: all six corners coincide.
        let across = vec2f(-along.y, along.x) * corner.y * LINE_POINTS * select(0.5, 0.0, end >= 3u);
        at = select(vec2f(0.0), tip, corner.x > 0.0) * select(1.0, 0.0, end >= 3u) + across;
    } else {
        offset = corner * (DOT_POINTS + 1.0);
        at = tip + offset;
    }
    let from_corner_px = (vec2f(MARGIN_POINTS) + at) * frame.pixels_per_point;
    let ndc = from_corner_px * 2.0 / frame.viewport_px - 1.0;
    // Nearer ends cover farther ones; a line is just behind its own dot.
    let depth = 0.5 + 0.45 * in_view.z * select(1.0, 0.5, is_line);
    return Varying(vec4f(ndc, depth, 1.0), offset, end, u32(is_line));
}

fn segment(p: vec2f, a: vec2f, b: vec2f) -> f32 {
    let along = clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
    return length(p - a - (b - a) * along);
}

// Distance to the strokes of an axis letter, which is about 6 points high.
fn letter(p: vec2f, axis: u32) -> f32 {
    switch axis {
        case 0u: {
            return min(
                segment(p, vec2f(-2.2, -3.0), vec2f(2.2, 3.0)),
                segment(p, vec2f(-2.2, 3.0), vec2f(2.2, -3.0)),
            );
        }
        case 1u: {
            let stem = segment(p, vec2f(0.0, -3.0), vec2f(0.0, 0.0));
            return min(stem, segment(vec2f(abs(p.x), p.y), vec2f(0.0, 0.0), vec2f(2.2, 3.0)));
        }
        default: {
            let bars = segment(vec2f(p.x, abs(p.y)), vec2f(-2.1, 3.0), vec2f(2.1, 3.0));
            return min(bars, segment(p, vec2f(-2.1, -3.0), vec2f(2.1, 3.0)));
        }
    }
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let color = end_color(in.end);
    if in.is_line != 0u {
        return vec4f(color, 1.0);
    }
    let is_positive = in.end < 3u;
    let radius = select(SMALL_DOT_POINTS, DOT_POINTS, is_positive);
    let alpha = coverage((length(in.offset_points) - radius) * frame.pixels_per_point);
    if alpha <= 0.0 {
        discard;
    }
    if !is_positive {
        return vec4f(color * 0.45 * alpha, alpha);
    }
    let ink = coverage((letter(in.offset_points, in.end) - 0.7) * frame.pixels_per_point);
    return vec4f(mix(color, vec3f(0.0), ink * 0.85) * alpha, alpha);
}
