// Triangles that are not seen and hide what is behind them.

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) draw: u32,
) -> @invariant @builtin(position) vec4f {
    let position = position_of(draws[draw].first_vertex + index);
    return frame.clip_from_world * (frame.world_from_file * vec4f(position, 1.0));
}

@fragment
fn fragment_main() -> @location(0) vec4f {
    return vec4f(0.0);
}
