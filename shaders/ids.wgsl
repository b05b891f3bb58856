// Which triangle is seen, by the number of its draw and its own number in the mesh. Indices are
// pulled as wireframe.wgsl does, since only so a vertex knows its triangle.
// Keep in sync with src/gpu/pass/ids.rs.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<storage, read> skinned: array<SkinnedVertex>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> draws: array<Draw>;

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
    let at = draws[draw].first_index + index;
    var vertex_index = indices[select(at, at >> 1u, draws[draw].index_bytes == 2u)];
    if draws[draw].index_bytes == 2u {
        vertex_index = extractBits(vertex_index, (at & 1u) * 16u, 16u);
    }
    let vertex = skinned[draws[draw].first_vertex + vertex_index];
    let world = frame.world_from_file * vec4f(vertex.position, 1.0);
    return Varying(
        frame.clip_from_world * world,
        draw,
        draws[draw].first_index / 3u + index / 3u,
    );
}

@fragment
fn id_main(in: Varying) -> @location(0) vec2u {
    return vec2u((in.draw << 2u) | ID_TRIANGLE, in.triangle);
}
