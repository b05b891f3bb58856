// Computes skinning matrices from stored keys.
// Keep in sync with crates/core/src/pose/base_pose.rs and crates/core/src/pose/mesh_pose.rs.
//
// Keys and palette are three rows of four: p' = M * (p, 1).

struct PoseInput {
    key0: u32,
    key1: u32,
    fraction: f32, // weight of key1
    flags: u32,
    num_key_bones: u32,
    num_bones: u32, // of the skeleton
    num_slots: u32,
    row_length: u32, // invocations in one row of workgroups
}

const POSE_PRODUCT: u32 = 1u;      // key0 * key1 without blending: a bind pair
const POSE_PARENTS: u32 = 2u;      // keys map to the parent
const POSE_INVERSE_BIND: u32 = 4u; // keys don't include the inverse bind matrix

struct Rows {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

struct Slot {
    bone_from_mesh: array<vec4f, 4>, // columns
    bone: u32,                       // NONE: the slot moves nothing
    has_inverse: u32,
    padding: vec2u,
}

@group(0) @binding(0) var<uniform> pose: PoseInput;
@group(0) @binding(1) var<storage, read> keys: array<Rows>;
@group(0) @binding(2) var<storage, read> parents: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<Slot>;
@group(0) @binding(4) var<storage, read_write> palette: array<f32>;

// A column of the identity matrix.
fn identity_column(column: u32) -> vec4f {
    return vec4f(vec4u(column) == vec4u(0u, 1u, 2u, 3u));
}

// A bone's matrix in a key, times a column.
fn applied(key: u32, bone: u32, v: vec4f) -> vec4f {
    if bone >= pose.num_key_bones {
        return v;
    }
    let m = keys[key * pose.num_key_bones + bone];
    return vec4f(dot(m.x, v), dot(m.y, v), dot(m.z, v), v.w);
}

// One invocation per column of a slot's matrix, from the vertex up: inverse bind, bone, ancestors. Columns
// need a third of the code that whole matrices would, and software drivers compile it on every start.
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let index = id.y * pose.row_length + id.x;
    let slot = index / 4u;
    let column = index % 4u;
    if slot >= pose.num_slots {
        return;
    }
    let is_product = (pose.flags & POSE_PRODUCT) != 0u;
    let has_later = is_product || pose.fraction != 0.0;
    var v = identity_column(column);
    if (pose.flags & POSE_INVERSE_BIND) != 0u && slots[slot].has_inverse != 0u {
        v = slots[slot].bone_from_mesh[column];
    }
    // The bone and, if keys map to the parent, its ancestors. The count ends the loop even if the parents
    // form a cycle.
    var bone = slots[slot].bone;
    for (var step = 0u; step < pose.num_bones && bone < pose.num_bones; step++) {
        var later = v;
        if has_later {
            later = applied(pose.key1, bone, v);
        }
        // A bind pair is key0 * key1. A blend is a sum, which is the same for matrices and columns.
        let first = applied(pose.key0, bone, select(v, later, is_product));
        v = select(mix(first, later, pose.fraction), first, is_product);
        if (pose.flags & POSE_PARENTS) == 0u {
            break;
        }
        bone = parents[bone];
    }
    palette[slot * 12u + column] = v.x;
    palette[slot * 12u + 4u + column] = v.y;
    palette[slot * 12u + 8u + column] = v.z;
}
