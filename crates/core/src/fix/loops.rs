//! Closes loops.

use crate::model::{ClipId, Model, Motion, Track};
use crate::validate::open_loops;

/// Copies the first key of each curve to its end, in clips that return nearly but not exactly to their beginning.
pub(super) fn close(model: &mut Model) {
    for number in open_loops(model) {
        let clip = &mut model.clips[ClipId::from_index(number)];
        if let Motion::Tracks(tracks) = &mut clip.motion {
            for track in tracks {
                track.translation.iter_mut().for_each(|track| close_track(track, |a, _| a));
                track.scale.iter_mut().for_each(|track| close_track(track, |a, _| a));
                track.rotation.iter_mut().for_each(|track| {
                    close_track(
                        track,
                        |first, last| {
                            if first.dot(last) < 0.0 { -first } else { first }
                        },
                    );
                });
            }
        }
        for track in &mut clip.morph_tracks {
            close_track(&mut track.weights, |first, _| first);
        }
    }
}

/// Sets the last value, and the equal ones directly before it, to the first. Of the two signs of a quaternion, `near`
/// returns the one of the first value that is nearer to the last.
fn close_track<T: Copy + PartialEq>(track: &mut Track<T>, near: impl Fn(T, T) -> T) {
    let (own, step) = track.key_layout();
    let num_keys = track.times_secs.len();
    let Some(first) = track.values.get(own).copied() else { return };
    let value = |track: &Track<T>, key: usize| track.values.get(key * step + own).copied();
    let Some(last) = num_keys.checked_sub(1).and_then(|key| value(track, key)) else { return };
    let new = near(first, last);
    for key in
        (1..num_keys).rev().take_while(|key| value(track, *key) == Some(last)).collect::<Vec<_>>()
    {
        if let Some(slot) = track.values.get_mut(key * step + own) {
            *slot = new;
        }
    }
}
