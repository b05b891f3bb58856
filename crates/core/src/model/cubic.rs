//! Cubic curves between keys: whether they vary, and line segments that approximate them.
//!
//! For: rules and writers that would otherwise look only at keys. Between two equal keys a cubic
//! curve still moves if its tangents aren't zero.
//! Not for: posing (`pose`).

use std::borrow::Cow;
use std::ops::{Add, Mul, Sub};

use glam::{Quat, Vec3, Vec4};

use super::{Interpolation, Track, unit};

/// Largest deviation of line segments from a curve, as a fraction of the curve's range: about a
/// pixel if the motion fills a screen.
const TOLERANCE: f32 = 1e-3;
/// The same as a fraction of the largest key: a translation that changes by less than a
/// ten-thousandth of its length isn't visible.
const UNSEEN: f32 = 1e-4;
/// Most line segments per span. A cubic curve of translations needs at most 78 for [`TOLERANCE`]
/// (Markov's inequality for the second derivative), one of rotations 155.
const MAX_PARTS: u32 = 160;
/// Tangents below this fraction of a value only change its last bits.
const ROUNDING: f32 = 1e-6;
/// Quaternions whose squared length is within this distance of 1 stay as stored.
const UNIT_TOLERANCE: f32 = 1e-6;

/// A value that a track can animate.
pub trait TrackValue:
    Copy + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self>
{
    /// Largest deviation of line segments from a curve with this range (the largest distance from
    /// its first key) and keys up to this magnitude, in the unit of the value.
    fn tolerance(range: f32, magnitude: f32) -> f32;

    /// Length of the value as a vector.
    fn magnitude(self) -> f32;

    /// The part of the second derivative `bend` that bends the curve away from a line at this
    /// value.
    fn tangential_bend(self, bend: Self) -> f32 {
        let _ = self;
        bend.magnitude()
    }

    /// A point of a cubic curve as a usable value: normalized if it is a rotation, or `nearest_key`
    /// if it has no direction.
    fn normalized_or(self, nearest_key: Self) -> Self {
        let _ = nearest_key;
        self
    }
}

impl TrackValue for f32 {
    /// Weights of morph targets, which scale the target's offsets.
    fn tolerance(_range: f32, _magnitude: f32) -> f32 {
        TOLERANCE
    }

    fn magnitude(self) -> f32 {
        self.abs()
    }
}

impl TrackValue for Vec3 {
    fn tolerance(range: f32, magnitude: f32) -> f32 {
        (TOLERANCE * range).max(UNSEEN * magnitude)
    }

    fn magnitude(self) -> f32 {
        self.length()
    }
}

impl TrackValue for Vec4 {
    /// Material parameters; most are at most 1.
    fn tolerance(range: f32, magnitude: f32) -> f32 {
        Vec3::tolerance(range, magnitude)
    }

    fn magnitude(self) -> f32 {
        self.length()
    }
}

impl TrackValue for Quat {
    /// An angle of a thousandth of a radian: a point as far from the bone as the model is large
    /// deviates by a thousandth of the model's size.
    fn tolerance(_range: f32, _magnitude: f32) -> f32 {
        0.5 * TOLERANCE
    }

    fn magnitude(self) -> f32 {
        self.length()
    }

    /// Interpolated rotations follow the sphere, so only the part along it counts.
    fn tangential_bend(self, bend: Self) -> f32 {
        let radial = unit(self, UNIT_TOLERANCE);
        (bend - radial * bend.dot(radial)).length()
    }

    fn normalized_or(self, nearest_key: Self) -> Self {
        if self.length_squared() > f32::MIN_POSITIVE { self.normalize() } else { nearest_key }
    }
}

/// A cubic curve between two keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicSpan<T> {
    /// Time of the earlier key.
    pub start_secs: f64,
    /// Time between the keys.
    pub secs: f64,
    /// The earlier key.
    pub from: T,
    /// Tangent at the earlier key, times `secs`.
    pub out_tangent: T,
    /// The later key.
    pub to: T,
    /// Tangent at the later key, times `secs`.
    pub in_tangent: T,
}

impl<T: TrackValue> CubicSpan<T> {
    /// The value at fraction `share` of the span, 0 to 1 (cubic Hermite: glTF 2.0, appendix C).
    pub fn at(&self, share: f32) -> T {
        let (t, t2, t3) = (share, share * share, share * share * share);
        let sum = self.from * (2.0 * t3 - 3.0 * t2 + 1.0)
            + self.out_tangent * (t3 - 2.0 * t2 + t)
            + self.to * (-2.0 * t3 + 3.0 * t2)
            + self.in_tangent * (t3 - t2);
        sum.normalized_or(self.from)
    }

    /// Whether the value changes within the span.
    pub fn varies(&self) -> bool {
        let least = ROUNDING * self.from.magnitude();
        let is_flat = |tangent: T| tangent.magnitude() <= least;
        self.secs > 0.0
            && (self.from != self.to || !is_flat(self.out_tangent) || !is_flat(self.in_tangent))
    }

    /// Eight times an upper bound of the distance from the line between both keys.
    fn bend(&self) -> f32 {
        let chord = (self.to - self.from) * 6.0;
        let at_start = chord - self.out_tangent * 4.0 - self.in_tangent * 2.0;
        let at_end = self.out_tangent * 2.0 + self.in_tangent * 4.0 - chord;
        self.from.tangential_bend(at_start).max(self.to.tangential_bend(at_end))
    }
}

impl<T: TrackValue> Track<T> {
    /// The values of the keys without their tangents.
    pub fn key_values(&self) -> impl Iterator<Item = T> + Clone + '_ {
        let (first, step) = self.key_layout();
        self.values.iter().skip(first).step_by(step).copied()
    }

    /// The curve from key `key` to the next; `None` for other interpolations and past the end.
    pub fn cubic_span(&self, key: usize) -> Option<CubicSpan<T>> {
        if self.interpolation != Interpolation::Cubic {
            return None;
        }
        let (&start_secs, &end_secs) = (self.times_secs.get(key)?, self.times_secs.get(key + 1)?);
        let secs = end_secs - start_secs;
        #[expect(clippy::cast_possible_truncation, reason = "values are of single precision")]
        let secs_f32 = secs as f32;
        // Tangents are per second.
        Some(CubicSpan {
            start_secs,
            secs,
            from: *self.values.get(key * 3 + 1)?,
            out_tangent: *self.values.get(key * 3 + 2)? * secs_f32,
            to: *self.values.get(key * 3 + 4)?,
            in_tangent: *self.values.get(key * 3 + 3)? * secs_f32,
        })
    }

    /// All curves between neighbouring keys; empty unless the track is cubic.
    pub fn cubic_spans(&self) -> impl Iterator<Item = CubicSpan<T>> + '_ {
        (0..self.times_secs.len()).map_while(|key| self.cubic_span(key))
    }

    /// Whether the value changes over time, at keys or between them.
    pub fn varies(&self) -> bool {
        let values = self.key_values();
        let differs = values.clone().zip(values.skip(1)).any(|(a, b)| a != b);
        differs || self.cubic_spans().any(|span| span.varies())
    }

    /// The spans of a cubic track, each with the number of line segments that stay within 0.1 % of
    /// the track's range (rotations: 0.001 radians; weights: 0.001).
    pub fn straight_parts(&self) -> impl Iterator<Item = (CubicSpan<T>, u32)> + '_ {
        let magnitude = self.key_values().map(T::magnitude).fold(0.0, f32::max);
        let limit = T::tolerance(self.cubic_range(), magnitude);
        self.cubic_spans().map(move |span| (span, num_parts(span.bend() / 8.0, limit)))
    }

    /// The largest distance from the first key, at keys and between them.
    fn cubic_range(&self) -> f32 {
        let Some(first) = self.key_values().next() else { return 0.0 };
        let inside = |span: CubicSpan<T>| [0.25, 0.5, 0.75, 1.0].map(|share| span.at(share));
        let distances = self.cubic_spans().flat_map(inside).map(|v| (v - first).magnitude());
        distances.filter(|distance| distance.is_finite()).fold(0.0, f32::max)
    }

    /// The track with linear interpolation: its own keys, with others between them if the curve
    /// bends, as counted by [`Self::straight_parts`].
    pub fn straightened(&self) -> Cow<'_, Self>
    where
        Self: Clone,
    {
        if self.interpolation != Interpolation::Cubic {
            return Cow::Borrowed(self);
        }
        let (mut times_secs, mut values) = (Vec::new(), Vec::new());
        for (span, num_parts) in self.straight_parts() {
            for part in 0..num_parts {
                let share = f64::from(part) / f64::from(num_parts);
                times_secs.push(span.start_secs + share * span.secs);
                #[expect(clippy::cast_possible_truncation, reason = "a fraction")]
                values.push(if part == 0 { span.from } else { span.at(share as f32) });
            }
        }
        times_secs.extend(self.times_secs.last());
        values.extend(self.key_values().last());
        Cow::Owned(Self { times_secs, values, interpolation: Interpolation::Linear })
    }
}

/// Number of lines that reduces `distance`, the deviation of a single line, to `limit`.
fn num_parts(distance: f32, limit: f32) -> u32 {
    // A curve without range is a line.
    if distance <= limit || limit <= 0.0 || distance.is_nan() {
        return 1;
    }
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let num = (distance / limit).sqrt().ceil() as u32;
    num.clamp(1, MAX_PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cubic<T>(times_secs: Vec<f64>, values: Vec<T>) -> Track<T> {
        Track { times_secs, values, interpolation: Interpolation::Cubic }
    }

    #[test]
    fn steep_tangents_between_equal_keys_move_a_curve() {
        let bulge = cubic(vec![0.0, 1.0], vec![0.0, 2.0, 4.0, -4.0, 2.0, 0.0]);
        assert!(bulge.varies());
        assert_eq!(bulge.cubic_span(0).unwrap().at(0.5), 3.0);
        let flat = cubic(vec![0.0, 1.0], vec![9.0, 2.0, 0.0, 0.0, 2.0, 9.0]);
        assert!(!flat.varies(), "tangents outside the keys are never read");
        let rounded = cubic(vec![0.0, 1.0], vec![0.0, 2.0, 1e-7, -1e-7, 2.0, 0.0]);
        assert!(!rounded.varies());
        let held = Track { interpolation: Interpolation::Step, ..bulge.clone() };
        assert!(held.varies(), "six values of a step track differ");
    }

    #[test]
    fn linearised_curves_stay_within_a_thousandth_of_the_range() {
        let curves = [
            vec![0.0, 0.0, 4.0, -4.0, 0.0, 0.0],
            vec![0.0, 0.0, 8.0, 8.0, 0.0, 0.0],
            vec![0.0, 1.0, -30.0, 2.0, 5.0, 0.0],
        ];
        for values in curves {
            let track = cubic(vec![1.0, 3.0], values);
            let straight = track.straightened();
            let span = track.cubic_span(0).unwrap();
            let mut farthest = 0.0f32;
            for pair in 0..straight.times_secs.len() - 1 {
                let (start, end) = (straight.times_secs[pair], straight.times_secs[pair + 1]);
                let middle = (start + end) / 2.0;
                #[expect(clippy::cast_possible_truncation, reason = "a fraction")]
                let curve = span.at(((middle - 1.0) / 2.0) as f32);
                let line = (straight.values[pair] + straight.values[pair + 1]) / 2.0;
                farthest = farthest.max((curve - line).abs());
            }
            let range = track.cubic_range();
            assert!(farthest > 0.0 && farthest <= TOLERANCE * range, "{farthest} of {range}");
        }
    }

    #[test]
    fn a_straight_line_and_an_even_rotation_need_few_keys() {
        let line = cubic(vec![0.0, 1.0], vec![0.0, 0.0, 2.0, 2.0, 2.0, 0.0]);
        assert_eq!(line.straightened().values, [0.0, 2.0]);
        let rotated = |rad: f32| Quat::from_rotation_x(rad);
        // The tangent of an even rotation by 0.2 radians.
        let tangent = |at: f32| (rotated(at + 0.01) - rotated(at - 0.01)) * 10.0;
        let values = vec![
            tangent(0.0),
            rotated(0.0),
            tangent(0.0),
            tangent(0.2),
            rotated(0.2),
            tangent(0.2),
        ];
        assert!(cubic(vec![0.0, 1.0], values).straightened().values.len() < 4);
    }

    #[test]
    fn tangents_of_any_size_give_a_bounded_number_of_keys() {
        for tangent in [1e30, f32::MAX, 1e-30] {
            let wild = cubic(vec![0.0, 1e-3], vec![0.0, 0.0, tangent, tangent, 0.0, 0.0]);
            assert!(wild.straightened().values.len() <= MAX_PARTS as usize + 1);
        }
    }
}
