// Before peel_single.wgsl and peel_samples.wgsl, after material.wgsl: the depth of the nearest of all surfaces
// that let through what is behind them and have not been peeled off yet.
// Source: Cass Everitt, Interactive Order-Independent Transparency (2001).

// Surfaces that are nearer to one another are one layer: depth is rounded.
const APART: f32 = 1e-6;

// Leaves what lies before all that is solid and behind what has been peeled off.
fn peel(in: Varying, solid: f32, peeled: f32) {
    let alpha = base_of(in).a;
    let is_solid = alpha >= SOLID_ALPHA && !is_transmissive();
    let is_between = in.clip.z >= solid && in.clip.z < peeled * (1.0 - APART);
    if is_solid || is_cut_away(alpha) || !is_between {
        discard;
    }
}
