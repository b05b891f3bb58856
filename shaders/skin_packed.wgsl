// Skins packed vertices, in the layout of their file: one invocation per vertex.
// Keep in sync with crates/core/src/model/packed.rs and crates/core/src/pose/skin.rs.

struct SkinInput {
    num_vertices: u32,
    first_vertex: u32, // in the buffer of skinned vertices
    first_slot: u32,   // in the palette
    num_slots: u32,
    is_rigid: u32,     // the first slot moves all vertices
    row_length: u32,   // invocations in one row of workgroups
    // 4. Not a constant, so that compilers don't unroll the loop, which doubles the startup time of
    // software drivers.
    num_influences: u32,
    normal_matrix: u32, // one of NORMAL_MATRIX_*
}

struct PackedVertex {
    position: vec3f,
    normal: u32,  // snorm 10-10-10-2
    tangent: u32, // the same; w is the bitangent sign
    uv: u32,      // 2 x unorm16, v down
    bones: u32,   // 4 x u8
    weights: u32, // 4 x unorm8
}

struct Rows {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

@group(0) @binding(0) var<uniform> skin: SkinInput;
// Two per vertex, read four words at a time, since software adapters execute one lookup per read.
@group(0) @binding(1) var<storage, read> vertices: array<vec4u>;
@group(0) @binding(2) var<storage, read> palette: array<Rows>;
@group(0) @binding(3) var<storage, read_write> skinned: array<vec4f>;

fn packed_vertex(index: u32) -> PackedVertex {
    let a = vertices[2u * index];
    let b = vertices[2u * index + 1u];
    return PackedVertex(bitcast<vec3f>(a.xyz), a.w, b.x, b.y, b.z, b.w);
}

// x, y, z to -1..1 and w to -1, 0 or 1: two's complement fields from the low bits up.
fn unpack_snorm1010102(word: u32) -> vec4f {
    let xyz = vec3i(
        extractBits(i32(word), 0u, 10u),
        extractBits(i32(word), 10u, 10u),
        extractBits(i32(word), 20u, 10u),
    );
    let w = extractBits(i32(word), 30u, 2u);
    return vec4f(max(vec3f(xyz) / 511.0, vec3f(-1.0)), max(f32(w), -1.0));
}

fn byte_at(word: u32, index: u32) -> u32 {
    return extractBits(word, index * 8u, 8u);
}

// The weighted sum of the vertex's matrices. Weights are normalized; if all are zero, only the first bone
// moves the vertex.
fn blended(vertex: PackedVertex) -> Rows {
    if skin.is_rigid != 0u {
        return palette[skin.first_slot];
    }
    let w = vertex.weights;
    let sum = byte_at(w, 0u) + byte_at(w, 1u) + byte_at(w, 2u) + byte_at(w, 3u);
    let weights = select(w, 1u, sum == 0u);
    let scale = 1.0 / f32(max(sum, 1u));
    var matrix = Rows(vec4f(0.0), vec4f(0.0), vec4f(0.0));
    for (var i = 0u; i < skin.num_influences; i++) {
        let raw = byte_at(weights, i);
        let bone = byte_at(vertex.bones, i);
        if raw > 0u && bone < skin.num_slots {
            let weight = f32(raw) * scale;
            let m = palette[skin.first_slot + bone];
            matrix.x += m.x * weight;
            matrix.y += m.y * weight;
            matrix.z += m.z * weight;
        }
    }
    return matrix;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = id.y * skin.row_length + id.x;
    if index >= skin.num_vertices {
        return;
    }
    let vertex = packed_vertex(index);
    let m = blended(vertex);
    let position = vec4f(vertex.position, 1.0);
    let normal = unpack_snorm1010102(vertex.normal).xyz;
    let tangent = unpack_snorm1010102(vertex.tangent);

    let by = skin.normal_matrix;
    let normal_turned = turned_normal(by, m.x.xyz, m.y.xyz, m.z.xyz, normal);
    let tangent_turned = turned_tangent(by, m.x.xyz, m.y.xyz, m.z.xyz, tangent.xyz);

    var out: SkinnedVertex;
    out.position = vec3f(dot(m.x, position), dot(m.y, position), dot(m.z, position));
    out.u = f32(vertex.uv & 0xffffu) / 65535.0;
    out.normal = unit_or_zero(normal_turned);
    out.v = f32(vertex.uv >> 16u) / 65535.0;
    out.tangent = vec4f(unit_or_zero(tangent_turned), tangent.w);
    store(skin.first_vertex + index, out);
}
