// After frame.wgsl in passes that are lit by an environment: its cubes, exposure and tone mapping.

@group(3) @binding(0) var irradiance_cube: texture_cube<f32>;
@group(3) @binding(1) var prefiltered_cube: texture_cube<f32>;
// By cosine of the viewing angle and roughness: scale and bias of the specular reflection, and the sheen
// albedo.
@group(3) @binding(2) var split_sum_texture: texture_2d<f32>;
@group(3) @binding(3) var light_sampler: sampler;

// Keep in sync with crates/core/src/visual/light.rs.
const SHADING_SDK: u32 = 2u;
override SHADING: u32 = 1u;
const TONE_AGX: u32 = 1u;
const TONE_NEUTRAL: u32 = 2u;
override TONE_MAPPING: u32 = 0u;

// From world directions to those of the cubes.
fn cube_from_world(direction: vec3f) -> vec3f {
    let turn = frame.light_turn;
    return vec3f(
        turn.x * direction.x - turn.y * direction.z,
        direction.y,
        turn.y * direction.x + turn.x * direction.z,
    );
}

fn light_from(cube: texture_cube<f32>, direction: vec3f, level: f32) -> vec3f {
    var at = cube_from_world(direction);
    if (frame.flags & FRAME_CUBE_SEAMS) != 0u {
        at = within_face(at, textureDimensions(cube).x, level, textureNumLevels(cube));
    }
    return textureSampleLevel(cube, light_sampler, at, level).rgb * frame.light_intensity;
}

// Irradiance divided by pi.
fn irradiance(normal: vec3f) -> vec3f {
    return light_from(irradiance_cube, normal, 0.0);
}

// Prefiltered radiance in a direction.
fn radiance(direction: vec3f, level: f32) -> vec3f {
    return light_from(prefiltered_cube, direction, level);
}

// Source: Troy Sobotka, AgX. The curve is the sixth-degree polynomial that is common in real-time
// renderers.
fn agx(color: vec3f) -> vec3f {
    let inset = mat3x3f(
        vec3f(0.842479062253094, 0.0423282422610123, 0.0423756549057051),
        vec3f(0.0784335999999992, 0.878468636469772, 0.0784336),
        vec3f(0.0792237451477643, 0.0791661274605434, 0.879142973793104),
    );
    let outset = mat3x3f(
        vec3f(1.19687900512017, -0.0528968517574562, -0.0529716355144438),
        vec3f(-0.0980208811401368, 1.15190312990417, -0.0980434501171241),
        vec3f(-0.0990297440797205, -0.0989611768448433, 1.15107367264116),
    );
    // Range around middle grey, in stops.
    let darkest = -12.47393;
    let brightest = 4.026069;
    let inside = max(inset * max(color, vec3f(0.0)), vec3f(1e-10));
    let x = (clamp(log2(inside), vec3f(darkest), vec3f(brightest)) - darkest) / (brightest - darkest);
    let x2 = x * x;
    let x4 = x2 * x2;
    let curve = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2
        + 0.1191 * x - vec3f(0.00232);
    let display = clamp(outset * curve, vec3f(0.0), vec3f(1.0));
    // The curve is for a display with gamma 2.2.
    return pow(display, vec3f(2.2));
}

// Source: Khronos, PBR Neutral Tone Mapper (specification).
fn neutral(color: vec3f) -> vec3f {
    let start = 0.8 - 0.04;
    let desaturation = 0.15;
    let least = min(color.r, min(color.g, color.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    let shifted = color - offset;
    let peak = max(shifted.r, max(shifted.g, shifted.b));
    if peak < start {
        return shifted;
    }
    let room = 1.0 - start;
    let new_peak = 1.0 - room * room / (peak + room - start);
    let scaled = shifted * (new_peak / peak);
    let kept = 1.0 / (desaturation * (peak - new_peak) + 1.0);
    return mix(vec3f(new_peak), scaled, kept);
}

// Dithers by half a display step up and down, so that gradients show no bands. `pixel` is the position on
// the screen.
fn dithered(color: vec3f, pixel: vec2f) -> vec3f {
    // Source: Jorge Jimenez, Next Generation Post Processing in Call of Duty (interleaved gradient noise).
    let noise = fract(52.9829189 * fract(dot(floor(pixel), vec2f(0.06711056, 0.00583715)))) - 0.5;
    // Size of an sRGB step in linear light.
    let step = (2.1 * sqrt(max(color, vec3f(0.0))) + 0.08) / 255.0;
    return select(color + noise * step, color, (color <= vec3f(0.0)) | (color >= vec3f(1.0)));
}

// Display colours from radiance.
fn screen_from_light(light: vec3f, pixel: vec2f) -> vec3f {
    var color = light * frame.exposure;
    if TONE_MAPPING == TONE_AGX {
        color = agx(color);
    } else if TONE_MAPPING == TONE_NEUTRAL {
        color = neutral(color);
    }
    return dithered(color, pixel);
}
