//! The pose at a moment of a clip, with all layers.

use super::base_pose::{base_pose, time_read};
use super::bind::bind;
use super::{Moment, Pose, PoseSpec, layer};
use crate::model::Model;

impl Pose {
    /// The pose of `model` described by `spec`.
    ///
    /// # Examples
    /// ```
    /// use rigscope::{Pose, PoseSpec};
    ///
    /// let model = rigscope::open("assets/sample.bsm2")?.model;
    /// let pose = Pose::at(&model, &PoseSpec::at_secs(model.find_clip("walk"), 0.3));
    /// assert_eq!(pose.model_from_bone.len(), model.skeleton.len());
    /// # Ok::<(), rigscope::Error>(())
    /// ```
    #[must_use]
    pub fn at(model: &Model, spec: &PoseSpec) -> Self {
        sample(model, spec)
    }
}

/// The pose of `model` described by `spec`.
#[must_use]
pub fn sample(model: &Model, spec: &PoseSpec) -> Pose {
    let mut pose = match spec.moment {
        Moment::Bind => bind(model),
        _ => base_pose(model, spec),
    };
    pose.normal_matrix = spec.normals.matrix_of(model);
    if !spec.is_plain() {
        layer::apply_layers(model, spec, &mut pose);
    }
    pose
}

/// `spec` with its time clamped to the clip and moved back to the frame that holds. The pose is the
/// same, and more times share one spec.
#[must_use]
pub fn canonical_spec(model: &Model, spec: &PoseSpec) -> PoseSpec {
    let (Some(clip), Moment::TimeSecs(_)) = (spec.clip_of(model), spec.moment) else {
        return *spec;
    };
    if clip.as_sampled().is_some() {
        // Keys may extend beyond the clip's stated end.
        return *spec;
    }
    let sampling = spec.sampling.in_clip(clip);
    PoseSpec { moment: Moment::TimeSecs(time_read(clip, spec.moment, sampling)), ..*spec }
}
