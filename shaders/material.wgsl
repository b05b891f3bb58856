// After frame.wgsl in passes with materials: uniform, textures and base colour. The types for a surface
// point (`Varying`, `Facing`) and the texture lookup (`texel`) are in fragment.wgsl for triangles, or in
// deferred.wgsl.

// The transform from the vertices' UVs to a texture's UVs.
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
    // Right (xy) and up (zw) of the normal map, in terms of tangent and bitangent.
    tangents_from_normal_map: vec4f,
    // Selects the texture's channel: 1 for that channel, 0 for the others.
    metallic_channel: vec4f,
    roughness_channel: vec4f,
    occlusion_channel: vec4f,
    emissive: vec3f,         // linear RGB, unbounded
    metallic: f32,
    dielectric_f0: vec3f,    // reflectance of dielectrics at normal incidence
    roughness: f32,
    sheen_color: vec3f,
    sheen_roughness: f32,
    dielectric_f90: f32,     // at grazing incidence
    clearcoat: f32,
    clearcoat_roughness: f32,
    transmission: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    alpha_cutoff: f32,       // texels below are cut out
}

// Properties of the material. A pipeline is created for each combination in use.
override MATERIAL_FLAGS: u32 = 0u;

const MATERIAL_NORMAL_MAP: u32 = 1u;
const MATERIAL_TWO_SIDED: u32 = 2u;
const MATERIAL_UNLIT: u32 = 4u;
const MATERIAL_BLENDED: u32 = 8u;
const MATERIAL_METALLIC_MAP: u32 = 16u;
const MATERIAL_ROUGHNESS_MAP: u32 = 32u;
// Roughness is in the metallic texture, at the same UV.
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

// The side of a face towards the viewer.
struct Facing {
    normal: vec3f, // world space, unit length, towards the viewer
    is_front: bool,
}

// Right and up of the normal map in world space, for the side towards the viewer; zero if undefined.
struct Basis {
    right: vec3f,
    up: vec3f,
}

fn has_relief() -> bool {
    return (MATERIAL_FLAGS & MATERIAL_NORMAL_MAP) != 0u && (frame.flags & FRAME_FLAT) == 0u;
}

// The normal from the normal map, in world space. `normal` faces the viewer.
fn relief(in: Varying, normal: vec3f, basis: Basis) -> vec3f {
    var stored = texel(normal_texture, normal_sampler, material.normal_from_uv, in).xyz * 2.0 - 1.0;
    stored = vec3f(stored.xy * material.normal_scale, stored.z);
    let unit = unit_or_zero(basis.right * stored.x + basis.up * stored.y + normal * stored.z);
    return select(normal, unit, dot(unit, unit) > 0.5);
}

// Factor, texture and vertex colour (glTF 2.0, section 3.7.2.1), linear.
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

// Texels of blended materials with at least this alpha are drawn as opaque. Files often declare materials
// as blended although only a few texels are translucent. The opaque texels are drawn first, with depth, so
// that the near side of a body covers its far side regardless of the order of triangles.
const SOLID_ALPHA: f32 = 0.99;

fn is_blended() -> bool {
    return (MATERIAL_FLAGS & MATERIAL_BLENDED) != 0u;
}

fn is_transmissive() -> bool {
    return (MATERIAL_FLAGS & MATERIAL_TRANSMISSIVE) != 0u;
}

// Without a cutoff the alpha isn't read, so that the depth is known before the colour.
fn is_cut_away(alpha: f32) -> bool {
    return (MATERIAL_FLAGS & MATERIAL_CUT) != 0u && alpha < material.alpha_cutoff;
}
