//! Converts any motion to tracks.

use glam::{Affine3A, Quat};
use rayon::prelude::*;

use super::bones::Bones;
use crate::model::{
    BoneId, BoneTrack, Clip, ClipId, IdVec, Interpolation, MeshId, Model, MorphTrack, Motion,
    Track, Trs, as_u32,
};
use crate::pose::{Moment, Pose, PoseSpec, Sampling, sample};

/// The most keys per sampled clip.
const MAX_KEYS: u32 = 1 << 20;
/// The most bone poses per sampled clip; more would take gigabytes. Longer clips get keys farther
/// apart.
const MAX_POSES: u32 = 1 << 21;

/// Clip `number` of `model` as tracks.
pub(super) fn plain_clip(model: &Model, number: usize, rate: Option<f64>, bones: &Bones) -> Clip {
    let clip = &model.clips[ClipId::from_index(number)];
    match &clip.motion {
        Motion::VertexAnimation(_) => clip.clone(),
        Motion::Tracks(_) if rate.is_none() && !bones.is_finished => clip.clone(),
        _ => sampled(model, ClipId::from_index(number), clip, rate, bones),
    }
}

/// The moments at which to sample a clip, and the clip's time at each of them.
fn moments(clip: &Clip, rate: Option<f64>, num_bones: usize) -> Vec<(Moment, f64)> {
    if clip.as_sampled().is_some_and(|motion| motion.is_bind_pair) {
        // The two keys of a bind pair aren't a motion; addressed by index they would be read as
        // stored.
        return vec![(Moment::Default, clip.start_secs)];
    }
    if let (Motion::Sampled(motion), None) = (&clip.motion, rate) {
        let num_keys = match motion.interval_ns {
            0 => motion.keys.num_keys().min(1),
            _ => motion.keys.num_keys(),
        };
        let keys = 0..as_u32(num_keys);
        let moment = |key: u32| {
            let time_secs = clip.start_secs + motion.key_secs(key as usize);
            (Moment::Key(key), time_secs)
        };
        return keys.map(moment).collect();
    }
    let rate = rate.unwrap_or_else(|| clip.sampling_rate());
    let num_bones = as_u32(num_bones).max(1);
    let most = MAX_KEYS.min(MAX_POSES / num_bones).max(1);
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let wanted = (clip.duration_secs.max(0.0) * rate).round() as u32;
    let num_steps = wanted.min(most);
    let rate = if num_steps < wanted { f64::from(num_steps) / clip.duration_secs } else { rate };
    let moment = |key: u32| {
        let time_secs = clip.start_secs + f64::from(key) / rate;
        (Moment::TimeSecs(time_secs), time_secs)
    };
    (0..=num_steps).map(moment).collect()
}

fn sampled(model: &Model, id: ClipId, clip: &Clip, rate: Option<f64>, bones: &Bones) -> Clip {
    let moments = moments(clip, rate, model.skeleton.len());
    let times: Vec<f64> = moments.iter().map(|(_, time_secs)| *time_secs).collect();
    let pose = |&(moment, _): &(Moment, f64)| {
        let spec =
            PoseSpec { clip: Some(id), moment, sampling: Sampling::Linear, ..PoseSpec::default() };
        sample(model, &spec)
    };
    let poses: Vec<Pose> = moments.par_iter().map(pose).collect();
    let locals: Vec<IdVec<BoneId, Affine3A>> =
        poses.iter().map(|pose| bones.locals(pose)).collect();
    let default = sample(model, &PoseSpec::default());
    let rest = if bones.is_finished {
        bones.locals(&default)
    } else {
        model.skeleton.rest_locals().clone()
    };
    let track = |bone: usize| {
        let bone = BoneId::from_index(bone);
        let mut parts: Vec<Trs> = (locals.iter())
            .map(|of_key| Trs::from_affine(of_key.get(bone).copied().unwrap_or(Affine3A::IDENTITY)))
            .collect();
        shorten_turns(&mut parts);
        let rest = rest[bone];
        let is_still = locals.iter().all(|of_key| of_key.get(bone) == Some(&rest));
        (!is_still).then(|| bone_track(bone, &times, &parts, rest))
    };
    let tracks = (0..model.skeleton.len()).into_par_iter().filter_map(track);
    let step = times.last().zip(times.first());
    Clip {
        name: clip.name.clone(),
        start_secs: clip.start_secs,
        duration_secs: match (&clip.motion, rate) {
            (Motion::Sampled(motion), None) if !motion.is_bind_pair => clip.duration_secs,
            _ => step.map_or(0.0, |(last, first)| last - first),
        },
        is_looping: clip.is_looping,
        motion: Motion::Tracks(tracks.collect()),
        morph_tracks: morph_tracks(model, clip, rate, &poses, &times),
        material_tracks: clip.material_tracks.clone(),
        events: clip.events.clone(),
        ..Clip::default()
    }
}

/// Flips quaternions of neighbouring keys to the same side, so that blending takes the short way.
fn shorten_turns(parts: &mut [Trs]) {
    let mut before: Option<Quat> = None;
    for part in parts {
        if before.is_some_and(|before| before.dot(part.rotation) < 0.0) {
            part.rotation = -part.rotation;
        }
        before = Some(part.rotation);
    }
}

fn bone_track(bone: BoneId, times: &[f64], parts: &[Trs], rest: Affine3A) -> BoneTrack {
    let rest = Trs::from_affine(rest);
    BoneTrack {
        bone,
        translation: channel(times, parts, rest.translation, |trs: &Trs| trs.translation),
        rotation: channel(times, parts, rest.rotation, |trs: &Trs| trs.rotation),
        scale: channel(times, parts, rest.scale, |trs: &Trs| trs.scale),
    }
}

/// All values; a single one if they are equal, none if they equal the rest value.
fn channel<T: Copy + PartialEq>(
    times: &[f64],
    parts: &[Trs],
    rest: T,
    get: impl Fn(&Trs) -> T,
) -> Option<Track<T>> {
    let values: Vec<T> = parts.iter().map(get).collect();
    let first = *values.first()?;
    let is_constant = values.iter().all(|value| *value == first);
    if is_constant && first == rest {
        return None;
    }
    let num_keys = if is_constant { 1 } else { values.len() };
    Some(Track {
        times_secs: times.iter().copied().take(num_keys).collect(),
        values: values.into_iter().take(num_keys).collect(),
        interpolation: Interpolation::Linear,
    })
}

/// Keeps authored morph tracks; samples those of live curves if they leave the default.
fn morph_tracks(
    model: &Model,
    clip: &Clip,
    rate: Option<f64>,
    poses: &[Pose],
    times: &[f64],
) -> Vec<MorphTrack> {
    if rate.is_none() && !matches!(clip.motion, Motion::Curves(_)) {
        return clip.morph_tracks.clone();
    }
    let mut tracks = Vec::new();
    for (number, mesh) in model.meshes.iter().enumerate() {
        for (target, morph) in mesh.morph_targets.iter().enumerate() {
            let weight = |pose: &Pose| {
                let of_mesh = pose.morph_weights.get(number);
                of_mesh.and_then(|weights| weights.get(target)).copied()
            };
            let default = morph.default_weight;
            let values: Vec<f32> =
                (poses.iter()).map(|pose| weight(pose).unwrap_or(default)).collect();
            if values.iter().any(|value| *value != default) {
                tracks.push(MorphTrack {
                    mesh: MeshId::from_index(number),
                    target,
                    weights: Track {
                        times_secs: times.to_vec(),
                        values,
                        interpolation: Interpolation::Linear,
                    },
                });
            }
        }
    }
    tracks
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn channels_at_rest_are_omitted_and_constant_ones_have_one_key() {
        let times = [0.0, 1.0];
        let at = |x: f32| Trs { translation: Vec3::X * x, ..Trs::IDENTITY };
        let moves = |parts: &[Trs], rest| channel(&times, parts, rest, |trs: &Trs| trs.translation);
        assert!(moves(&[at(1.0), at(1.0)], Vec3::X).is_none());
        assert_eq!(moves(&[at(1.0), at(1.0)], Vec3::ZERO).unwrap().values.len(), 1);
        assert_eq!(moves(&[at(0.0), at(1.0)], Vec3::ZERO).unwrap().values.len(), 2);
    }

    #[test]
    fn adjacent_quaternions_are_in_the_same_hemisphere() {
        let turn = Quat::from_rotation_x(0.5);
        let mut parts = [turn, -turn, turn].map(|rotation| Trs { rotation, ..Trs::IDENTITY });
        shorten_turns(&mut parts);
        assert!(parts.iter().all(|part| part.rotation == turn));
    }
}
