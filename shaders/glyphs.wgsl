// Normals, tangents and bitangents as lines of constant width on the screen: six vertices per line, one
// line per direction of each vertex. Drawn for all vertices or for the corners of a range of triangles.

const WIDTH_POINTS: f32 = 1.1;
// Distinguishes the tip from the foot.
const FOOT_SHADE: f32 = 0.45;

const NORMAL_COLOR: vec3f = vec3f(0.10, 0.30, 1.0);
const TANGENT_COLOR: vec3f = vec3f(1.0, 0.06, 0.05);
const BITANGENT_COLOR: vec3f = vec3f(0.06, 0.75, 0.10);

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) across_px: f32,
    @location(1) color: vec3f,
}

// The direction of a vertex in line `which`, in file space, and its colour.
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
    // The bitangent sign refers to the unmirrored mesh.
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
    let vertex_index = pulled_index(draws[draw], line / num_wanted);
    let vertex = vertex_of(draws[draw].first_vertex + vertex_index);
    let shown = glyph(vertex, line % num_wanted, (draws[draw].flags & DRAW_MIRRORED) != 0u);
    let direction = unit_or_zero((frame.world_from_file * vec4f(shown.direction, 0.0)).xyz);
    let foot = (frame.world_from_file * vec4f(vertex.position, 1.0)).xyz;
    let clipped = clipped_line(
        frame.clip_from_world * vec4f(foot, 1.0),
        frame.clip_from_world * vec4f(foot + direction * frame.glyph_length, 1.0),
    );
    var out: Varying;
    // Vertices without this direction have no line.
    if all(direction == vec3f(0.0)) || !clipped.is_visible {
        out.clip = OUTSIDE;
        return out;
    }
    let corner = quad_corner(index % 6u);
    out.across_px = corner.y * (0.5 * WIDTH_POINTS * frame.pixels_per_point + 1.0);
    let is_tip = corner.x > 0.0;
    out.clip = pulled(beside_line(clipped, is_tip, out.across_px));
    out.color = shown.color * select(FOOT_SHADE, 1.0, is_tip);
    return out;
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let alpha = coverage(abs(in.across_px) - 0.5 * WIDTH_POINTS * frame.pixels_per_point);
    return vec4f(in.color * alpha, alpha);
}
