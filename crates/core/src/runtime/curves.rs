//! Clips that runtimes evaluate in ways that keyframe tracks can't store.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3};

use super::{MorphWeights, Rotations, Rules};
use crate::model::{
    BoneId, BoneTrack, Clip, Curves, IdVec, Interpolation, LiveCurves, MorphTrack, Motion,
    Skeleton, Track, Trs,
};
use crate::pose::read_track;

/// Squared lengths of rotations that differ by less from 1 are normalized.
const UNIT_TOLERANCE: f32 = 1e-5;

/// The lowest and highest weight of morph targets, by mesh and target.
pub(super) type WeightRanges = BTreeMap<(usize, usize), [f32; 2]>;

/// What [`replace`] changed.
#[derive(Clone, Copy, Default)]
pub(super) struct Replaced {
    /// Number of bones whose rotation keys aren't normalized.
    pub(super) num_unnormalized: u64,
    /// Number of morph targets whose weights are clamped.
    pub(super) num_clamped: u64,
}

/// Replaces the tracks of a clip if the rules need more than tracks.
pub(super) fn replace(
    clip: &mut Clip,
    skeleton: &Skeleton,
    ranges: &WeightRanges,
    rules: &Rules,
) -> Replaced {
    let Motion::Tracks(tracks) = &mut clip.motion else { return Replaced::default() };
    let slerp = match rules.rotations {
        Rotations::RawSlerp { lerp_above, normalizes_lerp } => Some((lerp_above, normalizes_lerp)),
        Rotations::Slerp | Rotations::Nlerp => None,
    };
    let is_raw = |track: &&BoneTrack| track.rotation.as_ref().is_some_and(has_other_lengths);
    let num_unnormalized = slerp.map_or(0, |_| tracks.iter().filter(is_raw).count() as u64);
    let leaves_range = |track: &&MorphTrack| match ranges.get(&(track.mesh.index(), track.target)) {
        Some([low, high]) => {
            let values = extremes(&track.weights);
            values[0] < *low || values[1] > *high
        }
        None => false,
    };
    let num_clamped = clip.morph_tracks.iter().filter(leaves_range).count() as u64;
    if num_unnormalized + num_clamped > 0 {
        let rest = |track: &BoneTrack| skeleton.bones()[track.bone].rest_local.to_trs();
        let curves = PlayedCurves {
            tracks: tracks.drain(..).map(|track| (rest(&track), track)).collect(),
            morph_tracks: std::mem::take(&mut clip.morph_tracks),
            ranges: ranges.clone(),
            slerp,
        };
        clip.motion = Motion::Curves(LiveCurves(Arc::new(curves)));
    }
    Replaced { num_unnormalized, num_clamped }
}

/// The weights to which a runtime clamps the morph targets of all clips.
pub(super) fn weight_ranges(
    clips: &[Clip],
    default_weight: impl Fn(usize, usize) -> f32,
    rules: &Rules,
) -> WeightRanges {
    let mut ranges = WeightRanges::new();
    if rules.morph_weights == MorphWeights::AsStored {
        return ranges;
    }
    for track in clips.iter().flat_map(|clip| &clip.morph_tracks) {
        let key = (track.mesh.index(), track.target);
        let range = ranges.entry(key).or_insert([0.0, 1.0]);
        let (first, _) = track.weights.key_layout();
        let first = track.weights.values.get(first).copied();
        for weight in [first, Some(default_weight(key.0, key.1))].into_iter().flatten() {
            *range = [range[0].min(weight), range[1].max(weight)];
        }
    }
    ranges
}

fn has_other_lengths(track: &Track<Quat>) -> bool {
    let is_other = |value: &Quat| (value.length_squared() - 1.0).abs() > UNIT_TOLERANCE;
    track.interpolation != Interpolation::Cubic && track.values.iter().any(is_other)
}

/// The lowest and highest weight, also between keys.
fn extremes(track: &Track<f32>) -> [f32; 2] {
    let spans = track.cubic_spans().flat_map(|span| (1..8).map(move |at| span.at(at as f32 / 8.0)));
    let (first, per_key) = track.key_layout();
    let keys = track.values.iter().skip(first).step_by(per_key).copied();
    keys.chain(spans).fold([0.0, 0.0], |[low, high], value| [low.min(value), high.max(value)])
}

/// Tracks that are read with the rules of a runtime.
#[derive(Debug)]
struct PlayedCurves {
    /// With the rest transform of each bone.
    tracks: Vec<(Trs, BoneTrack)>,
    morph_tracks: Vec<MorphTrack>,
    ranges: WeightRanges,
    /// See [`Rotations::RawSlerp`].
    slerp: Option<(f32, bool)>,
}

impl Curves for PlayedCurves {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
        for (rest, track) in &self.tracks {
            let vector = |own: &Option<Track<Vec3>>, rest: Vec3| {
                own.as_ref().and_then(|own| read_track(own, time_secs)).unwrap_or(rest)
            };
            let translation = vector(&track.translation, rest.translation);
            let scale = vector(&track.scale, rest.scale);
            let rotation = track.rotation.as_ref().and_then(|own| match self.slerp {
                Some((above, normalizes)) if own.interpolation == Interpolation::Linear => {
                    raw_slerp(own, time_secs, above, normalizes)
                }
                _ => read_track(own, time_secs),
            });
            let turned = Mat3A::from_quat(rotation.unwrap_or(rest.rotation));
            parent_from_bone[track.bone] = Affine3A {
                matrix3: turned * Mat3A::from_diagonal(scale),
                translation: translation.into(),
            };
        }
    }

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        for track in &self.morph_tracks {
            let key = (track.mesh.index(), track.target);
            let weight = weights.get_mut(key.0).and_then(|targets| targets.get_mut(key.1));
            if let (Some(weight), Some(value)) = (weight, read_track(&track.weights, time_secs)) {
                let [low, high] = self.ranges.get(&key).copied().unwrap_or([f32::MIN, f32::MAX]);
                *weight = value.clamp(low, high);
            }
        }
    }

    fn key_times_secs(&self) -> Vec<f64> {
        let times = self.tracks.iter().flat_map(|(_, track)| track.times());
        let mut times: Vec<f64> = times.flatten().copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

/// Spherical interpolation without normalizing the keys or the result.
fn raw_slerp(track: &Track<Quat>, time_secs: f64, above: f32, normalizes: bool) -> Option<Quat> {
    let next = track.times_secs.partition_point(|&time| time <= time_secs);
    let Some(key) = next.checked_sub(1) else { return track.values.first().copied() };
    let (&start, &a) = (track.times_secs.get(key)?, track.values.get(key)?);
    let (Some(&end), Some(&b)) = (track.times_secs.get(next), track.values.get(next)) else {
        return Some(a);
    };
    #[expect(clippy::cast_possible_truncation, reason = "a fraction needs no 53 bits")]
    let share = ((time_secs - start) / (end - start)) as f32;
    let (b, dot) = if a.dot(b) < 0.0 { (-b, -a.dot(b)) } else { (b, a.dot(b)) };
    if a == b {
        return Some(a);
    }
    if dot < above {
        let angle = dot.acos();
        let sine = angle.sin();
        return Some(
            a * (((1.0 - share) * angle).sin() / sine) + b * ((share * angle).sin() / sine),
        );
    }
    let sum = a * (1.0 - share) + b * share;
    Some(if normalizes { sum.normalize() } else { sum })
}
