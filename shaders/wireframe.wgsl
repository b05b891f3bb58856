// Anti-aliased triangle edges without the GPU's line primitives: each triangle is drawn again and keeps the
// pixels near its edges, found by barycentric coordinates.
// After "Two Methods for Antialiased Wireframe Drawing with Hidden Line Removal", Baerentzen et al., 2008,
// with screen derivatives instead of a geometry shader.

// Half the width of a line; the other half is in the neighbouring triangle.
const HALF_WIDTH_POINTS: f32 = 0.6;
// Triangles lower than this fade, so that dense meshes don't become solid.
const DENSE_POINTS: f32 = 5.0;
const DENSE_ALPHA: f32 = 0.25;

const OVER_SURFACE: vec4f = vec4f(0.012, 0.013, 0.016, 0.85);
const WITHOUT_SURFACE: vec3f = vec3f(0.62, 0.66, 0.72);

struct Varying {
    @invariant @builtin(position) clip: vec4f,
    @location(0) corner: vec3f, // barycentric
    @location(1) @interpolate(flat) draw: u32,
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) draw: u32,
) -> Varying {
    let position = position_of(draws[draw].first_vertex + pulled_index(draws[draw], index));
    let world = frame.world_from_file * vec4f(position, 1.0);
    let corner = index % 3u;
    var out: Varying;
    out.clip = frame.clip_from_world * world;
    out.corner = vec3f(f32(corner == 0u), f32(corner == 1u), f32(corner == 2u));
    out.draw = draw;
    return out;
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let dx = dpdx(in.corner);
    let dy = dpdy(in.corner);
    // The gradient of each coordinate: 1 over the triangle's height in pixels.
    let slope = max(sqrt(dx * dx + dy * dy), vec3f(1e-9));
    let distance_px = in.corner / slope;
    let nearest_px = min(distance_px.x, min(distance_px.y, distance_px.z));
    let height_px = 1.0 / max(slope.x, max(slope.y, slope.z));
    let line = coverage(nearest_px - HALF_WIDTH_POINTS * frame.pixels_per_point);
    let dense = clamp(height_px / (DENSE_POINTS * frame.pixels_per_point), DENSE_ALPHA, 1.0);
    var color = OVER_SURFACE;
    if (frame.flags & FRAME_SURFACE_SHOWN) == 0u {
        let has_color = (frame.flags & FRAME_SUBSET_COLORS) != 0u;
        color = vec4f(select(WITHOUT_SURFACE, draws[in.draw].color.rgb, has_color), 0.9);
    }
    let alpha = color.a * line * dense;
    return vec4f(color.rgb * alpha, alpha);
}
