//! Reads a curve between its keys.

use glam::{Quat, Vec3, Vec4};

use crate::model::{BoneTrack, Interpolation, Track, TrackValue};

/// A value that curves are made of.
pub trait Curve: TrackValue {
    /// The value between two keys, with a fraction `t` from 0 to 1; rotations follow the sphere.
    #[must_use]
    fn lerp(self, other: Self, t: f32) -> Self;
    /// [`Self::lerp`] along a straight line, normalized.
    #[must_use]
    fn nlerp(self, other: Self, t: f32) -> Self {
        self.lerp(other, t)
    }
}

macro_rules! curve_by_arithmetic {
    ($($ty:ty),+) => {$(
        impl Curve for $ty {
            fn lerp(self, other: Self, t: f32) -> Self {
                self * (1.0 - t) + other * t
            }
        }
    )+};
}

curve_by_arithmetic!(f32, Vec3, Vec4);

impl Curve for Quat {
    fn lerp(self, other: Self, t: f32) -> Self {
        // The shorter way round: q and -q are the same rotation.
        let other = if self.dot(other) < 0.0 { -other } else { other };
        self.slerp(other, t)
    }

    fn nlerp(self, other: Self, t: f32) -> Self {
        let other = if self.dot(other) < 0.0 { -other } else { other };
        let sum = self * (1.0 - t) + other * t;
        let length = sum.length();
        if length > f32::MIN_POSITIVE { sum * length.recip() } else { self }
    }
}

/// Two neighbouring keys, and the fraction between them.
pub(super) struct Around {
    pub(super) begin: f64,
    pub(super) end: f64,
    /// Above 0, below 1.
    pub(super) share: f32,
}

/// The keys around `time_secs` whose matrices [`Interpolation::Matrix`] blends; `None` at a key,
/// outside the keys, and for other curves.
pub(super) fn keys_around(curves: &BoneTrack, time_secs: f64) -> Option<Around> {
    fn times<T>(track: &Option<Track<T>>) -> Option<&[f64]> {
        let track = track.as_ref()?;
        let is_blended = track.interpolation == Interpolation::Matrix && track.times_secs.len() > 1;
        is_blended.then_some(&track.times_secs)
    }
    // Rotation and scale curves have keys at all frames; a linear translation is the same either
    // way.
    let times = times(&curves.rotation).or_else(|| times(&curves.scale))?;
    let next = times.partition_point(|&t| t <= time_secs);
    let (&begin, &end) = (times.get(next.checked_sub(1)?)?, times.get(next)?);
    #[expect(clippy::cast_possible_truncation, reason = "a fraction needs no 53 bits")]
    let share = ((time_secs - begin) / (end - begin)) as f32;
    (share > 0.0).then_some(Around { begin, end, share })
}

/// The track's value at `time_secs`, clamped to the first and last key; `None` without keys.
pub(crate) fn read<T: Curve>(track: &Track<T>, time_secs: f64) -> Option<T> {
    let times = &track.times_secs;
    let value = |key: usize| match track.interpolation {
        Interpolation::Cubic => track.values.get(key * 3 + 1).copied(),
        _ => track.values.get(key).copied(),
    };
    let next = times.partition_point(|&t| t <= time_secs);
    let Some(key) = next.checked_sub(1) else { return value(0) };
    let (Some(&t0), Some(&t1)) = (times.get(key), times.get(next)) else { return value(key) };
    let span = t1 - t0;
    #[expect(clippy::cast_possible_truncation, reason = "a fraction needs no 53 bits")]
    let t = ((time_secs - t0) / span) as f32;
    match track.interpolation {
        Interpolation::Step => value(key),
        Interpolation::Linear => Some(value(key)?.lerp(value(next)?, t)),
        Interpolation::Nlerp | Interpolation::Matrix => Some(value(key)?.nlerp(value(next)?, t)),
        Interpolation::Cubic => Some(track.cubic_span(key)?.at(t)),
    }
}
