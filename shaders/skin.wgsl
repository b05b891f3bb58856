// Before shaders that skin vertices, which declare the output buffer `skinned`.

// Stores vertex `at` of the group.
fn store(at: u32, vertex: SkinnedVertex) {
    let num = vertex_capacity(arrayLength(&skinned));
    skinned[at] = vec4f(vertex.position, vertex.u);
    skinned[num + at] = vec4f(vertex.normal, vertex.v);
    if has_tangents(arrayLength(&skinned)) {
        skinned[2u * num + at] = vertex.tangent;
    }
}
