// egui's triangles. Colours and textures are sRGB with premultiplied alpha, and are blended as such.

struct UiInput {
    size: vec2f, // of the target, in points
}

@group(0) @binding(0) var<uniform> ui: UiInput;
// As bound by egui_wgpu, which has a third binding for filtering in the shader.
@group(1) @binding(0) var image: texture_2d<f32>;
@group(1) @binding(1) var filtering: sampler;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
}

@vertex
fn vertex_main(
    @location(0) at: vec2f, // in points from the upper left corner
    @location(1) uv: vec2f,
    @location(2) color: vec4f,
) -> Corner {
    let share = at / ui.size;
    return Corner(vec4f(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0, 0.0, 1.0), uv, color);
}

// The colour of a pixel, dithered by less than half a byte step, so that soft shadows show no bands; exact
// bytes don't change.
// Noise: Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare", 2014.
fn dithered(in: Corner) -> vec4f {
    let color = in.color * textureSample(image, filtering, in.uv);
    let noise = fract(52.9829189 * fract(dot(in.clip.xy, vec2f(0.06711056, 0.00583715))));
    return vec4f(color.rgb + (noise - 0.5) * 0.95 / 255.0, color.a);
}

@fragment
fn fragment_main(in: Corner) -> @location(0) vec4f {
    return dithered(in);
}

// For targets that encode sRGB on write.
@fragment
fn fragment_linear(in: Corner) -> @location(0) vec4f {
    let color = dithered(in);
    return vec4f(linear_from_srgb(color.rgb), color.a);
}
