//! Animation curves of one bone, or of the morph targets, over a clip; computed once and not during playback.

use glam::{Affine3A, EulerRot, Quat, Vec3};

use super::super::{Derived, ModelKey};
use super::sample_times::sample_times;
use rigscope_core::model::{BoneId, Cancelled, ClipId, MorphTrack, Report, Trs, display_text};
use rigscope_core::pose::{PoseSpec, Sampling, sample};

/// The space of the curves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveSpace {
    /// Relative to the parent.
    #[default]
    Local,
    /// Relative to the model.
    Model,
}

/// The representation of rotations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotationAs {
    /// Degrees about x, then y, then z of the rotated bone, without jumps of full turns.
    #[default]
    Euler,
    /// Components of the quaternion, without sign changes.
    Quaternion,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channel {
    /// Time and value of each sample.
    pub points: Vec<[f64; 2]>,
    /// Time and value of each key.
    pub keys: Vec<[f64; 2]>,
}

impl Channel {
    fn add(&mut self, time_secs: f64, value: f32, is_key: bool) {
        let point = [time_secs, f64::from(value)];
        self.points.push(point);
        if is_key {
            self.keys.push(point);
        }
    }
}

/// The curves of one bone or of the morph targets in one clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Translation along x, y, z; file units.
    pub moves: [Channel; 3],
    /// Rotation about x, y, z; degrees.
    pub euler: [Channel; 3],
    /// Rotation as x, y, z, w.
    pub quaternion: [Channel; 4],
    /// Scale along x, y, z.
    pub scales: [Channel; 3],
    /// The weight of each morph target that the clip moves, with its name; only without a bone.
    pub morphs: Vec<(String, Channel)>,
    /// The number of morph targets that the clip moves beyond those in `morphs`.
    pub num_more_morphs: usize,
    /// The file only contains baked skinning matrices, which the curves show.
    pub is_finished: bool,
}

/// The state of the Curves pane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvesView {
    pub space: CurveSpace,
    pub rotation_as: RotationAs,
    pub shown: Derived<CurveKey, Curves>,
}

/// More curves in one plot are indistinguishable.
const MAX_MORPHS: usize = 16;

/// The subject of the curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CurveSubject {
    Bone(BoneId),
    /// The morph targets that the clip moves.
    Morphs,
}

/// The inputs of the curves.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveKey {
    pub(super) model: ModelKey,
    pub(super) clip: ClipId,
    pub(super) subject: CurveSubject,
    pub(super) sampling: Sampling,
    pub(super) space: CurveSpace,
}

impl CurveKey {
    /// Samples the curves.
    pub(super) fn read(&self, report: &Report) -> Result<Curves, Cancelled> {
        match self.subject {
            CurveSubject::Bone(bone) => self.read_bone(bone, report),
            CurveSubject::Morphs => self.read_morphs(report),
        }
    }

    fn read_morphs(&self, report: &Report) -> Result<Curves, Cancelled> {
        let model = &self.model.0;
        let Some(clip) = model.clips.get(self.clip) else { return Ok(Curves::default()) };
        let num_more_morphs = clip.morph_tracks.len().saturating_sub(MAX_MORPHS);
        let tracks = clip.morph_tracks.get(..MAX_MORPHS).unwrap_or(&clip.morph_tracks);
        let name = |track: &MorphTrack| {
            let targets = model.meshes.get(track.mesh).map(|mesh| &mesh.morph_targets);
            let target = targets.and_then(|targets| targets.get(track.target));
            match target.map_or("", |target| &target.name) {
                "" => format!("target {}", track.target),
                name => display_text::name(name).into_owned(),
            }
        };
        let mut morphs: Vec<_> =
            tracks.iter().map(|track| (name(track), Channel::default())).collect();
        let moments = sample_times(clip);
        let num = moments.len().max(1) as f32;
        for (number, (time_secs, is_key)) in moments.into_iter().enumerate() {
            if number % 16 == 0 {
                report.progress("reading curves", number as f32 / num)?;
            }
            let weights = sample(model, &self.spec(time_secs)).morph_weights;
            for (track, (_, channel)) in tracks.iter().zip(&mut morphs) {
                let weights = weights.get(track.mesh.index());
                let Some(&weight) = weights.and_then(|of_mesh| of_mesh.get(track.target)) else {
                    continue;
                };
                channel.add(time_secs, weight, is_key);
            }
        }
        Ok(Curves { morphs, num_more_morphs, ..Curves::default() })
    }

    fn read_bone(&self, bone: BoneId, report: &Report) -> Result<Curves, Cancelled> {
        let mut curves = Curves::default();
        let mut last: Option<(Quat, Vec3)> = None;
        let clip = self.model.0.clips.get(self.clip);
        let moments = clip.map_or_else(Vec::new, sample_times);
        let num = moments.len().max(1) as f32;
        for (number, (time_secs, is_key)) in moments.into_iter().enumerate() {
            if number % 16 == 0 {
                report.progress("reading curves", number as f32 / num)?;
            }
            let Some((matrix, is_finished)) = self.matrix(bone, time_secs) else { continue };
            curves.is_finished = is_finished;
            let trs = Trs::from_affine(matrix);
            let (turn, degrees) = continued(trs.rotation, last);
            last = Some((turn, degrees));
            let add = |channels: &mut [Channel], values: &[f32]| {
                for (channel, &value) in channels.iter_mut().zip(values) {
                    channel.add(time_secs, value, is_key);
                }
            };
            add(&mut curves.moves, &trs.translation.to_array());
            add(&mut curves.euler, &degrees.to_array());
            add(&mut curves.quaternion, &turn.to_array());
            add(&mut curves.scales, &trs.scale.to_array());
        }
        Ok(curves)
    }

    /// The bone's matrix, and whether it is a baked skinning matrix.
    fn matrix(&self, bone: BoneId, time_secs: f64) -> Option<(Affine3A, bool)> {
        let pose = sample(&self.model.0, &self.spec(time_secs));
        if let Some(matrices) = &pose.model_from_mesh {
            return Some((*matrices.get(bone)?, true));
        }
        let matrices = match self.space {
            CurveSpace::Local => &pose.parent_from_bone,
            CurveSpace::Model => &pose.model_from_bone,
        };
        Some((*matrices.get(bone)?, false))
    }

    fn spec(&self, time_secs: f64) -> PoseSpec {
        PoseSpec { sampling: self.sampling, ..PoseSpec::at_secs(self.clip, time_secs) }
    }
}

/// A rotation as a quaternion and as degrees, each chosen to be continuous with the previous one.
fn continued(rotation: Quat, last: Option<(Quat, Vec3)>) -> (Quat, Vec3) {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZ);
    let degrees = Vec3::new(x, y, z).map(f32::to_degrees);
    let Some((last_turn, last_degrees)) = last else { return (rotation, degrees) };
    let turn = if rotation.dot(last_turn) < 0.0 { -rotation } else { rotation };
    // (x + 180, 180 - y, z + 180) is the same rotation; use the one closer to the previous angles.
    let other = Vec3::new(degrees.x + 180.0, 180.0 - degrees.y, degrees.z + 180.0);
    let near = |degrees: Vec3| degrees - ((degrees - last_degrees) / 360.0).round() * 360.0;
    let (degrees, other) = (near(degrees), near(other));
    let is_nearer = other.distance(last_degrees) < degrees.distance(last_degrees);
    (turn, if is_nearer { other } else { degrees })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_curves_continue_past_360_degrees() {
        let mut last = None;
        for step in 0..=72u8 {
            let angle = f32::from(step) * 10.0;
            let (turn, degrees) = continued(Quat::from_rotation_y(angle.to_radians()), last);
            assert!(degrees.distance(Vec3::Y * angle) < 0.05, "{angle}: {degrees}");
            if let Some((before, _)) = last {
                assert!(turn.dot(before) > 0.9);
            }
            last = Some((turn, degrees));
        }
    }
}
