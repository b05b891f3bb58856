// Triangles with a material under plain light: base colour, normal map, alpha. Lit like surface.wgsl, but
// in a separate shader, so that models without materials don't wait for its compilation.

fn shaded(in: Varying, face: Facing, texel: vec4f) -> vec3f {
    let albedo = texel.rgb * draws[in.draw].color.rgb;
    if (MATERIAL_FLAGS & MATERIAL_UNLIT) != 0u {
        return albedo;
    }
    let normal_in_view = (frame.view_from_world * vec4f(face.normal, 0.0)).xyz;
    let color = lit(albedo, face.normal, normal_in_view);
    return color * select(BACK_FACE_TINT, vec3f(1.0), face.is_front || is_lit_from_both_sides());
}

// The opaque part.
@fragment
fn fragment_main(in: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    let face = facing(in, front_facing);
    let texel = base_of(in);
    if is_cut_away(texel.a) || (is_blended() && texel.a < SOLID_ALPHA) {
        discard;
    }
    return vec4f(shaded(in, face, texel), 1.0);
}

// The opaque part with multisampling.
@fragment
fn covered_main(in: Varying, @builtin(front_facing) front_facing: bool) -> Covered {
    let face = facing(in, front_facing);
    let texel = base_of(in);
    let samples = covered_samples(texel.a);
    if samples == 0u || (is_blended() && texel.a < SOLID_ALPHA) {
        discard;
    }
    return Covered(vec4f(shaded(in, face, texel), 1.0), samples);
}

// The translucent part.
@fragment
fn blended_main(in: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    let face = facing(in, front_facing);
    let texel = base_of(in);
    if texel.a >= SOLID_ALPHA {
        discard;
    }
    let alpha = clamp(texel.a, 0.0, 1.0);
    return vec4f(shaded(in, face, texel) * alpha, alpha);
}
