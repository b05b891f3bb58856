// Lines of even width on the screen, one instance a line.

struct MarkLine {
    start: vec3f, // world space
    width_points: f32,
    end: vec3f, // world space
    padding: u32,
    color: vec4f, // linear, straight alpha
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(0) var<storage, read> lines: array<MarkLine>;

// Smallest clip w of a line's end: what lies behind the eye is cut off.
const NEAREST_W: f32 = 1e-6;

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
    var start = frame.clip_from_world * vec4f(line.start, 1.0);
    var end = frame.clip_from_world * vec4f(line.end, 1.0);
    var out: Varying;
    out.color = line.color;
    out.half_width_px = 0.5 * line.width_points * frame.pixels_per_point;
    if start.w < NEAREST_W && end.w < NEAREST_W {
        out.clip = vec4f(0.0, 0.0, -1.0, 1.0);
        return out;
    }
    if start.w < NEAREST_W {
        start = mix(start, end, (NEAREST_W - start.w) / (end.w - start.w));
    } else if end.w < NEAREST_W {
        end = mix(end, start, (NEAREST_W - end.w) / (start.w - end.w));
    }
    let corner = quad_corner(index);
    let half_size = frame.viewport_px * 0.5;
    let along_px = (end.xy / end.w - start.xy / start.w) * half_size;
    let direction = along_px / max(length(along_px), 1e-6);
    // One pixel more for the soft edge.
    out.across_px = corner.y * (out.half_width_px + 1.0);
    let offset_px = vec2f(-direction.y, direction.x) * out.across_px;
    let at = select(start, end, corner.x > 0.0);
    out.clip = vec4f(
        at.xy + offset_px / half_size * at.w,
        at.z * frame.depth_pull_factor + at.w * frame.depth_pull_offset,
        at.w,
    );
    return out;
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let alpha = in.color.a * coverage(abs(in.across_px) - in.half_width_px);
    return vec4f(in.color.rgb * alpha, alpha);
}
