//! Finds scales of 0 in clips. Engines use them to hide parts, which is intended if the scale is held at 0 or
//! jumps there. A scale that shrinks to 0 key by key passes through matrices without an inverse.
//!
//! Not for: bones that are scaled to 0 at rest, and sampled matrices (`model::check`).

use glam::Affine3A;

use super::bone_reaches::BoneReaches;
use super::channels::{Curve, channels};
use super::keys::KeyRule;
use super::series::{Local, Series};
use super::worst_place::WorstPlace;
use crate::model::{
    Clip, FindingKind, Interpolation, Model, Report, Trs, findings, numbered, numbers,
};
use crate::pose::{PoseSpec, sample};
use crate::validate::worst::bone_text;

findings! {
    pub(super) FINDINGS:
    ScaleReachesZero, "scale-reaches-zero", Warning, Animation,
        "a clip scales a bone gradually to 0",
        "its vertices collapse; runtimes that invert the matrix get undefined normals, so the surface is black or flickers",
        "end at a small scale such as 0.001, or hide the part by a key with stepped interpolation",
        "in clip 0 \"walk\", the scale of bone 6 \"hand_l\" is 0 from key 12 at 0.4 s on at clips[0].micros[400000].bones[6]";
}

/// A shorter axis is hidden.
const HIDDEN: f32 = 1e-5;
/// A scale jumps if it goes to 0 from one key to the next within this time …
const JUMP_SECS: f64 = 0.05;
/// … from at least this fraction of the largest scale.
const JUMP_SHARE: f32 = 0.5;
/// Number of halvings that bring any time between keys below [`JUMP_SECS`].
const MAX_HALVINGS: usize = 64;

/// The first of `times_secs` at which a scale is 0, and whether it is reached or left gradually; `None` if it
/// never is. `scales` are the smallest axes at these times, `between` gives them at other times.
fn reaches_zero(
    times_secs: &[f64],
    scales: &[f32],
    between: impl Fn(f64) -> f32,
) -> Option<(usize, bool)> {
    let is_zero = |scale: f32| scale < HIDDEN;
    let first = scales.iter().position(|&scale| is_zero(scale))?;
    let largest = scales.iter().copied().fold(0.0, f32::max);
    let is_gradual = |(pair, times): (&[f32], &[f64])| {
        let (&[from, to], &[start, end]) = (pair, times) else { return false };
        if is_zero(from) == is_zero(to) {
            return false;
        }
        let (mut zero, mut shown, mut scale) =
            if is_zero(from) { (start, end, to) } else { (end, start, from) };
        // Keys may be far apart and the curve between them stepped. Times of absurd size have no middle.
        for _ in 0..MAX_HALVINGS {
            if (zero - shown).abs() <= JUMP_SECS {
                break;
            }
            let middle = 0.5 * (zero + shown);
            let own = between(middle);
            if is_zero(own) {
                zero = middle;
            } else {
                (shown, scale) = (middle, own);
            }
        }
        scale < JUMP_SHARE * largest
    };
    let is_gradual = scales.windows(2).zip(times_secs.windows(2)).any(is_gradual);
    Some((first, is_gradual))
}

fn smallest_axis(matrix: &Affine3A) -> f32 {
    Trs::from_affine(*matrix).scale.abs().min_element()
}

/// Reports [`FindingKind::ZeroScaleBone`] for parts that are hidden on purpose, [`FindingKind::ScaleReachesZero`]
/// for others.
#[derive(Default)]
struct ZeroScales {
    held: WorstPlace,
    gradual: WorstPlace,
}

pub(super) fn new() -> Box<dyn KeyRule> {
    Box::<ZeroScales>::default()
}

impl KeyRule for ZeroScales {
    fn look_at_curves(&mut self, model: &Model, _: &BoneReaches, index: usize, clip: &Clip) {
        for channel in channels(index, clip) {
            let Curve::Scale(track) = channel.curve else { continue };
            let scales: Vec<f32> =
                track.key_values().map(|scale| scale.abs().min_element()).collect();
            let between = |time_secs: f64| {
                let times = &track.times_secs;
                let next = times.partition_point(|&key| key <= time_secs);
                let before = next.saturating_sub(1);
                let key = |at: usize| scales.get(at).copied().unwrap_or(1.0);
                #[expect(clippy::cast_possible_truncation, reason = "a fraction")]
                let share = match (times.get(before), times.get(next)) {
                    (Some(start), Some(end)) => ((time_secs - start) / (end - start)) as f32,
                    _ => 0.0,
                };
                match track.interpolation {
                    Interpolation::Step => key(before),
                    _ => key(before) + (key(next) - key(before)) * share,
                }
            };
            let Some((key, is_gradual)) = reaches_zero(&track.times_secs, &scales, between) else {
                continue;
            };
            let time_secs = track.times_secs.get(key).copied().unwrap_or(clip.start_secs);
            let found = if is_gradual { &mut self.gradual } else { &mut self.held };
            found.add(0.0, channel.place(model, time_secs), || {
                let is_always = scales.iter().all(|scale| *scale < HIDDEN);
                let when = if is_always {
                    "all the time".to_owned()
                } else {
                    format!("from key {key} at {} on", numbers::seconds(time_secs))
                };
                let clip = numbered("clip", index, &clip.name);
                format!("in {clip}, the {} is 0 {when}", channel.property_text(model))
            });
        }
    }

    /// Examines consecutive keys of live curves.
    fn look_at_series(&mut self, model: &Model, _: &BoneReaches, series: &Series) {
        if !series.has_middles {
            return;
        }
        for bone in series.bones(model) {
            let at = |time: usize| series.at(time, bone.index());
            let num = series.times_secs.len();
            if !(0..num).any(|time| at(time).is_some_and(Local::is_hidden)) {
                continue;
            }
            let scales: Vec<f32> = (0..num)
                .map(|time| at(time).map_or(1.0, |local| local.scale.abs().min_element()))
                .collect();
            let clip = series.clip;
            let between = |time_secs| {
                let pose = sample(model, &PoseSpec::linear(clip, time_secs));
                pose.parent_from_bone.get(bone).map_or(1.0, smallest_axis)
            };
            let Some((time, is_gradual)) = reaches_zero(&series.times_secs, &scales, between)
            else {
                continue;
            };
            // The rest pose has a separate rule.
            let rest = model.skeleton.bones()[bone].rest_local.to_trs().scale;
            let is_still = scales.iter().all(|scale| *scale < HIDDEN);
            if is_still && rest.abs().min_element() < HIDDEN {
                continue;
            }
            let found = if is_gradual { &mut self.gradual } else { &mut self.held };
            found.add(0.0, series.place(model, time, bone.index()), || {
                let when = if is_still {
                    "all the time".to_owned()
                } else {
                    format!("from {} on", numbers::seconds(series.times_secs[time]))
                };
                let clip = numbered("clip", series.clip.index(), &model.clips[series.clip].name);
                format!("in {clip}, the scale of {} is 0 {when}", bone_text(model, bone))
            });
        }
    }

    fn report(self: Box<Self>, report: &Report) {
        self.held.report(FindingKind::ZeroScaleBone, report);
        self.gradual.report(FindingKind::ScaleReachesZero, report);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::model::testing::{ModelBuilder, linear};
    use crate::model::{BoneId, Curves, IdVec, LiveCurves, Motion, Place, Track};
    use crate::validate::fixtures::bar::{bar, is_silent, the};

    fn with_scale(track: Track<Vec3>) -> Model {
        let end = track.times_secs.last().copied().unwrap_or_default();
        let clip = ModelBuilder::new().clip("hide", end).scale(1, track);
        Model { clips: vec![clip.into_clip()].into(), ..bar() }
    }

    fn scales(keys: &[(f64, f32)]) -> Track<Vec3> {
        linear(keys.iter().map(|&(at, scale)| (at, Vec3::splat(scale))))
    }

    #[test]
    fn bone_shrinking_to_zero_scale_is_a_warning() {
        let model = with_scale(scales(&[(0.0, 1.0), (1.0, 0.0), (2.0, 1.0)]));
        let finding = the(&model, FindingKind::ScaleReachesZero);
        assert_eq!(finding.place, Place::Moment { clip: 0, micros: 1_000_000, bone: Some(1) });
        let expected =
            "in clip 0 \"hide\", the scale of bone 1 \"upper\" is 0 from key 1 at 1 s on";
        assert_eq!(finding.message, expected);
        assert!(is_silent(&model, FindingKind::ZeroScaleBone));
        let flat = Track {
            values: vec![Vec3::ONE, Vec3::new(1.0, 0.0, 1.0)],
            ..scales(&[(0.0, 1.0), (1.0, 0.0)])
        };
        the(&with_scale(flat), FindingKind::ScaleReachesZero);
    }

    #[test]
    fn keys_at_absurd_times_do_not_hang() {
        for end in [1e30, f64::MAX] {
            let (first, _) = reaches_zero(&[0.0, end], &[1.0, 0.0], |_| 1.0).unwrap();
            assert_eq!(first, 1);
        }
    }

    #[test]
    fn intentionally_hidden_parts_are_an_info() {
        let stepped =
            Track { interpolation: Interpolation::Step, ..scales(&[(0.0, 1.0), (1.0, 0.0)]) };
        let constant = scales(&[(0.0, 0.0), (1.0, 0.0)]);
        let sampled = scales(&[(0.0, 1.0), (1.0, 1.0), (1.0 + 1.0 / 30.0, 0.0), (2.0, 0.0)]);
        for track in [stepped, constant, sampled] {
            let model = with_scale(track);
            assert_eq!(the(&model, FindingKind::ZeroScaleBone).count, 1);
            assert!(is_silent(&model, FindingKind::ScaleReachesZero));
        }
        let shrinking = with_scale(scales(&[(0.0, 1.0), (1.0, 0.01)]));
        assert!(
            is_silent(&shrinking, FindingKind::ZeroScaleBone)
                && is_silent(&shrinking, FindingKind::ScaleReachesZero)
        );
    }

    /// Live curves that scale bone 1 by a function of time, with keys at these times.
    #[derive(Debug)]
    struct Scaled(fn(f64) -> f32, &'static [f64]);

    impl Curves for Scaled {
        fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
            let scale = Affine3A::from_scale(Vec3::splat((self.0)(time_secs)));
            parent_from_bone[BoneId(1)] = Affine3A::from_translation(Vec3::Y) * scale;
        }

        fn key_times_secs(&self) -> Vec<f64> {
            self.1.to_vec()
        }
    }

    #[test]
    fn stepped_live_curves_hide_parts_and_ramps_shrink_them() {
        let with = |scale, keys: &'static [f64]| {
            let motion = Motion::Curves(LiveCurves(Arc::new(Scaled(scale, keys))));
            let clip = Clip { name: "take".into(), duration_secs: 2.0, motion, ..Clip::default() };
            Model { clips: vec![clip].into(), ..bar() }
        };
        let step = with(|time| if time < 1.0 { 1.0 } else { 0.0 }, &[0.0, 1.0, 2.0]);
        let finding = the(&step, FindingKind::ZeroScaleBone);
        assert_eq!(finding.place, Place::Moment { clip: 0, micros: 1_000_000, bone: Some(1) });
        assert!(is_silent(&step, FindingKind::ScaleReachesZero));
        #[expect(clippy::cast_possible_truncation, reason = "a scale")]
        let ramp = with(|time| (1.0 - time).abs() as f32, &[0.0, 1.0, 2.0]);
        let expected = "in clip 0 \"take\", the scale of bone 1 \"upper\" is 0 from 1 s on";
        assert_eq!(the(&ramp, FindingKind::ScaleReachesZero).message, expected);
        assert!(is_silent(&ramp, FindingKind::ZeroScaleBone));
    }
}
