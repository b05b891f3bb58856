//! Limits the work of posing a model at moments of all its clips.
//!
//! A file stores vertices, bones and clips one after another, but posing all vertices in all clips takes their product:
//! a tenth of a megabyte can ask for minutes. So the number of poses grows with the stored data, and is
//! distributed evenly over the clips.
//!
//! For: code that poses a model in all clips to examine it. Not for: keys that are written
//! ([`crate::reshape::check_keys`]), and views, which pose a moment at a time.
//!
//! Invariant: users report if [`PoseBudget::limits`] their work.

use crate::model::{BoneTrack, Clip, Model, Motion};

/// Vertices and bones that may be posed whatever a model stores: less than a second of work.
const FREE_WORK: usize = 1 << 24;
/// The same for each value stored in a clip.
const WORK_PER_VALUE: usize = 1 << 10;
/// The same for each vertex, bone and clip.
const WORK_PER_ITEM: usize = 1 << 6;
/// Moments of a clip that are worth examining. With less, fewer clips are examined.
const MIN_MOMENTS: usize = 8;

/// How many moments of each clip may be posed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoseBudget {
    num_poses: usize,
    num_clips: usize,
}

impl PoseBudget {
    /// The budget for posing all vertices and bones of `model`.
    #[must_use]
    pub fn of(model: &Model) -> Self {
        Self::of_pose(model, model.num_vertices())
    }

    /// The budget for posing all bones of `model`, and that many vertices.
    #[must_use]
    pub fn of_pose(model: &Model, num_vertices: usize) -> Self {
        let work = num_vertices.saturating_add(model.skeleton.len()).max(1);
        let items = model.num_vertices() + model.skeleton.len() + model.clips.len();
        let num_values: usize = model.clips.iter().map(num_values).sum();
        let allowed = FREE_WORK
            .saturating_add(num_values.saturating_mul(WORK_PER_VALUE))
            .saturating_add(items.saturating_mul(WORK_PER_ITEM));
        Self { num_poses: (allowed / work).max(MIN_MOMENTS), num_clips: model.clips.len() }
    }

    /// The same budget with at most `num_poses` in all, but enough to examine one clip.
    #[must_use]
    pub fn at_most(self, num_poses: usize) -> Self {
        Self { num_poses: self.num_poses.min(num_poses.max(MIN_MOMENTS)), ..self }
    }

    /// How many moments of a clip to pose, at most `most`; 0 for clips that aren't examined.
    #[must_use]
    pub fn moments_of(&self, clip: usize, most: usize) -> usize {
        let fair = self.num_poses / self.num_clips.max(1);
        if fair >= MIN_MOMENTS {
            return most.min(fair);
        }
        let num_examined = self.num_examined();
        let num_clips = self.num_clips.max(1) as u128;
        let place = |clip: usize| clip as u128 * num_examined as u128 / num_clips;
        if place(clip) != place(clip + 1) { most.min(MIN_MOMENTS) } else { 0 }
    }

    /// Number of clips that are posed.
    #[must_use]
    pub fn num_examined(&self) -> usize {
        self.num_clips.min(self.num_poses / MIN_MOMENTS)
    }

    /// Whether fewer than `most` moments of any clip are posed.
    #[must_use]
    pub fn limits(&self, most: usize) -> bool {
        self.num_poses / self.num_clips.max(1) < most
    }
}

/// Number of values that a clip stores.
fn num_values(clip: &Clip) -> usize {
    let of_bones = match &clip.motion {
        Motion::Sampled(motion) => motion.keys.num_keys() * motion.keys.num_bones() as usize,
        Motion::Tracks(tracks) => {
            tracks.iter().flat_map(BoneTrack::times).map(<[f64]>::len).sum::<usize>()
        }
        Motion::Curves(curves) => usize::try_from(curves.0.num_keys()).unwrap_or(usize::MAX),
        Motion::VertexAnimation(cache) => cache.positions.len(),
    };
    of_bones.saturating_add(clip.value_times().map(<[f64]>::len).sum::<usize>())
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::*;

    /// A point cloud with clips that each move its bone by two keys.
    fn model(num_vertices: usize, num_clips: usize) -> Model {
        let track = linear([(0.0, Vec3::ZERO), (1.0, Vec3::X)]);
        let clip = ModelBuilder::new().clip("a", 1.0).translation(0, track).into_clip();
        let mut model = ModelBuilder::new().chain(&["a"]).mesh(vec![Vec3::X; num_vertices]).build();
        model.clips = vec![clip; num_clips].into();
        model
    }

    fn num_poses(model: &Model, most: usize) -> usize {
        let budget = PoseBudget::of(model);
        (0..model.clips.len()).map(|clip| budget.moments_of(clip, most)).sum()
    }

    #[test]
    fn small_models_are_posed_at_all_moments() {
        let model = model(3000, 20);
        assert_eq!(num_poses(&model, 200), 4000);
        assert!(!PoseBudget::of(&model).limits(200));
    }

    #[test]
    fn work_grows_with_the_model_and_not_with_vertices_times_clips() {
        let work = |size: usize| {
            let model = model(size, size);
            assert!(PoseBudget::of(&model).limits(64));
            num_poses(&model, 64) * size
        };
        let (small, large) = (work(5_000), work(50_000));
        assert!(small <= FREE_WORK + 5_000 * 4 * WORK_PER_VALUE, "{small}");
        assert!(large <= 10 * small, "{large}");
    }

    #[test]
    fn too_many_clips_are_examined_at_even_distances() {
        let budget = PoseBudget { num_poses: 40, num_clips: 12 };
        let examined: Vec<usize> =
            (0..12).filter(|clip| budget.moments_of(*clip, 64) > 0).collect();
        assert_eq!(examined.len(), budget.num_examined());
        assert_eq!(examined, [2, 4, 7, 9, 11]);
        assert_eq!(PoseBudget { num_poses: 0, num_clips: 0 }.moments_of(0, 64), 0);
    }
}
