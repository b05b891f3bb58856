//! Tracks that a runtime doesn't read, or reads differently: by pointer, of integers, several for one property, and with
//! several keys at the same time.

use super::playback_difference::PlaybackDifference;
use super::{RepeatedKeys, Rules};
use crate::model::{
    BoneId, BoneTrack, ClipId, Interpolation, Mesh, Model, Motion, NodeProperty, Place, Track,
    as_u32,
};
use crate::pose::Curve;

/// Removes the tracks whose channels name their property by `KHR_animation_pointer`.
pub(super) fn remove_pointers(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    if rules.reads_pointers {
        return;
    }
    let mut changed = Changes::default();
    for track in &model.stored.pointer_tracks {
        let Some(clip) = model.clips.get_mut(track.clip) else { continue };
        changed.add(track.clip);
        if track.property == NodeProperty::MorphWeights {
            let meshes = &model.meshes;
            let is_other =
                |mesh| meshes.get(mesh).is_none_or(|mesh| node_of(mesh) != Some(track.node));
            clip.morph_tracks.retain(|own| is_other(own.mesh));
        } else if let Motion::Tracks(tracks) = &mut clip.motion {
            tracks.iter_mut().filter(|own| own.bone == track.node).for_each(|own| {
                clear(own, track.property);
            });
        }
    }
    let text = "channels with KHR_animation_pointer are ignored";
    changed.report(differences, "pointer-tracks-ignored", text);
}

/// The node that shows a mesh.
pub(super) fn node_of(mesh: &Mesh) -> Option<BoneId> {
    mesh.attached_to.or(mesh.stored.as_ref()?.node)
}

fn clear(track: &mut BoneTrack, property: NodeProperty) {
    match property {
        NodeProperty::Translation => track.translation = None,
        NodeProperty::Rotation => track.rotation = None,
        NodeProperty::Scale => track.scale = None,
        NodeProperty::MorphWeights => {}
    }
}

/// Multiplies keys that are integers by the integer that stands for 1.
pub(super) fn multiply_integers(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    if rules.divides_integer_keys {
        return;
    }
    let mut changed = Changes::default();
    for (track, max) in &model.stored.integer_tracks {
        let Some(clip) = model.clips.get_mut(track.clip) else { continue };
        let factor = f32::from(*max);
        changed.add(track.clip);
        if track.property == NodeProperty::MorphWeights {
            for own in &mut clip.morph_tracks {
                let mesh = model.meshes.get(own.mesh);
                if mesh.and_then(node_of) == Some(track.node) {
                    own.weights.values.iter_mut().for_each(|value| *value *= factor);
                }
            }
        } else if let Motion::Tracks(tracks) = &mut clip.motion {
            for own in tracks.iter_mut().filter(|own| own.bone == track.node) {
                if let (NodeProperty::Rotation, Some(own)) = (track.property, &mut own.rotation) {
                    own.values.iter_mut().for_each(|value| *value *= factor);
                }
            }
        }
    }
    changed.report(
        differences,
        "integer-keys-not-divided",
        "keys stored as integers aren't divided by their maximum",
    );
}

/// Replaces tracks by those of later channels for the same property.
pub(super) fn use_last_channels(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    if !rules.last_channel_applies {
        return;
    }
    let mut changed = Changes::default();
    for (clip, later) in model.stored.repeated_tracks.clone() {
        let Some(own) = model.clips.get_mut(clip) else { continue };
        let Motion::Tracks(tracks) = &mut own.motion else { continue };
        for track in tracks.iter_mut().filter(|track| track.bone == later.bone) {
            changed.add(clip);
            track.translation = later.translation.clone().or(track.translation.take());
            track.rotation = later.rotation.clone().or(track.rotation.take());
            track.scale = later.scale.clone().or(track.scale.take());
        }
    }
    let text = "the last of several channels for a property applies";
    changed.report(differences, "last-channel-applies", text);
}

/// Replaces the value of splines with a single key by its in-tangent (Bevy 0.19.1,
/// bevy_gltf/src/loader/mod.rs: a single key makes a constant curve of the first stored value).
pub(super) fn use_single_tangents(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    fn replace<T: Copy>(track: &mut Option<Track<T>>) -> bool {
        let Some(own) = track else { return false };
        let is_single = own.interpolation == Interpolation::Cubic && own.times_secs.len() == 1;
        match &mut own.values[..] {
            [tangent, value, _] if is_single => {
                *value = *tangent;
                true
            }
            _ => false,
        }
    }
    if !rules.single_spline_keys_are_tangents {
        return;
    }
    let mut changed = Changes::default();
    for (number, clip) in model.clips.iter_mut().enumerate() {
        let Motion::Tracks(tracks) = &mut clip.motion else { continue };
        for own in tracks {
            let is_changed = [
                replace(&mut own.translation),
                replace(&mut own.rotation),
                replace(&mut own.scale),
            ];
            let num = is_changed.iter().filter(|is| **is).count();
            (0..num).for_each(|_| changed.add(ClipId::from_index(number)));
        }
    }
    let text = "splines with a single key have the value of its tangent";
    changed.report(differences, "single-spline-keys-misread", text);
}

/// Plays linear keys whose times aren't in order as engines do that search for the first later key.
///
/// three.js 0.187.0, math/Interpolant.js: evaluate; Babylon.js 9.28.0, Animations/animation.pure.js: _interpolate;
/// PlayCanvas 2.23.3, framework/anim/evaluator/anim-cache.js: _findKey.
pub(super) fn search_unsorted(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    if !rules.searches_unsorted_keys {
        return;
    }
    let mut changed = Changes::default();
    for (clip, stored) in model.stored.unsorted_tracks.clone() {
        let Some(own) = model.clips.get_mut(clip) else { continue };
        let Motion::Tracks(tracks) = &mut own.motion else { continue };
        for track in tracks.iter_mut().filter(|track| track.bone == stored.bone) {
            let found = [
                replace_by_search(&mut track.translation, &stored.translation),
                replace_by_search(&mut track.rotation, &stored.rotation),
                replace_by_search(&mut track.scale, &stored.scale),
            ];
            found.iter().filter(|is| **is).for_each(|_| changed.add(clip));
        }
    }
    let text = "keys whose times aren't in order are played as stored";
    changed.report(differences, "unsorted-keys-searched", text);
}

fn replace_by_search<T: Curve>(track: &mut Option<Track<T>>, stored: &Option<Track<T>>) -> bool {
    let Some(stored) = stored else { return false };
    if stored.interpolation != Interpolation::Linear || stored.times_secs.iter().any(|t| t.is_nan())
    {
        return false;
    }
    *track = Some(searched(stored));
    true
}

/// Keys in order that have the same values as a search for the first later key in `stored`.
fn searched<T: Curve>(stored: &Track<T>) -> Track<T> {
    let keys: Vec<(f64, T)> =
        stored.times_secs.iter().copied().zip(stored.values.iter().copied()).collect();
    let mut found: Vec<(f64, T)> = keys.first().copied().into_iter().collect();
    for pair in keys.windows(2) {
        let &[(start, from), (end, to)] = pair else { continue };
        let Some(&(latest, value)) = found.last() else { continue };
        if end <= latest {
            continue;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a fraction needs no 53 bits")]
        let share = ((latest - start) / (end - start)) as f32;
        let begin = from.lerp(to, share);
        if begin != value {
            found.push((latest, begin));
        }
        found.push((end, to));
    }
    if let (Some(&(latest, value)), Some(&(_, last))) = (found.last(), keys.last())
        && value != last
    {
        found.push((latest, last));
    }
    let (times_secs, values) = found.into_iter().unzip();
    Track { times_secs, values, interpolation: Interpolation::Linear }
}

/// Shorter than the time between any two frames.
const MOMENT_SECS: f64 = 1e-9;

/// Removes all but one of several keys at the same time.
pub(super) fn drop_repeated_keys(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    let repeated = rules.repeated_keys;
    if repeated == RepeatedKeys::AsStored {
        return;
    }
    let mut changed = Changes::default();
    for (number, clip) in model.clips.iter_mut().enumerate() {
        let id = ClipId::from_index(number);
        let Motion::Tracks(tracks) = &mut clip.motion else { continue };
        for track in tracks {
            let is_changed = [
                without_repeated(&mut track.translation, repeated),
                without_repeated(&mut track.rotation, repeated),
                without_repeated(&mut track.scale, repeated),
            ];
            is_changed.iter().filter(|is| **is).for_each(|_| changed.add(id));
        }
    }
    changed.report(
        differences,
        "repeated-keys-dropped",
        match repeated {
            RepeatedKeys::First => "only the first of several keys at the same time counts",
            _ => "only the last of several keys at the same time counts",
        },
    );
}

fn without_repeated<T: Copy>(track: &mut Option<Track<T>>, repeated: RepeatedKeys) -> bool {
    let Some(own) = track else { return false };
    if !own.times_secs.windows(2).any(|pair| pair[0] == pair[1]) {
        return false;
    }
    let per_key = if own.interpolation == Interpolation::Cubic { 3 } else { 1 };
    let num = own.times_secs.len();
    let time = |key: usize| own.times_secs.get(key);
    let is_kept = |key: &usize| match repeated {
        RepeatedKeys::First => *key == 0 || time(key - 1) != time(*key),
        _ => time(key + 1) != time(*key),
    };
    let mut kept: Vec<usize> = (0..num).filter(is_kept).collect();
    let mut times: Vec<f64> = kept.iter().filter_map(|key| time(*key).copied()).collect();
    if repeated == RepeatedKeys::LastByTime {
        // The times are the keys of a map. Before them, key 0 applies; after them, the key numbered by the size of the map.
        let (last, end) = (kept.len().saturating_sub(1), times.last().copied());
        if let (Some(first), true) = (times.first_mut(), kept.first() != Some(&0)) {
            let start = *first;
            *first += MOMENT_SECS;
            times.insert(0, start);
            kept.insert(0, 0);
        }
        if let (Some(end), true) = (end, kept.last() != Some(&last)) {
            times.push(end + MOMENT_SECS);
            kept.push(last);
        }
    }
    let values = kept.iter().flat_map(|key| own.values.get(key * per_key..(key + 1) * per_key));
    own.values = values.flatten().copied().collect();
    own.times_secs = times;
    true
}

/// The first clip with changed tracks, and the number of tracks.
#[derive(Default)]
struct Changes {
    first: Option<ClipId>,
    num: u64,
}

impl Changes {
    fn add(&mut self, clip: ClipId) {
        self.first.get_or_insert(clip);
        self.num += 1;
    }

    fn report(self, differences: &mut Vec<PlaybackDifference>, kind: &'static str, text: &str) {
        let Some(first) = self.first else { return };
        let place = Place::Clip(as_u32(first.index()));
        differences.push(PlaybackDifference {
            kind,
            text: text.to_owned(),
            place,
            count: self.num,
        });
    }
}
