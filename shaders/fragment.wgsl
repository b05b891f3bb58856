// After mesh.wgsl and material.wgsl in passes over triangles with a material: the vertex stage and the
// inputs of fragments.

struct Varying {
    // Invariant: the wireframe must have exactly this depth.
    @invariant @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal_in_world: vec3f,
    @location(2) tangent_in_world: vec4f, // w is the bitangent sign in world space
    @location(3) uv: vec2f,
    @location(4) @interpolate(flat) draw: u32,
    @location(5) tint: vec4f, // linear RGBA of the vertex colours
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
    // The bitangent sign refers to the unmirrored mesh.
    let m = frame.world_from_file;
    let is_mirrored = is_mirror(m) != ((draws[draw].flags & DRAW_MIRRORED) != 0u);
    let own = tangent_of(tangent);
    var out: Varying;
    out.clip = frame.clip_from_world * world;
    out.world = world.xyz;
    out.normal_in_world = unit_or_zero((m * vec4f(normal.xyz, 0.0)).xyz);
    out.tangent_in_world = vec4f(
        unit_or_zero((m * vec4f(own.xyz, 0.0)).xyz),
        select(own.w, -own.w, is_mirrored),
    );
    out.uv = vec2f(position.w, normal.w);
    out.draw = draw;
    out.tint = vec4f(1.0);
    if (draws[draw].flags & DRAW_COLORED) != 0u {
        out.tint = color_from_srgb8(vertex_values[at]);
    }
    return out;
}

// The directions right and up of the normal map in world space, from tangents or from UVs.
fn basis(in: Varying, outward: vec3f) -> Basis {
    // Without tangents: from the derivatives of position and UV on the screen. v points down.
    let uv = placed_uv(material.normal_from_uv, in.uv);
    let dx = dpdx(in.world);
    let dy = dpdy(in.world);
    let uv_dx = dpdx(uv);
    let uv_dy = dpdy(uv);
    let area_sign = sign(uv_dx.x * uv_dy.y - uv_dx.y * uv_dy.x);
    var right = (dx * uv_dy.y - dy * uv_dx.y) * area_sign;
    var up = (dx * uv_dy.x - dy * uv_dx.x) * area_sign;
    right = unit_or_zero(right - outward * dot(outward, right));
    up = unit_or_zero(up - outward * dot(outward, up));

    let tangent = unit_or_zero(in.tangent_in_world.xyz);
    if dot(tangent, tangent) > 0.5 && abs(in.tangent_in_world.w) > 0.5 {
        let bitangent = unit_or_zero(cross(outward, tangent)) * sign(in.tangent_in_world.w);
        let turn = material.tangents_from_normal_map;
        right = tangent * turn.x + bitangent * turn.y;
        up = tangent * turn.z + bitangent * turn.w;
    }
    return Basis(right, up);
}

// Without the normal map.
fn smooth_facing(in: Varying, front_facing: bool) -> Facing {
    // Towards the viewer regardless of winding: y of the image points down.
    let flat_normal = unit_or_zero(cross(dpdy(in.world), dpdx(in.world)));
    let is_front = shows_front(draws[in.draw].flags, front_facing);
    let is_flat = (frame.flags & FRAME_FLAT) != 0u;
    let side = select(-1.0, 1.0, is_front);
    var normal = flat_normal;
    if !is_flat && dot(in.normal_in_world, in.normal_in_world) >= 1e-6 {
        normal = normalize(in.normal_in_world) * side;
    }
    return Facing(normal, is_front);
}

fn facing(in: Varying, front_facing: bool) -> Facing {
    var face = smooth_facing(in, front_facing);
    if has_relief() {
        let side = select(-1.0, 1.0, face.is_front);
        let found = basis(in, face.normal * side);
        face.normal = relief(in, face.normal, Basis(found.right * side, found.up * side));
    }
    return face;
}

fn texel(image: texture_2d<f32>, filter_by: sampler, from_uv: FromUv, in: Varying) -> vec4f {
    return textureSample(image, filter_by, placed_uv(from_uv, in.uv));
}

// The opaque part with multisampling.
struct Covered {
    @location(0) color: vec4f,
    @builtin(sample_mask) samples: u32,
}

// The covered samples of a pixel's four. At an edge of the alpha cutoff, their number follows the edge
// (alpha to coverage), which avoids jagged edges.
fn covered_samples(alpha: f32) -> u32 {
    let inside = (alpha - material.alpha_cutoff) / max(fwidth(alpha), 1e-4) + 0.5;
    return (1u << u32(round(clamp(inside, 0.0, 1.0) * 4.0))) - 1u;
}
