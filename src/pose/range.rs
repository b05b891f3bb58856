//! The box that a model moves in.

use super::{PoseSpec, posed_bounds};
use crate::model::{Aabb, Cancelled, ClipId, Model, Report};

/// Moments of a clip at which the box around it is measured: enough to hold the model in depth.
const BOUNDS_SAMPLES: u32 = 5;
/// Clips measured; a file with more of them opens before all are.
const BOUNDS_CLIPS: usize = 8;

/// The box around the default pose and moments of clips, display space.
///
/// # Errors
/// When `report` asks to stop.
pub fn moving_bounds(model: &Model, report: &Report) -> Result<Aabb, Cancelled> {
    let mut bounds = posed_bounds(model, &PoseSpec::default());
    for (index, clip) in model.clips.iter().enumerate().take(BOUNDS_CLIPS) {
        // The keys of a bind pair are no poses.
        if clip.as_sampled().is_some_and(|motion| motion.is_bind_pair) {
            continue;
        }
        for sample in 0..BOUNDS_SAMPLES {
            report.progress("measuring", 0.85)?;
            let share = f64::from(sample) / f64::from(BOUNDS_SAMPLES - 1);
            let spec = PoseSpec::at_secs(
                ClipId::from_index(index),
                clip.start_secs + share * clip.duration_secs,
            );
            bounds = bounds.union(posed_bounds(model, &spec));
            if clip.duration_secs <= 0.0 {
                break;
            }
        }
    }
    Ok(bounds)
}
