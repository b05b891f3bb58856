// Applies ambient occlusion: one triangle over the whole image, which multiplies it.

// The share of ambient light that arrives, and the distance from the viewer in occlusion radii; 0 for the
// background.
@group(1) @binding(0) var occlusion: texture_2d<f32>;

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering(index), 0.0, 1.0);
}

// The mean of sixteen neighbours at a similar distance, each of which has sampled different directions.
@fragment
fn fragment_main(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let px = vec2i(at.xy);
    let last = vec2i(textureDimensions(occlusion)) - 1;
    let here = textureLoad(occlusion, px, 0).xy;
    if here.y == 0.0 {
        return vec4f(1.0);
    }
    var sum = here.x;
    var num = 1.0;
    for (var y = -2; y < 2; y++) {
        for (var x = -2; x < 2; x++) {
            let there = textureLoad(occlusion, clamp(px + vec2i(x, y), vec2i(0), last), 0).xy;
            let is_same = there.y != 0.0 && abs(there.y - here.y) < 0.3;
            sum += select(0.0, there.x, is_same);
            num += select(0.0, 1.0, is_same);
        }
    }
    return vec4f(vec3f(sum / num), 1.0);
}
