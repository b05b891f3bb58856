//! Clips: finite keys, ascending times, targets that exist, durations that fit.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::model::{
    ByteView, KEY_STRIDE_BYTES, Model, MorphTrack, Motion, NoteKind, PackedKeys, Place, Report,
    SampledMotion, Track,
};

/// The exponent bits of an f32: all set means infinite or not a number.
const EXPONENT_BITS: u32 = 0x7f80_0000;
/// Everything but the sign of an f32.
const MAGNITUDE_BITS: u32 = 0x7fff_ffff;

/// Checks all clips of the model.
pub(super) fn check(model: &mut Model, report: &Report) {
    if model.clips.is_empty() {
        report.note(NoteKind::NoClips, Place::File, "no clips");
    }
    let num_bones = model.skeleton.len();
    let mesh_sizes: Vec<(usize, usize)> =
        model.meshes.iter().map(|mesh| (mesh.num_vertices(), mesh.morph_targets.len())).collect();
    let mut names = std::collections::HashSet::new();
    for (index, clip) in model.clips.iter_mut().enumerate() {
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        let place = Place::Clip(number);
        if !names.insert(clip.name.clone()) {
            report.note_many(NoteKind::DuplicateName, place, 1, || {
                format!("clip {index} is named {:?} like another", clip.name)
            });
        }
        if !clip.start_secs.is_finite() || !clip.duration_secs.is_finite() {
            report.note(NoteKind::NotFinite, place, "a clip's time is not finite");
            (clip.start_secs, clip.duration_secs) = (0.0, 0.0);
        }
        match &mut clip.motion {
            Motion::Sampled(motion) => sampled(motion, number, num_bones, report),
            Motion::Tracks(tracks) => {
                tracks.retain(|track| track.bone.index() < num_bones);
                for track in tracks {
                    track.translation =
                        track.translation.take().and_then(|t| ascending(t, place, report));
                    track.rotation =
                        track.rotation.take().and_then(|t| ascending(t, place, report));
                    track.scale = track.scale.take().and_then(|t| ascending(t, place, report));
                }
            }
            // What reads them vouches for them: `pose` has nothing to index.
            Motion::Curves(_) => {}
            Motion::VertexCache(cache) if cache.mesh.index() >= mesh_sizes.len() => {
                let what = "a vertex cache moves a mesh that does not exist";
                report.note(NoteKind::ClipWithoutKeys, place, what);
                clip.motion = Motion::Tracks(Vec::new());
            }
            Motion::VertexCache(cache) => {
                let positions: &mut Vec<_> = Arc::make_mut(&mut cache.positions);
                finite(positions, place, report);
                let num_vertices = mesh_sizes.get(cache.mesh.index()).map_or(0, |size| size.0);
                let is_ordered =
                    cache.times_secs.iter().all(|t| t.is_finite()) && cache.times_secs.is_sorted();
                let num_positions = cache.times_secs.len().checked_mul(num_vertices);
                if num_positions != Some(cache.positions.len()) || !is_ordered {
                    report.note(
                        NoteKind::ClipWithoutKeys,
                        place,
                        "a vertex cache does not fit its mesh",
                    );
                    cache.times_secs.clear();
                    cache.positions = Arc::default();
                }
            }
        }
        let tracks = std::mem::take(&mut clip.morph_tracks);
        let tracks = tracks.into_iter().filter_map(|track| {
            let (_, num_targets) = mesh_sizes.get(track.mesh.index())?;
            let weights = ascending(track.weights, place, report)?;
            (track.target < *num_targets).then_some(MorphTrack { weights, ..track })
        });
        clip.morph_tracks = tracks.collect();
        for event in &mut clip.events {
            if !event.time_secs.is_finite() {
                event.time_secs = clip.start_secs;
            }
            event.bone = event.bone.filter(|bone| bone.index() < num_bones);
        }
    }
}

/// A value of a curve or cache, which may be not finite.
trait Value: Copy + Default {
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

impl Value for Quat {
    fn is_usable(self) -> bool {
        self.is_finite()
    }
}

/// Replaces values that are not finite by 0, or by no rotation.
fn finite<T: Value>(values: &mut [T], place: Place, report: &Report) {
    let mut bad = 0;
    for value in values.iter_mut().filter(|value| !value.is_usable()) {
        *value = T::default();
        bad += 1;
    }
    report.note_many(NoteKind::NotFinite, place, bad, || {
        "a value of a curve is not finite".to_owned()
    });
}

/// The track with ascending finite times and enough values, or nothing.
fn ascending<T: Value>(mut track: Track<T>, place: Place, report: &Report) -> Option<Track<T>> {
    let values_per_key = match track.interpolation {
        crate::model::Interpolation::Cubic => 3,
        _ => 1,
    };
    let usable = track.values.len() / values_per_key;
    track.times_secs.truncate(usable);
    track.values.truncate(track.times_secs.len() * values_per_key);
    let is_ordered = track.times_secs.iter().all(|t| t.is_finite()) && track.times_secs.is_sorted();
    if !is_ordered {
        report.note(NoteKind::NotFinite, place, "a track's times are not finite and ascending");
        return None;
    }
    finite(&mut track.values, place, report);
    (!track.times_secs.is_empty()).then_some(track)
}

fn sampled(motion: &mut SampledMotion, clip: u32, num_bones: usize, report: &Report) {
    let place = Place::Clip(clip);
    let keys = &motion.keys;
    if keys.num_bones() as usize != num_bones {
        report.note(NoteKind::ClipWithoutKeys, place, "a clip's keys have another number of bones");
        // No keys at all are of any number of bones.
        let num_bones = u32::try_from(num_bones).unwrap_or(u32::MAX);
        if let Some(none) = PackedKeys::from_matrices(num_bones, &[]) {
            motion.keys = none;
        }
        return;
    }
    let num_keys = keys.num_keys();
    if num_keys == 0 && num_bones > 0 {
        report.note(NoteKind::ClipWithoutKeys, place, "the clip has no keys");
    }
    if num_keys > 1 && motion.interval_ns == 0 {
        report.note(NoteKind::ZeroInterval, place, format!("{num_keys} keys lie 0 ns apart"));
    }
    let keys_ns = u128::from(motion.interval_ns) * (num_keys as u128).saturating_sub(1);
    if keys_ns.abs_diff(u128::from(motion.duration_ns)) > u128::from(motion.interval_ns) {
        report.note(
            NoteKind::DurationMismatch,
            place,
            format!("duration is {} ns and the last key lies at {keys_ns} ns", motion.duration_ns),
        );
    }
    matrices(motion, clip, num_bones, report);
}

/// Notes matrices that hide a bone or are not finite, and replaces the latter's bad numbers by 0.
fn matrices(motion: &mut SampledMotion, clip: u32, num_bones: usize, report: &Report) {
    let (records, _) = motion.keys.bytes().as_chunks::<KEY_STRIDE_BYTES>();
    // One pass that only accumulates: files of hundreds of megabytes are nearly all keys, so this
    // loop decides how long a load takes. The places are looked for only where there is something.
    let (mut any_bad, mut any_hidden) = (false, false);
    for record in records {
        let (bad, hidden) = classify(record);
        any_bad |= bad;
        any_hidden |= hidden;
    }
    let place = |at: usize| Place::Key {
        clip,
        key: u32::try_from(at / num_bones.max(1)).unwrap_or(u32::MAX),
        bone: u32::try_from(at % num_bones.max(1)).unwrap_or(u32::MAX),
    };
    let note_all = |kind, message: &str, matches: fn((bool, bool)) -> bool| {
        let mut found =
            (0..records.len()).filter(|&at| records.get(at).is_some_and(|r| matches(classify(r))));
        if let Some(first) = found.next() {
            let count = 1 + found.count() as u64;
            report.note_many(kind, place(first), count, || format!("{} {message}", place(first)));
        }
    };
    if any_hidden {
        note_all(NoteKind::ZeroScaleBone, "is scaled to nothing", |c| c.1);
    }
    if any_bad {
        note_all(NoteKind::NotFinite, "is not finite", |c| c.0);
        let mut bytes = motion.keys.bytes().to_vec();
        let (floats, _) = bytes.as_chunks_mut::<4>();
        for float in floats {
            if u32::from_le_bytes(*float) & EXPONENT_BITS == EXPONENT_BITS {
                *float = [0; 4];
            }
        }
        if let Some(keys) = PackedKeys::new(ByteView::whole(bytes), motion.keys.num_bones()) {
            motion.keys = keys;
        }
    }
}

/// (not finite, scaled to nothing)
fn classify(record: &[u8; KEY_STRIDE_BYTES]) -> (bool, bool) {
    let (floats, _) = record.as_chunks::<4>();
    let (mut bad, mut linear) = (false, 0);
    for (at, &float) in floats.iter().enumerate() {
        let bits = u32::from_le_bytes(float);
        bad |= bits & EXPONENT_BITS == EXPONENT_BITS;
        // Column 3 of each row is the translation.
        linear |= if at % 4 == 3 { 0 } else { bits & MAGNITUDE_BITS };
    }
    (bad, linear == 0)
}
