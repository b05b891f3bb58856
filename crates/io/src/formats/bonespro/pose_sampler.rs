//! Positions of written bones and vertices at a time in a clip.

use glam::{DAffine3, Vec3};

use crate::formats::rigged_model::RiggedModel;
use rigscope_core::model::{Axes, BoneId, Clip, ClipId, MeshId, Model, UpAxis};
use rigscope_core::pose::{Moment, Pose, PoseSpec, Sampling, sample, skin_positions};
use rigscope_core::reshape;

/// The axes of the format.
pub(super) fn axes() -> Axes {
    Axes { up: UpAxis::Z, ..Axes::default() }
}

pub(super) struct PoseSampler<'a> {
    pub(super) rigged: &'a RiggedModel,
    /// The original model, whose matrices may shear, unlike tracks.
    source: Model,
    /// Whether its keys are complete skinning matrices that include the bind pose.
    is_finished: bool,
}

/// All written bones at one time.
pub(super) struct Frame {
    pub(super) model_from_bone: Vec<DAffine3>,
    pub(super) parent_from_bone: Vec<DAffine3>,
}

impl<'a> PoseSampler<'a> {
    pub(super) fn new(model: &Model, rigged: &'a RiggedModel) -> Self {
        let source = reshape::in_axes(model, &axes());
        let default = sample(&source, &PoseSpec::default());
        Self { rigged, is_finished: default.model_from_mesh.is_some(), source }
    }

    fn spec(&self, clip: usize, time_secs: f64) -> PoseSpec {
        let motion = self.source.clips.get(ClipId::from_index(clip)).and_then(Clip::as_sampled);
        PoseSpec {
            clip: Some(ClipId::from_index(clip)),
            moment: if motion.is_some_and(|motion| motion.is_bind_pair) {
                // Sampled by time, the keys of a bind pair would be used as stored.
                Moment::Default
            } else {
                Moment::TimeSecs(time_secs)
            },
            sampling: Sampling::Linear,
            ..PoseSpec::default()
        }
    }

    pub(super) fn bones(&self, clip: usize, time_secs: f64) -> Frame {
        let spec = self.spec(clip, time_secs);
        // If clips with complete and local keys are mixed, only the tracks of the rigged model are
        // consistent.
        let pose = Some(sample(&self.source, &spec))
            .filter(|pose| pose.model_from_mesh.is_some() == self.is_finished)
            .unwrap_or_else(|| sample(&self.rigged.model, &spec));
        let Pose { parent_from_bone, model_from_bone, model_from_mesh, .. } = pose;
        let is_finished = model_from_mesh.is_some();
        let placed = model_from_mesh.unwrap_or(model_from_bone);
        let bones = &self.rigged.bones;
        let num_sources = self.rigged.model.skeleton.len();
        // Bones that the source doesn't have stay at rest.
        let model_from_bone: Vec<DAffine3> = bones
            .iter()
            .map(|bone| {
                let matrix = placed.get(bone.source);
                matrix.map_or(DAffine3::IDENTITY, |m| wide(*m))
            })
            .collect();
        let relative = |(at, bone): (usize, &crate::formats::rigged_model::RiggedBone)| {
            let here = model_from_bone.get(at).copied().unwrap_or_default();
            let Some(parent) = bone.parent else { return here };
            if at >= num_sources {
                return DAffine3::IDENTITY;
            }
            let stored = parent_from_bone.get(BoneId::from_index(at)).filter(|_| !is_finished);
            if let Some(matrix) = stored {
                return wide(*matrix);
            }
            let above = model_from_bone.get(parent).map(DAffine3::inverse);
            let above = above.filter(DAffine3::is_finite);
            above.unwrap_or(DAffine3::IDENTITY) * here
        };
        Frame {
            parent_from_bone: bones.iter().enumerate().map(relative).collect(),
            model_from_bone,
        }
    }

    pub(super) fn vertices(&self, clip: usize, time_secs: f64) -> Vec<Vec3> {
        let spec = self.spec(clip, time_secs);
        let model = &self.rigged.model;
        let Some(mesh) = model.meshes.first() else { return Vec::new() };
        skin_positions(mesh, &sample(model, &spec).of_mesh(MeshId(0), mesh))
    }
}

fn wide(matrix: glam::Affine3A) -> DAffine3 {
    DAffine3 {
        matrix3: glam::Mat3::from(matrix.matrix3).as_dmat3(),
        translation: Vec3::from(matrix.translation).as_dvec3(),
    }
}
