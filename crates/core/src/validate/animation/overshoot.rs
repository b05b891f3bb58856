//! Finds cubic tangents that move a bone between two equal keys. Automatic tangents take their slope from the
//! surrounding keys, and a foot that should be still slides out and back.
//!
//! Ease-in and ease-out between different keys are never reported.

use super::bone_reaches::BoneReaches;
use super::channels::{Apart, Channel, Curve, channels, with_track};
use super::keys::KeyRule;
use super::series::Series;
use super::worst_place::WorstPlace;
use crate::model::{
    Clip, CubicSpan, FindingKind, Model, Report, Track, TrackValue, findings, numbers,
};
use crate::validate::worst::length_text;

findings! {
    pub(super) FINDINGS:
    TangentOvershoot, "tangent-overshoot", Warning, Animation,
        "the tangents of a cubic curve overshoot between two equal keys",
        "a part that should stay still moves away and back, such as a sliding foot",
        "make tangents between equal keys flat (Blender: handle type Auto Clamped or Vector), or sample to linear keys (Sampling Animations)",
        "clip 0 \"walk\", translation of bone 6 \"hand_l\": between the equal keys at 1 s and 2 s, the tangents overshoot by 8.3 cm at 1.5 s";
}

/// Overshoot that moves no vertex by this fraction of the model's size isn't visible.
const MIN_SIZE: f32 = 0.01;
/// Keys are nearly equal if they differ by less than this fraction of the overshoot.
const MAX_SPAN: f32 = 0.1;
/// How many times the curve is read within a span.
const NUM_PARTS: u8 = 16;

/// How far a span leaves its two equal keys, and where; `None` if it isn't visible or the keys differ.
fn overshoot<T: Apart + TrackValue>(
    span: &CubicSpan<T>,
    reaches: &BoneReaches,
    reach: f32,
) -> Option<(f32, f32)> {
    let share = |part: u8| f32::from(part) / f32::from(NUM_PARTS);
    let off = |part: u8| span.at(share(part)).apart(span.from) * reach;
    let parts = (1..NUM_PARTS).map(|part| (off(part), part));
    let (size, part) = parts.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let is_seen = size >= MIN_SIZE * reaches.size && size.is_finite();
    let are_equal = span.from.apart(span.to) * reach <= MAX_SPAN * size;
    (is_seen && are_equal).then(|| (size, share(part)))
}

/// The first keys of the spans of a curve that overshoot.
pub(super) fn overshooting(channel: &Channel<'_>, reaches: &BoneReaches) -> Vec<usize> {
    let reach = channel.reach(reaches);
    with_track!(channel.curve, track => {
        let spans = track.cubic_spans().enumerate();
        let is_found = |(_, span): &(usize, _)| overshoot(span, reaches, reach).is_some();
        spans.filter(is_found).map(|(key, _)| key).collect()
    })
}

/// Reports [`FindingKind::TangentOvershoot`].
#[derive(Default)]
struct Overshoots {
    found: WorstPlace,
}

pub(super) fn new() -> Box<dyn KeyRule> {
    Box::<Overshoots>::default()
}

impl KeyRule for Overshoots {
    fn look_at_curves(&mut self, model: &Model, reaches: &BoneReaches, index: usize, clip: &Clip) {
        for channel in channels(index, clip) {
            with_track!(channel.curve, track => self.look_at(model, reaches, &channel, track));
        }
    }

    /// Examines live curves, in the middle between two keys.
    fn look_at_series(&mut self, model: &Model, reaches: &BoneReaches, series: &Series) {
        if !series.has_middles {
            return;
        }
        for bone in series.bones(model) {
            let reach = reaches.of_bone(bone);
            let at = |time: usize| series.at(time, bone.index());
            for time in (1..series.times_secs.len().saturating_sub(1)).step_by(2) {
                let (Some(from), Some(middle), Some(to)) = (at(time - 1), at(time), at(time + 1))
                else {
                    continue;
                };
                let size = middle.apart(from, reach);
                let is_seen = size >= MIN_SIZE * reaches.size && size.is_finite();
                if !is_seen || from.apart(to, reach) > MAX_SPAN * size || !series.owns(time) {
                    continue;
                }
                self.found.add(size, series.place(model, time, bone.index()), || {
                    format!(
                        "{}: between the equal keys at {} and {}, the tangents overshoot by {} at the farthest \
                         vertex",
                        series.subject(model, bone),
                        numbers::seconds(series.times_secs[time - 1]),
                        numbers::seconds(series.times_secs[time + 1]),
                        length_text(model, size)
                    )
                });
            }
        }
    }

    fn report(self: Box<Self>, report: &Report) {
        self.found.report(FindingKind::TangentOvershoot, report);
    }
}

impl Overshoots {
    fn look_at<T: Apart>(
        &mut self,
        model: &Model,
        reaches: &BoneReaches,
        channel: &Channel<'_>,
        track: &Track<T>,
    ) {
        let reach = channel.reach(reaches);
        for span in track.cubic_spans() {
            let Some((size, share)) = overshoot(&span, reaches, reach) else { continue };
            let time_secs = span.start_secs + span.secs * f64::from(share);
            self.found.add(size, channel.place(model, time_secs), || {
                let by = channel.distance_text(model, size, reach);
                format!(
                    "{}: between the equal keys at {} and {}, the tangents overshoot by {by} at {}",
                    channel.subject(model),
                    numbers::seconds(span.start_secs),
                    numbers::seconds(span.start_secs + span.secs),
                    numbers::seconds(time_secs),
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::ModelBuilder;
    use crate::model::{Interpolation, Place};
    use crate::validate::fixtures::bar::{bar, is_silent, the};

    /// The upper bone along X: keys one second apart, each with its tangent per second.
    fn curve(keys: &[(f32, f32)]) -> Model {
        let times_secs = (0..keys.len()).map(|key| key as f64).collect();
        let value = |x: f32| Vec3::new(x, 1.0, 0.0);
        let values =
            keys.iter().flat_map(|&(x, tangent)| [Vec3::X * tangent, value(x), Vec3::X * tangent]);
        let track =
            Track { times_secs, values: values.collect(), interpolation: Interpolation::Cubic };
        let clip = ModelBuilder::new().clip("slide", (keys.len() - 1) as f64);
        Model { clips: vec![clip.translation(1, track).into_clip()].into(), ..bar() }
    }

    #[test]
    fn overshooting_tangents_are_reported_with_time_and_amount() {
        // The tangents of a spline through its neighbours: half of the difference between them per second.
        let finding = the(
            &curve(&[(0.0, 0.0), (1.0, 0.5), (1.0, -0.5), (0.0, 0.0)]),
            FindingKind::TangentOvershoot,
        );
        assert_eq!(finding.place, Place::Moment { clip: 0, micros: 1_500_000, bone: Some(1) });
        // 0.5 / 4 in the middle.
        let expected = "clip 0 \"slide\", translation of bone 1 \"upper\": between the equal keys at 1 s and 2 s, the \
                        tangents overshoot by 0.125 units at 1.5 s";
        assert_eq!((finding.message.as_str(), finding.count), (expected, 1));
    }

    #[test]
    fn ordinary_easing_is_not_reported() {
        for keys in [
            &[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 0.0)][..],
            &[(0.0, 1.5), (1.0, 1.5), (2.0, 0.0)],
            // Anticipation before a move, and settling after it.
            &[(0.0, -2.0), (1.0, -2.0)],
        ] {
            assert!(is_silent(&curve(keys), FindingKind::TangentOvershoot), "{keys:?}");
        }
    }
}
