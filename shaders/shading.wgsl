// After light.wgsl and material.wgsl: lighting of a material by an environment, with the metallic-roughness
// model of glTF 2.0 (appendix B) and some inexpensive extensions, or with the formula of the SDK's effects.

// Material properties at a point.
struct Surface {
    base: vec4f,
    metallic: f32,
    roughness: f32,
    occlusion: f32,
    emissive: vec3f,
}

// Light towards the eye.
struct Shaded {
    diffuse: vec3f,  // scattered below the surface; scaled by alpha
    specular: vec3f, // reflected by the surface
    mirrored: f32,   // reflectance
}

fn surface_of(in: Varying) -> Surface {
    var out: Surface;
    out.base = base_of(in);
    out.base = vec4f(out.base.rgb * draws[in.draw].color.rgb, out.base.a);
    out.metallic = material.metallic;
    out.roughness = material.roughness;
    out.occlusion = 1.0;
    out.emissive = material.emissive;
    let flags = MATERIAL_FLAGS;
    var shared_texel = vec4f(1.0);
    if (flags & MATERIAL_METALLIC_MAP) != 0u {
        shared_texel = texel(metallic_texture, metallic_sampler, material.metallic_from_uv, in);
        out.metallic *= dot(shared_texel, material.metallic_channel);
    }
    if (flags & MATERIAL_ROUGHNESS_SHARED) != 0u {
        out.roughness *= dot(shared_texel, material.roughness_channel);
    } else if (flags & MATERIAL_ROUGHNESS_MAP) != 0u {
        let rough = texel(roughness_texture, roughness_sampler, material.roughness_from_uv, in);
        out.roughness *= dot(rough, material.roughness_channel);
    }
    if (flags & MATERIAL_OCCLUSION_SHARED) != 0u {
        out.occlusion = dot(shared_texel, material.occlusion_channel);
    } else if (flags & MATERIAL_OCCLUSION_MAP) != 0u {
        let open = texel(occlusion_texture, occlusion_sampler, material.occlusion_from_uv, in);
        out.occlusion = dot(open, material.occlusion_channel);
    }
    out.occlusion = 1.0 + material.occlusion_strength * (out.occlusion - 1.0);
    if (flags & MATERIAL_EMISSIVE_MAP) != 0u {
        out.emissive *= texel(emissive_texture, emissive_sampler, material.emissive_from_uv, in).rgb;
    }
    out.metallic = clamp(out.metallic, 0.0, 1.0);
    out.roughness = clamp(out.roughness, 0.0, 1.0);
    return out;
}

fn fifth(x: f32) -> f32 {
    let left = clamp(1.0 - x, 0.0, 1.0);
    return left * left * left * left * left;
}

fn split_sum(facing: f32, roughness: f32) -> vec3f {
    return textureSampleLevel(split_sum_texture, light_sampler, vec2f(facing, roughness), 0.0).rgb;
}

// Source: Carmelo Fdez-Aguera, A Multiple-Scattering Microfacet Model for Real-Time Image-based Lighting
// (2019), which preserves energy after several bounces on a rough surface.
fn physical(at: Surface, normal: vec3f, to_eye: vec3f) -> Shaded {
    let facing = clamp(dot(normal, to_eye), 0.0, 1.0);
    let reflected = reflect(-to_eye, normal);
    let base = clamp(at.base.rgb, vec3f(0.0), vec3f(1.0));
    let f0 = mix(material.dielectric_f0, base, at.metallic);
    let f90 = mix(material.dielectric_f90, 1.0, at.metallic);
    let sums = split_sum(facing, at.roughness);
    let once = f0 * sums.x + f90 * sums.y;
    let lost = 1.0 - (sums.x + sums.y);
    let mean = f0 + (vec3f(f90) - f0) / 21.0;
    let again = once * mean / (1.0 - mean * lost) * lost;
    let scattered = base * (1.0 - at.metallic) * (1.0 - once - again);
    let around = irradiance(normal);
    let seen = radiance(reflected, at.roughness * frame.light_levels);
    var out: Shaded;
    out.diffuse = scattered * around * at.occlusion;
    out.specular = (once * seen + again * around) * at.occlusion;
    let mirrored = once + again;
    out.mirrored = max(mirrored.r, max(mirrored.g, mirrored.b));
    let sheen = material.sheen_color;
    let fibres = max(sheen.r, max(sheen.g, sheen.b));
    if (MATERIAL_FLAGS & MATERIAL_SHEEN) != 0u {
        let albedo = split_sum(facing, material.sheen_roughness).z;
        out.diffuse *= 1.0 - fibres * albedo;
        out.specular = out.specular * (1.0 - fibres * albedo) + sheen * albedo * around * at.occlusion;
    }
    if (MATERIAL_FLAGS & MATERIAL_CLEARCOAT) != 0u {
        let layer = material.clearcoat * (0.04 + 0.96 * fifth(facing));
        let gloss = radiance(reflected, material.clearcoat_roughness * frame.light_levels);
        out.diffuse *= 1.0 - layer;
        out.specular = out.specular * (1.0 - layer) + gloss * layer * at.occlusion;
        out.mirrored = mix(out.mirrored, 1.0, layer);
    }
    return out;
}

// Source: fragment shaders of the SDK's effects. Their gamma curves are approximated by sRGB.
fn sdk(at: Surface, normal: vec3f, to_eye: vec3f) -> Shaded {
    let facing = clamp(dot(normal, to_eye), 0.0, 1.0);
    let f0 = mix(vec3f(0.04), at.base.rgb, at.metallic);
    let f = f0 + (max(vec3f(1.0 - at.roughness), f0) - f0) * fifth(facing);
    let sums = split_sum(facing, at.roughness);
    var out: Shaded;
    out.diffuse = (1.0 - f) * (1.0 - at.metallic) * irradiance(normal) * at.base.rgb * at.occlusion;
    out.specular = radiance(reflect(-to_eye, normal), at.roughness * frame.light_levels)
        * (f * sums.x + sums.y) * at.occlusion;
    return out;
}

// A single component of the shading, or alpha 0 if none is selected.
fn component_of(at: Surface, face: Facing, light: Shaded) -> vec4f {
    switch coloring() {
        case COLORING_BASE_COLOR: {
            return vec4f(at.base.rgb, 1.0);
        }
        case COLORING_METALLIC: {
            return vec4f(linear_from_srgb(vec3f(at.metallic)), 1.0);
        }
        case COLORING_ROUGHNESS: {
            return vec4f(linear_from_srgb(vec3f(at.roughness)), 1.0);
        }
        case COLORING_MATERIAL_NORMALS: {
            return vec4f(linear_from_srgb(face.normal * 0.5 + 0.5), 1.0);
        }
        case COLORING_OCCLUSION: {
            return vec4f(linear_from_srgb(vec3f(at.occlusion)), 1.0);
        }
        case COLORING_EMISSIVE: {
            return vec4f(at.emissive, 1.0);
        }
        case COLORING_DIFFUSE_LIGHT: {
            return vec4f(light.diffuse * frame.exposure, 1.0);
        }
        case COLORING_SPECULAR_LIGHT: {
            return vec4f(light.specular * frame.exposure, 1.0);
        }
        default: {
            return vec4f(0.0);
        }
    }
}

// The light of a point, or a single component of its shading.
struct Lighting {
    light: Shaded,
    is_component: bool,
    color: vec3f, // the component
}

fn lighting(in: Varying, face: Facing, at: Surface) -> Lighting {
    let to_eye = normalize(frame.eye.xyz - in.world * frame.eye.w);
    var out: Lighting;
    if SHADING == SHADING_SDK {
        out.light = sdk(at, face.normal, to_eye);
    } else {
        out.light = physical(at, face.normal, to_eye);
    }
    let component = component_of(at, face, out.light);
    out.is_component = component.a > 0.0;
    out.color = component.rgb;
    if (MATERIAL_FLAGS & MATERIAL_UNLIT) != 0u {
        out.light = Shaded(at.base.rgb, vec3f(0.0), 0.0);
    }
    return out;
}

// Whether the point is translucent.
fn is_thin(at: Surface) -> bool {
    return (is_blended() && at.base.a < SOLID_ALPHA) || is_transmissive();
}

fn solid(in: Varying, face: Facing, at: Surface) -> vec4f {
    let found = lighting(in, face, at);
    if found.is_component {
        return vec4f(found.color, 1.0);
    }
    let light = found.light.diffuse + found.light.specular + at.emissive;
    return vec4f(screen_from_light(light, in.clip.xy), 1.0);
}
