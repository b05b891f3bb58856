// Before every other shader: what several of them share.
// Keep in sync with crates/gpu/src/gpu_data.rs; a test compares sizes and offsets.

// No bone, no parent.
const NONE: u32 = 0xffffffffu;

// A vertex after skinning, file space. 48 bytes; u and v fill what vec3f leaves open. Skinned vertices lie in
// buffers in lists: position and u of each, normal and v of each, tangents where any mesh has them.
struct SkinnedVertex {
    position: vec3f,
    u: f32,
    normal: vec3f, // unit length or zero
    v: f32,
    tangent: vec4f, // xyz unit length or zero, w the bitangent sign
}

// Whether a buffer of so many vectors has the list of tangents. Keep in sync with crates/gpu/src/skinned_layout.rs.
fn has_tangents(num_vectors: u32) -> bool {
    return num_vectors % 3u != 1u;
}

// Vectors of each of its lists.
fn vertex_capacity(num_vectors: u32) -> u32 {
    return select(num_vectors / 2u, num_vectors / 3u, has_tangents(num_vectors));
}

// What all passes of one image share. World is display space: right-handed, y up.
struct Frame {
    clip_from_world: mat4x4f,
    view_from_world: mat4x4f,
    world_from_file: mat4x4f,
    view_from_clip: mat4x4f,
    background_top: vec4f,    // linear RGBA
    background_bottom: vec4f, // linear RGBA
    shadow_area: vec4f,       // on the ground: x and z of its middle, half its side, height of what casts
    grid_center: vec3f,       // on the ground plane
    grid_radius: f32,
    viewport_px: vec2f,
    pixels_per_point: f32,
    flags: u32,
    grid_spacing: f32,        // of the finer lines
    grid_fine_share: f32,     // 0 hides the finer lines, 1 shows them fully
    depth_pull_factor: f32,   // depth of what must lie just over a surface: z * factor + w * offset
    depth_pull_offset: f32,
    tint: vec4f,              // linear RGB and opacity of a ghost; opacity 0: no ghost
    coloring: u32,            // in place of the looks of subsets
    paint_low: f32,           // what is green in a heat map, and what is red
    paint_high: f32,
    view_left_px: f32,        // of the part of the image that the view fills
    glyph_length: f32,        // of lines of directions, world units
    exposure: f32,            // multiplies all light
    light_intensity: f32,     // multiplies that of the environment
    light_levels: f32,        // level of their prefiltered cube at roughness 1
    eye: vec4f,               // world; where w is 0 the direction to it
    light_turn: vec2f,        // cosine and sine of how far the environment is turned
    backdrop_level: f32,      // of the prefiltered cube that is seen behind the model
    occlusion_radius: f32,    // how far what takes light away is looked for, world units
}

// What the first word of a pixel of ids says it is, in its two low bits; above them is the number of
// the draw. Keep in sync with crates/gpu/src/pass/ids.rs.
const ID_TRIANGLE: u32 = 1u;
const ID_BONE: u32 = 2u;
const ID_POINT: u32 = 3u;

const FRAME_TWO_SIDED: u32 = 1u;
const FRAME_FLAT: u32 = 2u;
const FRAME_MIRRORED: u32 = 4u;
const FRAME_SURFACE_SHOWN: u32 = 8u;
const FRAME_SUBSET_COLORS: u32 = 16u;
const FRAME_NORMALS: u32 = 32u;
const FRAME_TANGENTS: u32 = 64u;
const FRAME_BITANGENTS: u32 = 128u;
const FRAME_CUBE_SEAMS: u32 = 256u;

// Keep in sync with crates/core/src/visual/show/table.rs.
const COLORING_NONE: u32 = 0u;
const COLORING_INFLUENCE_COUNTS: u32 = 1u;
const COLORING_HEAT: u32 = 2u;
const COLORING_COLORS: u32 = 3u;
const COLORING_NORMALS: u32 = 4u;
const COLORING_TANGENTS: u32 = 5u;
const COLORING_BITANGENTS: u32 = 6u;
const COLORING_TANGENT_SIGN: u32 = 7u;
const COLORING_UV: u32 = 8u;
const COLORING_MIRRORED_UVS: u32 = 9u;
const COLORING_VERTEX_ORDER: u32 = 10u;
const COLORING_FACE_ORIENTATION: u32 = 11u;
const COLORING_MATCAP: u32 = 12u;
const COLORING_VERTEX_COLORS: u32 = 13u;
// Of materials, by physical.wgsl.
const COLORING_BASE_COLOR: u32 = 14u;
const COLORING_METALLIC: u32 = 15u;
const COLORING_ROUGHNESS: u32 = 16u;
const COLORING_MATERIAL_NORMALS: u32 = 17u;
const COLORING_OCCLUSION: u32 = 18u;
const COLORING_EMISSIVE: u32 = 19u;
const COLORING_DIFFUSE_LIGHT: u32 = 20u;
const COLORING_SPECULAR_LIGHT: u32 = 21u;

// One subset (or a whole mesh, for points), picked by instance index.
struct Draw {
    color: vec4f, // linear, straight alpha
    first_vertex: u32,
    first_index: u32,
    index_bytes: u32, // 2 or 4; 0 where vertices are meant themselves
    flags: u32,
}

// What moves the mesh as a whole is a mirror.
const DRAW_MIRRORED: u32 = 1u;
// Its vertices have colours, and they are wanted: vertex_values holds them, sRGB and alpha.
const DRAW_COLORED: u32 = 2u;
// Its dots have its colour: they are what the file has, and not marks on a surface.
const DRAW_OWN_DOTS: u32 = 4u;
// Its lines and dots let through what is behind them, by its alpha and that of vertices.
const DRAW_BLENDED: u32 = 8u;

// Corner `index` of three of one triangle over the whole image.
fn covering(index: u32) -> vec2f {
    return vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
}

// That colour times the one of a vertex, of which alpha counts where the draw is blended.
fn tinted(color: vec4f, draw: Draw, bytes: u32) -> vec4f {
    let of_vertex = color_from_srgb8(bytes);
    let alpha = select(1.0, of_vertex.a, (draw.flags & DRAW_BLENDED) != 0u);
    return color * vec4f(of_vertex.rgb, alpha);
}

// A direction for a cube whose faces the adapter does not filter across: no further out than the centres
// of the outermost texels of a level, `size` of which lie along a side.
fn within_face(direction: vec3f, size: f32) -> vec3f {
    let a = abs(direction);
    let most = max(a.x, max(a.y, a.z)) * (1.0 - 1.0 / size);
    let within = clamp(direction, vec3f(-most), vec3f(most));
    if a.x >= a.y && a.x >= a.z {
        return vec3f(direction.x, within.yz);
    }
    if a.y >= a.z {
        return vec3f(within.x, direction.y, within.z);
    }
    return vec3f(within.xy, direction.z);
}

// `v` with unit length; zero where it has none. Scaled by its largest component first, so that no
// square overflows or vanishes. Keep in sync with crates/core/src/pose/skin.rs.
fn unit_or_zero(v: vec3f) -> vec3f {
    let a = abs(v);
    let largest = max(a.x, max(a.y, a.z));
    if !(largest > 0.0 && largest <= 3.40282e38) {
        return vec3f(0.0);
    }
    return normalize(v / largest);
}

// Which matrix turns normals and tangents. Keep in sync with crates/core/src/model/normal_matrix.rs.
const NORMAL_MATRIX_INVERSE_TRANSPOSE: u32 = 0u; // of normals; tangents go by the matrix itself
const NORMAL_MATRIX_SAME: u32 = 1u;              // the matrix itself
const NORMAL_MATRIX_COFACTOR: u32 = 2u;          // cofactors, of both

fn times(x: vec3f, y: vec3f, z: vec3f, v: vec3f) -> vec3f {
    return vec3f(dot(x, v), dot(y, v), dot(z, v));
}

// A normal where the matrix of rows x, y, z moves positions; of any length.
// Keep in sync with crates/core/src/pose/normals.rs.
fn turned_normal(by: u32, x: vec3f, y: vec3f, z: vec3f, normal: vec3f) -> vec3f {
    if by == NORMAL_MATRIX_SAME {
        return times(x, y, z, normal);
    }
    // The rows' crosses are the cofactor matrix's rows.
    let cofactor_x = cross(y, z);
    let turned = times(cofactor_x, cross(z, x), cross(x, y), normal);
    // Cofactors are the inverse transpose times the volume, whose sign a mirror flips.
    let is_flipped = by == NORMAL_MATRIX_INVERSE_TRANSPOSE && dot(x, cofactor_x) < 0.0;
    return select(turned, -turned, is_flipped);
}

// The same for a tangent.
fn turned_tangent(by: u32, x: vec3f, y: vec3f, z: vec3f, tangent: vec3f) -> vec3f {
    if by == NORMAL_MATRIX_COFACTOR {
        return times(cross(y, z), cross(z, x), cross(x, y), tangent);
    }
    return times(x, y, z, tangent);
}

// Light on a surface seen by the viewer: a key from the upper left, a fill from the right, a rim
// from behind and a sky over a ground. The first three stand still in view space, so that no side
// of a turned model is dark.
fn lit(albedo: vec3f, normal_in_world: vec3f, normal_in_view: vec3f) -> vec3f {
    let key_direction = vec3f(-0.4243, 0.5657, 0.7071);
    let fill_direction = vec3f(0.8165, 0.0, 0.5774);
    let rim_direction = vec3f(0.0, 0.4472, -0.8944);
    let key = max(dot(normal_in_view, key_direction), 0.0) * vec3f(0.80, 0.78, 0.74);
    let fill = max(dot(normal_in_view, fill_direction), 0.0) * vec3f(0.16, 0.18, 0.22);
    let rim = max(dot(normal_in_view, rim_direction), 0.0) * vec3f(0.30, 0.32, 0.36);
    let sky = mix(vec3f(0.10, 0.09, 0.08), vec3f(0.26, 0.28, 0.31), normal_in_world.y * 0.5 + 0.5);
    // Blinn and Phong; the viewer looks along -z of view space.
    let half_way = normalize(key_direction + vec3f(0.0, 0.0, 1.0));
    let gloss = 0.05 * pow(max(dot(normal_in_view, half_way), 0.0), 40.0);
    return albedo * (key + fill + rim + sky) + vec3f(gloss);
}

// The colour of the number that most of the corners around have, each by how near it is: no
// number is shown that no corner has. Keep in sync with crates/core/src/model/color.rs.
fn influence_color(few: vec3f, many: vec3f) -> vec3f {
    var color = vec3f(0.75, 0.75, 0.75);
    var most = few.x;
    if few.y > most { color = vec3f(0.03, 0.10, 0.55); most = few.y; }
    if few.z > most { color = vec3f(0.02, 0.42, 0.48); most = few.z; }
    if many.x > most { color = vec3f(0.12, 0.45, 0.06); most = many.x; }
    if many.y > most { color = vec3f(0.72, 0.45, 0.02); most = many.y; }
    if many.z > most { color = vec3f(0.70, 0.04, 0.05); }
    return color;
}

// The colour of a value between low and high: blue is none, then green to yellow to red; grey is no
// number. Keep in sync with crates/core/src/visual/paint.rs.
fn heat(value: f32, low: f32, high: f32) -> vec3f {
    if !(abs(value) <= 3.40282e38) {
        return vec3f(0.2);
    }
    let none = vec3f(0.02, 0.06, 0.45);
    let little = vec3f(0.03, 0.45, 0.08);
    let half_way = vec3f(0.80, 0.62, 0.02);
    let all = vec3f(0.78, 0.03, 0.02);
    let share = clamp((value - low) / max(high - low, 1.17549435e-38), 0.0, 1.0);
    if share < 0.02 {
        return mix(none, little, share / 0.02);
    }
    if share < 0.5 {
        return mix(little, half_way, (share - 0.02) / 0.48);
    }
    return mix(half_way, all, (share - 0.5) * 2.0);
}

// Whether a transform makes mirror images, which turns bitangents.
fn is_mirror(m: mat4x4f) -> bool {
    return dot(cross(m[0].xyz, m[1].xyz), m[2].xyz) < 0.0;
}

// Linear from sRGB, each 0..1.
fn linear_from_srgb(srgb: vec3f) -> vec3f {
    return select(pow((srgb + 0.055) / 1.055, vec3f(2.4)), srgb / 12.92, srgb <= vec3f(0.04045));
}

// A linear colour with alpha from four bytes, whose RGB is sRGB.
fn color_from_srgb8(bytes: u32) -> vec4f {
    let srgb = unpack4x8unorm(bytes);
    return vec4f(linear_from_srgb(srgb.rgb), srgb.a);
}

// Share of a pixel that a shape covers whose edge is `distance_px` away, negative inside.
fn coverage(distance_px: f32) -> f32 {
    return clamp(0.5 - distance_px, 0.0, 1.0);
}

// Corner of a quad of two triangles, -1..1.
fn quad_corner(index: u32) -> vec2f {
    let x = select(-1.0, 1.0, index == 1u || index == 2u || index == 4u);
    let y = select(-1.0, 1.0, index == 2u || index == 4u || index == 5u);
    return vec2f(x, y);
}
