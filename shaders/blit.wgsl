// Copies an image into another, pixel by pixel: one triangle over the viewport, which has the size of the
// image.

@group(0) @binding(0) var image: texture_2d<f32>;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) px: vec2f, // in the source image
}

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> Corner {
    let share = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0;
    let clip = vec2f(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0);
    return Corner(vec4f(clip, 0.0, 1.0), share * vec2f(textureDimensions(image)));
}

@fragment
fn fragment_main(in: Corner) -> @location(0) vec4f {
    return textureLoad(image, vec2i(in.px), 0);
}

// Clears to transparent black. Opaque surfaces ignore the alpha.
@vertex
fn vertex_clear(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering(index), 0.0, 1.0);
}

@fragment
fn fragment_clear() -> @location(0) vec4f {
    return vec4f(0.0);
}
