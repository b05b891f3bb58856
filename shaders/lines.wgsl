// Loose lines of the file, of constant width on the screen, in the colours of their vertices: six vertices
// per line. Their indices follow those of the triangles.

const WIDTH_POINTS: f32 = 2.0;
// Lines are picked within this distance, since two points would be too thin to click on.
const REACH_POINTS: f32 = 3.5;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) across_px: f32,
    @location(1) along: f32, // 0 at the start, 1 at the end
    @location(2) color: vec4f,
    @location(3) @interpolate(flat) draw: u32,
    @location(4) @interpolate(flat) ends: vec2u,
}

// The colour of vertex `at` in the group, straight alpha.
fn color_at(draw: Draw, at: u32) -> vec4f {
    return value_color(draw.color, draw, at, (draw.flags & DRAW_COLORED) != 0u);
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> Varying {
    let draw = draws[instance];
    let first_end = index / 6u * 2u;
    let ends = vec2u(pulled_index(draw, first_end), pulled_index(draw, first_end + 1u));
    let clip_from_file = frame.clip_from_world * frame.world_from_file;
    let first = vec2u(draw.first_vertex) + ends;
    let line = clipped_line(
        clip_from_file * vec4f(position_of(first.x), 1.0),
        clip_from_file * vec4f(position_of(first.y), 1.0),
    );
    var out: Varying;
    out.draw = instance;
    out.ends = ends;
    if !line.is_visible {
        out.clip = OUTSIDE;
        return out;
    }
    let corner = quad_corner(index % 6u);
    // Wide enough for picking, plus a pixel for the soft edge.
    out.across_px = corner.y * (REACH_POINTS * frame.pixels_per_point + 1.0);
    let is_end = corner.x > 0.0;
    out.along = select(line.part.x, line.part.y, is_end);
    out.color = mix(color_at(draw, first.x), color_at(draw, first.y), out.along);
    out.clip = pulled(beside_line(line, is_end, out.across_px));
    return out;
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let half_width_px = 0.5 * WIDTH_POINTS * frame.pixels_per_point;
    let alpha = in.color.a * coverage(abs(in.across_px) - half_width_px);
    if alpha <= 0.0 {
        discard;
    }
    return vec4f(in.color.rgb * alpha, alpha);
}

@fragment
fn mask_main(in: Varying) -> @location(0) vec4f {
    return vec4f(coverage(abs(in.across_px) - 0.5 * WIDTH_POINTS * frame.pixels_per_point));
}

@fragment
fn id_main(in: Varying) -> @location(0) vec2u {
    if abs(in.across_px) > REACH_POINTS * frame.pixels_per_point {
        discard;
    }
    // A line is picked by its nearer end.
    return vec2u((in.draw << 2u) | ID_POINT, select(in.ends.x, in.ends.y, in.along > 0.5));
}
