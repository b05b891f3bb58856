// After peel.wgsl: single-sampled depth.

@group(3) @binding(0) var solid: texture_depth_2d;
@group(3) @binding(1) var peeled: texture_depth_2d;

@fragment
fn fragment_main(in: Varying) {
    let px = vec2i(in.clip.xy);
    peel(in, textureLoad(solid, px, 0), textureLoad(peeled, px, 0));
}
