// Triangles, lit. Vertices come from the skinned buffer by index.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<storage, read> skinned: array<SkinnedVertex>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> draws: array<Draw>;
// One a vertex, with FRAME_INFLUENCE_COLORS.
@group(1) @binding(3) var<storage, read> influence_counts: array<u32>;

// Light on a back face that is not lit as a front one: dark, so that reversed winding shows, but
// not gone, so that nothing of the file is hidden.
const BACK_FACE_TINT: vec3f = vec3f(0.28, 0.26, 0.34);

struct Varying {
    // Invariant: the wireframe must land on exactly this depth.
    @invariant @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal_in_world: vec3f,
    @location(2) @interpolate(flat) draw: u32,
    // 1 in the component of the vertex's number of influences: 0, 1, 2, and 3, 4, 5 or more.
    @location(3) few_influences: vec3f,
    @location(4) many_influences: vec3f,
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) draw: u32,
) -> Varying {
    let vertex = skinned[draws[draw].first_vertex + index];
    let world = frame.world_from_file * vec4f(vertex.position, 1.0);
    var out: Varying;
    out.clip = frame.clip_from_world * world;
    out.world = world.xyz;
    out.normal_in_world = unit_or_zero((frame.world_from_file * vec4f(vertex.normal, 0.0)).xyz);
    out.draw = draw;
    if (frame.flags & FRAME_INFLUENCE_COLORS) != 0u {
        let count = min(influence_counts[draws[draw].first_vertex + index], 5u);
        out.few_influences = vec3f(vec3u(count) == vec3u(0u, 1u, 2u));
        out.many_influences = vec3f(vec3u(count) == vec3u(3u, 4u, 5u));
    }
    return out;
}

@fragment
fn fragment_main(in: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    // Towards the viewer whatever the winding: y of the image points down.
    let flat_normal = unit_or_zero(cross(dpdy(in.world), dpdx(in.world)));
    // A mirror, of the display or of the mesh, turns counter-clockwise fronts clockwise.
    let is_mirrored =
        ((frame.flags & FRAME_MIRRORED) != 0u) != (draws[in.draw].is_mirrored != 0u);
    let is_front = front_facing != is_mirrored;
    var normal = in.normal_in_world;
    if (frame.flags & FRAME_FLAT) != 0u || dot(normal, normal) < 1e-6 {
        normal = flat_normal;
    } else {
        normal = normalize(select(-normal, normal, is_front));
    }
    var look = draws[in.draw].color;
    if (frame.flags & FRAME_INFLUENCE_COLORS) != 0u {
        look = vec4f(influence_color(in.few_influences, in.many_influences), look.a);
    }
    let albedo = mix(look.rgb, ACCENT, 0.55 * look.a);
    let normal_in_view = (frame.view_from_world * vec4f(normal, 0.0)).xyz;
    var color = lit(albedo, normal, normal_in_view) + ACCENT * (0.06 * look.a);
    if !is_front && (frame.flags & FRAME_TWO_SIDED) == 0u {
        color *= BACK_FACE_TINT;
    }
    return vec4f(color, 1.0);
}
