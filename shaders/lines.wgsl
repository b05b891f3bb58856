// Lines of the file that belong to no triangle, of even width on the screen, in the colours of their
// vertices: six vertices a line, whose ends lie in the indices after those of the triangles.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<storage, read> skinned: array<SkinnedVertex>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> draws: array<Draw>;
// One a vertex, for colourings that want them: counts, values or colours.
@group(1) @binding(3) var<storage, read> vertex_values: array<u32>;

const WIDTH_POINTS: f32 = 2.0;
// A line is picked this near to its middle: nobody can click on two points.
const REACH_POINTS: f32 = 3.5;
// Smallest clip w of a line's end: what lies behind the eye is cut off.
const NEAREST_W: f32 = 1e-6;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) across_px: f32,
    @location(1) along: f32, // 0 where the line begins, 1 where it ends
    @location(2) color: vec4f,
    @location(3) @interpolate(flat) draw: u32,
    @location(4) @interpolate(flat) ends: vec2u,
}

// The colour of vertex `at` of all meshes, straight alpha.
fn color_at(draw: Draw, at: u32) -> vec4f {
    var color = draw_color(draw);
    if frame.coloring == COLORING_HEAT {
        let value = bitcast<f32>(vertex_values[at]);
        color = vec4f(heat(value, frame.paint_low, frame.paint_high), 1.0);
    } else if frame.coloring == COLORING_COLORS {
        color = vec4f(color_from_srgb8(vertex_values[at]).rgb, 1.0);
    } else if frame.coloring == COLORING_INFLUENCE_COUNTS {
        let count = min(vertex_values[at], 5u);
        let few = vec3f(vec3u(count) == vec3u(0u, 1u, 2u));
        let many = vec3f(vec3u(count) == vec3u(3u, 4u, 5u));
        color = vec4f(influence_color(few, many), 1.0);
    } else if (draw.flags & DRAW_COLORED) != 0u {
        color = tinted(color, draw, vertex_values[at]);
    }
    return color;
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> Varying {
    let draw = draws[instance];
    let line = draw.first_index + index / 6u * 2u;
    let ends = vec2u(indices[line], indices[line + 1u]);
    let clip_from_file = frame.clip_from_world * frame.world_from_file;
    let first = vec2u(draw.first_vertex) + ends;
    var start = clip_from_file * vec4f(skinned[first.x].position, 1.0);
    var end = clip_from_file * vec4f(skinned[first.y].position, 1.0);
    var out: Varying;
    out.draw = instance;
    out.ends = ends;
    if start.w < NEAREST_W && end.w < NEAREST_W {
        out.clip = vec4f(0.0, 0.0, -1.0, 1.0);
        return out;
    }
    // What part of the line is before the eye.
    var part = vec2f(0.0, 1.0);
    let whole = end.w - start.w;
    if start.w < NEAREST_W {
        part.x = (NEAREST_W - start.w) / whole;
        start = mix(start, end, part.x);
    } else if end.w < NEAREST_W {
        part.y = (NEAREST_W - start.w) / whole;
        end = mix(start, end, part.y);
    }
    let corner = quad_corner(index % 6u);
    let half_size = frame.viewport_px * 0.5;
    let along_px = (end.xy / end.w - start.xy / start.w) * half_size;
    let direction = along_px / max(length(along_px), 1e-6);
    // Wide enough to be picked; one pixel more for the soft edge.
    out.across_px = corner.y * (REACH_POINTS * frame.pixels_per_point + 1.0);
    let offset_px = vec2f(-direction.y, direction.x) * out.across_px;
    let is_end = corner.x > 0.0;
    let at = select(start, end, is_end);
    out.along = select(part.x, part.y, is_end);
    out.color = mix(color_at(draw, first.x), color_at(draw, first.y), out.along);
    out.color = vec4f(mix(out.color.rgb, ACCENT, draw.color.a), max(out.color.a, draw.color.a));
    out.clip = vec4f(
        at.xy + offset_px / half_size * at.w,
        at.z * frame.depth_pull_factor + at.w * frame.depth_pull_offset,
        at.w,
    );
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
fn id_main(in: Varying) -> @location(0) vec2u {
    if abs(in.across_px) > REACH_POINTS * frame.pixels_per_point {
        discard;
    }
    // A line is told by its nearer end.
    return vec2u((in.draw << 2u) | ID_POINT, select(in.ends.x, in.ends.y, in.along > 0.5));
}
