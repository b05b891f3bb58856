// Additional translucent triangles, one instance per triangle, slightly shaded to show their shape.

struct MarkFace {
    a: vec3f, // world space
    padding_a: u32,
    b: vec3f,
    padding_b: u32,
    c: vec3f,
    padding_c: u32,
    color: vec4f, // linear, straight alpha
}

@group(1) @binding(0) var<storage, read> faces: array<MarkFace>;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec4f,
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> Varying {
    let face = faces[instance];
    let world = select(select(face.c, face.b, index == 1u), face.a, index == 0u);
    let normal = unit_or_zero(cross(face.b - face.a, face.c - face.a));
    let normal_in_view = (frame.view_from_world * vec4f(normal, 0.0)).xyz;
    // Opaque ones are silhouettes and not shaded.
    let shade = 0.5 + 0.5 * abs(dot(normal_in_view, vec3f(-0.36, 0.48, 0.8)));
    let light = select(shade, 1.0, face.color.a >= 1.0);
    return Varying(
        frame.clip_from_world * vec4f(world, 1.0),
        vec4f(face.color.rgb * light, face.color.a),
    );
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    return vec4f(in.color.rgb * in.color.a, in.color.a);
}

@fragment
fn mask_main() -> @location(0) vec4f {
    return vec4f(1.0);
}
