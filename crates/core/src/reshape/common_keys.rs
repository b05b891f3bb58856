//! Keys of several tracks at the same times, for formats that store the values of all bones at each key and
//! interpolate linearly between them.

use glam::Quat;

use crate::model::{Interpolation, Track};
use crate::pose::{Curve, read_track};

/// A value holds until this share of a second before a step, but at least until the share of the time that double
/// precision can tell apart.
const JUMP: f64 = 1e-9;
/// The largest distance between a quaternion that moves along a line and one that moves along the sphere between keys.
const MAX_DISTANCE: f32 = 5e-6;

/// The values of several tracks at common times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommonKeys<T> {
    /// Ascending, in seconds.
    pub times_secs: Vec<f64>,
    /// The values of all tracks, time by time.
    pub values: Vec<Vec<T>>,
}

/// The times at which keys of `track` are needed, so that it can be played with linear interpolation: its keys, others
/// along curves, and one before each step.
#[must_use]
pub fn linear_times<T: Curve>(track: &Track<T>) -> Vec<f64> {
    let mut times = track.straightened().times_secs.clone();
    if track.interpolation == Interpolation::Step {
        let steps = track.times_secs.iter().skip(1);
        times.extend(steps.map(|time| time - JUMP * time.abs().max(1.0)));
    }
    times
}

/// Additional times for rotations that are interpolated along a line instead of the sphere.
fn chord_times(track: &Track<Quat>) -> Vec<f64> {
    if !matches!(track.interpolation, Interpolation::Nlerp | Interpolation::Matrix) {
        return Vec::new();
    }
    let mut times = Vec::new();
    for (span, ends) in track.times_secs.windows(2).zip(track.values.windows(2)) {
        let (&[start, end], &[from, to]) = (span, ends) else { continue };
        let angle_rad = from.normalize().dot(to.normalize()).abs().min(1.0).acos();
        // Along the line, the angle accelerates by at most 2.7 times this; a chord of it deviates by an eighth of that,
        // divided by the square of the number of chords.
        let acceleration = angle_rad.sin() * (1.0 - angle_rad.cos());
        #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        let num = (2.7 / 8.0 * acceleration / MAX_DISTANCE).sqrt().ceil() as u32;
        times.extend((1..num).map(|at| start + (end - start) * f64::from(at) / f64::from(num)));
    }
    times
}

impl CommonKeys<Quat> {
    /// [`common_keys`] for rotations, whose interpolation along lines needs additional keys.
    pub fn of_rotations(tracks: &[(Option<&Track<Quat>>, Quat)], ends: &[f64]) -> Self {
        let mut times: Vec<f64> = ends.to_vec();
        times.extend(tracks.iter().filter_map(|(track, _)| *track).flat_map(chord_times));
        common_keys(tracks, &times)
    }
}

/// Tracks with the value that each has without keys, at the times that any of them needs and at `more_times`. Constant
/// tracks add no time.
#[must_use]
pub fn common_keys<T: Curve + PartialEq>(
    tracks: &[(Option<&Track<T>>, T)],
    more_times: &[f64],
) -> CommonKeys<T> {
    let stored = tracks.iter().filter_map(|(track, _)| *track);
    let moving = stored.filter(|track| track.times_secs.len() > 1);
    let mut times_secs: Vec<f64> = moving.flat_map(linear_times).collect();
    times_secs.extend(more_times);
    times_secs.sort_by(f64::total_cmp);
    times_secs.dedup();
    let at = |time: f64| {
        let value = |(track, usual): &(Option<&Track<T>>, T)| {
            track.and_then(|track| read_track(track, time)).unwrap_or(*usual)
        };
        tracks.iter().map(value).collect()
    };
    let mut keys = CommonKeys { times_secs: Vec::new(), values: Vec::new() };
    for time in times_secs {
        keys.push(time, at(time));
    }
    keys
}

impl<T: PartialEq> CommonKeys<T> {
    /// Adds a key; of three with the same values, the middle one is superfluous.
    fn push(&mut self, time_secs: f64, row: Vec<T>) {
        if let [.., before, last] = &self.values[..]
            && *last == row
            && *before == row
        {
            self.values.pop();
            self.times_secs.pop();
        }
        self.times_secs.push(time_secs);
        self.values.push(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn track(interpolation: Interpolation, keys: &[(f64, f32)]) -> Track<f32> {
        let (times_secs, values) = keys.iter().copied().unzip();
        Track { times_secs, values, interpolation }
    }

    #[test]
    fn tracks_share_the_times_of_all() {
        let first = track(Interpolation::Linear, &[(0.0, 0.0), (2.0, 4.0)]);
        let second = track(Interpolation::Step, &[(0.0, 1.0), (1.0, 2.0)]);
        let found = common_keys(&[(Some(&first), 0.0), (Some(&second), 0.0), (None, 7.0)], &[3.0]);
        let before = 1.0 - JUMP;
        assert_eq!(found.times_secs, [0.0, before, 1.0, 2.0, 3.0]);
        let columns: Vec<Vec<f32>> =
            (0..3).map(|at| found.values.iter().map(|row| row[at]).collect()).collect();
        assert_eq!(columns[1], [1.0, 1.0, 2.0, 2.0, 2.0]);
        assert_eq!((columns[0][2], columns[0][4]), (2.0, 4.0));
        assert!(columns[2].iter().all(|value| *value == 7.0));
    }

    #[test]
    fn rotations_along_a_line_get_keys_in_between() {
        for (angle_rad, fewest, most) in
            [(0.05, 2, 2), (0.2, 2, 8), (2.0, 50, 200), (3.1, 100, 300)]
        {
            let turn = Track {
                times_secs: vec![0.0, 1.0],
                values: vec![Quat::IDENTITY, Quat::from_axis_angle(Vec3::Z, angle_rad)],
                interpolation: Interpolation::Nlerp,
            };
            let found = CommonKeys::of_rotations(&[(Some(&turn), Quat::IDENTITY)], &[]);
            let num = found.times_secs.len();
            assert!((fewest..=most).contains(&num), "{num} keys for {angle_rad} rad");
            for (pair, ends) in found.times_secs.windows(2).zip(found.values.windows(2)) {
                let middle = read_track(&turn, (pair[0] + pair[1]) / 2.0).unwrap();
                let arc = ends[0][0].slerp(ends[1][0], 0.5);
                assert!(middle.abs_diff_eq(arc, MAX_DISTANCE + 1e-6), "{middle} {arc}");
            }
        }
    }
}
