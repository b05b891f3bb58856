// Creates the cube maps of environments: radiance with mip levels, irradiance for diffuse surfaces, and
// prefiltered radiance by increasing roughness. One invocation per texel.

// Keep in sync with crates/gpu/src/light/cubes.rs.
struct EnvironmentInput {
    size: u32,        // side of the written level, in texels
    kind: u32,        // built-in environment
    roughness: f32,
    num_samples: u32,
    source_size: u32, // side of the source's first level, in texels
    has_seams: u32, // 1 if the adapter doesn't filter across cube edges
}

const KIND_STUDIO: u32 = 1u;
const KIND_SUNSET: u32 = 2u;
const PI: f32 = 3.14159265;

@group(0) @binding(0) var<uniform> input: EnvironmentInput;
@group(0) @binding(1) var source: texture_cube<f32>;
@group(0) @binding(2) var image: texture_2d<f32>;
@group(0) @binding(3) var source_sampler: sampler;
@group(0) @binding(4) var written: texture_storage_2d_array<rgba16float, write>;

// Direction from the centre of the cube through a position on a face, -1..1 right and down; not normalized.
fn through(face: u32, place: vec2f) -> vec3f {
    switch face {
        case 0u: { return vec3f(1.0, -place.y, -place.x); }
        case 1u: { return vec3f(-1.0, -place.y, place.x); }
        case 2u: { return vec3f(place.x, 1.0, place.y); }
        case 3u: { return vec3f(place.x, -1.0, -place.y); }
        case 4u: { return vec3f(place.x, -place.y, 1.0); }
        default: { return vec3f(-place.x, -place.y, -1.0); }
    }
}

fn place_of(texel: vec2u, size: u32) -> vec2f {
    return (vec2f(texel) + 0.5) * 2.0 / f32(size) - 1.0;
}

// The largest half float is 65504.
fn store(id: vec3u, color: vec3f) {
    let clamped = clamp(color, vec3f(0.0), vec3f(65000.0));
    textureStore(written, id.xy, id.z, vec4f(clamped, 1.0));
}

// The source's radiance in a direction.
fn sampled(direction: vec3f, level: f32) -> vec3f {
    var at = direction;
    if input.has_seams != 0u {
        at = within_face(at, textureDimensions(source).x, level, textureNumLevels(source));
    }
    return textureSampleLevel(source, source_sampler, at, level).rgb;
}

// Brightness at `direction` of a soft box around `toward` with half extents `half` at distance 1.
fn soft_box(direction: vec3f, toward: vec3f, half: vec2f) -> f32 {
    let ahead = dot(direction, toward);
    if ahead <= 0.0 {
        return 0.0;
    }
    let right = normalize(cross(vec3f(0.0, 1.0, 0.001), toward));
    let up = cross(toward, right);
    let place = abs(vec2f(dot(direction, right), dot(direction, up)) / ahead);
    let edge = 0.12;
    let inside = 1.0 - smoothstep(half - edge, half + edge, place);
    return inside.x * inside.y;
}

fn studio(d: vec3f) -> vec3f {
    let room = mix(vec3f(0.10, 0.095, 0.09), vec3f(0.34, 0.345, 0.36), smoothstep(-0.6, 0.9, d.y));
    let key = soft_box(d, normalize(vec3f(-0.6, 0.7, 0.75)), vec2f(0.45, 0.45)) * vec3f(6.6, 6.35, 6.0);
    let fill = soft_box(d, normalize(vec3f(0.95, 0.15, 0.45)), vec2f(0.3, 0.6)) * vec3f(1.9, 2.0, 2.2);
    let rim = soft_box(d, normalize(vec3f(0.5, 0.45, -0.9)), vec2f(0.2, 0.6)) * vec3f(4.4, 4.5, 4.8);
    let rim_left = soft_box(d, normalize(vec3f(-0.8, 0.3, -0.7)), vec2f(0.15, 0.6)) * vec3f(3.2, 3.2, 3.4);
    let top = soft_box(d, normalize(vec3f(0.0, 1.0, 0.1)), vec2f(0.5, 0.35)) * vec3f(1.2);
    return room + key + fill + rim + rim_left + top;
}

fn sunset(d: vec3f) -> vec3f {
    let sun = normalize(vec3f(-0.75, 0.16, 0.45));
    let height = max(d.y, 0.0);
    let near_sun = dot(d, sun) * 0.5 + 0.5;
    let horizon = mix(vec3f(0.60, 0.45, 0.55), vec3f(2.2, 0.95, 0.32), near_sun * near_sun);
    let zenith = vec3f(0.16, 0.25, 0.52);
    var sky = mix(horizon, zenith, smoothstep(0.0, 0.75, sqrt(height)));
    sky += vec3f(2.4, 1.1, 0.4) * pow(near_sun, 24.0);
    sky += vec3f(90.0, 52.0, 24.0) * smoothstep(0.9935, 0.9965, dot(d, sun));
    let ground = vec3f(0.16, 0.12, 0.10) * (0.6 + 0.8 * near_sun);
    return mix(ground, sky, smoothstep(-0.06, 0.02, d.y));
}

fn even(d: vec3f) -> vec3f {
    return vec3f(mix(0.42, 0.86, d.y * 0.5 + 0.5));
}

@compute @workgroup_size(8, 8)
fn make(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(input.size)) {
        return;
    }
    let d = normalize(through(id.z, place_of(id.xy, input.size)));
    switch input.kind {
        case KIND_STUDIO: { store(id, studio(d)); }
        case KIND_SUNSET: { store(id, sunset(d)); }
        default: { store(id, even(d)); }
    }
}

// From an equirectangular image: its centre is at -z, its top at +y.
@compute @workgroup_size(8, 8)
fn from_equirectangular(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(input.size)) {
        return;
    }
    let size = vec2f(textureDimensions(image));
    var sum = vec3f(0.0);
    // Four by four samples per texel, since the image has more texels than the cube.
    for (var at = 0u; at < 16u; at++) {
        let inside = (vec2f(vec2u(at & 3u, at >> 2u)) + 0.5) / 4.0;
        let place = (vec2f(id.xy) + inside) * 2.0 / f32(input.size) - 1.0;
        let d = normalize(through(id.z, place));
        let uv = vec2f(0.5 + atan2(d.x, -d.z) / (2.0 * PI), acos(clamp(d.y, -1.0, 1.0)) / PI);
        let texel = min(vec2u(uv * size), vec2u(size) - 1u);
        sum += min(textureLoad(image, texel, 0).rgb, vec3f(65000.0));
    }
    store(id, sum / 16.0);
}

// A mip level from the previous one.
@compute @workgroup_size(8, 8)
fn halve(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(input.size)) {
        return;
    }
    // The position between four texels gives their mean.
    let d = through(id.z, place_of(id.xy, input.size));
    store(id, sampled(d, 0.0));
}

@compute @workgroup_size(8, 8)
fn irradiance(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(input.size)) {
        return;
    }
    let normal = normalize(through(id.z, place_of(id.xy, input.size)));
    var sum = vec3f(0.0);
    var weights = 0.0;
    for (var face = 0u; face < 6u; face++) {
        for (var y = 0u; y < input.source_size; y++) {
            for (var x = 0u; x < input.source_size; x++) {
                let toward = through(face, place_of(vec2u(x, y), input.source_size));
                let squared = dot(toward, toward);
                let d = toward * inverseSqrt(squared);
                // The solid angle of a texel, up to a constant factor.
                let weight = max(dot(d, normal), 0.0) / (squared * sqrt(squared));
                sum += sampled(toward, 0.0) * weight;
                weights += weight;
            }
        }
    }
    store(id, sum / weights);
}

// Source: Brian Karis, Real Shading in Unreal Engine 4 (2013); for the mip level of each sample Krivanek
// and Colbert, Real-time Shading with Filtered Importance Sampling (2008).
@compute @workgroup_size(8, 8)
fn prefilter(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(input.size)) {
        return;
    }
    let normal = normalize(through(id.z, place_of(id.xy, input.size)));
    let alpha = max(input.roughness * input.roughness, 1e-3);
    let aside = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(normal.z) < 0.9);
    let right = normalize(cross(aside, normal));
    let up = cross(normal, right);
    let texel = 4.0 * PI / (6.0 * f32(input.source_size * input.source_size));
    var sum = vec3f(0.0);
    var weights = 0.0;
    for (var at = 0u; at < input.num_samples; at++) {
        let share = (f32(at) + 0.5) / f32(input.num_samples);
        let angle = 2.0 * PI * fract(f32(at) * 0.61803399);
        // A facet of the GGX distribution, viewed along the normal.
        let cosine = sqrt((1.0 - share) / (1.0 + (alpha * alpha - 1.0) * share));
        let sine = sqrt(max(1.0 - cosine * cosine, 0.0));
        let facet = right * (sine * cos(angle)) + up * (sine * sin(angle)) + normal * cosine;
        let toward = reflect(-normal, facet);
        let weight = dot(toward, normal);
        if weight <= 0.0 {
            continue;
        }
        let narrow = cosine * cosine * (alpha * alpha - 1.0) + 1.0;
        let density = alpha * alpha / (PI * narrow * narrow) / 4.0;
        let solid_angle = 1.0 / (f32(input.num_samples) * density);
        let level = max(0.5 * log2(solid_angle / texel) - 0.5, 0.0);
        sum += sampled(toward, level) * weight;
        weights += weight;
    }
    store(id, sum / weights);
}
