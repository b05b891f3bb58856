//! Writes `ozz-animation` version 7.
//!
//! The keys of one kind are one list for all tracks, in the order in which the runtime needs them: by the
//! time of the previous key on their track, then by track (`offline/animation_builder.cc`, `SortingKeyLess`).
//! So the first keys of all tracks come first, then the second ones. Tracks are padded to a multiple of four
//! with identity.
//!
//! A key stores the distance to the previous one on its track in 16 bits. If it's too far, the track gets
//! keys in between (like `Sort` there).
#![expect(clippy::indexing_slicing, reason = "ids of a checked model index its own tables")]

use glam::Vec3;

use super::animation::{LANES, SHARED_TIMES};
use super::archive_writer::{ArchiveWriter, too_many};
use super::keys::{Value, keys};
use super::objects::ANIMATION;
use super::seek::{SeekTables, tables};
use super::write_skeleton::Joints;
use crate::formats::WriteError;
use rigscope_core::model::{
    BoneId, BoneTrack, Clip, ClipId, FindingKind, IdVec, Model, Motion, Place, Report, Trs, numbers,
};

/// Duration of a clip with a single time: ozz requires a positive duration (`RawAnimation::Validate`).
const SHORTEST_SECS: f32 = 1.0 / 30.0;
/// Maximum distance of a key from the previous one.
const MAX_STEPS_BACK: usize = 65_535;
/// Limit on passes, each of which halves excessive distances.
const MAX_PASSES: u32 = 64;

/// A key in the list of all tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key<V> {
    track: usize,
    /// The time of the previous key; -1 for first keys.
    before: f32,
    at: f32,
    value: V,
}

/// Writes one clip.
pub(super) fn put(
    out: &mut ArchiveWriter,
    model: &Model,
    number: usize,
    joints: &Joints,
    report: &Report,
) -> Result<(), WriteError> {
    let id = ClipId::from_index(number);
    let Some(clip) = model.clips.get(ClipId::from_index(number)) else { return Ok(()) };
    let own = tracks_by_bone(model, clip);
    let num_tracks = joints.list.len().next_multiple_of(LANES);
    let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
    for track in 0..num_tracks {
        let joint = joints.list.get(track);
        let rest = joint.map_or(Trs::IDENTITY, |joint| joint.rest);
        let bone = joint.and_then(|joint| joint.bone);
        let curves = bone.and_then(|bone| own[bone]);
        let moved = curves.and_then(|curves| curves.translation.as_ref());
        add(&mut translations, track, keys(moved, rest.translation, clip));
        let rotated = curves.and_then(|curves| curves.rotation.as_ref());
        add(&mut rotations, track, keys(rotated, rest.rotation, clip));
        let scaled = curves.and_then(|curves| curves.scale.as_ref());
        add(&mut scales, track, keys(scaled, rest.scale, clip));
        report.progress("writing clips", track as f32 / num_tracks as f32)?;
    }
    report_far(&translations, id, report);
    sort(&mut translations)?;
    sort(&mut rotations)?;
    sort(&mut scales)?;

    let mut times: Vec<f32> = (translations.iter().map(|key| key.at))
        .chain(rotations.iter().map(|key| key.at))
        .chain(scales.iter().map(|key| key.at))
        .collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    if times.len() > usize::from(u16::MAX) {
        return Err(too_many("key times in a clip", times.len(), u64::from(u16::MAX)));
    }
    let duration_secs = duration(clip, id, report);
    let name = clip_name(clip, id, report);
    let seek = [
        seek_tables(&translations, num_tracks, duration_secs),
        seek_tables(&rotations, num_tracks, duration_secs),
        seek_tables(&scales, num_tracks, duration_secs),
    ];
    out.object(ANIMATION, SHARED_TIMES);
    out.f32s([duration_secs]);
    out.count("tracks", joints.list.len())?;
    out.count("bytes of a clip's name", name.len())?;
    out.count("moments", times.len())?;
    for num in [translations.len(), rotations.len(), scales.len()] {
        out.count("keys", num)?;
    }
    for tables in &seek {
        out.count("bytes of seek tables", tables.entries.len())?;
        out.count("seek tables", tables.descriptions.len())?;
    }
    out.bytes(name.as_bytes());
    out.f32s(times.iter().copied());
    let [of_translations, of_rotations, of_scales] = &seek;
    put_keys(out, &translations, &times, num_tracks, of_translations);
    put_keys(out, &rotations, &times, num_tracks, of_rotations);
    put_keys(out, &scales, &times, num_tracks, of_scales);
    Ok(())
}

fn tracks_by_bone<'a>(model: &Model, clip: &'a Clip) -> IdVec<BoneId, Option<&'a BoneTrack>> {
    let mut by_bone = IdVec::filled(None, model.skeleton.bones());
    if let Motion::Tracks(tracks) = &clip.motion {
        for track in tracks {
            by_bone[track.bone] = Some(track);
        }
    }
    by_bone
}

fn add<V: Value>(all: &mut Vec<Key<V>>, track: usize, keys: Vec<(f32, V)>) {
    let mut before = -1.0;
    for (at, value) in keys {
        all.push(Key { track, before, at, value });
        before = at;
    }
}

/// Sorts keys into stored order, and adds keys where two of a track are too far apart.
fn sort<V: Value>(keys: &mut Vec<Key<V>>) -> Result<(), WriteError> {
    for _ in 0..MAX_PASSES {
        keys.sort_by(|a, b| a.before.total_cmp(&b.before).then(a.track.cmp(&b.track)));
        let num_tracks = keys.iter().map(|key| key.track + 1).max().unwrap_or(0);
        // The last key of each track, and the one before that.
        let mut known: Vec<(Option<usize>, Option<usize>)> = vec![(None, None); num_tracks];
        let mut divided: Vec<(usize, usize)> = Vec::new();
        for (number, key) in keys.iter().enumerate() {
            let Some((last, penultimate)) = known.get_mut(key.track) else { continue };
            if let (Some(from), Some(to)) = (*penultimate, *last)
                && number - to > MAX_STEPS_BACK
            {
                divided.push((from, to));
            }
            (*penultimate, *last) = (*last, Some(number));
        }
        if divided.is_empty() {
            return Ok(());
        }
        for (from, to) in divided {
            let Some(from) = keys.get(from).copied() else { continue };
            let Some(to) = keys.get_mut(to) else { continue };
            let middle = Key {
                track: to.track,
                before: from.at,
                at: from.at + (to.at - from.at) * 0.5,
                value: from.value.blended(to.value, 0.5),
            };
            if middle.at > from.at && middle.at < to.at {
                to.before = middle.at;
                keys.push(middle);
            }
        }
    }
    Err(too_many("keys in a clip", keys.len(), MAX_STEPS_BACK as u64))
}

fn seek_tables<V>(keys: &[Key<V>], num_tracks: usize, duration_secs: f32) -> SeekTables {
    let order = keys.iter().map(|key| (key.track, key.before));
    tables(order, num_tracks, duration_secs)
}

fn put_keys<V: Value>(
    out: &mut ArchiveWriter,
    keys: &[Key<V>],
    times: &[f32],
    num_tracks: usize,
    seek: &SeekTables,
) {
    let time_of = |key: &Key<V>| {
        let at = times.partition_point(|time| *time < key.at);
        u16::try_from(at).unwrap_or(u16::MAX)
    };
    if times.len() <= usize::from(u8::MAX) {
        let narrow = |key| u8::try_from(time_of(key)).unwrap_or(u8::MAX);
        let bytes: Vec<u8> = keys.iter().map(narrow).collect();
        out.bytes(&bytes);
    } else {
        out.u16s(keys.iter().map(time_of));
    }
    let mut last_of_track: Vec<Option<usize>> = vec![None; num_tracks];
    out.u16s(keys.iter().enumerate().map(|(number, key)| {
        let last = last_of_track.get_mut(key.track);
        let before = last.and_then(|last| last.replace(number));
        before.map_or(0, |before| u16::try_from(number - before).unwrap_or(0))
    }));
    out.bytes(&seek.entries);
    for &word in &seek.descriptions {
        out.u32(word);
    }
    out.f32s([seek.interval]);
    out.u16s(keys.iter().flat_map(|key| key.value.bits()));
}

/// The clip's duration, which must be positive.
fn duration(clip: &Clip, id: ClipId, report: &Report) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "files hold f32")]
    let secs = clip.duration_secs as f32;
    if secs.is_normal() && secs > 0.0 {
        return secs;
    }
    report.add_many(FindingKind::Altered, Place::Clip(id.0), 1, || {
        format!("clip {:?} has no duration and is written as one frame", clip.name)
    });
    SHORTEST_SECS
}

/// A name without zeros, which would terminate it.
pub(super) fn clip_name(clip: &Clip, id: ClipId, report: &Report) -> String {
    let name = clip.name.replace('\0', "_");
    let is_other = u64::from(name != clip.name);
    report.add_many(FindingKind::ChangedName, Place::Clip(id.0), is_other, || {
        format!("clip {:?} is written as {name:?}", clip.name)
    });
    name
}

/// Reports translations beyond the range of half floats.
fn report_far(keys: &[Key<Vec3>], id: ClipId, report: &Report) {
    const LARGEST: f32 = 65504.0;
    let is_far = |key: &&Key<Vec3>| key.value.abs().max_element() > LARGEST;
    let num = keys.iter().filter(is_far).count() as u64;
    report.add_many(FindingKind::Altered, Place::Clip(id.0), num, || {
        let largest = numbers::number(LARGEST);
        format!(
            "a bone is more than {largest} units away from its parent, the most that can be stored"
        )
    });
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn keys_are_inserted_if_the_previous_key_of_a_track_is_too_far_back() {
        let mut all = Vec::new();
        add(&mut all, 0, vec![(0.0, Vec3::ZERO), (0.9, Vec3::X), (1.0, Vec3::X)]);
        let busy = 100_000u32;
        let at = |key: u32| (key as f32 / busy as f32, Vec3::ZERO);
        add(&mut all, 1, (0..=busy).map(at).collect());
        let num = all.len();
        sort(&mut all).unwrap();
        assert!(all.len() > num);
        let mut last = [None; 2];
        let mut moments = Vec::new();
        for (number, key) in all.iter().enumerate() {
            if let Some(before) = last[key.track].replace(number) {
                assert!(number - before <= MAX_STEPS_BACK);
                assert_eq!(all[before].at, key.before);
            }
            if key.track == 0 {
                moments.push((key.at, key.value.x));
            }
        }
        assert!(moments.is_sorted_by(|a, b| a.0 < b.0));
        assert!(moments.iter().all(|(at, x)| (x - (at / 0.9).min(1.0)).abs() < 1e-6));
    }

    #[test]
    fn the_first_keys_of_all_tracks_precede_the_second_ones() {
        let mut all = Vec::new();
        for track in 0..4 {
            let at = |key: u8| f32::from(key) / 4.0;
            add(&mut all, track, (0..=4).map(|key| (at(key), Quat::IDENTITY)).collect());
        }
        sort(&mut all).unwrap();
        let order: Vec<(usize, f32)> = all.iter().map(|key| (key.track, key.at)).collect();
        assert_eq!(order[..5], [(0, 0.0), (1, 0.0), (2, 0.0), (3, 0.0), (0, 0.25)]);
        assert_eq!(order[19], (3, 1.0));
    }
}
