// Normals, tangents and bitangents of vertices as lines of even width on the screen: six vertices
// a line, one line a wanted direction of each vertex. Drawn for vertices themselves or for the
// corners of a range of triangles.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<storage, read> skinned: array<SkinnedVertex>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> draws: array<Draw>;

const WIDTH_POINTS: f32 = 1.1;
// Tells the tip from the foot.
const FOOT_SHADE: f32 = 0.45;
// Smallest clip w of a line's end: what lies behind the eye is cut off.
const NEAREST_W: f32 = 1e-6;

const NORMAL_COLOR: vec3f = vec3f(0.10, 0.30, 1.0);
const TANGENT_COLOR: vec3f = vec3f(1.0, 0.06, 0.05);
const BITANGENT_COLOR: vec3f = vec3f(0.06, 0.75, 0.10);

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) across_px: f32,
    @location(1) color: vec3f,
}

// The direction that line `which` of a vertex shows, file space, and its colour.
struct Glyph {
    direction: vec3f,
    color: vec3f,
}

fn glyph(vertex: SkinnedVertex, which: u32, is_mirrored: bool) -> Glyph {
    var left = which;
    if (frame.flags & FRAME_NORMALS) != 0u {
        if left == 0u {
            return Glyph(vertex.normal, NORMAL_COLOR);
        }
        left -= 1u;
    }
    if (frame.flags & FRAME_TANGENTS) != 0u {
        if left == 0u {
            return Glyph(vertex.tangent.xyz, TANGENT_COLOR);
        }
    }
    // The bitangent sign is meant where the mesh was made; a mirror turns it.
    let sign = select(vertex.tangent.w, -vertex.tangent.w, is_mirrored);
    return Glyph(cross(vertex.normal, vertex.tangent.xyz) * sign, BITANGENT_COLOR);
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) draw: u32,
) -> Varying {
    let wanted = frame.flags & (FRAME_NORMALS | FRAME_TANGENTS | FRAME_BITANGENTS);
    let num_wanted = max(countOneBits(wanted), 1u);
    let line = index / 6u;
    let at = draws[draw].first_index + line / num_wanted;
    var vertex_index = at;
    if draws[draw].index_bytes == 2u {
        vertex_index = extractBits(indices[at >> 1u], (at & 1u) * 16u, 16u);
    } else if draws[draw].index_bytes == 4u {
        vertex_index = indices[at];
    }
    let vertex = skinned[draws[draw].first_vertex + vertex_index];
    let shown = glyph(vertex, line % num_wanted, (draws[draw].flags & DRAW_MIRRORED) != 0u);
    let direction = unit_or_zero((frame.world_from_file * vec4f(shown.direction, 0.0)).xyz);
    let foot = (frame.world_from_file * vec4f(vertex.position, 1.0)).xyz;
    var start = frame.clip_from_world * vec4f(foot, 1.0);
    var end = frame.clip_from_world * vec4f(foot + direction * frame.glyph_length, 1.0);
    var out: Varying;
    // A vertex without the direction has no line.
    if all(direction == vec3f(0.0)) || (start.w < NEAREST_W && end.w < NEAREST_W) {
        out.clip = vec4f(0.0, 0.0, -1.0, 1.0);
        return out;
    }
    if start.w < NEAREST_W {
        start = mix(start, end, (NEAREST_W - start.w) / (end.w - start.w));
    } else if end.w < NEAREST_W {
        end = mix(end, start, (NEAREST_W - end.w) / (start.w - end.w));
    }
    let corner = quad_corner(index % 6u);
    let half_size = frame.viewport_px * 0.5;
    let along_px = (end.xy / end.w - start.xy / start.w) * half_size;
    let along = along_px / max(length(along_px), 1e-6);
    out.across_px = corner.y * (0.5 * WIDTH_POINTS * frame.pixels_per_point + 1.0);
    let offset_px = vec2f(-along.y, along.x) * out.across_px;
    let is_tip = corner.x > 0.0;
    let place = select(start, end, is_tip);
    out.clip = vec4f(
        place.xy + offset_px / half_size * place.w,
        place.z * frame.depth_pull_factor + place.w * frame.depth_pull_offset,
        place.w,
    );
    out.color = shown.color * select(FOOT_SHADE, 1.0, is_tip);
    return out;
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let alpha = coverage(abs(in.across_px) - 0.5 * WIDTH_POINTS * frame.pixels_per_point);
    return vec4f(in.color * alpha, alpha);
}
