//! Compares packed models with their source.

use glam::{Affine3A, Vec3};

use super::outcome::{Packed, Packing};
use crate::measure::{ClipPair, Job, MeasuredPart, Side};
use crate::model::{Clip, ClipId, Model, Motion};

impl Packing {
    /// The inputs for comparing the packed models with their source `model`, in units of the packed
    /// models.
    ///
    /// Vertex animations that weren't packed count as lost; takes that aren't motions don't.
    pub fn job<'a>(&'a self, model: &'a Model) -> Job<'a> {
        let larger = Affine3A::from_scale(Vec3::splat(self.scale));
        let source = Side { model, display_from_file: larger * model.axes.display_from_file() };
        let part = |packed: &'a Packed| MeasuredPart {
            made: Side::new(&packed.model),
            origins: &packed.origins.meshes,
        };
        let packed = self.poses.iter().enumerate().map(|(number, clip)| {
            let own = clip.clip.map(|id| model.clip(id));
            let is_known = own.is_none_or(|own| self.is_as_played(number, own));
            ClipPair {
                source: clip.clip,
                made: Some(ClipId::from_index(number)),
                posed: if is_known { &clip.poses } else { &[] },
                posed_secs: clip.interval_ns as f64 * 1e-9,
            }
        });
        let is_left_out = |id: &ClipId| {
            let is_cache = matches!(model.clip(*id).motion, Motion::VertexAnimation(_));
            is_cache && self.poses.iter().all(|known| known.clip != Some(*id))
        };
        let ids = (0..model.clips.len()).map(ClipId::from_index);
        let left_out =
            ids.filter(is_left_out).map(|id| ClipPair { source: Some(id), ..ClipPair::default() });
        Job {
            source,
            parts: self.parts.iter().map(part).collect(),
            clips: packed.chain(left_out).collect(),
        }
    }

    /// Whether the packed poses are those of the source's runtime. They aren't if stored keys were
    /// blended for another rate, or if vertex animations were omitted.
    fn is_as_played(&self, number: usize, clip: &Clip) -> bool {
        let Some(packed) = self.poses.get(number) else { return false };
        match &clip.motion {
            Motion::VertexAnimation(_) => false,
            Motion::Sampled(motion) => {
                motion.interval_ns == packed.interval_ns
                    && motion.keys.num_keys() == packed.poses.len()
            }
            Motion::Tracks(_) | Motion::Curves(_) => true,
        }
    }
}
