//! Reads `ozz-animation`: compressed keys, converted to curves per joint.
//!
//! Invariant: curve `n` of a complete animation moves joint `n`; every curve has a key.

use glam::{Quat, Vec3};

use super::archive::Archive;
use super::quantized::{half3, quat_48, quat_of_bytes};
use crate::formats::{Limits, ReadError};
use rigscope_core::model::{BoneId, BoneTrack, Element, Interpolation, Scalar, Track};

/// Joints are stored in blocks of this size; the last one is padded.
pub(super) const LANES: usize = 4;
/// From this version on, keys share a list of times.
pub(super) const SHARED_TIMES: u32 = 7;
/// Up to this version, key times are in seconds.
const LAST_IN_SECONDS: u32 = 4;
/// Up to this version, joints are numbered breadth-first, as in skeletons of version 1.
const LAST_BREADTH_FIRST: u32 = 5;
/// The oldest supported version.
const FIRST_VERSION: u32 = 4;

/// A runtime or raw animation.
pub(super) struct Animation {
    pub(super) name: String,
    pub(super) duration_secs: f64,
    /// One per joint.
    pub(super) tracks: Vec<BoneTrack>,
    pub(super) version: u32,
    pub(super) is_raw: bool,
}

impl Animation {
    /// Whether joint numbers are compatible with skeletons of version 2.
    pub(super) fn fits_skeletons(&self) -> bool {
        self.is_raw || self.version > LAST_BREADTH_FIRST
    }
}

/// Keys of one kind, by joint.
type Keys<T> = Vec<(Vec<f64>, Vec<T>)>;

/// Reads the data after the version of animation number `clip`.
pub(super) fn read(
    archive: &mut Archive<'_>,
    version: u32,
    clip: u32,
    limits: &Limits,
) -> Result<Animation, ReadError> {
    match version {
        SHARED_TIMES => shared_times(archive, version, clip, limits),
        FIRST_VERSION..SHARED_TIMES => timed_keys(archive, version, clip, limits),
        _ => {
            let what = format!(
                "animation version {version}, only {FIRST_VERSION} to {SHARED_TIMES} are read"
            );
            Err(archive.cursor.unsupported("animation version", what))
        }
    }
}

/// The number of joints, checked against the limits and the number of keys.
fn num_tracks(
    archive: &mut Archive<'_>,
    num: u32,
    num_keys: [u32; 3],
    limits: &Limits,
) -> Result<usize, ReadError> {
    if num > limits.max_bones {
        let what = format!("number of tracks {num} exceeds the {} allowed", limits.max_bones);
        return Err(archive.cursor.over_limit("number of tracks", what));
    }
    if let Some(few) = num_keys.into_iter().find(|&keys| keys < num) {
        let what = format!("{num} tracks have only {few} keys of one kind");
        return Err(archive.cursor.malformed("number of keys", what));
    }
    Ok(num as usize)
}

/// Reads version 7.
fn shared_times(
    archive: &mut Archive<'_>,
    version: u32,
    clip: u32,
    limits: &Limits,
) -> Result<Animation, ReadError> {
    let duration_secs = f64::from(archive.f32("duration")?);
    let num = archive.u32("number of tracks")?;
    let name_len = archive.u32("name")?;
    let num_times = archive.u32("number of time points")?;
    let mut num_keys = [0; 3];
    for keys in &mut num_keys {
        *keys = archive.u32("number of keys")?;
    }
    // Sizes of the seek tables: bytes and u32s.
    let mut seek_lens = [[0; 2]; 3];
    for len in seek_lens.as_flattened_mut() {
        *len = archive.u32("seek table")?;
    }
    const HEAD: [(&str, Scalar, usize); 8] = [
        ("duration", Scalar::F32, 1),
        ("number of tracks", Scalar::U32, 1),
        ("name length", Scalar::U32, 1),
        ("number of time points", Scalar::U32, 1),
        ("number of keys", Scalar::U32, 3),
        ("translation seek table", Scalar::U32, 2),
        ("rotation seek table", Scalar::U32, 2),
        ("scale seek table", Scalar::U32, 2),
    ];
    archive.report_records(Element::ClipHeader { clip }, 0, 1, &HEAD);
    let num = num_tracks(archive, num, num_keys, limits)?;
    let name = archive.text(name_len, Element::ClipName { clip }, "name")?;
    let ratios = archive.list(num_times, 4, "time points", |a| a.f32("time points"))?;
    let fields = [("time point", Scalar::F32, 1)];
    archive.report_records(Element::KeyTime { clip }, 0, ratios.len(), &fields);
    let mut reader = SharedTimes {
        times: ratios.iter().map(|&r| f64::from(r) * duration_secs).collect(),
        num_tracks: num,
        clip,
        num_read: 0,
    };
    let ([t, r, s], [t_seek, r_seek, s_seek]) = (num_keys, seek_lens);
    let translations = reader.keys(archive, t, t_seek, half3)?;
    let rotations = reader.keys(archive, r, r_seek, quat_48)?;
    let scales = reader.keys(archive, s, s_seek, half3)?;
    Ok(Animation {
        name,
        duration_secs,
        tracks: tracks(translations, rotations, scales),
        version,
        is_raw: false,
    })
}

struct SharedTimes {
    times: Vec<f64>,
    num_tracks: usize,
    clip: u32,
    /// Number of keys read before, of any kind.
    num_read: usize,
}

impl SharedTimes {
    /// Reads all keys of one kind.
    fn keys<T>(
        &mut self,
        archive: &mut Archive<'_>,
        num: u32,
        [num_seek_bytes, num_seek_words]: [u32; 2],
        value: fn([u16; 3]) -> T,
    ) -> Result<Keys<T>, ReadError> {
        let field = "key times";
        let is_narrow = self.times.len() <= usize::from(u8::MAX);
        let times = archive.list(num, if is_narrow { 1 } else { 2 }, field, |archive| {
            Ok(if is_narrow {
                u16::from(archive.cursor.u8_le(field)?)
            } else {
                archive.u16(field)?
            })
        })?;
        let (first, num_keys, clip) = (self.num_read, times.len(), self.clip);
        self.num_read += num_keys;
        let element = Element::Key { clip };
        let index = if is_narrow { Scalar::U8 } else { Scalar::U16 };
        archive.report_records(element, first, num_keys, &[("time point", index, 1)]);
        let steps_back = archive.list(num, 2, "previous keys", |a| a.u16("previous keys"))?;
        let back = [("previous key", Scalar::U16, 1)];
        archive.report_records(element, first, num_keys, &back);
        let num_seek_bytes = archive.cursor.fit(num_seek_bytes, 1, "seek table")?;
        archive.cursor.take(num_seek_bytes, "seek table")?;
        let seek = Element::KeySeek { clip };
        archive.report_records(seek, 0, num_seek_bytes, &[("entry", Scalar::U8, 1)]);
        let num_seek_words = archive.cursor.fit(num_seek_words, 4, "seek table")?;
        archive.cursor.take(num_seek_words * 4, "seek table")?;
        archive.report_records(seek, 0, num_seek_words, &[("word", Scalar::U32, 1)]);
        archive.f32("seek interval")?;
        archive.report_records(seek, 0, 1, &[("seek interval", Scalar::F32, 1)]);
        let values = archive.list(num, 6, "key values", |a| a.u16s::<3>("key values"))?;
        archive.report_records(element, first, num_keys, &[("value", Scalar::U16, 3)]);

        // The first keys of all joints come first; every other key refers to its predecessor.
        let num_first = self.num_tracks.next_multiple_of(LANES);
        let mut track_of: Vec<u32> = archive.cursor.vec(times.len(), field)?;
        let mut keys: Keys<T> = Vec::new();
        keys.resize_with(self.num_tracks, Default::default);
        for (key, ((&time, &back), bits)) in times.iter().zip(&steps_back).zip(values).enumerate() {
            let track = if key < num_first {
                u32::try_from(key).ok()
            } else {
                (key.checked_sub(usize::from(back)))
                    .and_then(|previous| track_of.get(previous).copied())
            };
            let (Some(track), Some(&time)) = (track, self.times.get(usize::from(time))) else {
                let what = format!("key {key} refers to a time or key that does not exist");
                return Err(archive.cursor.malformed("keys", what));
            };
            track_of.push(track);
            // Tracks past the last joint are padding.
            if let Some((times, values)) = keys.get_mut(track as usize) {
                times.push(time);
                values.push(value(bits));
            }
        }
        Ok(keys)
    }
}

/// Reads versions 4 to 6.
fn timed_keys(
    archive: &mut Archive<'_>,
    version: u32,
    clip: u32,
    limits: &Limits,
) -> Result<Animation, ReadError> {
    const VECTOR_BYTES: usize = 12;
    const ROTATION_BYTES: usize = 14;
    let duration_secs = f64::from(archive.f32("duration")?);
    let num = archive.count("number of tracks")?;
    let name_len = archive.count("name")?;
    let mut num_keys = [0; 3];
    for keys in &mut num_keys {
        *keys = archive.count("number of keys")?;
    }
    const HEAD: [(&str, Scalar, usize); 4] = [
        ("duration", Scalar::F32, 1),
        ("number of tracks", Scalar::I32, 1),
        ("name length", Scalar::I32, 1),
        ("number of keys", Scalar::I32, 3),
    ];
    archive.report_records(Element::ClipHeader { clip }, 0, 1, &HEAD);
    let num = num_tracks(archive, num, num_keys, limits)?;
    let name = archive.text(name_len, Element::ClipName { clip }, "name")?;
    let element = Element::Key { clip };
    let (time, track) = (("time", Scalar::F32, 1), ("track", Scalar::U16, 1));
    let vector_fields = [time, track, ("value", Scalar::F16, 3)];
    let unit_secs = if version <= LAST_IN_SECONDS { 1.0 } else { duration_secs };
    let head = |archive: &mut Archive<'_>| -> Result<(f64, u16), ReadError> {
        let time_secs = f64::from(archive.f32("key time")?) * unit_secs;
        Ok((time_secs, archive.u16("key track")?))
    };
    let vector = |archive: &mut Archive<'_>| -> Result<_, ReadError> {
        let head = head(archive)?;
        Ok((head, half3(archive.u16s("key value")?)))
    };
    let [t, r, s] = num_keys;
    let translations = archive.list(t, VECTOR_BYTES, "translation keys", vector)?;
    archive.report_records(element, 0, translations.len(), &vector_fields);
    let rotations = archive.list(r, ROTATION_BYTES, "rotation keys", |archive| {
        let head = head(archive)?;
        let largest = archive.cursor.u8_le("key value")?;
        let sign = archive.cursor.u8_le("key value")?;
        let mut components = [0; 3];
        for component in &mut components {
            *component = archive.i16("key value")?;
        }
        Ok((head, quat_of_bytes(largest, sign, components)))
    })?;
    let rotation_fields = [
        time,
        track,
        ("largest component", Scalar::U8, 1),
        ("sign", Scalar::U8, 1),
        ("value", Scalar::I16, 3),
    ];
    let num_before = translations.len();
    archive.report_records(element, num_before, rotations.len(), &rotation_fields);
    let scales = archive.list(s, VECTOR_BYTES, "scale keys", vector)?;
    let num_before = num_before + rotations.len();
    archive.report_records(element, num_before, scales.len(), &vector_fields);
    Ok(Animation {
        name,
        duration_secs,
        tracks: tracks(
            by_joint(archive, translations, num)?,
            by_joint(archive, rotations, num)?,
            by_joint(archive, scales, num)?,
        ),
        version,
        is_raw: false,
    })
}

fn by_joint<T>(
    archive: &Archive<'_>,
    stored: Vec<((f64, u16), T)>,
    num_tracks: usize,
) -> Result<Keys<T>, ReadError> {
    let mut keys: Keys<T> = Vec::new();
    keys.resize_with(num_tracks, Default::default);
    for (number, ((time, track), value)) in stored.into_iter().enumerate() {
        let track = usize::from(track);
        if let Some((times, values)) = keys.get_mut(track) {
            times.push(time);
            values.push(value);
        } else if track >= num_tracks.next_multiple_of(LANES) {
            let what = format!("key {number} is of track {track} of {num_tracks}");
            return Err(archive.cursor.malformed("key track", what));
        }
    }
    Ok(keys)
}

fn tracks(translations: Keys<Vec3>, rotations: Keys<Quat>, scales: Keys<Vec3>) -> Vec<BoneTrack> {
    let all = translations.into_iter().zip(rotations).zip(scales);
    all.enumerate()
        .map(|(joint, ((translation, rotation), scale))| {
            bone_track(joint, translation, rotation, scale)
        })
        .collect()
}

/// The curves of one joint. As in ozz, a kind without keys has no curve, instead of using the rest pose.
pub(super) fn bone_track(
    joint: usize,
    translation: (Vec<f64>, Vec<Vec3>),
    rotation: (Vec<f64>, Vec<Quat>),
    scale: (Vec<f64>, Vec<Vec3>),
) -> BoneTrack {
    BoneTrack {
        bone: BoneId::from_index(joint),
        translation: track(translation, Vec3::ZERO, Interpolation::Linear),
        rotation: track(rotation, Quat::IDENTITY, Interpolation::Nlerp),
        scale: track(scale, Vec3::ONE, Interpolation::Linear),
    }
}

fn track<T>(
    (mut times_secs, mut values): (Vec<f64>, Vec<T>),
    none: T,
    interpolation: Interpolation,
) -> Option<Track<T>> {
    if values.is_empty() {
        (times_secs, values) = (vec![0.0], vec![none]);
    }
    times_secs.shrink_to_fit();
    values.shrink_to_fit();
    Some(Track { times_secs, values, interpolation })
}
