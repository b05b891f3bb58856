//! Rotation keys that the keys around them determine.
//!
//! For: the frame rate of clips that were converted to a format with spherical interpolation. It gets keys
//! between those of large rotations whose components were interpolated; without these, the clip has the
//! frame rate that it had before, however often it is converted.
//! Not for: removing keys from a clip.

use glam::Quat;

use super::{Interpolation, Track};

/// The most keys that replace one interval.
const MAX_PARTS: usize = 64;
/// Quaternions with components that differ less are equal.
const SAME: f32 = 4e-6;
/// Tolerance for the time of a key, as a fraction of the interval to the next one.
const SAME_TIME: f64 = 1e-2;

/// The times of the keys without which the rotation would differ; `None` if these are all keys.
pub(super) fn essential_times(track: &Track<Quat>) -> Option<Vec<f64>> {
    let is_linear = track.interpolation == Interpolation::Linear;
    let keys: Vec<(f64, Quat)> =
        track.times_secs.iter().copied().zip(track.values.iter().copied()).collect();
    if !is_linear || keys.len() < 3 {
        return None;
    }
    let mut times = Vec::with_capacity(keys.len());
    let mut at = 0;
    while let Some((time, _)) = keys.get(at) {
        times.push(*time);
        let longest = keys.len().saturating_sub(at + 1).min(MAX_PARTS);
        let parts = (2..=longest).rev().find(|parts| repeats(keys.get(at..=at + parts)));
        at += parts.unwrap_or(1);
    }
    (times.len() < keys.len()).then_some(times)
}

/// Whether the inner keys are at equal intervals on the line between the first and the last.
fn repeats(keys: Option<&[(f64, Quat)]>) -> bool {
    let Some([(start, from), inner @ .., (end, to)]) = keys else { return false };
    let to = if from.dot(*to) < 0.0 { -*to } else { *to };
    let interval = (end - start) / (inner.len() + 1) as f64;
    let is_between = |at: usize| {
        let Some((time, rotation)) = inner.get(at) else { return true };
        let share = (at + 1) as f32 / (inner.len() + 1) as f32;
        let wanted = (*from * (1.0 - share) + to * share).normalize();
        let wanted = if wanted.dot(*rotation) < 0.0 { -wanted } else { wanted };
        let wanted_time = start + interval * (at + 1) as f64;
        wanted.abs_diff_eq(*rotation, SAME) && (time - wanted_time).abs() <= interval * SAME_TIME
    };
    // The one in the middle is the most likely to differ.
    is_between(inner.len() / 2) && (0..inner.len()).all(is_between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(keys: &[(f64, f32)]) -> Track<Quat> {
        Track {
            times_secs: keys.iter().map(|(time, _)| *time).collect(),
            values: keys.iter().map(|(_, angle)| Quat::from_rotation_z(*angle)).collect(),
            interpolation: Interpolation::Linear,
        }
    }

    #[test]
    fn keys_that_were_inserted_between_others_are_not_essential() {
        let (from, to) = (Quat::IDENTITY, Quat::from_rotation_z(1.0));
        let mut own = track(&[]);
        for step in 0..=4u8 {
            let share = f32::from(step) / 4.0;
            own.times_secs.push(0.1 * f64::from(share));
            own.values.push((from * (1.0 - share) + to * share).normalize());
        }
        own.times_secs.push(0.2);
        own.values.push(Quat::from_rotation_z(0.3));
        assert_eq!(essential_times(&own), Some(vec![0.0, 0.1, 0.2]));
    }

    #[test]
    fn keys_of_another_motion_are_essential() {
        assert_eq!(essential_times(&track(&[(0.0, 0.0), (0.1, 0.4), (0.2, 0.5)])), None);
        let uneven = track(&[(0.0, 0.0), (0.04, 0.01), (0.1, 0.02)]);
        assert_eq!(essential_times(&uneven), None, "at another time");
    }
}
