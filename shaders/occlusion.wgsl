// Before occlusion_single.wgsl and occlusion_samples.wgsl: estimates from the depth buffer how much ambient
// light arrives at each pixel.
// Source: Morgan McGuire, Michael Mara and David Luebke, Scalable Ambient Obscurance (2012).

const NUM_LOOKS: i32 = 14;
// Turns of the sampling spiral.
const NUM_TURNS: f32 = 5.0;
// Flatter surfaces don't occlude, in radii, because depth is quantized.
const BIAS: f32 = 0.04;
const STRENGTH: f32 = 0.9;
// Upper bound of the radius, relative to the image height.
const MOST: f32 = 0.12;

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(covering(index), 0.0, 1.0);
}

// Position in view space; w is 0 for the background.
fn place(px: vec2i) -> vec4f {
    let depth = depth_at(px);
    if depth <= 0.0 {
        return vec4f(0.0);
    }
    let share = (vec2f(px) + 0.5 - vec2f(frame.view_left_px, 0.0)) / frame.viewport_px;
    // The scene has the first half of the depth range.
    let at = frame.view_from_clip
        * vec4f(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0, min(depth * 2.0, 1.0), 1.0);
    return vec4f(at.xyz / at.w, 1.0);
}

// The shorter of the vectors to both neighbours, which is more likely on the same surface.
fn slope(here: vec4f, px: vec2i, step: vec2i) -> vec3f {
    let after = place(px + step);
    let before = place(px - step);
    let forth = after.xyz - here.xyz;
    let back = here.xyz - before.xyz;
    let is_back = after.w == 0.0 || (before.w > 0.0 && abs(back.z) < abs(forth.z));
    return select(forth, back, is_back);
}

@fragment
fn fragment_main(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let px = vec2i(at.xy);
    let here = place(px);
    if here.w == 0.0 {
        return vec4f(1.0, 0.0, 0.0, 0.0);
    }
    // y of the image points down.
    let normal = unit_or_zero(cross(slope(here, px, vec2i(0, 1)), slope(here, px, vec2i(1, 0))));
    let wide = frame.view_from_clip[1][1] * select(1.0, -here.z, frame.eye.w > 0.0);
    let wanted_px = frame.occlusion_radius / wide * frame.viewport_px.y * 0.5;
    let radius_px = min(wanted_px, MOST * frame.viewport_px.y);
    if radius_px < 1.0 {
        return vec4f(1.0, -here.z / frame.occlusion_radius, 0.0, 0.0);
    }
    let radius = frame.occlusion_radius * radius_px / wanted_px;
    // Each of sixteen neighbours samples different directions; ambient_occlusion.wgsl averages them.
    let x = u32(px.x) & 3u;
    let y = u32(px.y) & 3u;
    let order = ((x ^ y) & 1u) * 8u + (x & 1u) * 4u + (((x ^ y) >> 1u) & 1u) * 2u + (x >> 1u);
    var sum = 0.0;
    for (var look = 0; look < NUM_LOOKS; look++) {
        let share = (f32(look) + 0.5) / f32(NUM_LOOKS);
        let turn = (share * NUM_TURNS + f32(order) / 16.0) * 6.28318531;
        let there = place(px + vec2i(round(vec2f(cos(turn), sin(turn)) * share * radius_px)));
        let v = (there.xyz - here.xyz) / radius;
        let near = max(1.0 - dot(v, v), 0.0) * there.w;
        sum += near * near * near * max(dot(v, normal) - BIAS, 0.0) / (dot(v, v) + 0.02);
    }
    let open = max(1.0 - STRENGTH * sum * 5.0 / f32(NUM_LOOKS), 0.0);
    return vec4f(open, -here.z / frame.occlusion_radius, 0.0, 0.0);
}
