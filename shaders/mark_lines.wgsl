// Lines of constant width on the screen, one instance per line.

struct MarkLine {
    start: vec3f, // world space
    width_points: f32,
    end: vec3f, // world space
    padding: u32,
    color: vec4f, // linear, straight alpha
}

@group(1) @binding(0) var<storage, read> lines: array<MarkLine>;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) across_px: f32,
    @location(1) @interpolate(flat) half_width_px: f32,
    @location(2) @interpolate(flat) color: vec4f,
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> Varying {
    let line = lines[instance];
    let clipped = clipped_line(
        frame.clip_from_world * vec4f(line.start, 1.0),
        frame.clip_from_world * vec4f(line.end, 1.0),
    );
    var out: Varying;
    out.color = line.color;
    out.half_width_px = 0.5 * line.width_points * frame.pixels_per_point;
    if !clipped.is_visible {
        out.clip = OUTSIDE;
        return out;
    }
    let corner = quad_corner(index);
    // Plus a pixel for the soft edge.
    out.across_px = corner.y * (out.half_width_px + 1.0);
    out.clip = pulled(beside_line(clipped, corner.x > 0.0, out.across_px));
    return out;
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let alpha = in.color.a * coverage(abs(in.across_px) - in.half_width_px);
    return vec4f(in.color.rgb * alpha, alpha);
}

@fragment
fn mask_main(in: Varying) -> @location(0) vec4f {
    return vec4f(coverage(abs(in.across_px) - in.half_width_px));
}
