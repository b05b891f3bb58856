// Vertices as round dots of a fixed size on screen: a light core in a dark rim, to be seen on
// anything. Drawn for vertices themselves or for the corners of a range of triangles.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<storage, read> skinned: array<SkinnedVertex>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> draws: array<Draw>;
// One a vertex, for colourings that want them: counts, values or colours.
@group(1) @binding(3) var<storage, read> vertex_values: array<u32>;

const RADIUS_POINTS: f32 = 2.2;
const RIM_POINTS: f32 = 0.8;
const CORE: vec3f = vec3f(0.72, 0.86, 1.0);
const RIM: vec3f = vec3f(0.01, 0.015, 0.03);

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) offset_px: vec2f,
    @location(1) @interpolate(flat) core: vec4f, // straight alpha
    @location(2) @interpolate(flat) draw: u32,
    @location(3) @interpolate(flat) vertex: u32,
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) draw: u32,
) -> Varying {
    let at = draws[draw].first_index + index / 6u;
    var vertex_index = at;
    if draws[draw].index_bytes == 2u {
        vertex_index = extractBits(indices[at >> 1u], (at & 1u) * 16u, 16u);
    } else if draws[draw].index_bytes == 4u {
        vertex_index = indices[at];
    }
    let vertex = skinned[draws[draw].first_vertex + vertex_index];
    var clip = frame.clip_from_world * frame.world_from_file * vec4f(vertex.position, 1.0);
    let offset_px = quad_corner(index % 6u) * (RADIUS_POINTS * frame.pixels_per_point + 1.0);
    clip = vec4f(
        clip.xy + offset_px * 2.0 / frame.viewport_px * clip.w,
        clip.z * frame.depth_pull_factor + clip.w * frame.depth_pull_offset,
        clip.w,
    );
    var core = vec4f(CORE, 1.0);
    let value_at = draws[draw].first_vertex + vertex_index;
    if frame.coloring == COLORING_HEAT {
        let value = bitcast<f32>(vertex_values[value_at]);
        core = vec4f(heat(value, frame.paint_low, frame.paint_high), 1.0);
    } else if frame.coloring == COLORING_COLORS {
        core = vec4f(color_from_srgb8(vertex_values[value_at]).rgb, 1.0);
    } else if frame.coloring == COLORING_INFLUENCE_COUNTS {
        let count = min(vertex_values[value_at], 5u);
        let few = vec3f(vec3u(count) == vec3u(0u, 1u, 2u));
        let many = vec3f(vec3u(count) == vec3u(3u, 4u, 5u));
        core = vec4f(influence_color(few, many), 1.0);
    } else if (draws[draw].flags & DRAW_OWN_DOTS) != 0u {
        core = draw_color(draws[draw]);
        if (draws[draw].flags & DRAW_COLORED) != 0u {
            core = tinted(core, draws[draw], vertex_values[value_at]);
        }
    }
    let selected = draws[draw].color.a;
    core = vec4f(mix(core.rgb, ACCENT, selected), max(core.a, selected));
    return Varying(clip, offset_px, core, draw, vertex_index);
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let distance_px = length(in.offset_px);
    let radius_px = RADIUS_POINTS * frame.pixels_per_point;
    let alpha = in.core.a * coverage(distance_px - radius_px);
    let core = coverage(distance_px - (radius_px - RIM_POINTS * frame.pixels_per_point));
    return vec4f(mix(RIM, in.core.rgb, core) * alpha, alpha);
}

@fragment
fn id_main(in: Varying) -> @location(0) vec2u {
    if length(in.offset_px) > RADIUS_POINTS * frame.pixels_per_point {
        discard;
    }
    return vec2u((in.draw << 2u) | ID_POINT, in.vertex);
}
