// After peel.wgsl: multisampled depth; each sample is peeled separately.

@group(3) @binding(0) var solid: texture_depth_multisampled_2d;
@group(3) @binding(1) var peeled: texture_depth_multisampled_2d;

@fragment
fn fragment_main(in: Varying, @builtin(sample_index) sample: u32) {
    let px = vec2i(in.clip.xy);
    peel(in, textureLoad(solid, px, i32(sample)), textureLoad(peeled, px, i32(sample)));
}
