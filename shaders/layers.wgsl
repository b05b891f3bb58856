// Composites the translucent layers over the image: one triangle over the whole image.

// The layers from the nearest on, premultiplied.
@group(1) @binding(0) var layers: texture_2d<f32>;

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering(index), 0.0, 1.0);
}

@fragment
fn fragment_main(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return textureLoad(layers, vec2i(at.xy), 0);
}
