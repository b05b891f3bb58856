//! Clips that runtimes evaluate in ways that keyframe tracks can't store.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3};

use super::{MorphWeights, Normalizes, RawRotations, Rotations, Rules, Splines};
use crate::model::{
    BoneId, BoneTrack, Clip, CubicSpan, Curves, IdVec, Interpolation, LiveCurves, MorphTrack,
    Motion, Skeleton, Track, Trs, unit,
};
use crate::pose::{Curve, read_track};

/// Squared lengths of rotations that differ by less from 1 are normalized.
const UNIT_TOLERANCE: f32 = 1e-5;

/// Tracks whose largest weight is this many times the smallest that counts are mostly ignored.
const SMALL: f32 = 100.0;
/// Frames after which a clock of single precision is off by 1e-5 s at 24 frames per second.
const MAX_EXACT_FRAMES: f64 = 4096.0;

/// The lowest and highest weight of morph targets, by mesh and target.
pub(super) type WeightRanges = BTreeMap<(usize, usize), [f32; 2]>;

/// Numbers of changes by [`replace`].
#[derive(Clone, Copy, Default)]
pub(super) struct Replaced {
    /// Number of bones whose rotations aren't normalized.
    pub(super) num_unnormalized: u64,
    /// Number of morph targets whose weights are clamped.
    pub(super) num_clamped: u64,
    /// Number of morph targets whose splines are misread.
    pub(super) num_misread: u64,
    /// Number of morph targets whose weights are mostly too small.
    pub(super) num_small: u64,
    /// 1 if times are rounded.
    pub(super) num_rounded: u64,
}

/// Replaces the tracks of a clip if the rules need more than tracks.
pub(super) fn replace(
    clip: &mut Clip,
    skeleton: &Skeleton,
    ranges: &Arc<WeightRanges>,
    rules: &Rules,
) -> Replaced {
    let Motion::Tracks(tracks) = &mut clip.motion else { return Replaced::default() };
    let raw = match rules.rotations {
        Rotations::Raw(raw) => Some(raw),
        Rotations::Slerp | Rotations::Nlerp => None,
    };
    let is_unnormalized = |track: &&BoneTrack| {
        let rotation = track.rotation.as_ref();
        raw.zip(rotation).is_some_and(|(raw, rotation)| match rotation.interpolation {
            Interpolation::Cubic => {
                (!raw.normalizes_splines && rotation.times_secs.len() > 1)
                    || (!raw.normalizes_spline_ends && has_other_lengths(rotation))
            }
            _ => has_other_lengths(rotation),
        })
    };
    let num_unnormalized = tracks.iter().filter(is_unnormalized).count() as u64;
    let leaves_range = |track: &&MorphTrack| match ranges.get(&(track.mesh.index(), track.target)) {
        Some([low, high]) => {
            let values = extremes(&track.weights);
            values[0] < *low || values[1] > *high
        }
        None => false,
    };
    let num_clamped = clip.morph_tracks.iter().filter(leaves_range).count() as u64;
    let is_cubic = |track: &&MorphTrack| track.weights.interpolation == Interpolation::Cubic;
    let num_misread = if rules.misreads_spline_weights {
        clip.morph_tracks.iter().filter(is_cubic).count() as u64
    } else {
        0
    };
    let end_secs = clip.start_secs + clip.duration_secs;
    let rate = rules.frames_of_single_precision.filter(|rate| end_secs * rate > MAX_EXACT_FRAMES);
    let is_small = |track: &&MorphTrack| {
        let [low, high] = extremes(&track.weights);
        let most = high.max(-low);
        most > 0.0 && most <= rules.least_morph_weight * SMALL
    };
    let num_small = clip.morph_tracks.iter().filter(is_small).count() as u64;
    let is_needed = rate.is_some()
        || num_small > 0
        || num_unnormalized + num_clamped + num_misread > 0
        || raw.is_some_and(|raw| raw.is_series || raw.normalizes == Normalizes::Everything)
        || rules.splines == Splines::TangentsByShare;
    if is_needed {
        let rest = |track: &BoneTrack| skeleton.bones()[track.bone].rest_local.to_trs();
        let curves = PlayedCurves {
            tracks: tracks.drain(..).map(|track| (rest(&track), track)).collect(),
            morph_tracks: std::mem::take(&mut clip.morph_tracks),
            ranges: Arc::clone(ranges),
            raw,
            splines: rules.splines,
            misreads_spline_weights: rules.misreads_spline_weights,
            least_weight: rules.least_morph_weight,
            rate,
        };
        clip.motion = Motion::Curves(LiveCurves(Arc::new(curves)));
    }
    Replaced {
        num_unnormalized,
        num_clamped,
        num_misread,
        num_small,
        num_rounded: u64::from(rate.is_some()),
    }
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
    let (first, per_key) = track.key_layout();
    track.values.iter().skip(first).step_by(per_key).any(is_other)
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
    ranges: Arc<WeightRanges>,
    raw: Option<RawRotations>,
    splines: Splines,
    misreads_spline_weights: bool,
    /// Weights of morph targets up to this count as 0.
    least_weight: f32,
    /// See [`Rules::frames_of_single_precision`].
    rate: Option<f64>,
}

impl PlayedCurves {
    fn rounded(&self, time_secs: f64) -> f64 {
        self.rate.map_or(time_secs, |rate| f64::from(seconds(time_secs * rate)) / rate)
    }

    fn read_weight(&self, track: &Track<f32>, time_secs: f64) -> Option<f32> {
        match track.interpolation {
            Interpolation::Cubic if self.misreads_spline_weights => {
                Some(misread_weight(track, time_secs).unwrap_or(0.0))
            }
            _ => self.read(track, time_secs),
        }
    }

    fn read<T: Curve>(&self, track: &Track<T>, time_secs: f64) -> Option<T> {
        match self.splines {
            Splines::TangentsByShare => {
                let Some((span, share)) = span_at(track, time_secs) else {
                    return read_track(track, time_secs);
                };
                let by_share = share / seconds(span.secs);
                Some(hermite(&span, share, by_share).normalized_or(span.from))
            }
            _ => read_track(track, time_secs),
        }
    }

    fn read_rotation(&self, track: &Track<Quat>, time_secs: f64) -> Option<Quat> {
        let Some(raw) = &self.raw else { return self.read(track, time_secs) };
        match track.interpolation {
            Interpolation::Linear => raw_slerp(track, time_secs, raw),
            Interpolation::Cubic if !raw.normalizes_splines => match span_at(track, time_secs) {
                Some((span, share)) => Some(hermite(&span, share, 1.0)),
                None => read_track(track, time_secs),
            },
            Interpolation::Cubic if raw.normalizes_spline_ends => {
                self.read(track, time_secs).map(|rotation| unit(rotation, 0.0))
            }
            _ if raw.normalizes == Normalizes::Everything => {
                self.read(track, time_secs).map(|rotation| unit(rotation, 0.0))
            }
            _ => self.read(track, time_secs),
        }
    }
}

impl Curves for PlayedCurves {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
        let time_secs = self.rounded(time_secs);
        for (rest, track) in &self.tracks {
            let vector = |own: &Option<Track<Vec3>>, rest: Vec3| {
                own.as_ref().and_then(|own| self.read(own, time_secs)).unwrap_or(rest)
            };
            let translation = vector(&track.translation, rest.translation);
            let scale = vector(&track.scale, rest.scale);
            let rotation = track.rotation.as_ref();
            let rotation = rotation.and_then(|own| self.read_rotation(own, time_secs));
            let matrix = matrix_of(rotation.unwrap_or(rest.rotation), self.raw.as_ref());
            parent_from_bone[track.bone] = Affine3A {
                matrix3: matrix * Mat3A::from_diagonal(scale),
                translation: translation.into(),
            };
        }
    }

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        let time_secs = self.rounded(time_secs);
        for track in &self.morph_tracks {
            let key = (track.mesh.index(), track.target);
            let weight = weights.get_mut(key.0).and_then(|targets| targets.get_mut(key.1));
            if let (Some(weight), Some(value)) =
                (weight, self.read_weight(&track.weights, time_secs))
            {
                let [low, high] = self.ranges.get(&key).copied().unwrap_or([f32::MIN, f32::MAX]);
                let value = if value.abs() <= self.least_weight { 0.0 } else { value };
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

#[expect(clippy::cast_possible_truncation, reason = "fractions and spans need no 53 bits")]
fn seconds(secs: f64) -> f32 {
    secs as f32
}

/// The matrix of a rotation; with its length only if it isn't normalized by the runtime.
fn matrix_of(rotation: Quat, raw: Option<&RawRotations>) -> Mat3A {
    match raw {
        Some(raw) if raw.is_homogeneous => {
            Mat3A::from_quat(unit(rotation, 0.0)) * rotation.length_squared()
        }
        Some(_) => Mat3A::from_quat(rotation),
        None => Mat3A::from_quat(unit(rotation, 0.0)),
    }
}

/// The cubic span at a time, and the elapsed share; `None` outside the keys and for other tracks.
fn span_at<T: Curve>(track: &Track<T>, time_secs: f64) -> Option<(CubicSpan<T>, f32)> {
    let next = track.times_secs.partition_point(|&time| time <= time_secs);
    let span = track.cubic_span(next.checked_sub(1)?)?;
    let share = seconds((time_secs - span.start_secs) / span.secs);
    Some((span, share))
}

/// The point of a span, with its tangents multiplied by a factor, without normalization.
fn hermite<T: Curve>(span: &CubicSpan<T>, share: f32, factor: f32) -> T {
    let (t, t2, t3) = (share, share * share, share * share * share);
    span.from * (2.0 * t3 - 3.0 * t2 + 1.0)
        + span.out_tangent * ((t3 - 2.0 * t2 + t) * factor)
        + span.to * (-2.0 * t3 + 3.0 * t2)
        + span.in_tangent * ((t3 - t2) * factor)
}

/// The weight of PlayCanvas, which takes the number of values per key for the number of targets. So the in-tangents of a
/// target become its values, each of which is then read as one of the three of a spline. Values beyond the end aren't
/// numbers, and the target isn't applied (2.23.3, framework/parsers/glb-parser.js: createMorphTargetCurves;
/// framework/anim/evaluator/anim-cache.js: eval; scene/morph-instance.js: update).
fn misread_weight(track: &Track<f32>, time_secs: f64) -> Option<f32> {
    let times = &track.times_secs;
    let value = |at: usize| if at < times.len() { track.values.get(at * 3).copied() } else { None };
    let key = |at: usize| Some([value(at * 3)?, value(at * 3 + 1)?, value(at * 3 + 2)?]);
    let next = times.partition_point(|&time| time <= time_secs);
    let (Some(before), Some(&end)) = (next.checked_sub(1), times.get(next)) else {
        return Some(key(next.saturating_sub(1))?[1]);
    };
    let start = *times.get(before)?;
    let ([_, from, out_tangent], [in_tangent, to, _]) =
        (key(before)?, [value(next * 3)?, value(next * 3 + 1)?, 0.0]);
    let span =
        CubicSpan { start_secs: start, secs: end - start, from, out_tangent, in_tangent, to };
    Some(hermite(&span, seconds((time_secs - start) / (end - start)), seconds(end - start)))
}

/// Spherical interpolation of keys as stored.
fn raw_slerp(track: &Track<Quat>, time_secs: f64, raw: &RawRotations) -> Option<Quat> {
    let next = track.times_secs.partition_point(|&time| time <= time_secs);
    let finish = |rotation: Quat, is_lerp: bool| match raw.normalizes {
        Normalizes::Everything => unit(rotation, 0.0),
        Normalizes::Lerps | Normalizes::LerpsOfOtherKeys if is_lerp => unit(rotation, 0.0),
        _ => rotation,
    };
    let Some(key) = next.checked_sub(1) else {
        return track.values.first().map(|value| finish(*value, false));
    };
    let (&start, &a) = (track.times_secs.get(key)?, track.values.get(key)?);
    let (Some(&end), Some(&b)) = (track.times_secs.get(next), track.values.get(next)) else {
        return Some(finish(a, false));
    };
    let share = seconds((time_secs - start) / (end - start));
    let (b, dot) = if a.dot(b) < 0.0 { (-b, -a.dot(b)) } else { (b, a.dot(b)) };
    let is_stored = match raw.normalizes {
        Normalizes::Lerps => share == 0.0,
        Normalizes::LerpsOfOtherKeys => a == b,
        Normalizes::Nothing | Normalizes::Everything => false,
    };
    if is_stored {
        return Some(finish(a, false));
    }
    if raw.is_series {
        return Some(finish(a * series(1.0 - share, dot) + b * series(share, dot), false));
    }
    let scale = if raw.is_angle_of_directions { a.length() * b.length() } else { 1.0 };
    let angle = (dot / scale).min(1.0).acos();
    let sine = angle.sin();
    if dot <= raw.lerp_above && sine > 0.0 {
        let factor = |share: f32| (share * angle).sin() / sine;
        return Some(finish(a * factor(1.0 - share) + b * factor(share), false));
    }
    Some(finish(a * (1.0 - share) + b * share, true))
}

/// The factor of a key, `sin(share * angle) / sin(angle)`, by eight terms of the series in Eberly, "A Fast and Accurate
/// Algorithm for Computing SLERP" (2011).
fn series(share: f32, cosine: f32) -> f32 {
    /// Compensates for the omitted terms (Cesium, `Quaternion.js`).
    const LAST: f64 = 1.901_107_453_517_300_4;
    const NUM_TERMS: u32 = 8;
    let (share, cosine) = (f64::from(share), f64::from(cosine));
    let mut sum = 1.0;
    for term in (1..=NUM_TERMS).rev() {
        let number = f64::from(term);
        let odd = 2.0 * number + 1.0;
        let weight = if term == NUM_TERMS { LAST } else { 1.0 };
        let factor = weight * (share * share / (number * odd) - number / odd) * (cosine - 1.0);
        sum = 1.0 + factor * sum;
    }
    seconds(share * sum)
}
