// Number of influences per vertex with a weight above 0. Run once, when the counts are first shown.

struct CountInput {
    num_vertices: u32,
    first_vertex: u32, // in `counts`
    kind: u32,         // one of COUNT_*
    row_length: u32,   // invocations in one row of workgroups
    first_entry: u32,  // index in `influences` of the first entry
    stride: u32,       // words per entry; the second is the weight
    same: u32,         // count of every vertex, for COUNT_SAME
    padding: u32,
}

const COUNT_SAME: u32 = 0u;
const COUNT_ROWS: u32 = 1u;   // compressed rows, as `skin_streams.wgsl` reads them
const COUNT_PACKED: u32 = 2u; // packed vertices, as `skin_packed.wgsl` reads them

// Words of a packed vertex; the last holds four weights.
const PACKED_WORDS: u32 = 8u;

@group(0) @binding(0) var<uniform> mesh: CountInput;
@group(0) @binding(1) var<storage, read> influences: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

fn count_of(index: u32) -> u32 {
    switch mesh.kind {
        case COUNT_ROWS: {
            let begin = mesh.first_entry + influences[index] * mesh.stride;
            let end = mesh.first_entry + influences[index + 1u] * mesh.stride;
            var count = 0u;
            for (var at = begin; at < end; at += mesh.stride) {
                count += u32(bitcast<f32>(influences[at + 1u]) > 0.0);
            }
            return count;
        }
        case COUNT_PACKED: {
            let weights = influences[index * PACKED_WORDS + PACKED_WORDS - 1u];
            let bytes = (vec4u(weights) >> vec4u(0u, 8u, 16u, 24u)) & vec4u(0xffu);
            let is_used = vec4u(bytes > vec4u(0u));
            return is_used.x + is_used.y + is_used.z + is_used.w;
        }
        default: { return mesh.same; }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = id.y * mesh.row_length + id.x;
    if index < mesh.num_vertices {
        counts[mesh.first_vertex + index] = count_of(index);
    }
}
