// Triangles, lit or in the colours of a colouring.

// Of meshes without vertex colours, when these are shown.
const NO_COLOR: vec3f = vec3f(0.2);

struct Varying {
    // Invariant: the wireframe must have exactly this depth.
    @invariant @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal_in_world: vec3f,
    @location(2) @interpolate(flat) draw: u32,
    // By colouring: for counts, 1 in the component of the vertex's number of influences (0, 1, 2, then 3,
    // 4, 5 or more); for values, x; otherwise a colour. Without a colouring, the tint by vertex colours.
    @location(3) few: vec3f,
    @location(4) many: vec3f,
    @location(5) tangent_in_world: vec4f,
    @location(6) uv: vec2f,
}

@vertex
fn vertex_main(
    @location(0) position: vec4f, // and u
    @location(1) normal: vec4f,   // and v
    @location(2) tangent: vec4f,
    @builtin(vertex_index) at: u32,
    @builtin(instance_index) draw: u32,
) -> Varying {
    let world = frame.world_from_file * vec4f(position.xyz, 1.0);
    var out: Varying;
    out.clip = frame.clip_from_world * world;
    out.world = world.xyz;
    out.normal_in_world = unit_or_zero((frame.world_from_file * vec4f(normal.xyz, 0.0)).xyz);
    out.draw = draw;
    let own = tangent_of(tangent);
    let turned = unit_or_zero((frame.world_from_file * vec4f(own.xyz, 0.0)).xyz);
    out.tangent_in_world = vec4f(turned, own.w);
    out.uv = vec2f(position.w, normal.w);
    if coloring() == COLORING_INFLUENCE_COUNTS {
        let count = min(vertex_values[at], 5u);
        out.few = vec3f(vec3u(count) == vec3u(0u, 1u, 2u));
        out.many = vec3f(vec3u(count) == vec3u(3u, 4u, 5u));
    } else if coloring() == COLORING_HEAT {
        out.few.x = bitcast<f32>(vertex_values[at]);
    } else if coloring() == COLORING_COLORS {
        out.few = color_from_srgb8(vertex_values[at]).rgb;
    } else if (draws[draw].flags & DRAW_COLORED) != 0u {
        out.few = color_from_srgb8(vertex_values[at]).rgb;
    } else if coloring() == COLORING_NONE {
        out.few = vec3f(1.0);
    } else if coloring() == COLORING_VERTEX_COLORS {
        out.few = NO_COLOR;
    } else if coloring() == COLORING_VERTEX_ORDER {
        out.few.x = bitcast<f32>(vertex_values[at]);
    }
    return out;
}

// A direction as RGB, as in normal maps; black if it is zero.
fn direction_color(direction: vec3f) -> vec3f {
    let unit = unit_or_zero(direction);
    let color = linear_from_srgb(unit * 0.5 + 0.5);
    return select(color, vec3f(0.0), dot(direction, direction) < 1e-6);
}

// From dark blue over teal to yellow.
fn order_color(share: f32) -> vec3f {
    let middle = vec3f(0.02, 0.22, 0.26);
    if share < 0.5 {
        return mix(vec3f(0.06, 0.0, 0.09), middle, share * 2.0);
    }
    return mix(middle, vec3f(0.98, 0.80, 0.02), share * 2.0 - 1.0);
}

// u is red and v is green; striped outside 0..1.
fn uv_color(uv: vec2f, pixel: vec2f) -> vec3f {
    // Tolerates rounding of the interpolation on the edge.
    let is_outside = any(uv < vec2f(-1e-4)) || any(uv > vec2f(1.0001));
    let stripe = fract((pixel.x + pixel.y) / (8.0 * frame.pixels_per_point)) < 0.5;
    let inside = linear_from_srgb(vec3f(clamp(uv, vec2f(0.0), vec2f(1.0)), 0.0));
    let again = linear_from_srgb(vec3f(fract(uv), 0.0));
    return select(inside, select(again * 0.4, vec3f(0.6, 0.0, 0.8), stripe), is_outside);
}

// Whether the texture is mirrored, from the derivatives of UVs on the screen. y and v both point down.
fn mirrored_color(uv_dx: vec2f, uv_dy: vec2f, is_front: bool) -> vec3f {
    let turn = uv_dx.x * uv_dy.y - uv_dx.y * uv_dy.x;
    let squares = dot(uv_dx, uv_dx) + dot(uv_dy, uv_dy);
    // Degenerate UVs: a point or a line, up to rounding.
    if squares < 1e-13 || abs(turn) < 1e-5 * squares {
        return vec3f(0.60, 0.0, 0.0);
    }
    return select(vec3f(0.75, 0.25, 0.01), vec3f(0.03, 0.14, 0.50), (turn > 0.0) == is_front);
}

fn matcap(normal_in_view: vec3f) -> vec3f {
    let clay = vec3f(0.42, 0.19, 0.11);
    let up = normal_in_view.y * 0.5 + 0.5;
    let key = pow(max(dot(normal_in_view, normalize(vec3f(-0.5, 0.6, 0.7))), 0.0), 1.6);
    let edge = pow(1.0 - clamp(normal_in_view.z, 0.0, 1.0), 3.0);
    let gloss = pow(max(dot(normal_in_view, normalize(vec3f(-0.3, 0.45, 0.85))), 0.0), 24.0);
    return clay * (0.16 + 0.25 * up + 1.15 * key) + vec3f(0.22 * gloss) + vec3f(0.10, 0.09, 0.10) * edge;
}

@fragment
fn fragment_main(in: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    // Towards the viewer regardless of winding: y of the image points down.
    let flat_normal = unit_or_zero(cross(dpdy(in.world), dpdx(in.world)));
    let uv_dx = dpdx(in.uv);
    let uv_dy = dpdy(in.uv);
    let is_front = shows_front(draws[in.draw].flags, front_facing);
    var normal = in.normal_in_world;
    if (frame.flags & FRAME_FLAT) != 0u || dot(normal, normal) < 1e-6 {
        normal = flat_normal;
    } else {
        normal = normalize(select(-normal, normal, is_front));
    }
    let normal_in_view = (frame.view_from_world * vec4f(normal, 0.0)).xyz;
    var look = draws[in.draw].color.rgb;
    // Colours that encode values aren't lit.
    var exact = vec3f(-1.0);
    switch coloring() {
        case COLORING_INFLUENCE_COUNTS: {
            look = influence_color(in.few, in.many);
        }
        case COLORING_HEAT: {
            look = heat(in.few.x, frame.paint_low, frame.paint_high);
        }
        case COLORING_COLORS: {
            look = in.few;
        }
        case COLORING_NORMALS: {
            exact = direction_color(in.normal_in_world);
        }
        case COLORING_TANGENTS: {
            exact = direction_color(in.tangent_in_world.xyz);
        }
        case COLORING_BITANGENTS: {
            // The bitangent sign refers to the unmirrored mesh.
            let is_turned =
                is_mirror(frame.world_from_file) != ((draws[in.draw].flags & DRAW_MIRRORED) != 0u);
            let bitangent = cross(in.normal_in_world, in.tangent_in_world.xyz)
                * select(in.tangent_in_world.w, -in.tangent_in_world.w, is_turned);
            exact = direction_color(bitangent);
        }
        case COLORING_TANGENT_SIGN: {
            let is_none = dot(in.tangent_in_world.xyz, in.tangent_in_world.xyz) < 1e-6;
            let sign = select(vec3f(0.45, 0.03, 0.40), vec3f(0.05, 0.40, 0.08), in.tangent_in_world.w > 0.0);
            look = select(sign, vec3f(0.2), is_none);
        }
        case COLORING_UV: {
            exact = uv_color(in.uv, in.clip.xy);
        }
        case COLORING_MIRRORED_UVS: {
            look = mirrored_color(uv_dx, uv_dy, is_front);
        }
        case COLORING_VERTEX_ORDER: {
            look = order_color(in.few.x);
        }
        case COLORING_FACE_ORIENTATION: {
            look = select(vec3f(0.55, 0.03, 0.02), vec3f(0.03, 0.12, 0.55), is_front);
        }
        case COLORING_MATCAP: {
            exact = matcap(normal_in_view);
        }
        case COLORING_VERTEX_COLORS: {
            exact = in.few;
        }
        // The subset's colour, tinted by vertex colours (glTF 2.0, section 3.7.2.1).
        default: {
            look = look * in.few;
        }
    }
    if exact.x >= 0.0 {
        return vec4f(exact, 1.0);
    }
    var color = lit(look, normal, normal_in_view);
    // Both sides of a face have the same value, so only looks distinguish them.
    let tells_sides = coloring() == COLORING_NONE || coloring() == COLORING_INFLUENCE_COUNTS;
    if !is_front && tells_sides && (frame.flags & FRAME_TWO_SIDED) == 0u {
        color *= BACK_FACE_TINT;
    }
    return vec4f(color, 1.0);
}
