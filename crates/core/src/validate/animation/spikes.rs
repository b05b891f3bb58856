//! Finds single keys far from both neighbours: a bone that jumps away for one frame and back.
//!
//! A fast but intended motion takes several keys, or the neighbouring keys move as well. A spike is a key
//! whose neighbours nearly agree while the surrounding motion is several times smaller, and no other step of
//! the curve is as large. Curves with many such keys flicker on purpose.

use super::bone_reaches::BoneReaches;
use super::channels::{Apart, Channel, Curve, channels, with_track};
use super::keys::KeyRule;
use super::series::Series;
use super::worst_place::WorstPlace;
use crate::model::{Clip, FindingKind, Interpolation, Model, Report, findings, numbers};
use crate::validate::worst::length_text;

findings! {
    pub(super) FINDINGS:
    KeySpike, "key-spike", Warning, Animation,
        "a key of a curve is far from both of its neighbours",
        "the bone or morph target jumps away for a moment and back",
        "delete the key or smooth the curve there, and export the clip again",
        "clip 0 \"walk\", translation of bone 6 \"hand_l\": key 12 at 0.4 s is at least 41.3 cm away from both neighbours, which are 1.2 cm apart";
}

/// Spikes that move no vertex by this fraction of the model's size are hard to see, and small parts such as
/// eyelids do close for a single key.
const MIN_SIZE: f32 = 0.02;
/// The neighbours of a spike differ by less than this fraction of it.
const MAX_SPAN: f32 = 0.35;
/// Steps around a spike are smaller by this factor.
const LOCAL_FACTOR: f32 = 5.0;
/// All other steps of the curve are smaller by this factor.
const CURVE_FACTOR: f32 = 1.5;
/// The number of steps to examine on either side of a spike …
const WINDOW: usize = 4;
/// … of which there must be at least this many in total.
const MIN_STEPS: usize = 4;
/// If the neighbours are farther apart in time, the key between them is a pose and not a spike.
const MAX_SECS: f64 = 0.25;
/// A curve with more spikes than this, and more than one per hundred keys, flickers on purpose.
const MAX_SPIKES: usize = 3;

/// A key that differs from its neighbours.
#[derive(Clone, Debug, PartialEq)]
struct Spike {
    key: usize,
    /// Its distance from the nearer neighbour.
    size: f32,
    /// The distance between both neighbours.
    span: f32,
}

/// The spikes of a curve with keys at `times_secs`; `apart` gives the distance between two keys.
fn spikes(times_secs: &[f64], least: f32, apart: impl Fn(usize, usize) -> f32) -> Vec<Spike> {
    let num = times_secs.len();
    if num < MIN_STEPS + 3 {
        return Vec::new();
    }
    let steps: Vec<f32> = (1..num).map(|key| apart(key - 1, key)).collect();
    let mut found = Vec::new();
    for key in 1..num - 1 {
        let size = steps[key - 1].min(steps[key]);
        // Also false for NaN.
        let is_large = size >= least;
        if !is_large || times_secs[key + 1] - times_secs[key - 1] > MAX_SECS {
            continue;
        }
        let span = apart(key - 1, key + 1);
        let before = &steps[(key - 1).saturating_sub(WINDOW)..key - 1];
        let after = &steps[key + 1..steps.len().min(key + 1 + WINDOW)];
        let around = before.iter().chain(after).copied().fold(0.0, f32::max);
        let has_room = before.len() + after.len() >= MIN_STEPS;
        if has_room && span <= MAX_SPAN * size && around * LOCAL_FACTOR <= size {
            found.push(Spike { key, size, span });
        }
    }
    if found.is_empty() || found.len() > MAX_SPIKES.max(num / 100) {
        return Vec::new();
    }
    let mut is_of_spike = vec![false; steps.len()];
    for spike in &found {
        is_of_spike[spike.key - 1] = true;
        is_of_spike[spike.key] = true;
    }
    let others = steps.iter().zip(&is_of_spike).filter(|(_, is_of_spike)| !**is_of_spike);
    let largest = others.map(|(step, _)| *step).fold(0.0, f32::max);
    found.retain(|spike| spike.size >= CURVE_FACTOR * largest);
    found
}

/// The spikes of a curve.
fn of_curve(channel: &Channel<'_>, reaches: &BoneReaches) -> Vec<Spike> {
    // Stepped keys jump on purpose, and a scale of 0 hides a part.
    let is_stepped =
        with_track!(channel.curve, track => track.interpolation) == Interpolation::Step;
    if is_stepped || matches!(channel.curve, Curve::Scale(_)) {
        return Vec::new();
    }
    let reach = channel.reach(reaches);
    with_track!(channel.curve, track => {
        let values: Vec<_> = track.key_values().collect();
        let apart = |a: usize, b: usize| values[a].apart(values[b]) * reach;
        let times = track.times_secs.get(..values.len()).unwrap_or_default();
        spikes(times, MIN_SIZE * reaches.size, apart)
    })
}

/// The keys of a curve that are spikes.
pub(super) fn spiked(channel: &Channel<'_>, reaches: &BoneReaches) -> Vec<usize> {
    of_curve(channel, reaches).into_iter().map(|spike| spike.key).collect()
}

/// Spikes of all clips.
#[derive(Default)]
struct Spikes {
    found: WorstPlace,
}

pub(super) fn new() -> Box<dyn KeyRule> {
    Box::<Spikes>::default()
}

impl KeyRule for Spikes {
    fn look_at_curves(&mut self, model: &Model, reaches: &BoneReaches, index: usize, clip: &Clip) {
        for channel in channels(index, clip) {
            let found = of_curve(&channel, reaches);
            self.add(model, &channel, channel.times_secs(), found, channel.reach(reaches));
        }
    }

    fn look_at_series(&mut self, model: &Model, reaches: &BoneReaches, series: &Series) {
        let step = if series.has_middles { 2 } else { 1 };
        let times: Vec<f64> = series.times_secs.iter().step_by(step).copied().collect();
        for id in series.bones(model) {
            let bone = id.index();
            let reach = reaches.of_bone(id);
            let apart =
                |a: usize, b: usize| match (series.at(a * step, bone), series.at(b * step, bone)) {
                    (Some(a), Some(b)) if !a.is_hidden() && !b.is_hidden() => a.apart(b, reach),
                    _ => 0.0,
                };
            for spike in spikes(&times, MIN_SIZE * reaches.size, apart) {
                let time = spike.key * step;
                if !series.owns(time) {
                    continue;
                }
                self.found.add(spike.size, series.place(model, time, bone), || {
                    format!(
                        "{}: at the farthest vertex, the key at {} is at least {} away from both neighbours, \
                         which are {} apart",
                        series.subject(model, id),
                        numbers::seconds(times[spike.key]),
                        length_text(model, spike.size),
                        length_text(model, spike.span)
                    )
                });
            }
        }
    }

    fn report(self: Box<Self>, report: &Report) {
        self.found.report(FindingKind::KeySpike, report);
    }
}

impl Spikes {
    fn add(
        &mut self,
        model: &Model,
        channel: &Channel<'_>,
        times: &[f64],
        found: Vec<Spike>,
        reach: f32,
    ) {
        for spike in found {
            let time_secs = times[spike.key];
            self.found.add(spike.size, channel.place(model, time_secs), || {
                let off = channel.distance_text(model, spike.size, reach);
                format!(
                    "{}: key {} at {} is at least {off} away from both neighbours, which are {} apart",
                    channel.subject(model),
                    spike.key,
                    numbers::seconds(time_secs),
                    length_text(model, spike.span)
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::model::Place;
    use crate::model::testing::{ModelBuilder, linear};
    use crate::validate::fixtures::bar::{bar, bent, is_silent, the, with_keys, with_rotations};

    fn turns(angles: &[f32]) -> Model {
        with_rotations(angles.iter().map(|angle| Quat::from_rotation_z(*angle)).collect())
    }

    /// A sway of 21 keys, with this value at key 10.
    fn sway(at_10: f32) -> Vec<f32> {
        let mut angles: Vec<f32> =
            (0..21u8).map(|key| 0.2 * (f32::from(key) * 0.3).sin()).collect();
        angles[10] += at_10;
        angles
    }

    #[test]
    fn key_spike_is_reported_with_its_time_and_angle() {
        let model = turns(&sway(1.0));
        let finding = the(&model, FindingKind::KeySpike);
        assert_eq!(finding.place, Place::Moment { clip: 0, micros: 1_000_000, bone: Some(1) });
        let expected = "clip 0 \"turn\", rotation of bone 1 \"upper\": key 10 at 1 s is";
        assert!(finding.message.starts_with(expected), "{}", finding.message);
        assert!(
            finding.message.contains("is at least 54° ("),
            "1 radian less a step: {}",
            finding.message
        );
        assert!(is_silent(&turns(&sway(0.0)), FindingKind::KeySpike));
        assert!(is_silent(&turns(&sway(0.02)), FindingKind::KeySpike), "too small to be seen");
    }

    #[test]
    fn spikes_in_sampled_matrices_are_reported() {
        let keys: Vec<_> = sway(1.0).into_iter().map(|angle| bent(angle, 0.0)).collect();
        let finding = the(&with_keys(&keys), FindingKind::KeySpike);
        assert_eq!((finding.place, finding.count), (Place::Key { clip: 0, key: 10, bone: 0 }, 1));
    }

    #[test]
    fn intentional_fast_motions_are_not_spikes() {
        // A punch: out in two keys, back in three.
        let mut punch = [0.0f32; 20];
        punch[8..13].copy_from_slice(&[0.6, 1.4, 1.3, 0.8, 0.3]);
        assert!(is_silent(&turns(&punch), FindingKind::KeySpike));
        // A snap out and back within an equally fast swing.
        let swing: Vec<f32> = (0..20u8).map(|key| f32::from(key % 4) * 0.4).collect();
        assert!(is_silent(&turns(&swing), FindingKind::KeySpike));
        // A twitch every eighth key.
        let twitch: Vec<f32> = (0..80u8).map(|key| if key % 8 == 4 { 1.0 } else { 0.0 }).collect();
        assert!(is_silent(&turns(&twitch), FindingKind::KeySpike));
    }

    #[test]
    fn poses_far_apart_in_time_are_not_spikes() {
        let rotation = |angle: f32| Quat::from_rotation_z(angle);
        let keys = (0..9u8).map(|key| (f64::from(key), rotation(if key == 4 { 1.0 } else { 0.0 })));
        let clip = ModelBuilder::new().clip("poses", 8.0).rotation(1, linear(keys)).into_clip();
        assert!(is_silent(&Model { clips: vec![clip].into(), ..bar() }, FindingKind::KeySpike));
        let keys = (0..9u8).map(|key| {
            let off = if key == 4 { Vec3::X } else { Vec3::ZERO };
            (f64::from(key) / 30.0, Vec3::Y + off)
        });
        let clip =
            ModelBuilder::new().clip("poses", 8.0 / 30.0).translation(1, linear(keys)).into_clip();
        let model = Model { clips: vec![clip].into(), ..bar() };
        assert!(
            the(&model, FindingKind::KeySpike).message.contains("is at least 1 units away"),
            "one frame of 30 per second"
        );
    }
}
