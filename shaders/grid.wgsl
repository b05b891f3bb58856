// The ground: lines at two spacings, a factor of ten apart, that fade with distance, and the world's x and
// z axes.

const LINE_COLOR: vec3f = vec3f(0.30, 0.32, 0.35);
const X_COLOR: vec3f = vec3f(0.75, 0.06, 0.07);
const Z_COLOR: vec3f = vec3f(0.05, 0.16, 0.80);
const FINE_ALPHA: f32 = 0.28;
const COARSE_ALPHA: f32 = 0.6;
const AXIS_ALPHA: f32 = 0.9;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) from_center: vec2f,
}

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> Varying {
    let from_center = quad_corner(index) * frame.grid_radius;
    let world = frame.grid_center + vec3f(from_center.x, 0.0, from_center.y);
    return Varying(frame.clip_from_world * vec4f(world, 1.0), from_center);
}

// Coverage of a pixel by lines at unit spacing; `width` is the size of the pixel. If several lines share a
// pixel, returns their mean, so that distant lines don't flicker.
fn lines(at: vec2f, width: vec2f) -> f32 {
    let distance = abs(fract(at - 0.5) - 0.5) / width;
    let line = clamp(1.0 - distance, vec2f(0.0), vec2f(1.0));
    let faded = mix(line, min(width, vec2f(1.0)), clamp(width * 2.0 - 0.5, vec2f(0.0), vec2f(1.0)));
    return max(faded.x, faded.y);
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let world = frame.grid_center.xz + in.from_center;
    let dx = dpdx(in.from_center);
    let dy = dpdy(in.from_center);
    let pixel = max(sqrt(dx * dx + dy * dy), vec2f(1e-30)) * frame.pixels_per_point;
    let fine = lines(world / frame.grid_spacing, pixel / frame.grid_spacing);
    let coarse_spacing = frame.grid_spacing * 10.0;
    let coarse = lines(world / coarse_spacing, pixel / coarse_spacing);
    var color = LINE_COLOR;
    var alpha = max(fine * FINE_ALPHA * frame.grid_fine_share, coarse * COARSE_ALPHA);
    let axis = clamp(1.5 - abs(world) / pixel, vec2f(0.0), vec2f(1.0));
    if axis.y > 0.0 {
        color = mix(color, X_COLOR, axis.y);
        alpha = max(alpha, axis.y * AXIS_ALPHA);
    }
    if axis.x > 0.0 {
        color = mix(color, Z_COLOR, axis.x);
        alpha = max(alpha, axis.x * AXIS_ALPHA);
    }
    alpha *= 1.0 - smoothstep(0.15, 1.0, length(in.from_center) / frame.grid_radius);
    // Sine of the angle at which the ground is viewed. Edge-on, its lines would be noise.
    let grazing = abs(dx.x * dy.y - dx.y * dy.x) / max(max(dot(dx, dx), dot(dy, dy)), 1e-30);
    alpha *= smoothstep(0.02, 0.14, grazing);
    return vec4f(color * alpha, alpha);
}
