// Prepended to every other shader: shared definitions.
// Keep in sync with crates/gpu/src/gpu_data.rs; a test compares sizes and offsets.

// No bone or no parent.
const NONE: u32 = 0xffffffffu;

// A vertex after skinning, in file space. 48 bytes; u and v fill the padding of vec3f. In buffers, skinned
// vertices are separate arrays: position and u, normal and v, and tangents if any mesh has them.
struct SkinnedVertex {
    position: vec3f,
    u: f32,
    normal: vec3f, // unit length or zero
    v: f32,
    tangent: vec4f, // xyz unit length or zero, w the bitangent sign
}

// Whether a buffer of `num_vectors` vectors has an array of tangents. Keep in sync with
// crates/gpu/src/skinned_layout.rs.
fn has_tangents(num_vectors: u32) -> bool {
    return num_vectors % 3u != 1u;
}

// Vectors per array of such a buffer.
fn vertex_capacity(num_vectors: u32) -> u32 {
    return select(num_vectors / 2u, num_vectors / 3u, has_tangents(num_vectors));
}

// The uniform that all passes of a frame share. World is display space: right-handed, y up.
struct Frame {
    clip_from_world: mat4x4f,
    view_from_world: mat4x4f,
    world_from_file: mat4x4f,
    view_from_clip: mat4x4f,
    background_top: vec4f,    // linear RGBA
    background_bottom: vec4f, // linear RGBA
    shadow_area: vec4f,       // ground: x, z of the centre, half side, height of the casters
    grid_center: vec3f,       // on the ground plane
    grid_radius: f32,
    viewport_px: vec2f,
    pixels_per_point: f32,
    flags: u32,
    grid_spacing: f32,        // of the fine lines
    grid_fine_share: f32,     // 0 hides the fine lines, 1 shows them fully
    depth_pull_factor: f32,   // moves depth just in front of a surface: z * factor + w * offset
    depth_pull_offset: f32,
    tint: vec4f,              // linear RGB and opacity of a ghost; opacity 0: not a ghost
    coloring: u32,            // replaces the subsets' look
    paint_low: f32,           // values that are green and red in a heat map
    paint_high: f32,
    view_left_px: f32,        // left edge of the view in the image
    glyph_length: f32,        // length of normals and tangents, in world units
    exposure: f32,            // multiplies all light
    light_intensity: f32,     // multiplies the light of the environment
    light_levels: f32,        // level of the prefiltered cube at roughness 1
    eye: vec4f,               // world position, or the direction to the eye if w is 0
    light_turn: vec2f,        // cosine and sine of the environment's rotation
    backdrop_level: f32,      // level of the prefiltered cube behind the model
    occlusion_radius: f32,    // radius of ambient occlusion, in world units
}

// The kind in the two low bits of the first word of an ID; the other bits are the draw's index.
// Keep in sync with crates/gpu/src/pass/ids.rs.
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
// Material properties, drawn by physical.wgsl.
const COLORING_BASE_COLOR: u32 = 14u;
const COLORING_METALLIC: u32 = 15u;
const COLORING_ROUGHNESS: u32 = 16u;
const COLORING_MATERIAL_NORMALS: u32 = 17u;
const COLORING_OCCLUSION: u32 = 18u;
const COLORING_EMISSIVE: u32 = 19u;
const COLORING_DIFFUSE_LIGHT: u32 = 20u;
const COLORING_SPECULAR_LIGHT: u32 = 21u;

// A subset (or a whole mesh, for points), selected by the instance index.
struct Draw {
    color: vec4f, // linear, straight alpha
    first_vertex: u32,
    first_index: u32,
    index_bytes: u32, // 2 or 4; 0 if vertices are drawn without indices
    flags: u32,
}

// The mesh is mirrored as a whole.
const DRAW_MIRRORED: u32 = 1u;
// Its vertices have colours, which are shown: vertex_values holds them, sRGB and alpha.
const DRAW_COLORED: u32 = 2u;
// Its dots have the draw's colour: they are in the file instead of marks on a surface.
const DRAW_OWN_DOTS: u32 = 4u;
// Its lines and dots are translucent, by the alpha of the draw and of its vertices.
const DRAW_BLENDED: u32 = 8u;

// Corner `index` of a triangle that covers the whole image.
fn covering(index: u32) -> vec2f {
    return vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
}

// `color` times a vertex colour, whose alpha only counts for blended draws.
fn tinted(color: vec4f, draw: Draw, bytes: u32) -> vec4f {
    let of_vertex = color_from_srgb8(bytes);
    let alpha = select(1.0, of_vertex.a, (draw.flags & DRAW_BLENDED) != 0u);
    return color * vec4f(of_vertex.rgb, alpha);
}

// Clamps a direction for cubes that the adapter doesn't filter across edges, so that no texel beyond a face is
// read, even with weight 0: that memory is undefined, and 0 times NaN is NaN. `size` is the side of the first
// of `num_levels` levels, in texels. A whole level is filtered with the next one too, with weight 0.
fn within_face(direction: vec3f, size: u32, level: f32, num_levels: u32) -> vec3f {
    let coarsest = size >> min(u32(max(level, 0.0)) + 1u, num_levels - 1u);
    let a = abs(direction);
    // A little inside the centres of the outermost texels.
    let most = max(a.x, max(a.y, a.z)) * max(1.0 - 1.01 / f32(coarsest), 0.0);
    let within = clamp(direction, vec3f(-most), vec3f(most));
    if a.x >= a.y && a.x >= a.z {
        return vec3f(direction.x, within.yz);
    }
    if a.y >= a.z {
        return vec3f(within.x, direction.y, within.z);
    }
    return vec3f(within.xy, direction.z);
}

// `v` normalized, or zero if it has no direction. Scaled by its largest component first, so that squares
// neither overflow nor vanish.
// Keep in sync with crates/core/src/pose/skin.rs.
fn unit_or_zero(v: vec3f) -> vec3f {
    let a = abs(v);
    let largest = max(a.x, max(a.y, a.z));
    if !(largest > 0.0 && largest <= 3.40282e38) {
        return vec3f(0.0);
    }
    return normalize(v / largest);
}

// The matrix for normals and tangents. Keep in sync with crates/core/src/model/normal_matrix.rs.
const NORMAL_MATRIX_INVERSE_TRANSPOSE: u32 = 0u; // for normals; tangents use the matrix itself
const NORMAL_MATRIX_SAME: u32 = 1u;              // the matrix itself
const NORMAL_MATRIX_COFACTOR: u32 = 2u;          // cofactors, for both
const NORMAL_MATRIX_SAME_THEN_LAST: u32 = 3u;    // the matrix itself, then the last slot
const NORMAL_MATRIX_PER_BONE: u32 = 4u;          // the sum of the inverse transposes of bone matrices

fn times(x: vec3f, y: vec3f, z: vec3f, v: vec3f) -> vec3f {
    return vec3f(dot(x, v), dot(y, v), dot(z, v));
}

// The normal after a transform with rows x, y, z; not normalized.
// Keep in sync with crates/core/src/pose/normals.rs.
fn turned_normal(by: u32, x: vec3f, y: vec3f, z: vec3f, normal: vec3f) -> vec3f {
    if by == NORMAL_MATRIX_SAME || by == NORMAL_MATRIX_SAME_THEN_LAST {
        return times(x, y, z, normal);
    }
    // The cross products of the rows are the rows of the cofactor matrix.
    let cofactor_x = cross(y, z);
    let turned = times(cofactor_x, cross(z, x), cross(x, y), normal);
    // Cofactors are the inverse transpose times the determinant, which is negative for mirrors.
    let is_flipped = by != NORMAL_MATRIX_COFACTOR && dot(x, cofactor_x) < 0.0;
    return select(turned, -turned, is_flipped);
}

// The tangent after the same transform.
fn turned_tangent(by: u32, x: vec3f, y: vec3f, z: vec3f, tangent: vec3f) -> vec3f {
    if by == NORMAL_MATRIX_COFACTOR {
        return times(cross(y, z), cross(z, x), cross(x, y), tangent);
    }
    return times(x, y, z, tangent);
}

// Plain light: a key light from the upper left, a fill from the right, a rim light from behind, and a sky
// over a ground. The first three are fixed in view space, so that no side of the model is dark while
// orbiting.
fn lit(albedo: vec3f, normal_in_world: vec3f, normal_in_view: vec3f) -> vec3f {
    let key_direction = vec3f(-0.4243, 0.5657, 0.7071);
    let fill_direction = vec3f(0.8165, 0.0, 0.5774);
    let rim_direction = vec3f(0.0, 0.4472, -0.8944);
    let key = max(dot(normal_in_view, key_direction), 0.0) * vec3f(0.80, 0.78, 0.74);
    let fill = max(dot(normal_in_view, fill_direction), 0.0) * vec3f(0.16, 0.18, 0.22);
    let rim = max(dot(normal_in_view, rim_direction), 0.0) * vec3f(0.30, 0.32, 0.36);
    let sky = mix(vec3f(0.10, 0.09, 0.08), vec3f(0.26, 0.28, 0.31), normal_in_world.y * 0.5 + 0.5);
    // Blinn-Phong; the viewer looks along -z in view space.
    let half_way = normalize(key_direction + vec3f(0.0, 0.0, 1.0));
    let gloss = 0.05 * pow(max(dot(normal_in_view, half_way), 0.0), 40.0);
    return albedo * (key + fill + rim + sky) + vec3f(gloss);
}

// The colour of the influence count with the largest weight among the corners, so that no interpolated
// count appears. Keep in sync with crates/core/src/model/color.rs.
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

// The heat map colour of a value between low and high: blue for none, then green, yellow and red; grey for
// NaN and infinity. Keep in sync with crates/core/src/visual/paint.rs.
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

// Whether a transform mirrors, which flips bitangents.
fn is_mirror(m: mat4x4f) -> bool {
    return dot(cross(m[0].xyz, m[1].xyz), m[2].xyz) < 0.0;
}

// Linear from sRGB, both 0..1.
fn linear_from_srgb(srgb: vec3f) -> vec3f {
    return select(pow((srgb + 0.055) / 1.055, vec3f(2.4)), srgb / 12.92, srgb <= vec3f(0.04045));
}

// Linear colour and alpha from four bytes of sRGB and alpha.
fn color_from_srgb8(bytes: u32) -> vec4f {
    let srgb = unpack4x8unorm(bytes);
    return vec4f(linear_from_srgb(srgb.rgb), srgb.a);
}

// Coverage of a pixel by a shape whose edge is `distance_px` away, negative inside.
fn coverage(distance_px: f32) -> f32 {
    return clamp(0.5 - distance_px, 0.0, 1.0);
}

// Corner of a quad of two triangles, -1..1.
fn quad_corner(index: u32) -> vec2f {
    let x = select(-1.0, 1.0, index == 1u || index == 2u || index == 4u);
    let y = select(-1.0, 1.0, index == 2u || index == 4u || index == 5u);
    return vec2f(x, y);
}
