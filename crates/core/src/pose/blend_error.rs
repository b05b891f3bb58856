//! The distance of each vertex between linearly blended and decomposed matrices, as a heat map. The
//! rule in `validate` measures the same on samples.

use glam::Vec3;
use rayon::prelude::*;

use super::{PoseSpec, Sampling, skin_model};
use crate::model::{Cancelled, ClipId, MeshId, Model, Report, VertexId};

/// The most intervals to measure, evenly spread.
const MAX_INTERVALS: usize = 64;

/// The vertex with the largest distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstBlend {
    pub mesh: MeshId,
    pub vertex: VertexId,
    /// On the clip's clock.
    pub time_secs: f64,
    /// In file units.
    pub distance: f32,
}

/// The effect of linear blending on a clip of sampled keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlendError {
    /// The largest distance of any vertex; `None` if nothing differs.
    pub worst: Option<WorstBlend>,
    /// The largest distance of each vertex, all meshes one after another, in file units.
    pub distances: Vec<f32>,
    /// Number of measured intervals; each is measured at its midpoint.
    pub num_intervals: usize,
}

/// Measures `clip`. Without sampled keys there is no difference.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn blend_error(model: &Model, clip: ClipId, report: &Report) -> Result<BlendError, Cancelled> {
    let mut found =
        BlendError { distances: vec![0.0; model.num_vertices()], ..BlendError::default() };
    let motion = model.clips.get(clip).and_then(|c| c.as_sampled());
    let Some(motion) = motion.filter(|m| !m.is_bind_pair && m.interval_ns > 0) else {
        return Ok(found);
    };
    let num = motion.keys.num_keys().saturating_sub(1);
    let taken = num.min(MAX_INTERVALS);
    for at in 0..taken {
        report.progress("measuring", at as f32 / taken as f32)?;
        let key = at * (num / taken) + at * (num % taken) / taken;
        let time_secs = motion.key_secs(key) + 0.5 * motion.interval_secs();
        let spec = |sampling| PoseSpec { sampling, ..PoseSpec::at_secs(clip, time_secs) };
        let linear = skin_model(model, &spec(Sampling::Linear));
        let apart = skin_model(model, &spec(Sampling::Decomposed));
        let mut rest = &mut found.distances[..];
        for (number, (linear, apart)) in linear.iter().zip(&apart).enumerate() {
            let (of_mesh, others) = rest.split_at_mut(linear.positions.len().min(rest.len()));
            rest = others;
            let worst = worst_of(&linear.positions, &apart.positions, of_mesh);
            if let Some((distance, vertex)) = worst
                && found.worst.is_none_or(|known| distance > known.distance)
            {
                found.worst = Some(WorstBlend {
                    mesh: MeshId::from_index(number),
                    vertex: VertexId::from_index(vertex),
                    time_secs,
                    distance,
                });
            }
        }
        found.num_intervals += 1;
    }
    Ok(found)
}

/// Raises `largest` to the distances between the two, and returns the largest one with its vertex.
fn worst_of(linear: &[Vec3], apart: &[Vec3], largest: &mut [f32]) -> Option<(f32, usize)> {
    let distances = largest.par_iter_mut().zip(linear).zip(apart).enumerate();
    let found = distances.map(|(vertex, ((largest, a), b))| {
        let distance = a.distance(*b);
        *largest = largest.max(distance);
        (distance, vertex)
    });
    // Of equal distances the first, regardless of thread order.
    let farther = |a: (f32, usize), b: (f32, usize)| {
        if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a }
    };
    found.reduce_with(farther).filter(|(worst, _)| *worst > 0.0)
}
