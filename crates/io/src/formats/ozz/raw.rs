//! Reads `ozz-raw_animation`: keys as authored, before compression.

use glam::{Quat, Vec3};

use super::animation::{Animation, bone_track};
use super::archive::Archive;
use crate::formats::{Limits, ReadError};
use rigscope_core::model::{BoneTrack, Element, Scalar, as_u32};

const VERSION: u32 = 3;
/// Version of tracks and of keys.
const PART_VERSION: u32 = 1;
/// Size of three empty lists.
const TRACK_MIN_BYTES: usize = 12;

/// Reads the data after the version of animation number `clip`.
pub(super) fn read(
    archive: &mut Archive<'_>,
    version: u32,
    clip: u32,
    limits: &Limits,
) -> Result<Animation, ReadError> {
    if version != VERSION {
        let what = format!("raw animation version {version}, only {VERSION} is read");
        return Err(archive.cursor.unsupported("raw animation version", what));
    }
    let duration_secs = f64::from(archive.f32("duration")?);
    let element = Element::ClipHeader { clip };
    archive.report_records(element, 0, 1, &[("duration", Scalar::F32, 1)]);
    let num = archive.versioned_count(PART_VERSION, "raw tracks")?;
    if num > limits.max_bones {
        let what = format!("number of tracks {num} exceeds the {} allowed", limits.max_bones);
        return Err(archive.cursor.over_limit("number of tracks", what));
    }
    let mut joint = 0;
    let tracks = archive.list(num, TRACK_MIN_BYTES, "raw tracks", |archive| {
        joint += 1;
        track(archive, clip, joint - 1)
    })?;
    let name_len = archive.u32("name")?;
    archive.report_records(Element::Count, 0, 1, &[("name length", Scalar::U32, 1)]);
    Ok(Animation {
        name: archive.text(name_len, Element::ClipName { clip }, "name")?,
        duration_secs,
        tracks,
        version,
        is_raw: true,
    })
}

fn track(archive: &mut Archive<'_>, clip: u32, joint: usize) -> Result<BoneTrack, ReadError> {
    let bone = as_u32(joint);
    let element = Element::BoneKey { clip, bone };
    let translation = keys(archive, element, "translation", Vec3::from_array)?;
    let rotation = keys(archive, element, "rotation", Quat::from_array)?;
    let scale = keys(archive, element, "scale", Vec3::from_array)?;
    Ok(bone_track(joint, translation, rotation, scale))
}

fn keys<T, const N: usize>(
    archive: &mut Archive<'_>,
    element: Element,
    name: &'static str,
    value: fn([f32; N]) -> T,
) -> Result<(Vec<f64>, Vec<T>), ReadError> {
    let field = "raw keys";
    let num = archive.versioned_count(PART_VERSION, field)?;
    let num = archive.cursor.fit(num, 4 + 4 * N, field)?;
    let mut times = archive.cursor.vec(num, field)?;
    let mut values = archive.cursor.vec(num, field)?;
    for _ in 0..num {
        times.push(f64::from(archive.f32(field)?));
        values.push(value(archive.floats(field)?));
    }
    let fields = [("time", Scalar::F32, 1), (name, Scalar::F32, N)];
    archive.report_records(element, 0, num, &fields);
    Ok((times, values))
}
