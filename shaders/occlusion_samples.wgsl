// After occlusion.wgsl: multisampled depth, of which one sample is read.

@group(1) @binding(0) var depths: texture_depth_multisampled_2d;

fn depth_at(px: vec2i) -> f32 {
    let size = vec2i(textureDimensions(depths));
    return textureLoad(depths, clamp(px, vec2i(0), size - 1), 0);
}
