//! A model under examination in all poses that are measured, computed when they are first needed.

use std::ops::Deref;
use std::sync::OnceLock;

use glam::Vec3;
use rayon::prelude::*;

use super::reference::{MeshMatch, Reference};
use super::specimen::Specimen;
use crate::model::{ClipId, Model};
use crate::pose::{Moment, Pose, PoseSpec, sample, skin_some_positions};

/// A model, and its sampled vertices in the poses of the specimen.
pub(super) struct Posed<'a> {
    model: &'a Model,
    poses: OnceLock<Vec<Pose>>,
    points: OnceLock<Vec<Vec<Vec<Vec3>>>>,
}

impl Deref for Posed<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        self.model
    }
}

impl<'a> Posed<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self { model, poses: OnceLock::new(), points: OnceLock::new() }
    }

    /// The bones in the poses of the specimen: first the rest pose.
    pub(super) fn poses(&self, case: &Specimen) -> &[Pose] {
        self.poses.get_or_init(|| {
            case.poses.par_iter().map(|spec| sample(self.model, &self.moment(case, spec))).collect()
        })
    }

    /// The moment at the same share of the clip, which may be at other times in a changed model.
    fn moment(&self, case: &Specimen, spec: &PoseSpec) -> PoseSpec {
        let (Some(clip), Moment::TimeSecs(secs)) = (spec.clip, spec.moment) else { return *spec };
        let (before, after) = (&case.model.clips[clip], &self.model.clips[clip]);
        if (before.start_secs, before.duration_secs) == (after.start_secs, after.duration_secs) {
            return *spec;
        }
        let share = (secs - before.start_secs) / before.duration_secs.max(f64::MIN_POSITIVE);
        PoseSpec::linear(clip, after.start_secs + share * after.duration_secs)
    }

    /// By pose and by sample, the positions of its points; without morphs.
    pub(super) fn points(&self, case: &Specimen) -> &[Vec<Vec<Vec3>>] {
        self.points.get_or_init(|| {
            let of_pose = |pose: &Pose| {
                let of_sample = |part: &super::specimen::MeshSample| {
                    let mesh = &self.model.meshes[part.mesh];
                    let mut pose = pose.of_mesh(part.mesh, mesh);
                    pose.morph_weights.clear();
                    skin_some_positions(mesh, &pose, &part.points)
                };
                case.samples.iter().map(of_sample).collect()
            };
            self.poses(case).par_iter().map(of_pose).collect()
        })
    }
}

/// The moment of the reference that matches one of the examined model, by its share of the duration.
pub(super) fn reference_moment(
    case: &Specimen,
    reference: &Reference,
    spec: &PoseSpec,
) -> Option<PoseSpec> {
    let Some(clip) = spec.clip else { return Some(*spec) };
    let (of, clip) = (*reference.clips.get(&clip.index())?, &case.model.clips[clip]);
    let Moment::TimeSecs(secs) = spec.moment else { return None };
    let share = (secs - clip.start_secs) / clip.duration_secs;
    let of = ClipId::from_index(of);
    let other = &reference.model.clips[of];
    let secs = other.start_secs + share.max(0.0) * other.duration_secs;
    Some(PoseSpec::linear(of, secs))
}

/// By pose of the case and by sample, the positions of the matching vertices; `None` for poses of clips that the
/// reference doesn't have.
pub(super) fn posed_reference<'a>(
    case: &Specimen,
    reference: &'a Reference,
) -> &'a [Option<Vec<Vec<Vec3>>>] {
    reference.posed.get_or_init(|| {
        let of_pose = |spec: &PoseSpec| {
            let pose = sample(&reference.model, &reference_moment(case, reference, spec)?);
            let of_sample = |found: &Option<MeshMatch>| {
                let Some(found) = found else { return Vec::new() };
                let mesh = &reference.model.meshes[found.mesh];
                skin_some_positions(mesh, &pose.of_mesh(found.mesh, mesh), &found.vertices)
            };
            Some(reference.meshes.iter().map(of_sample).collect())
        };
        case.poses.iter().map(of_pose).collect()
    })
}
