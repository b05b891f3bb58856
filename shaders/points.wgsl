// Vertices as round dots of a fixed size on the screen: a light core with a dark rim, visible on any
// background. Drawn for all vertices or for the corners of a range of triangles.

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
    let vertex_index = pulled_index(draws[draw], index / 6u);
    let value_at = draws[draw].first_vertex + vertex_index;
    let middle = frame.clip_from_world * frame.world_from_file * vec4f(position_of(value_at), 1.0);
    let offset_px = quad_corner(index % 6u) * (RADIUS_POINTS * frame.pixels_per_point + 1.0);
    let offset = offset_px * 2.0 / frame.viewport_px * middle.w;
    let clip = pulled(vec4f(middle.xy + offset, middle.zw));
    let flags = draws[draw].flags;
    let is_own = (flags & DRAW_OWN_DOTS) != 0u;
    let is_tinted = is_own && (flags & DRAW_COLORED) != 0u;
    let usual = select(vec4f(CORE, 1.0), draws[draw].color, is_own);
    let core = value_color(usual, draws[draw], value_at, is_tinted);
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
fn mask_main(in: Varying) -> @location(0) vec4f {
    return vec4f(coverage(length(in.offset_px) - RADIUS_POINTS * frame.pixels_per_point));
}

@fragment
fn id_main(in: Varying) -> @location(0) vec2u {
    if length(in.offset_px) > RADIUS_POINTS * frame.pixels_per_point {
        discard;
    }
    return vec2u((in.draw << 2u) | ID_POINT, in.vertex);
}
