// The model viewed from above, projected onto the ground: the height of each point above it.

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) height: f32, // above the ground; 1 is the height from which the shadow is cast
}

@vertex
fn vertex_main(@location(0) position: vec4f) -> Varying {
    let world = (frame.world_from_file * vec4f(position.xyz, 1.0)).xyz;
    let area = frame.shadow_area;
    let at = (world.xz - area.xy) / area.z;
    return Varying(vec4f(at.x, -at.y, 0.5, 1.0), (world.y - frame.grid_center.y) / area.w);
}

// Contact with the ground, which casts a sharp shadow, and overhang, which casts a soft one.
@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let touching = 1.0 - smoothstep(0.02, 0.22, abs(in.height));
    let over = clamp(1.0 - in.height, 0.0, 1.0) * smoothstep(-0.3, 0.0, in.height);
    return vec4f(touching, over, 0.0, 0.0);
}
