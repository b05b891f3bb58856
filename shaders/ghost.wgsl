// The surface of another moment or model, translucent and in one colour, a little darker where it faces
// away.

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
}

@vertex
fn vertex_main(@location(0) position: vec4f) -> Varying {
    let world = frame.world_from_file * vec4f(position.xyz, 1.0);
    return Varying(frame.clip_from_world * world, world.xyz);
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let normal_in_world = unit_or_zero(cross(dpdy(in.world), dpdx(in.world)));
    let normal_in_view = (frame.view_from_world * vec4f(normal_in_world, 0.0)).xyz;
    let light = 0.45 + 0.55 * clamp(normal_in_view.z, 0.0, 1.0);
    return vec4f(frame.tint.rgb * light, 1.0) * frame.tint.a;
}
