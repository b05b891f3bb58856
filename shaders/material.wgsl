// After frame.wgsl where there is a material: its numbers, textures and colour. What a place of it is
// (`Varying`, `Facing`) and how a texture is looked up there (`texel`) is in fragment.wgsl, where triangles are
// drawn, or in deferred.wgsl.

// Texture coordinates of a texture from those of a vertex.
struct FromUv {
    x: vec4f, // u from (u, v, 1); w is unused
    y: vec4f,
}

// Keep in sync with crates/gpu/src/textures/input.rs.
struct MaterialInput {
    base_color: vec4f,       // linear RGBA
    base_from_uv: FromUv,
    normal_from_uv: FromUv,
    metallic_from_uv: FromUv,
    roughness_from_uv: FromUv,
    occlusion_from_uv: FromUv,
    emissive_from_uv: FromUv,
    // Right (xy) and up (zw) of the normal map, each as shares of tangent and bitangent.
    tangents_from_normal_map: vec4f,
    // Which channel of its texture each number is in: 1 there, 0 elsewhere.
    metallic_channel: vec4f,
    roughness_channel: vec4f,
    occlusion_channel: vec4f,
    emissive: vec3f,         // linear RGB, of any strength
    metallic: f32,
    dielectric_f0: vec3f,    // mirrored by what is no metal, seen from the front
    roughness: f32,
    sheen_color: vec3f,
    sheen_roughness: f32,
    dielectric_f90: f32,     // the same at grazing angles
    clearcoat: f32,
    clearcoat_roughness: f32,
    transmission: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    alpha_cutoff: f32,       // what is below is not there
}

// What the material is and has: a pipeline is made for each that there is.
override MATERIAL_FLAGS: u32 = 0u;

const MATERIAL_NORMAL_MAP: u32 = 1u;
const MATERIAL_TWO_SIDED: u32 = 2u;
const MATERIAL_UNLIT: u32 = 4u;
const MATERIAL_BLENDED: u32 = 8u;
const MATERIAL_METALLIC_MAP: u32 = 16u;
const MATERIAL_ROUGHNESS_MAP: u32 = 32u;
// Roughness lies in the texture of metallic, at the same place.
const MATERIAL_ROUGHNESS_SHARED: u32 = 64u;
const MATERIAL_OCCLUSION_MAP: u32 = 128u;
const MATERIAL_OCCLUSION_SHARED: u32 = 256u;
const MATERIAL_EMISSIVE_MAP: u32 = 512u;
const MATERIAL_BASE_ENCODED_TWICE: u32 = 1024u;
const MATERIAL_CLEARCOAT: u32 = 2048u;
const MATERIAL_SHEEN: u32 = 4096u;
const MATERIAL_CUT: u32 = 8192u;
const MATERIAL_TRANSMISSIVE: u32 = 16384u;

@group(2) @binding(0) var<uniform> material: MaterialInput;
@group(2) @binding(1) var base_texture: texture_2d<f32>;
@group(2) @binding(2) var base_sampler: sampler;
@group(2) @binding(3) var normal_texture: texture_2d<f32>;
@group(2) @binding(4) var normal_sampler: sampler;
@group(2) @binding(5) var metallic_texture: texture_2d<f32>;
@group(2) @binding(6) var metallic_sampler: sampler;
@group(2) @binding(7) var roughness_texture: texture_2d<f32>;
@group(2) @binding(8) var roughness_sampler: sampler;
@group(2) @binding(9) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(10) var occlusion_sampler: sampler;
@group(2) @binding(11) var emissive_texture: texture_2d<f32>;
@group(2) @binding(12) var emissive_sampler: sampler;

fn placed_uv(from_uv: FromUv, uv: vec2f) -> vec2f {
    let at = vec3f(uv, 1.0);
    return vec2f(dot(from_uv.x.xyz, at), dot(from_uv.y.xyz, at));
}

// A face as its viewer sees it.
struct Facing {
    normal: vec3f, // world space, unit length, towards the viewer
    is_front: bool,
}

// Right and up of the normal map, world space, as its viewer sees it; zero where nothing says.
struct Basis {
    right: vec3f,
    up: vec3f,
}

fn has_relief() -> bool {
    return (MATERIAL_FLAGS & MATERIAL_NORMAL_MAP) != 0u && (frame.flags & FRAME_FLAT) == 0u;
}

// The normal in the normal map, world space. `normal` looks at the viewer.
fn relief(in: Varying, normal: vec3f, basis: Basis) -> vec3f {
    var stored = texel(normal_texture, normal_sampler, material.normal_from_uv, in).xyz * 2.0 - 1.0;
    stored = vec3f(stored.xy * material.normal_scale, stored.z);
    let unit = unit_or_zero(basis.right * stored.x + basis.up * stored.y + normal * stored.z);
    return select(normal, unit, dot(unit, unit) > 0.5);
}

// Factor, texture and vertices (glTF 2.0, section 3.7.2.1), linear.
fn base_of(in: Varying) -> vec4f {
    var base = texel(base_texture, base_sampler, material.base_from_uv, in);
    if (MATERIAL_FLAGS & MATERIAL_BASE_ENCODED_TWICE) != 0u {
        base = vec4f(linear_from_srgb(base.rgb), base.a);
    }
    return base * material.base_color * in.tint;
}

fn is_lit_from_both_sides() -> bool {
    return (frame.flags & FRAME_TWO_SIDED) != 0u || (MATERIAL_FLAGS & MATERIAL_TWO_SIDED) != 0u;
}

// From this alpha on a blended material hides what is behind it. Files call materials blended whose textures
// are opaque but for a few texels: those texels are drawn first, with depth, so that the near side of
// a body lies over its far side whatever the order of its triangles.
const SOLID_ALPHA: f32 = 0.99;

fn is_blended() -> bool {
    return (MATERIAL_FLAGS & MATERIAL_BLENDED) != 0u;
}

fn is_transmissive() -> bool {
    return (MATERIAL_FLAGS & MATERIAL_TRANSMISSIVE) != 0u;
}

// Where a material is never cut nothing asks for its alpha, so that depth can be known before its colour.
fn is_cut_away(alpha: f32) -> bool {
    return (MATERIAL_FLAGS & MATERIAL_CUT) != 0u && alpha < material.alpha_cutoff;
}
