//! Checks curves: finite keys, ascending times.

use glam::{Quat, Vec3, Vec4};

use crate::model::{CurveAt, FindingKind, Place, Report, Track, numbers};

/// A curve being checked: its clip, its target, and its name in messages.
pub(super) struct Curve<'a, S> {
    pub(super) clip: u32,
    pub(super) start_secs: f64,
    /// `None` for a material parameter.
    pub(super) at: Option<CurveAt>,
    pub(super) subject: S,
    pub(super) report: &'a Report,
}

impl<S: Fn() -> String> Curve<'_, S> {
    /// The place of a time on the file's clock.
    fn place(&self, time_secs: f64) -> Place {
        let bone = self.at.and_then(|at| at.bone);
        Place::moment(self.clip, time_secs - self.start_secs, bone)
    }

    /// The track with enough values and ascending, finite times; `None` if it has no keys or a time isn't finite. Adds
    /// the curve to `unsorted` if its keys had to be sorted.
    pub(super) fn checked<T: Value>(
        &self,
        mut track: Track<T>,
        unsorted: &mut Vec<CurveAt>,
    ) -> Option<Track<T>> {
        let (_, values_per_key) = track.key_layout();
        let usable = track.values.len() / values_per_key;
        track.times_secs.truncate(usable);
        track.values.truncate(track.times_secs.len() * values_per_key);
        let times = &track.times_secs;
        if let Some(key) = times.iter().position(|time| !time.is_finite()) {
            let before = key.checked_sub(1).and_then(|before| times.get(before));
            let place = self.place(before.copied().unwrap_or(self.start_secs));
            self.report.add_many(FindingKind::NotFinite, place, 1, || {
                let subject = (self.subject)();
                format!("{subject}: the time of key {key} isn't finite, so the track is left out")
            });
            return None;
        }
        if times.is_sorted() {
            report_equal_times(times, self.report, |time| self.place(time), &self.subject);
        } else {
            let consequence = ", so the keys are sorted by time";
            let place = |time| self.place(time);
            report_unsorted_times(times, self.report, place, &self.subject, consequence);
            unsorted.extend(self.at);
            sort(&mut track);
        }
        finite(&mut track.values, self.report, |at| {
            let key = at / values_per_key;
            let time = track.times_secs.get(key).copied().unwrap_or_default();
            let subject = (self.subject)();
            let secs = numbers::seconds(time);
            (self.place(time), format!("{subject}: the value of key {key} at {secs} isn't finite"))
        });
        (!track.times_secs.is_empty()).then_some(track)
    }
}

/// Reports the first key that is earlier than its predecessor. `place` returns the place of a time, `subject` names the
/// curve, and `consequence` ends the message.
pub fn report_unsorted_times(
    times: &[f64],
    report: &Report,
    place: impl Fn(f64) -> Place,
    subject: impl Fn() -> String,
    consequence: &str,
) {
    let Some(key) = times.windows(2).position(|pair| pair.first() > pair.last()) else { return };
    let place = place(times.get(key + 1).copied().unwrap_or_default());
    report.add_many(FindingKind::KeysNotAscending, place, 1, || {
        let (subject, next) = (subject(), key + 1);
        format!("{subject}: key {next} is earlier than key {key}{consequence}")
    });
}

/// Reports neighbouring keys with the same time; see [`report_unsorted_times`].
pub fn report_equal_times(
    times: &[f64],
    report: &Report,
    place: impl Fn(f64) -> Place,
    subject: impl Fn() -> String,
) {
    let is_equal = |pair: &[f64]| pair.first() == pair.last();
    let Some(key) = times.windows(2).position(is_equal) else { return };
    let num = times.windows(2).filter(|pair| is_equal(pair)).count() as u64;
    let time_secs = times.get(key).copied().unwrap_or_default();
    report.add_many(FindingKind::EqualKeyTimes, place(time_secs), num, || {
        let (subject, next) = (subject(), key + 1);
        let time = numbers::seconds(time_secs);
        format!("{subject}: keys {key} and {next} are both at {time}")
    });
}

/// Sorts keys by time; keys at the same time keep their order.
fn sort<T: Value>(track: &mut Track<T>) {
    let (_, values_per_key) = track.key_layout();
    let time = |key: &usize| track.times_secs.get(*key).copied().unwrap_or_default();
    let mut order: Vec<usize> = (0..track.times_secs.len()).collect();
    order.sort_by(|a, b| time(a).total_cmp(&time(b)));
    let times_secs = order.iter().map(time).collect();
    let values_of = |key: &usize| {
        let first = key * values_per_key;
        track.values.get(first..first + values_per_key).unwrap_or_default().iter().copied()
    };
    track.values = order.iter().flat_map(values_of).collect();
    track.times_secs = times_secs;
}

/// A value of a curve or cache, possibly not finite.
pub(super) trait Value: Copy + Default {
    fn is_usable(self) -> bool;
}

impl Value for f32 {
    fn is_usable(self) -> bool {
        self.is_finite()
    }
}

impl Value for Vec3 {
    fn is_usable(self) -> bool {
        self.is_finite()
    }
}

impl Value for Vec4 {
    fn is_usable(self) -> bool {
        self.is_finite()
    }
}

impl Value for Quat {
    fn is_usable(self) -> bool {
        self.is_finite()
    }
}

/// Replaces non-finite values by 0, or by the zero quaternion; `at` returns place and message of
/// the first.
pub(super) fn finite<T: Value>(
    values: &mut [T],
    report: &Report,
    at: impl FnOnce(usize) -> (Place, String),
) {
    let (mut bad, mut first) = (0, None);
    for (index, value) in values.iter_mut().enumerate().filter(|(_, value)| !value.is_usable()) {
        *value = T::default();
        bad += 1;
        first.get_or_insert(index);
    }
    if let Some(first) = first {
        let (place, message) = at(first);
        report.add_many(FindingKind::NotFinite, place, bad, || message);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::model::check::check;
    use crate::model::testing::*;

    fn checked(track: Track<Vec3>) -> (Model, Vec<Finding>) {
        let builder = ModelBuilder::new().chain(&["hip", "knee"]).clip("walk", 1.0);
        let mut model = builder.build();
        model.clips[ClipId(0)].motion = Motion::Tracks(vec![BoneTrack {
            bone: BoneId(1),
            translation: Some(track),
            rotation: None,
            scale: None,
        }]);
        let report = Report::new();
        check(&mut model, &report);
        (model, report.findings())
    }

    #[test]
    fn invalid_curves_are_reported_with_clip_property_bone_and_key() {
        let subject = "clip 0 \"walk\", translation of bone 1 \"knee\": ";
        let at = |millis: u64| Place::Moment { clip: 0, micros: millis * 1000, bone: Some(1) };
        let keys = |second_secs, second| {
            linear([(0.0, Vec3::ZERO), (second_secs, second), (1.0, Vec3::ZERO)])
        };
        let cases = [
            (
                keys(0.5, Vec3::NAN),
                FindingKind::NotFinite,
                at(500),
                "the value of key 1 at 0.5 s isn't finite",
            ),
            (
                keys(f64::NAN, Vec3::ONE),
                FindingKind::NotFinite,
                at(0),
                "the time of key 1 isn't finite, so the track is left out",
            ),
            (
                keys(1.5, Vec3::ONE),
                FindingKind::KeysNotAscending,
                at(1000),
                "key 2 is earlier than key 1, so the keys are sorted by time",
            ),
            (
                keys(1.0, Vec3::ONE),
                FindingKind::EqualKeyTimes,
                at(1000),
                "keys 1 and 2 are both at 1 s",
            ),
        ];
        for (track, kind, place, words) in cases {
            let (_, findings) = checked(track);
            let finding = &findings[0];
            assert_eq!(finding.message, format!("{subject}{words}"));
            assert_eq!((finding.kind, finding.place), (kind, place));
        }
    }

    #[test]
    fn unsorted_keys_are_one_finding_and_are_sorted_with_their_values_and_tangents() {
        let [a, b, c] = [Vec3::X, Vec3::Y, Vec3::Z];
        let (model, findings) = checked(linear([(0.0, a), (1.0, b), (0.5, c), (1.0, a)]));
        let codes = findings.iter().map(|finding| finding.kind);
        let codes: Vec<_> = codes.filter(|kind| *kind != FindingKind::NoMesh).collect();
        assert_eq!(codes, [FindingKind::KeysNotAscending], "not the two keys at 1 s");
        let track = |model: &Model| tracks(&model.clips[ClipId(0)])[0].translation.clone().unwrap();
        assert_eq!(track(&model).times_secs, [0.0, 0.5, 1.0, 1.0]);
        assert_eq!(track(&model).values, [a, c, b, a], "equal times keep their order");
        assert_eq!(
            model.clips[ClipId(0)].unsorted_curves,
            [CurveAt {
                bone: Some(BoneId(1)),
                morph: None,
                property: AnimatedProperty::Translation
            }]
        );
        let cubic = Track {
            times_secs: vec![1.0, 0.0],
            values: vec![a, b, c, c, b, a],
            interpolation: Interpolation::Cubic,
        };
        assert_eq!(track(&checked(cubic).0).values, [c, b, a, a, b, c]);
    }
}
