// Skins vertices of any kind, one invocation per vertex: full precision, any number of influences, dual
// quaternions, bone-local influences, morph targets, vertex animations.
// Keep in sync with crates/core/src/pose/skin.rs, crates/core/src/pose/morph.rs and
// crates/core/src/pose/dual_quaternion.rs.

struct StreamInput {
    num_vertices: u32,
    first_vertex: u32, // in the buffer of skinned vertices
    first_slot: u32,   // in the palette
    num_slots: u32,
    kind: u32,         // one of STREAMS_*
    row_length: u32,   // invocations in one row of workgroups
    first_entry: u32,  // index in `influences` of the first entry
    blending: u32,     // one of BLEND_*
    first_share: u32,  // index in `influences` of the first dual-quaternion share
    morph_stride: u32, // words per entry in `morphs`: 4, 7 with normals, 0 if nothing morphs
    first_morph: u32,  // index in `morphs` of the first entry
    normal_matrix: u32, // one of NORMAL_MATRIX_*
    num_vectors: u32,  // per vertex in `vertices`: 3, or 2 without tangents
    rounds_morphs: u32, // 1 to round the sum of a vertex's offsets to half floats
}

// Only slot matrices move the vertices, and normals follow their sum: STREAMS_RIGID or STREAMS_ROWS, BLEND_LINEAR,
// no morph targets, not NORMAL_MATRIX_PER_BONE. A pipeline constant, since software adapters run both sides of every branch.
override IS_OF_ROWS: bool;

const STREAMS_RIGID: u32 = 0u;      // the first slot moves all vertices
const STREAMS_ROWS: u32 = 1u;       // an entry: slot, weight
const STREAMS_BONE_LOCAL: u32 = 2u; // an entry: slot, weight, position, normal
const STREAMS_CACHED: u32 = 3u;     // `influences` holds positions of a vertex animation

const BLEND_LINEAR: u32 = 0u;
const BLEND_DUAL_QUATERNION: u32 = 1u;
const BLEND_MIXED: u32 = 2u;

const ROW_STRIDE: u32 = 2u;
const BONE_LOCAL_STRIDE: u32 = 8u;

struct Rows {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

struct DualQuaternion {
    real: vec4f, // x y z w
    dual: vec4f,
    scale: vec3f,
    padding: u32,
}

@group(0) @binding(0) var<uniform> skin: StreamInput;
// Vertices before skinning: the vectors of each vertex are consecutive.
@group(0) @binding(1) var<storage, read> vertices: array<vec4f>;
// First entry of each vertex and the end, then the entries, which are aligned to pairs of words.
@group(0) @binding(2) var<storage, read> influences: array<vec2u>;
@group(0) @binding(3) var<storage, read> palette: array<Rows>;
@group(0) @binding(4) var<storage, read> dual_quaternions: array<DualQuaternion>;
// First entry of each vertex and the end, then the entries: shape, position offset, optionally normal
// offset.
@group(0) @binding(5) var<storage, read> morphs: array<u32>;
@group(0) @binding(6) var<storage, read> shape_weights: array<f32>;
@group(0) @binding(7) var<storage, read_write> skinned: array<vec4f>;

fn source_vertex(index: u32) -> SkinnedVertex {
    let at = index * skin.num_vectors;
    let position = vertices[at];
    let normal = vertices[at + 1u];
    var tangent = vec4f(0.0);
    if skin.num_vectors == 3u {
        tangent = vertices[at + 2u];
    }
    return SkinnedVertex(position.xyz, position.w, normal.xyz, normal.w, tangent);
}

fn influence_word(at: u32) -> u32 {
    return influences[at >> 1u][at & 1u];
}

fn influence_vector(at: u32) -> vec3f {
    let words = vec3u(influence_word(at), influence_word(at + 1u), influence_word(at + 2u));
    return bitcast<vec3f>(words);
}

fn morph_vector(at: u32) -> vec3f {
    return bitcast<vec3f>(vec3u(morphs[at], morphs[at + 1u], morphs[at + 2u]));
}

// Rounded to half floats, as some runtimes store morph offsets.
fn half_floats(v: vec3f) -> vec3f {
    let xy = unpack2x16float(pack2x16float(v.xy));
    return vec3f(xy, unpack2x16float(pack2x16float(vec2f(v.z, 0.0))).x);
}

fn moved_position(m: Rows, position: vec3f) -> vec3f {
    let p = vec4f(position, 1.0);
    return vec3f(dot(m.x, p), dot(m.y, p), dot(m.z, p));
}

// Not normalized.
fn moved_normal(m: Rows, normal: vec3f) -> vec3f {
    return turned_normal(skin.normal_matrix, m.x.xyz, m.y.xyz, m.z.xyz, normal);
}

// The contribution of a bone to the weighted sum. Runtimes add up transformed normals as they are; exact
// normals are normalized first.
fn share_of_normal(m: Rows, normal: vec3f) -> vec3f {
    let moved = moved_normal(m, normal);
    if skin.normal_matrix == NORMAL_MATRIX_INVERSE_TRANSPOSE || skin.normal_matrix == NORMAL_MATRIX_PER_BONE {
        return unit_or_zero(moved);
    }
    return moved;
}

fn identity() -> Rows {
    return Rows(
        vec4f(1.0, 0.0, 0.0, 0.0),
        vec4f(0.0, 1.0, 0.0, 0.0),
        vec4f(0.0, 0.0, 1.0, 0.0),
    );
}

// The matrix of a sum of dual quaternions whose weights add up to `sum`.
fn rigid_matrix(q: DualQuaternion, sum: f32) -> Rows {
    let size = length(q.real);
    if !(size > 1.1754944e-38) {
        return identity();
    }
    let r = q.real / size;
    let d = q.dual / size;
    // 2 * dual * conjugate(real), without its w, which is 0.
    let translation = 2.0 * (r.w * d.xyz - d.w * r.xyz - cross(d.xyz, r.xyz));
    let s = q.scale / sum;
    let twice = r + r;
    let xx = r.x * twice.x;
    let xy = r.x * twice.y;
    let xz = r.x * twice.z;
    let yy = r.y * twice.y;
    let yz = r.y * twice.z;
    let zz = r.z * twice.z;
    let wx = r.w * twice.x;
    let wy = r.w * twice.y;
    let wz = r.w * twice.z;
    return Rows(
        vec4f(vec3f(1.0 - (yy + zz), xy - wz, xz + wy) * s, translation.x),
        vec4f(vec3f(xy + wz, 1.0 - (xx + zz), yz - wx) * s, translation.y),
        vec4f(vec3f(xz - wy, yz + wx, 1.0 - (xx + yy)) * s, translation.z),
    );
}

// Zero for scales without an inverse, as in `inverse_transpose`.
fn inverse_scale(scale: vec3f) -> vec3f {
    let has_inverse = abs(scale.x * scale.y * scale.z) > 1.1754944e-38;
    return select(vec3f(0.0), 1.0 / scale, has_inverse);
}

fn share_of(index: u32) -> f32 {
    if IS_OF_ROWS {
        return 0.0;
    }
    switch skin.blending {
        case BLEND_DUAL_QUATERNION: { return 1.0; }
        case BLEND_MIXED: { return bitcast<f32>(influence_word(skin.first_share + index)); }
        default: { return 0.0; }
    }
}

// Zero for matrices that have none.
fn inverse_transpose(m: Rows) -> Rows {
    let x = cross(m.y.xyz, m.z.xyz);
    let determinant = dot(m.x.xyz, x);
    let scale = select(0.0, 1.0 / determinant, abs(determinant) > 1.1754944e-38);
    return Rows(
        vec4f(x * scale, 0.0),
        vec4f(cross(m.z.xyz, m.x.xyz) * scale, 0.0),
        vec4f(cross(m.x.xyz, m.y.xyz) * scale, 0.0),
    );
}

// The matrix of a slot for positions, or for normals with NORMAL_MATRIX_PER_BONE.
fn slot_matrix(slot: u32, is_of_normals: bool) -> Rows {
    let m = palette[skin.first_slot + slot];
    if !IS_OF_ROWS && is_of_normals {
        return inverse_transpose(m);
    }
    return m;
}

// The matrix of a vertex: see `slot_matrix`. Weights are normalized; without weights, it is the identity.
fn blended(index: u32, is_of_normals: bool) -> Rows {
    if skin.kind == STREAMS_RIGID {
        return slot_matrix(0u, is_of_normals);
    }
    let begin = skin.first_entry + influence_word(index) * ROW_STRIDE;
    let end = skin.first_entry + influence_word(index + 1u) * ROW_STRIDE;
    var linear = Rows(vec4f(0.0), vec4f(0.0), vec4f(0.0));
    var sum = 0.0;
    for (var at = begin; at < end; at += ROW_STRIDE) {
        let entry = influences[at >> 1u];
        let slot = entry.x;
        if slot < skin.num_slots {
            let weight = bitcast<f32>(entry.y);
            let m = slot_matrix(slot, is_of_normals);
            linear.x += m.x * weight;
            linear.y += m.y * weight;
            linear.z += m.z * weight;
            sum += weight;
        }
    }
    if sum <= 0.0 {
        return identity();
    }
    let scale = 1.0 / sum;
    linear.x *= scale;
    linear.y *= scale;
    linear.z *= scale;
    let share = share_of(index);
    if share <= 0.0 {
        return linear;
    }
    // q and -q are the same rotation, so all are flipped to the side of the first.
    var rigid = DualQuaternion(vec4f(0.0), vec4f(0.0), vec3f(0.0), 0u);
    var first = vec4f(0.0);
    var has_first = false;
    for (var at = begin; at < end; at += ROW_STRIDE) {
        let entry = influences[at >> 1u];
        let slot = entry.x;
        if slot < skin.num_slots {
            let weight = bitcast<f32>(entry.y);
            let q = dual_quaternions[skin.first_slot + slot];
            if !has_first {
                first = q.real;
                has_first = true;
            }
            let side = select(weight, -weight, dot(first, q.real) < 0.0);
            rigid.real += q.real * side;
            rigid.dual += q.dual * side;
            rigid.scale += select(q.scale, inverse_scale(q.scale), is_of_normals) * weight;
        }
    }
    let m = rigid_matrix(rigid, sum);
    return Rows(
        linear.x * (1.0 - share) + m.x * share,
        linear.y * (1.0 - share) + m.y * share,
        linear.z * (1.0 - share) + m.z * share,
    );
}

// Position and normal of a vertex with a separate copy for each bone.
fn bone_local(index: u32) -> array<vec3f, 2> {
    var position = vec3f(0.0);
    var normal = vec3f(0.0);
    var sum = 0.0;
    let begin = skin.first_entry + influence_word(index) * BONE_LOCAL_STRIDE;
    let end = skin.first_entry + influence_word(index + 1u) * BONE_LOCAL_STRIDE;
    for (var at = begin; at < end; at += BONE_LOCAL_STRIDE) {
        let entry = influences[at >> 1u];
        let slot = entry.x;
        if slot < skin.num_slots {
            let weight = bitcast<f32>(entry.y);
            let m = palette[skin.first_slot + slot];
            position += moved_position(m, influence_vector(at + 2u)) * weight;
            normal += share_of_normal(m, influence_vector(at + 5u)) * weight;
            sum += weight;
        }
    }
    if !(sum > 0.0) {
        return array<vec3f, 2>(vec3f(0.0), unit_or_zero(normal));
    }
    return array<vec3f, 2>(position / sum, unit_or_zero(normal));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = id.y * skin.row_length + id.x;
    if index >= skin.num_vertices {
        return;
    }
    var out = source_vertex(index);
    if !IS_OF_ROWS && skin.kind == STREAMS_CACHED {
        out.position = influence_vector(index * 3u);
        out.normal = vec3f(0.0);
        out.tangent = vec4f(0.0);
        store(skin.first_vertex + index, out);
        return;
    }
    if !IS_OF_ROWS && skin.kind == STREAMS_BONE_LOCAL {
        let moved = bone_local(index);
        out.position = moved[0];
        out.normal = moved[1];
        out.tangent = vec4f(0.0);
        store(skin.first_vertex + index, out);
        return;
    }
    if !IS_OF_ROWS && skin.morph_stride > 0u {
        let begin = skin.first_morph + morphs[index] * skin.morph_stride;
        let end = skin.first_morph + morphs[index + 1u] * skin.morph_stride;
        let stored = out;
        if skin.rounds_morphs == 1u {
            out.position = vec3f(0.0);
            out.normal = vec3f(0.0);
        }
        for (var at = begin; at < end; at += skin.morph_stride) {
            let weight = shape_weights[morphs[at]];
            if weight != 0.0 {
                out.position += morph_vector(at + 1u) * weight;
                if skin.morph_stride > 4u {
                    out.normal += morph_vector(at + 4u) * weight;
                }
            }
        }
        if skin.rounds_morphs == 1u {
            out.position = stored.position + half_floats(out.position);
            out.normal = stored.normal + half_floats(out.normal);
        }
    }
    let has_normal_matrices = !IS_OF_ROWS && skin.normal_matrix == NORMAL_MATRIX_PER_BONE;
    var m = blended(index, has_normal_matrices);
    if has_normal_matrices {
        out.normal = unit_or_zero(times(m.x.xyz, m.y.xyz, m.z.xyz, out.normal));
        m = blended(index, false);
    } else {
        out.normal = unit_or_zero(moved_normal(m, out.normal));
    }
    let tangent = out.tangent.xyz;
    out.position = moved_position(m, out.position);
    if skin.normal_matrix == NORMAL_MATRIX_SAME_THEN_LAST {
        let last = palette[skin.first_slot + skin.num_slots - 1u];
        out.normal = unit_or_zero(times(last.x.xyz, last.y.xyz, last.z.xyz, out.normal));
    }
    let tangent_turned = turned_tangent(skin.normal_matrix, m.x.xyz, m.y.xyz, m.z.xyz, tangent);
    out.tangent = vec4f(unit_or_zero(tangent_turned), out.tangent.w);
    store(skin.first_vertex + index, out);
}
