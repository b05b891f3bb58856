//! Converts curves to the keys of an ozz animation: linear, from beginning to end, with times relative to the
//! duration.
//!
//! Authored keys are kept. Others are added where ozz interpolates differently: just before a step, along a
//! cubic curve ([`Track::straightened`]), and within rotations that follow the arc, since ozz interpolates
//! along the chord. A constant track gets the two keys that every track has.

use glam::{Quat, Vec3};

use super::quantized::{bits_of_quat, bits_of_vec};
use rigscope_core::model::{self, Clip, Interpolation, Track, TrackValue};

/// Larger rotations between two keys are divided: below this angle, arc and chord differ by less than two
/// steps of a stored quaternion.
const LARGEST_TURN_RAD: f32 = 0.25;
/// A w this close to 0 (a few stored steps) counts as having no sign.
const NO_SIDE: f32 = 2e-4;
/// A squared length this close to 1 isn't normalized, which would only change the last bits.
const UNIT_TOLERANCE: f32 = 1e-6;
/// Maximum number of parts that a rotation is divided into.
const MAX_PARTS: u32 = 32;

/// A type of key values.
pub(super) trait Value: TrackValue {
    /// The stored bits.
    fn bits(self) -> [u16; 3];
    /// Interpolates towards `other` like ozz.
    fn blended(self, other: Self, part: f32) -> Self;
    /// Interpolates towards `other` like a linear track of the model.
    fn between(self, other: Self, part: f32) -> Self;
    /// Number of keys needed to follow a linear track of the model to `other`.
    fn num_parts(self, other: Self) -> u32;
    /// Changes signs so that neighbours interpolate the short way.
    fn settle(keys: &mut [(f32, Self)]);
}

impl Value for Vec3 {
    fn bits(self) -> [u16; 3] {
        bits_of_vec(self)
    }

    fn blended(self, other: Self, part: f32) -> Self {
        self.lerp(other, part)
    }

    fn between(self, other: Self, part: f32) -> Self {
        self.lerp(other, part)
    }

    fn num_parts(self, _other: Self) -> u32 {
        1
    }

    fn settle(_keys: &mut [(f32, Self)]) {}
}

impl Value for Quat {
    fn bits(self) -> [u16; 3] {
        bits_of_quat(self)
    }

    fn blended(self, other: Self, part: f32) -> Self {
        let other = if self.dot(other) < 0.0 { -other } else { other };
        unit(self * (1.0 - part) + other * part)
    }

    fn between(self, other: Self, part: f32) -> Self {
        let (from, to) = (unit(self), unit(other));
        from.slerp(if from.dot(to) < 0.0 { -to } else { to }, part)
    }

    fn num_parts(self, other: Self) -> u32 {
        let parts = unit(self).angle_between(unit(other)) / LARGEST_TURN_RAD;
        #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
        #[expect(clippy::cast_sign_loss, reason = "an angle is not negative")]
        let parts = parts.ceil() as u32;
        parts.clamp(1, MAX_PARTS)
    }

    /// Like `AnimationBuilder` (`FixupQuaternions`), because the runtime doesn't choose the short way.
    fn settle(keys: &mut [(f32, Self)]) {
        let mut before = Quat::IDENTITY;
        // The sign of the first key is arbitrary; the sign in a file is kept, even if rounding has moved it
        // across.
        let mut least = -NO_SIDE;
        for (_, value) in keys {
            let rotation = unit(*value);
            *value = if rotation.dot(before) < least { -rotation } else { rotation };
            before = *value;
            least = 0.0;
        }
    }
}

fn unit(rotation: Quat) -> Quat {
    model::unit(rotation, UNIT_TOLERANCE)
}

/// The keys of one track: ascending from 0 to 1, at least two.
pub(super) fn keys<V: Value>(track: Option<&Track<V>>, rest: V, clip: &Clip) -> Vec<(f32, V)> {
    let mut keys = match track {
        Some(track) if !track.times_secs.is_empty() => cut(&straight(&track.straightened(), clip)),
        _ => Vec::new(),
    };
    let first = keys.first().map_or(rest, |(_, value)| *value);
    if keys.iter().all(|(_, value)| *value == first) {
        keys = vec![(0.0, first), (1.0, first)];
    }
    V::settle(&mut keys);
    keys
}

/// Linear keys equivalent to the track, which isn't cubic; times are relative to the clip.
fn straight<V: Value>(track: &Track<V>, clip: &Clip) -> Vec<(f64, V)> {
    let is_moment = clip.duration_secs <= 0.0;
    let ratio = |time_secs: f64| {
        if is_moment { 0.0 } else { (time_secs - clip.start_secs) / clip.duration_secs }
    };
    let mut keys: Vec<(f64, V)> = Vec::with_capacity(track.times_secs.len());
    for (&time_secs, &value) in track.times_secs.iter().zip(&track.values) {
        if is_moment && time_secs > clip.start_secs && !keys.is_empty() {
            // Keys after the only time aren't visible.
            break;
        }
        let at = ratio(time_secs);
        if let Some(&(before, from)) = keys.last() {
            match track.interpolation {
                Interpolation::Step if from != value => {
                    #[expect(clippy::cast_possible_truncation, reason = "files hold f32")]
                    let just_before = f64::from((at as f32).next_down());
                    if just_before > before {
                        keys.push((just_before, from));
                    }
                }
                Interpolation::Linear => {
                    let num_parts = from.num_parts(value);
                    for part in 1..num_parts {
                        let part = f64::from(part) / f64::from(num_parts);
                        #[expect(clippy::cast_possible_truncation, reason = "a fraction")]
                        let inside = from.between(value, part as f32);
                        keys.push((before + (at - before) * part, inside));
                    }
                }
                Interpolation::Step
                | Interpolation::Nlerp
                | Interpolation::Matrix
                | Interpolation::Cubic => {}
            }
        }
        keys.push((at, value));
    }
    keys
}

/// The keys from 0 to 1, with keys at both ends. Of several keys at one time the first and last are kept, as
/// a step.
fn cut<V: Value>(all: &[(f64, V)]) -> Vec<(f32, V)> {
    let num_before = all.partition_point(|(at, _)| *at <= 0.0);
    let num_within = all.partition_point(|(at, _)| *at < 1.0);
    // A key at an end defines the value there; otherwise its neighbours are interpolated.
    let blend = |next: usize, at: f64| -> Option<V> {
        let before = next.checked_sub(1).and_then(|before| all.get(before));
        match (before, all.get(next)) {
            (Some(&(start, from)), Some(&(end, to))) => {
                #[expect(clippy::cast_possible_truncation, reason = "a fraction")]
                let part = ((at - start) / (end - start)) as f32;
                Some(from.blended(to, part))
            }
            (Some(&(_, only)), None) | (None, Some(&(_, only))) => Some(only),
            (None, None) => None,
        }
    };
    let is_on = |index: usize, end: f64| all.get(index).filter(|(at, _)| *at == end);
    let first = match num_before.checked_sub(1).and_then(|index| is_on(index, 0.0)) {
        Some(&(_, value)) => Some(value),
        None => blend(num_before, 0.0),
    };
    let last = match is_on(num_within, 1.0) {
        Some(&(_, value)) => Some(value),
        None => blend(num_within, 1.0),
    };
    let mut keys: Vec<(f32, V)> = Vec::with_capacity(all.len() + 2);
    keys.extend(first.map(|value| (0.0, value)));
    for &(at, value) in all.get(num_before..num_within).unwrap_or_default() {
        #[expect(clippy::cast_possible_truncation, reason = "files hold f32")]
        let at = (at as f32).clamp(f32::MIN_POSITIVE, 1.0f32.next_down());
        put(&mut keys, at, value);
    }
    if let Some(value) = last {
        put(&mut keys, 1.0, value);
    }
    keys
}

/// Adds a key. If there is one at the same time, that one is moved to just before it, or removed if there is
/// no room.
fn put<V: Value>(keys: &mut Vec<(f32, V)>, at: f32, value: V) {
    let before = keys.len().checked_sub(2).and_then(|index| keys.get(index));
    let floor = before.map_or(0.0, |(at, _)| *at);
    if let Some(last) = keys.last_mut()
        && last.0 >= at
    {
        let earlier = at.next_down();
        if earlier > floor {
            last.0 = earlier;
        } else {
            keys.pop();
        }
    }
    keys.push((at, value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_testing;

    fn clip(start_secs: f64, duration_secs: f64) -> Clip {
        Clip { start_secs, duration_secs, ..Clip::default() }
    }

    fn along_x(times: &[f64], interpolation: Interpolation) -> Track<Vec3> {
        let xs = (1u8..).map(|x| Vec3::X * f32::from(x));
        rigscope_testing::curve(interpolation, times.iter().copied().zip(xs))
    }

    fn xs(keys: Vec<(f32, Vec3)>) -> Vec<(f32, f32)> {
        keys.into_iter().map(|(at, value)| (at, value.x)).collect()
    }

    #[test]
    fn authored_keys_are_preserved_and_both_ends_get_a_key() {
        let track = along_x(&[2.5, 3.0], Interpolation::Linear);
        let found = keys(Some(&track), Vec3::ZERO, &clip(2.0, 2.0));
        assert_eq!(xs(found), [(0.0, 1.0), (0.25, 1.0), (0.5, 2.0), (1.0, 2.0)]);
    }

    #[test]
    fn tracks_are_cropped_to_the_clip_range() {
        let track = along_x(&[0.0, 2.0, 4.0], Interpolation::Linear);
        let found = keys(Some(&track), Vec3::ZERO, &clip(1.0, 2.0));
        assert_eq!(xs(found), [(0.0, 1.5), (0.5, 2.0), (1.0, 2.5)]);
        let beyond = along_x(&[5.0, 6.0], Interpolation::Linear);
        let found = keys(Some(&beyond), Vec3::ZERO, &clip(1.0, 2.0));
        assert_eq!(xs(found), [(0.0, 1.0), (1.0, 1.0)]);
    }

    #[test]
    fn steps_become_two_keys_at_adjacent_float_times() {
        let track = along_x(&[0.0, 1.0, 2.0], Interpolation::Step);
        let found = keys(Some(&track), Vec3::ZERO, &clip(0.0, 2.0));
        let before = |at: f32| at.next_down();
        assert_eq!(
            xs(found),
            [(0.0, 1.0), (before(0.5), 1.0), (0.5, 2.0), (before(1.0), 2.0), (1.0, 3.0)]
        );
        let doubled = along_x(&[0.0, 1.0, 1.0, 2.0], Interpolation::Linear);
        let found = keys(Some(&doubled), Vec3::ZERO, &clip(0.0, 2.0));
        assert_eq!(xs(found), [(0.0, 1.0), (before(0.5), 2.0), (0.5, 3.0), (1.0, 4.0)]);
    }

    #[test]
    fn static_tracks_and_zero_length_clips_have_two_equal_keys() {
        let still = [(0.0, 5.0), (1.0, 5.0)];
        let rest = Vec3::X * 5.0;
        assert_eq!(xs(keys(None, rest, &clip(0.0, 1.0))), still);
        let track = along_x(&[0.0, 1.0], Interpolation::Linear);
        let found = keys(Some(&track), rest, &clip(0.0, 0.0));
        assert_eq!(xs(found), [(0.0, 1.0), (1.0, 1.0)]);
    }

    #[test]
    fn large_slerp_rotations_are_subdivided_and_nlerp_ones_are_not() {
        let rotation = -Quat::from_rotation_y(2.0);
        let track = |by| rigscope_testing::curve(by, [(0.0, Quat::IDENTITY), (1.0, rotation)]);
        let clip = clip(0.0, 1.0);
        let arc = keys(Some(&track(Interpolation::Linear)), Quat::IDENTITY, &clip);
        assert_eq!(arc.len(), 9);
        for (at, value) in &arc {
            let rotation = Quat::from_rotation_y(2.0 * at);
            assert!(value.dot(rotation) > 0.999_999, "the short way, on one side");
        }
        let chord = keys(Some(&track(Interpolation::Nlerp)), Quat::IDENTITY, &clip);
        assert_eq!(chord.len(), 2);
    }
}
