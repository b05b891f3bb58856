// One invocation a palette slot: stored keys become finished skinning matrices.
// Keep in sync with src/pose/sample.rs and src/pose/palette.rs.
//
// Matrices are three rows of four, as the keys are stored: p' = M * (p, 1).

struct PoseInput {
    key0: u32,
    key1: u32,
    fraction: f32, // share of key1
    flags: u32,
    num_key_bones: u32,
    num_bones: u32, // of the skeleton
    num_slots: u32,
    padding: u32,
}

const POSE_PRODUCT: u32 = 1u;      // key0 * key1 and no blend: a bind pair
const POSE_PARENTS: u32 = 2u;      // keys map to the parent
const POSE_INVERSE_BIND: u32 = 4u; // keys do not hold the inverse bind yet

struct Rows {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

struct Slot {
    bone_from_mesh: Rows,
    bone: u32, // NONE: the slot moves nothing
    has_inverse: u32,
    padding: vec2u,
}

@group(0) @binding(0) var<uniform> pose: PoseInput;
@group(0) @binding(1) var<storage, read> keys: array<Rows>;
@group(0) @binding(2) var<storage, read> parents: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<Slot>;
@group(0) @binding(4) var<storage, read_write> palette: array<Rows>;

const IDENTITY: Rows = Rows(
    vec4f(1.0, 0.0, 0.0, 0.0),
    vec4f(0.0, 1.0, 0.0, 0.0),
    vec4f(0.0, 0.0, 1.0, 0.0),
);

fn product_row(row: vec4f, b: Rows) -> vec4f {
    return row.x * b.x + row.y * b.y + row.z * b.z + vec4f(0.0, 0.0, 0.0, row.w);
}

fn product(a: Rows, b: Rows) -> Rows {
    return Rows(product_row(a.x, b), product_row(a.y, b), product_row(a.z, b));
}

fn key_matrix(key: u32, bone: u32) -> Rows {
    if bone >= pose.num_key_bones {
        return IDENTITY;
    }
    return keys[key * pose.num_key_bones + bone];
}

fn sampled(bone: u32) -> Rows {
    let first = key_matrix(pose.key0, bone);
    if (pose.flags & POSE_PRODUCT) != 0u {
        return product(first, key_matrix(pose.key1, bone));
    }
    if pose.fraction == 0.0 {
        return first;
    }
    let second = key_matrix(pose.key1, bone);
    let s = 1.0 - pose.fraction;
    let t = pose.fraction;
    return Rows(
        first.x * s + second.x * t,
        first.y * s + second.y * t,
        first.z * s + second.z * t,
    );
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let slot = id.x;
    if slot >= pose.num_slots {
        return;
    }
    let bone = slots[slot].bone;
    var matrix = IDENTITY;
    if bone < pose.num_bones {
        matrix = sampled(bone);
        if (pose.flags & POSE_PARENTS) != 0u {
            var ancestor = parents[bone];
            // The count ends the walk even if the parents were no tree.
            for (var step = 0u; step < pose.num_bones && ancestor < pose.num_bones; step++) {
                matrix = product(sampled(ancestor), matrix);
                ancestor = parents[ancestor];
            }
        }
    }
    if (pose.flags & POSE_INVERSE_BIND) != 0u && slots[slot].has_inverse != 0u {
        matrix = product(matrix, slots[slot].bone_from_mesh);
    }
    palette[slot] = matrix;
}
