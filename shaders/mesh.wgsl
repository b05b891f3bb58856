// After frame.wgsl in passes over meshes: their buffers, and functions that read them.

@group(1) @binding(0) var<storage, read> skinned: array<vec4f>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> draws: array<Draw>;
// One per vertex, for draws and colourings that use them: counts, values or colours.
@group(1) @binding(3) var<storage, read> vertex_values: array<u32>;

// For passes that pull their vertices: the position of vertex `at` in the group. Passes over triangles of
// the surface get vertex inputs instead: see crates/gpu/src/vertex_inputs.rs.
fn position_of(at: u32) -> vec3f {
    return skinned[at].xyz;
}

fn vertex_of(at: u32) -> SkinnedVertex {
    let num = vertex_capacity(arrayLength(&skinned));
    let position = skinned[at];
    let normal = skinned[num + at];
    var tangent = vec4f(0.0);
    if has_tangents(arrayLength(&skinned)) {
        tangent = skinned[2u * num + at];
    }
    return SkinnedVertex(position.xyz, position.w, normal.xyz, normal.w, tangent);
}

// If no mesh has tangents, the vertex input for them contains other data.
fn tangent_of(given: vec4f) -> vec4f {
    return select(vec4f(0.0), given, has_tangents(arrayLength(&skinned)));
}

// Tint of back faces that aren't lit like front faces: dark, so that reversed winding is noticeable, but
// not invisible.
const BACK_FACE_TINT: vec3f = vec3f(0.28, 0.26, 0.34);

// Whether the front of a triangle is visible. Mirroring by the display or the mesh reverses the winding.
fn shows_front(draw_flags: u32, front_facing: bool) -> bool {
    let is_mirrored =
        ((frame.flags & FRAME_MIRRORED) != 0u) != ((draw_flags & DRAW_MIRRORED) != 0u);
    return front_facing != is_mirrored;
}

// The vertex at position `at` of a draw: by index, or directly if the draw has no indices.
fn pulled_index(draw: Draw, at: u32) -> u32 {
    let place = draw.first_index + at;
    if draw.index_bytes == 2u {
        return extractBits(indices[place >> 1u], (place & 1u) * 16u, 16u);
    }
    if draw.index_bytes == 4u {
        return indices[place];
    }
    return place;
}

// The colouring's colour of vertex `at`, or else `color`, tinted by the vertex colour if `is_tinted`.
fn value_color(color: vec4f, draw: Draw, at: u32, is_tinted: bool) -> vec4f {
    if coloring() == COLORING_HEAT {
        let value = bitcast<f32>(vertex_values[at]);
        return vec4f(heat(value, frame.paint_low, frame.paint_high), 1.0);
    }
    if coloring() == COLORING_COLORS {
        return vec4f(color_from_srgb8(vertex_values[at]).rgb, 1.0);
    }
    if coloring() == COLORING_INFLUENCE_COUNTS {
        let count = min(vertex_values[at], 5u);
        let few = vec3f(vec3u(count) == vec3u(0u, 1u, 2u));
        let many = vec3f(vec3u(count) == vec3u(3u, 4u, 5u));
        return vec4f(influence_color(few, many), 1.0);
    }
    if is_tinted {
        return tinted(color, draw, vertex_values[at]);
    }
    return color;
}
