// Computes the split-sum table: by cosine of the viewing angle (x) and roughness (y), scale and bias of the
// specular reflection of uniform light, and the sheen albedo.
// Source: Brian Karis, Real Shading in Unreal Engine 4 (2013); for sheen Estevez and Kulla, Production
// Friendly Microfacet Sheen BRDF (2017), with the visibility of Neubelt and Pettineo (2013). Facets are
// sampled as in Heitz, Sampling the GGX Distribution of Visible Normals (2018).

@group(0) @binding(0) var table: texture_storage_2d<rgba16float, write>;

const PI: f32 = 3.14159265;
const NUM_SAMPLES: u32 = 256u;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(table);
    if any(id.xy >= size) {
        return;
    }
    let facing = max((f32(id.x) + 0.5) / f32(size.x), 1e-3);
    let roughness = (f32(id.y) + 0.5) / f32(size.y);
    let alpha = max(roughness * roughness, 1e-4);
    let eye = vec3f(sqrt(1.0 - facing * facing), 0.0, facing);
    var scale = 0.0;
    var bias = 0.0;
    var fibres = 0.0;
    for (var at = 0u; at < NUM_SAMPLES; at++) {
        let share = (f32(at) + 0.5) / f32(NUM_SAMPLES);
        let angle = 2.0 * PI * fract(f32(at) * 0.61803399);
        let around = vec2f(cos(angle), sin(angle));
        // A facet of the GGX distribution, sampled by visibility.
        let stretched = normalize(vec3f(alpha * eye.xy, eye.z));
        let right = normalize(vec3f(-stretched.y, stretched.x, 0.0) + vec3f(0.0, 1e-7, 0.0));
        let up_seen = cross(stretched, right);
        let side = around.x * sqrt(share);
        let seen_share = 0.5 * (1.0 + stretched.z);
        let upward = mix(sqrt(max(1.0 - side * side, 0.0)), around.y * sqrt(share), seen_share);
        let ahead = sqrt(max(1.0 - side * side - upward * upward, 0.0));
        let sphere = right * side + up_seen * upward + stretched * ahead;
        let facet = normalize(vec3f(alpha * sphere.xy, max(sphere.z, 0.0)));
        let seen = clamp(dot(eye, facet), 0.0, 1.0);
        let out = 2.0 * seen * facet.z - eye.z;
        if out > 0.0 {
            // Height-correlated Smith masking and shadowing, divided by the masking in the sampling
            // density.
            let a2 = alpha * alpha;
            let to_eye = sqrt(facing * facing * (1.0 - a2) + a2);
            let to_light = sqrt(out * out * (1.0 - a2) + a2);
            let weight = out * (facing + to_eye) / (out * to_eye + facing * to_light);
            let left = 1.0 - seen;
            let grazing = left * left * left * left * left;
            scale += (1.0 - grazing) * weight;
            bias += grazing * weight;
        }
        // Sheen: uniform sampling of the hemisphere.
        let up = share;
        let toward = vec3f(around * sqrt(1.0 - up * up), up);
        let half_way = normalize(toward + eye);
        let sharpness = 1.0 / max(alpha, 1e-3);
        let sine = sqrt(max(1.0 - half_way.z * half_way.z, 0.0));
        let density = (2.0 + sharpness) * pow(sine, sharpness) / (2.0 * PI);
        let visible = 1.0 / (4.0 * (up + facing - up * facing));
        fibres += density * visible * up * 2.0 * PI;
    }
    let count = f32(NUM_SAMPLES);
    textureStore(table, id.xy, vec4f(scale / count, bias / count, min(fibres / count, 1.0), 1.0));
}
