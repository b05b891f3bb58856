// IDs of triangles: the draw, and the triangle within it. Pulls indices like wireframe.wgsl, since
// otherwise a vertex doesn't know its triangle.
// Keep in sync with crates/gpu/src/pass/ids.rs.

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) draw: u32,
    @location(1) @interpolate(flat) triangle: u32,
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) draw: u32,
) -> Varying {
    let position = position_of(draws[draw].first_vertex + pulled_index(draws[draw], index));
    let world = frame.world_from_file * vec4f(position, 1.0);
    return Varying(
        frame.clip_from_world * world,
        draw,
        index / 3u,
    );
}

@fragment
fn id_main(in: Varying) -> @location(0) vec2u {
    return vec2u((in.draw << 2u) | ID_TRIANGLE, in.triangle);
}
