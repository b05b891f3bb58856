// Triangles with a material, lit by an environment.

// The opaque part.
@fragment
fn fragment_main(in: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    let face = facing(in, front_facing);
    let at = surface_of(in);
    if is_cut_away(at.base.a) || is_thin(at) {
        discard;
    }
    return solid(in, face, at);
}

// The opaque part with multisampling.
@fragment
fn covered_main(in: Varying, @builtin(front_facing) front_facing: bool) -> Covered {
    let face = facing(in, front_facing);
    let at = surface_of(in);
    let samples = covered_samples(at.base.a);
    if samples == 0u || is_thin(at) {
        discard;
    }
    return Covered(solid(in, face, at), samples);
}

// The translucent part.
@fragment
fn blended_main(in: Varying, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    let face = facing(in, front_facing);
    let at = surface_of(in);
    if is_cut_away(at.base.a) || (at.base.a >= SOLID_ALPHA && !is_transmissive()) {
        discard;
    }
    let found = lighting(in, face, at);
    if found.is_component {
        return vec4f(found.color, 1.0);
    }
    let there = select(1.0, clamp(at.base.a, 0.0, 1.0), is_blended());
    // A transmissive body transmits light like a thin pane; its specular reflection is unaffected.
    let body = 1.0 - material.transmission * (1.0 - at.metallic);
    let light = found.light.diffuse * body + found.light.specular + at.emissive;
    let hidden = 1.0 - (1.0 - body) * (1.0 - clamp(found.light.mirrored, 0.0, 1.0));
    return vec4f(screen_from_light(light, in.clip.xy) * there, hidden * there);
}
