//! The moments at which rules examine a clip: its keys and, if there are few, times between them.

use crate::model::{
    Clip, ClipId, FindingKind, Model, Motion, Place, Report, as_u32, counted, findings,
};
use crate::pose::{BoneAnchors, Moment, PoseBudget, PoseSpec, clip_times, extreme_poses};
use crate::validate::worst::spread;

findings! {
    pub(super) FINDINGS:
    PartlyExamined, "partly-examined", Info, Animation,
        "the model has so many clips that rules examine fewer moments of each than usual, or not every clip",
        "none; a problem that is visible only at other moments isn't reported",
        "no action needed; to have all moments examined, store each clip in a separate file",
        "500 clips of a model with 3,000 vertices: 12 moments of each are examined, instead of 64";
}

/// The most moments of a clip to examine. More would take seconds on long takes, and the problems in question
/// last longer than a 64th of a clip or are at its ends. If a clip has curves and few enough keys, the middle
/// of each interval is examined too.
pub(super) const MAX_MOMENTS: usize = 64;

/// A moment, its time on the clip's clock, and its key if it is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipMoment {
    pub(super) spec: PoseSpec,
    pub(super) time_secs: f64,
    pub(super) key: Option<u32>,
}

/// The most moments of a clip among which to look for those with bones farthest out.
const MAX_CANDIDATES: usize = 512;

/// The use that a rule makes of the moments of clips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Posed {
    /// Moves all vertices.
    Vertices,
    /// Poses the bones again for each mesh.
    BonesOfEachMesh,
}

/// Chooses the moments of clips for a rule, within its budget.
pub(super) struct Moments<'a> {
    model: &'a Model,
    budget: PoseBudget,
}

impl<'a> Moments<'a> {
    pub(super) fn of(model: &'a Model, posed: Posed) -> Self {
        let num_vertices = match posed {
            Posed::Vertices => model.num_vertices(),
            Posed::BonesOfEachMesh => model.skeleton.len().saturating_mul(model.meshes.len()),
        };
        Self { model, budget: PoseBudget::of_pose(model, num_vertices) }
    }

    /// How many moments of a clip may be examined, at most `most`.
    pub(super) fn num(&self, index: usize, most: usize) -> usize {
        self.budget.moments_of(index, most)
    }

    /// At most [`MAX_MOMENTS`] keys of a clip and times between them, including the first and the last; none of clips
    /// that aren't examined.
    pub(super) fn of_clip(&self, index: usize, clip: &Clip) -> Vec<ClipMoment> {
        up_to(index, clip, self.num(index, MAX_MOMENTS))
    }

    /// At most seven moments of a clip in which bones are farthest out or morph targets are most visible.
    pub(super) fn farthest(
        &self,
        anchors: &BoneAnchors,
        index: usize,
        clip: &Clip,
    ) -> Vec<ClipMoment> {
        let candidates = up_to(index, clip, self.num(index, MAX_CANDIDATES));
        let specs: Vec<PoseSpec> = candidates.iter().map(|at| at.spec).collect();
        let found = extreme_poses(self.model, anchors, &specs).into_iter();
        found.filter_map(|at| candidates.get(at).copied()).collect()
    }
}

/// Reports [`FindingKind::PartlyExamined`].
pub(super) fn check(model: &Model, report: &Report) {
    let budget = PoseBudget::of(model);
    let is_limited = !model.clips.is_empty() && budget.limits(MAX_MOMENTS);
    report.add_many(FindingKind::PartlyExamined, Place::File, u64::from(is_limited), || {
        let clips = counted(model.clips.len() as u64, "clip");
        let vertices = counted(model.num_vertices() as u64, "vertex");
        let num_examined = budget.num_examined();
        let num_each = budget.moments_of(model.clips.len().saturating_sub(1), MAX_MOMENTS);
        if num_examined < model.clips.len() {
            let examined = counted(num_examined as u64, "clip");
            format!("{clips} of a model with {vertices}: {num_each} moments of {examined} are examined")
        } else {
            format!(
                "{clips} of a model with {vertices}: {num_each} moments of each are examined, instead of \
                 {MAX_MOMENTS}"
            )
        }
    });
}

fn up_to(index: usize, clip: &Clip, most: usize) -> Vec<ClipMoment> {
    if most == 0 {
        return Vec::new();
    }
    let spec = |moment| PoseSpec { moment, ..PoseSpec::linear(ClipId::from_index(index), 0.0) };
    if let Motion::Sampled(motion) = &clip.motion {
        let keys = spread(motion.keys.num_keys(), most);
        return keys
            .map(|key| ClipMoment {
                spec: spec(Moment::Key(as_u32(key))),
                time_secs: motion.key_secs(key),
                key: Some(as_u32(key)),
            })
            .collect();
    }
    let times = clip_times(clip, MAX_MOMENTS.min(most), most).into_iter();
    times
        .map(|time_secs| ClipMoment {
            spec: spec(Moment::TimeSecs(time_secs)),
            time_secs,
            key: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::{ModelBuilder, linear};

    #[test]
    fn keys_between_uniform_moments_are_included() {
        let track =
            linear([(0.0, Vec3::ZERO), (31.3, Vec3::X), (31.4, Vec3::ZERO), (100.0, Vec3::Y)]);
        let clip = ModelBuilder::new().clip("a", 100.0).translation(0, track).into_clip();
        let times: Vec<f64> = up_to(0, &clip, MAX_MOMENTS).iter().map(|at| at.time_secs).collect();
        assert!(times.contains(&31.3) && times.contains(&100.0), "{times:?}");
        assert!((MAX_MOMENTS..2 * MAX_MOMENTS).contains(&times.len()), "{}", times.len());
    }
}
