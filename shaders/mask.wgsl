// The triangles of the outlined part. Keep in sync with crates/gpu/src/pass/mask.rs.

// Invariant: they must have exactly the depth of the surface.
@vertex
fn vertex_main(@location(0) position: vec4f) -> @invariant @builtin(position) vec4f {
    let world = frame.world_from_file * vec4f(position.xyz, 1.0);
    return frame.clip_from_world * world;
}

@fragment
fn mask_main() -> @location(0) vec4f {
    return vec4f(1.0);
}
