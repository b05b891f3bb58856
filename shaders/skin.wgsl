// Before shaders that move vertices, each of which has `skinned`, the lists that they go to.

// Vertex `at` of all meshes.
fn store(at: u32, vertex: SkinnedVertex) {
    let num = vertex_capacity(arrayLength(&skinned));
    skinned[at] = vec4f(vertex.position, vertex.u);
    skinned[num + at] = vec4f(vertex.normal, vertex.v);
    if has_tangents(arrayLength(&skinned)) {
        skinned[2u * num + at] = vertex.tangent;
    }
}
