// Lit triangles of one colour whose vertices have normals: the same result as surface.wgsl for most models.
// Software adapters compute and store gradients of every varying per triangle and read storage once per
// pixel, so this shader has only the varyings it needs.

struct Varying {
    // Invariant: the wireframe must have exactly this depth.
    @invariant @builtin(position) clip: vec4f,
    @location(0) normal_in_world: vec3f,
    // Colour of the draw, and its flags as a float, which is exact for small integers.
    @location(1) @interpolate(flat) look: vec4f,
}

@vertex
fn vertex_main(
    @location(0) position: vec4f,
    @location(1) normal: vec4f,
    @location(3) color: vec4f,
    @location(4) flags: u32,
) -> Varying {
    let world = frame.world_from_file * vec4f(position.xyz, 1.0);
    let normal_in_world = unit_or_zero((frame.world_from_file * vec4f(normal.xyz, 0.0)).xyz);
    return Varying(frame.clip_from_world * world, normal_in_world, vec4f(color.rgb, f32(flags)));
}

@fragment
fn fragment_main(in: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    let is_front = shows_front(u32(in.look.w), front_facing);
    var normal = in.normal_in_world * select(-1.0, 1.0, is_front);
    if dot(normal, normal) < 1e-6 {
        // If interpolated normals cancel: towards the viewer.
        let m = frame.view_from_world;
        normal = vec3f(m[0].z, m[1].z, m[2].z);
    }
    normal = normalize(normal);
    let normal_in_view = (frame.view_from_world * vec4f(normal, 0.0)).xyz;
    let light = lit(in.look.rgb, normal, normal_in_view);
    let is_dark = !is_front && (frame.flags & FRAME_TWO_SIDED) == 0u;
    return vec4f(light * select(vec3f(1.0), BACK_FACE_TINT, is_dark), 1.0);
}
