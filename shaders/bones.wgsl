// Bones as octahedra with a line inside, which is still visible if the octahedron is thinner than a pixel.
// One instance per bone: 24 vertices of triangles, then 6 of the line.

struct Bone {
    head: vec3f, // world space
    radius: f32, // at the widest point
    tail: vec3f, // world space
    padding: u32,
    color: vec4f, // linear RGB
}

@group(1) @binding(0) var<storage, read> bones: array<Bone>;

const LINE_WIDTH_POINTS: f32 = 1.5;
// Position of the widest point along the bone.
const WAIST_AT: f32 = 0.16;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) corner: vec3f, // barycentric; all 1 on the line
    @location(1) @interpolate(flat) normal_in_world: vec3f,
    @location(2) @interpolate(flat) color: vec3f,
    @location(3) @interpolate(flat) number: u32,
}

// Corner `which` of an octahedron: 0 the head, 1 the tail, 2..5 the waist.
fn octahedron_corner(bone: Bone, which: u32) -> vec3f {
    if which == 0u {
        return bone.head;
    }
    if which == 1u {
        return bone.tail;
    }
    let along = bone.tail - bone.head;
    let size = length(along);
    let direction = along / max(size, 1e-30);
    let helper = select(vec3f(0.0, 0.0, 1.0), vec3f(1.0, 0.0, 0.0), abs(direction.z) > 0.7);
    let side = normalize(cross(direction, helper));
    let other = cross(direction, side);
    let angle = f32(which - 2u) * 1.57079633;
    let around = side * cos(angle) + other * sin(angle);
    return bone.head + along * WAIST_AT + around * bone.radius;
}

@vertex
fn vertex_main(
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
) -> Varying {
    let bone = bones[instance];
    var out: Varying;
    out.number = instance;
    out.color = bone.color.rgb;
    if index < 24u {
        let triangle = index / 3u;
        let quarter = triangle & 3u;
        let here = 2u + quarter;
        let next = 2u + ((quarter + 1u) & 3u);
        // The head's triangles have the opposite winding of the tail's.
        let is_tail = triangle >= 4u;
        let a = octahedron_corner(bone, select(0u, 1u, is_tail));
        let b = octahedron_corner(bone, select(next, here, is_tail));
        let c = octahedron_corner(bone, select(here, next, is_tail));
        let corner = index % 3u;
        let world = select(select(c, b, corner == 1u), a, corner == 0u);
        out.clip = frame.clip_from_world * vec4f(world, 1.0);
        out.corner = vec3f(f32(corner == 0u), f32(corner == 1u), f32(corner == 2u));
        out.normal_in_world = unit_or_zero(cross(b - a, c - a));
        return out;
    }
    let line = clipped_line(
        frame.clip_from_world * vec4f(bone.head, 1.0),
        frame.clip_from_world * vec4f(bone.tail, 1.0),
    );
    if !line.is_visible {
        out.clip = OUTSIDE;
        return out;
    }
    let corner = quad_corner(index - 24u);
    let across_px = corner.y * (LINE_WIDTH_POINTS * 0.5 * frame.pixels_per_point);
    out.clip = beside_line(line, corner.x > 0.0, across_px);
    out.corner = vec3f(1.0);
    out.normal_in_world = vec3f(0.0);
    return out;
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let dx = dpdx(in.corner);
    let dy = dpdy(in.corner);
    if dot(in.normal_in_world, in.normal_in_world) == 0.0 {
        return vec4f(in.color * 0.75, 1.0);
    }
    let normal_in_view = (frame.view_from_world * vec4f(in.normal_in_world, 0.0)).xyz;
    let color = lit(in.color, in.normal_in_world, normal_in_view) + in.color * 0.15;
    let distance_px = in.corner / max(sqrt(dx * dx + dy * dy), vec3f(1e-9));
    let nearest_px = min(distance_px.x, min(distance_px.y, distance_px.z));
    let edge = coverage(nearest_px - 0.7 * frame.pixels_per_point);
    return vec4f(mix(color, in.color * 0.12, edge * 0.8), 1.0);
}

@fragment
fn mask_main() -> @location(0) vec4f {
    return vec4f(1.0);
}

@fragment
fn id_main(in: Varying) -> @location(0) vec2u {
    return vec2u(ID_BONE, in.number);
}
