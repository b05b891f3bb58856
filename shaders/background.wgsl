// A soft vertical gradient behind everything: one triangle over the whole image.

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) height: f32, // 0 at the bottom, 1 at the top
}

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> Varying {
    let corner = covering(index);
    return Varying(vec4f(corner, 0.0, 1.0), corner.y * 0.5 + 0.5);
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    return mix(frame.background_bottom, frame.background_top, smoothstep(0.0, 1.0, in.height));
}
