// Finds the draws in each tile of the geometry buffer, as bits of their indices: one triangle over an image
// with a pixel per tile.

@group(1) @binding(0) var directions: texture_2d<u32>;

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering(index), 0.0, 1.0);
}

@fragment
fn fragment_main(@builtin(position) at: vec4f) -> @location(0) vec4u {
    let start = vec2u(at.xy) * TILE_PX;
    let end = min(start + TILE_PX, textureDimensions(directions));
    var bits = 0u;
    for (var y = start.y; y < end.y; y++) {
        for (var x = start.x; x < end.x; x++) {
            bits |= draw_bit(textureLoad(directions, vec2u(x, y), 0).w);
        }
    }
    return vec4u(bits, 0u, 0u, 0u);
}
