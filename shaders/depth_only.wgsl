// Invisible triangles that hide surfaces behind them.

@vertex
fn vertex_main(@location(0) position: vec4f) -> @invariant @builtin(position) vec4f {
    return frame.clip_from_world * (frame.world_from_file * vec4f(position.xyz, 1.0));
}

@fragment
fn fragment_main() -> @location(0) vec4f {
    return vec4f(0.0);
}
