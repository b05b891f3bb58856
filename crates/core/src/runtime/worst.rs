//! How far a runtime places vertices from where the specification does.

use super::Runtime;
use crate::compare::{Moved, moved};
use crate::model::{Cancelled, ClipId, MeshId, Model, Report, spread};
use crate::pose::{PoseSpec, sample, skin_positions};

/// The largest deviation of a played model.
pub type Worst = Moved;

/// The most clips, and moments per clip, that are compared.
const MAX_CLIPS: usize = 16;
const MOMENTS_PER_CLIP: usize = 9;

/// Compares a model with the same model as a runtime plays it, over all clips; `None` if no vertex deviates.
pub fn worst(model: &Model, runtime: &Runtime) -> Option<Worst> {
    moved(&runtime.play(model).model, model)
}

/// The largest distance of each vertex between a model and a played one, in file units, over the default pose and
/// moments of the clips. The vertices of all meshes follow one another.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn deviations(model: &Model, played: &Model, report: &Report) -> Result<Vec<f32>, Cancelled> {
    let mut specs = vec![PoseSpec::default()];
    for at in spread(model.clips.len(), MAX_CLIPS) {
        let Some(clip) = model.clips.get(at) else { continue };
        specs.extend((0..MOMENTS_PER_CLIP).map(|part| {
            let share = part as f64 / (MOMENTS_PER_CLIP - 1) as f64;
            let secs = clip.start_secs + clip.duration_secs.max(0.0) * share;
            PoseSpec::linear(ClipId::from_index(at), secs)
        }));
    }
    let mut most = vec![0.0f32; model.num_vertices()];
    for (at, spec) in specs.iter().enumerate() {
        report.progress("comparing vertices", at as f32 / specs.len() as f32)?;
        let poses = [sample(model, spec), sample(played, spec)];
        let mut most = most.iter_mut();
        for (number, (own, other)) in model.meshes.iter().zip(&played.meshes).enumerate() {
            let id = MeshId::from_index(number);
            let own = skin_positions(own, &poses[0].of_mesh(id, own));
            let other = skin_positions(other, &poses[1].of_mesh(id, other));
            for ((a, b), most) in own.iter().zip(&other).zip(&mut most) {
                *most = most.max(a.distance(*b));
            }
        }
    }
    Ok(most)
}
