// After occlusion.wgsl: the depth of a picture with several samples a pixel, of which one is looked at.

@group(1) @binding(0) var depths: texture_depth_multisampled_2d;

fn depth_at(px: vec2i) -> f32 {
    let size = vec2i(textureDimensions(depths));
    return textureLoad(depths, clamp(px, vec2i(0), size - 1), 0);
}
