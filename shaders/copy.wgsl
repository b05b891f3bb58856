// Copies a buffer, 16 bytes per invocation: the memory bandwidth to which `rigscope bench` compares its
// results.

@group(0) @binding(0) var<storage, read> copied_from: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> copied_to: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = id.y * groups.x * 64u + id.x;
    if index < arrayLength(&copied_to) {
        copied_to[index] = copied_from[index];
    }
}
