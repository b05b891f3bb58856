// A soft shadow of the model on the ground: the shadow map is blurred horizontally and vertically, and then
// darkens the ground.

@group(1) @binding(0) var shadow: texture_2d<f32>;
@group(1) @binding(1) var shadow_sampler: sampler;

// Standard deviations of the blur for contact and for overhang, in heights of the model.
const SIGMA: vec2f = vec2f(0.03, 0.09);
const REACH: f32 = 2.5; // in standard deviations
const NUM_STEPS: i32 = 16;
// Largest darkening by each.
const TOUCHING: f32 = 0.85;
const OVER: f32 = 0.7;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) at: vec2f, // UV in the shadow map
}

@vertex
fn vertex_blur(@builtin(vertex_index) index: u32) -> Varying {
    let corner = covering(index);
    return Varying(vec4f(corner, 0.0, 1.0), vec2f(corner.x, -corner.y) * 0.5 + 0.5);
}

fn blurred(at: vec2f, along: vec2f) -> vec4f {
    let texel = 1.0 / f32(textureDimensions(shadow).x);
    // In UV units; at least enough to hide the texels.
    let sigma = max(SIGMA * frame.shadow_area.w / (2.0 * frame.shadow_area.z), vec2f(1.5 * texel));
    let stride = REACH * sigma / f32(NUM_STEPS);
    var sum = vec2f(0.0);
    var weights = 0.0;
    for (var step = -NUM_STEPS; step <= NUM_STEPS; step++) {
        let part = f32(step) / f32(NUM_STEPS) * REACH;
        let weight = exp(-0.5 * part * part);
        let sharp = at + along * stride.x * f32(step);
        let soft = at + along * stride.y * f32(step);
        sum.x += weight * textureSampleLevel(shadow, shadow_sampler, sharp, 0.0).r;
        sum.y += weight * textureSampleLevel(shadow, shadow_sampler, soft, 0.0).g;
        weights += weight;
    }
    return vec4f(sum / weights, 0.0, 0.0);
}

@fragment
fn fragment_across(in: Varying) -> @location(0) vec4f {
    return blurred(in.at, vec2f(1.0, 0.0));
}

@fragment
fn fragment_down(in: Varying) -> @location(0) vec4f {
    return blurred(in.at, vec2f(0.0, 1.0));
}

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> Varying {
    let corner = quad_corner(index);
    let area = frame.shadow_area;
    // A little lower, so that it is under the model's own floor if it has one.
    let height = frame.grid_center.y - 0.0005 * area.w;
    let world = vec3f(area.x + corner.x * area.z, height, area.y + corner.y * area.z);
    return Varying(frame.clip_from_world * vec4f(world, 1.0), corner * 0.5 + 0.5);
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let found = textureSample(shadow, shadow_sampler, in.at).rg;
    // The ground isn't drawn from below.
    if frame.eye.y < frame.grid_center.y * frame.eye.w {
        discard;
    }
    let dark = 1.0 - (1.0 - TOUCHING * found.r) * (1.0 - OVER * found.g);
    let edge = abs(in.at * 2.0 - 1.0);
    return vec4f(0.0, 0.0, 0.0, dark * (1.0 - smoothstep(0.9, 1.0, max(edge.x, edge.y))));
}
