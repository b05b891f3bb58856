// After mesh.wgsl in passes over triangles with a material: its numbers and textures, the vertex stage,
// relief and colour.

// Texture coordinates of a texture from those of a vertex.
struct FromUv {
    x: vec4f, // u from (u, v, 1); w is unused
    y: vec4f,
}

// Keep in sync with src/gpu/textures/input.rs.
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

struct Varying {
    // Invariant: the wireframe must land on exactly this depth.
    @invariant @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal_in_world: vec3f,
    @location(2) tangent_in_world: vec4f, // w is the bitangent sign in world space
    @location(3) uv: vec2f,
    @location(4) @interpolate(flat) draw: u32,
    @location(5) tint: vec4f, // linear RGBA of the vertices
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) draw: u32,
) -> Varying {
    let at = draws[draw].first_vertex + index;
    let vertex = skinned[at];
    let world = frame.world_from_file * vec4f(vertex.position, 1.0);
    // The bitangent sign is meant where the mesh was made; a mirror turns it.
    let m = frame.world_from_file;
    let is_mirrored = is_mirror(m) != ((draws[draw].flags & DRAW_MIRRORED) != 0u);
    var out: Varying;
    out.clip = frame.clip_from_world * world;
    out.world = world.xyz;
    out.normal_in_world = unit_or_zero((m * vec4f(vertex.normal, 0.0)).xyz);
    out.tangent_in_world = vec4f(
        unit_or_zero((m * vec4f(vertex.tangent.xyz, 0.0)).xyz),
        select(vertex.tangent.w, -vertex.tangent.w, is_mirrored),
    );
    out.uv = vec2f(vertex.u, vertex.v);
    out.draw = draw;
    out.tint = vec4f(1.0);
    if (draws[draw].flags & DRAW_COLORED) != 0u {
        out.tint = color_from_srgb8(vertex_values[at]);
    }
    return out;
}

// The normal in the normal map, world space. `normal` looks at the viewer; `side` is -1 where it
// was turned round for that.
fn relief(in: Varying, normal: vec3f, side: f32) -> vec3f {
    let uv = placed_uv(material.normal_from_uv, in.uv);
    var stored = textureSample(normal_texture, normal_sampler, uv).xyz * 2.0 - 1.0;
    stored = vec3f(stored.xy * material.normal_scale, stored.z);
    let outward = normal * side;

    // Right and up of the map where the vertices say nothing: how the position changes with the
    // coordinates on the screen. v points down.
    let dx = dpdx(in.world);
    let dy = dpdy(in.world);
    let uv_dx = dpdx(uv);
    let uv_dy = dpdy(uv);
    let area_sign = sign(uv_dx.x * uv_dy.y - uv_dx.y * uv_dy.x);
    var right = (dx * uv_dy.y - dy * uv_dx.y) * area_sign;
    var up = (dx * uv_dy.x - dy * uv_dx.x) * area_sign;
    right = unit_or_zero(right - outward * dot(outward, right));
    up = unit_or_zero(up - outward * dot(outward, up));

    let tangent = unit_or_zero(in.tangent_in_world.xyz);
    if dot(tangent, tangent) > 0.5 && abs(in.tangent_in_world.w) > 0.5 {
        let bitangent = unit_or_zero(cross(outward, tangent)) * sign(in.tangent_in_world.w);
        let turn = material.tangents_from_normal_map;
        right = tangent * turn.x + bitangent * turn.y;
        up = tangent * turn.z + bitangent * turn.w;
    }
    let bent = (right * stored.x + up * stored.y) * side + normal * stored.z;
    let unit = unit_or_zero(bent);
    return select(normal, unit, dot(unit, unit) > 0.5);
}

// A face as its viewer sees it.
struct Facing {
    normal: vec3f, // world space, unit length, towards the viewer
    is_front: bool,
}

fn facing(in: Varying, front_facing: bool) -> Facing {
    // Towards the viewer whatever the winding: y of the image points down.
    let flat_normal = unit_or_zero(cross(dpdy(in.world), dpdx(in.world)));
    // A mirror, of the display or of the mesh, turns counter-clockwise fronts clockwise.
    let is_mirrored =
        ((frame.flags & FRAME_MIRRORED) != 0u) != ((draws[in.draw].flags & DRAW_MIRRORED) != 0u);
    let is_front = front_facing != is_mirrored;
    let is_flat = (frame.flags & FRAME_FLAT) != 0u;
    let side = select(-1.0, 1.0, is_front);
    var normal = flat_normal;
    if !is_flat && dot(in.normal_in_world, in.normal_in_world) >= 1e-6 {
        normal = normalize(in.normal_in_world) * side;
    }
    if (MATERIAL_FLAGS & MATERIAL_NORMAL_MAP) != 0u && !is_flat {
        normal = relief(in, normal, side);
    }
    return Facing(normal, is_front);
}

// Factor, texture and vertices (glTF 2.0, section 3.7.2.1), linear.
fn base_of(in: Varying) -> vec4f {
    let uv = placed_uv(material.base_from_uv, in.uv);
    var texel = textureSample(base_texture, base_sampler, uv);
    if (MATERIAL_FLAGS & MATERIAL_BASE_ENCODED_TWICE) != 0u {
        texel = vec4f(linear_from_srgb(texel.rgb), texel.a);
    }
    return texel * material.base_color * in.tint;
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

// What hides what is behind it, where a pixel has several samples.
struct Covered {
    @location(0) color: vec4f,
    @builtin(sample_mask) samples: u32,
}

// Which of a pixel's four samples `alpha` leaves: at an edge that the cutoff makes as many as the pixel has
// of the inside (alpha to coverage), so that it has no stairs.
fn covered_samples(alpha: f32) -> u32 {
    let inside = (alpha - material.alpha_cutoff) / max(fwidth(alpha), 1e-4) + 0.5;
    return (1u << u32(round(clamp(inside, 0.0, 1.0) * 4.0))) - 1u;
}
