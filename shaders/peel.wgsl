// Before peel_single.wgsl and peel_samples.wgsl, after material.wgsl: the depth of the nearest translucent
// surface that hasn't been peeled yet.
// Source: Cass Everitt, Interactive Order-Independent Transparency (2001).

// Surfaces closer together than this are a single layer, because depth is rounded.
const APART: f32 = 1e-6;

// Keeps surfaces in front of opaque ones and behind the peeled ones.
fn peel(in: Varying, solid: f32, peeled: f32) {
    let alpha = base_of(in).a;
    let is_solid = alpha >= SOLID_ALPHA && !is_transmissive();
    let is_between = in.clip.z >= solid && in.clip.z < peeled * (1.0 - APART);
    if is_solid || is_cut_away(alpha) || !is_between {
        discard;
    }
}
