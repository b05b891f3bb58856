// Triangles, lit. Vertices come from the skinned buffer by index.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<storage, read> skinned: array<SkinnedVertex>;
@group(1) @binding(1) var<storage, read> indices: array<u32>;
@group(1) @binding(2) var<storage, read> draws: array<Draw>;

// Light on a back face that is not lit as a front one: dark, so that reversed winding shows, but
// not gone, so that nothing of the file is hidden.
const BACK_FACE_TINT: vec3f = vec3f(0.28, 0.26, 0.34);

struct Varying {
    // Invariant: the wireframe must land on exactly this depth.
    @invariant @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal_in_world: vec3f,
    @location(2) @interpolate(flat) draw: u32,
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
    return out;
}

@fragment
fn fragment_main(in: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    // Towards the viewer whatever the winding: y of the image points down.
    let flat_normal = unit_or_zero(cross(dpdy(in.world), dpdx(in.world)));
    // A mirrored display turns the file's counter-clockwise fronts clockwise.
    let is_front = front_facing != ((frame.flags & FRAME_MIRRORED) != 0u);
    var normal = in.normal_in_world;
    if (frame.flags & FRAME_FLAT) != 0u || dot(normal, normal) < 1e-6 {
        normal = flat_normal;
    } else {
        normal = normalize(select(-normal, normal, is_front));
    }
    let look = draws[in.draw].color;
    let albedo = mix(look.rgb, ACCENT, 0.55 * look.a);
    let normal_in_view = (frame.view_from_world * vec4f(normal, 0.0)).xyz;
    var color = lit(albedo, normal, normal_in_view) + ACCENT * (0.06 * look.a);
    if !is_front && (frame.flags & FRAME_TWO_SIDED) == 0u {
        color *= BACK_FACE_TINT;
    }
    return vec4f(color, 1.0);
}
