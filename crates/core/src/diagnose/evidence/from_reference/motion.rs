//! Keys and times of clips.

use glam::Affine3A;

use crate::diagnose::evidence::keys::{angle_deg, clips_of_items, key_secs};
use crate::diagnose::posed::reference_moment;
use crate::diagnose::specimen::Specimen;
use crate::model::{Clip, ClipId, KeyAt, Model, Trs};
use crate::pose::{PoseSpec, sample};

/// Moments per clip at which bones are compared.
const MAX_MOMENTS: usize = 12;

/// Differences of translations are relative to the bone's length, but at least to this fraction of the longest.
const SHORTEST: f32 = 0.02;

/// Times at which both clips are compared, spread over the clip of the reference.
fn moments(other: &Clip) -> impl Iterator<Item = f64> + use<> {
    let (start, duration) = (other.start_secs, other.duration_secs.max(0.0));
    (0..MAX_MOMENTS).map(move |at| start + duration * (at as f64 + 0.5) / MAX_MOMENTS as f64)
}

pub(super) fn keys(case: &Specimen, model: &Model) -> Vec<f64> {
    let num_bones = model.skeleton.len();
    let Some(reference) = &case.reference else { return Vec::new() };
    let clips = clips_of_items(case);
    let mut all = vec![f64::NAN; num_bones * clips.len()];
    let rest = reference.model.skeleton.bones().iter();
    let longest =
        rest.map(|bone| bone.rest_local.to_trs().translation.length()).fold(0.0, f32::max);
    let examined = clips.into_iter().enumerate().filter(|(_, clip)| case.clips.contains(clip));
    for (at, clip) in examined {
        let Some(&of) = reference.clips.get(&clip) else { continue };
        let other = &reference.model.clips[ClipId::from_index(of)];
        let mut sums = vec![(0.0, 0u32); num_bones];
        for time_secs in moments(other) {
            let pose = |model: &Model, clip| {
                sample(model, &PoseSpec::linear(ClipId::from_index(clip), time_secs))
                    .parent_from_bone
            };
            let (a, b) = (pose(model, clip), pose(&reference.model, of));
            for (bone, of) in reference.bones.iter_enumerated() {
                let Some((a, b)) = of.and_then(|of| Some((a.get(bone)?, b.get(of)?))) else {
                    continue;
                };
                let (sum, num) = &mut sums[bone.index()];
                *sum += local_difference(a, b, longest);
                *num += 1;
            }
        }
        for (item, (sum, num)) in all.iter_mut().skip(at * num_bones).zip(sums) {
            if num > 0 {
                *item = sum / f64::from(num);
            }
        }
    }
    all
}

/// The difference between two local transforms: the sum of the angle in radians, the relative difference of the
/// translation, and the difference of the scale. `longest` is the length of the longest bone.
fn local_difference(a: &Affine3A, b: &Affine3A, longest: f32) -> f64 {
    let [a, b] = [a, b].map(|matrix| Trs::from_affine(*matrix));
    let long = b.translation.length().max(longest * SHORTEST).max(f32::MIN_POSITIVE);
    let moved = f64::from(a.translation.distance(b.translation) / long);
    let scaled = f64::from((a.scale - b.scale).abs().max_element());
    angle_deg(a.rotation, b.rotation).to_radians() + moved + scaled
}

pub(super) fn wild_keys(case: &Specimen, model: &Model) -> Vec<f64> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let rest = reference.model.skeleton.bones().iter();
    let longest =
        rest.map(|bone| bone.rest_local.to_trs().translation.length()).fold(0.0, f32::max);
    let of_key = |key: &KeyAt| {
        let bone = key.bone?;
        let own = PoseSpec::linear(key.clip, key_secs(model, key)?);
        let [a, b] = [
            sample(model, &own),
            sample(&reference.model, &reference_moment(case, reference, &own)?),
        ];
        let theirs = reference.bones.get(bone).copied().flatten()?;
        let (a, b) = (a.parent_from_bone.get(bone)?, b.parent_from_bone.get(theirs)?);
        Some(local_difference(a, b, longest))
    };
    let of_clip = |clip: &usize| {
        let own = case.spikes().iter().filter(|key| key.clip.index() == *clip);
        own.filter_map(of_key).reduce(f64::max).unwrap_or(f64::NAN)
    };
    case.clips.iter().map(of_clip).collect()
}

pub(super) fn times(case: &Specimen, model: &Model) -> Vec<f64> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let of_clip = |clip: &usize| {
        let (own, other) = (
            &model.clips[ClipId::from_index(*clip)],
            &reference.model.clips[ClipId::from_index(*reference.clips.get(clip)?)],
        );
        let ends = |clip: &Clip| [clip.start_secs, clip.start_secs + clip.duration_secs];
        let ([a, b], [c, d]) = (ends(own), ends(other));
        let duration = other.duration_secs.max(1e-3);
        let apart = (a - c).abs() + (b - d).abs();
        // Formats with a fixed frame rate round times to frames.
        let is_rounded = apart < own.frame_secs().min(other.frame_secs()) * 0.9;
        Some(if is_rounded { 0.0 } else { apart / duration })
    };
    case.clips.iter().map(|clip| of_clip(clip).unwrap_or(f64::NAN)).collect()
}
