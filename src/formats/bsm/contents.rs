//! What a file holds, in the file's own terms, and its bytes.

use glam::{Vec2, Vec3, Vec4};

use super::ID;
use super::layout::{
    ArrayInfo, HEADER_BYTES, HEADER_FIELDS, HullRecord, MAGIC, MeshRecord, array, at,
};
use crate::formats::WriteError;
use crate::formats::record::{Record, bytes_of, offset_of};
use crate::model::{Hull, Occluder, StoredBounds};

/// Largest count and offset: they are i32.
const MAX: u64 = i32::MAX as u64;
/// The version that is written where the model is not of a file with another.
const VERSION: i32 = 1;

const VERSION_AT: usize = offset_of(HEADER_FIELDS, "version") as usize;
const SPHERE_AT: usize = offset_of(HEADER_FIELDS, "bounding sphere") as usize;

/// All arrays of a file. Vertex arrays are equally long.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) positions: Vec<Vec3>,
    /// V up, as stored.
    pub(super) uvs: Vec<Vec2>,
    pub(super) normals: Vec<Vec3>,
    pub(super) tangents: Vec<Vec4>,
    /// Vertex numbers, three a triangle.
    pub(super) triangles: Vec<u32>,
    pub(super) meshes: Vec<MeshRecord>,
    pub(super) hulls: Hulls,
    pub(super) occluder: Occluder,
}

/// Collision vertices and the ranges of them that are hulls.
#[derive(Default)]
pub(super) struct Hulls {
    pub(super) points: Vec<Vec3>,
    pub(super) ranges: Vec<HullRecord>,
}

impl Hulls {
    /// Adds a hull behind the others.
    pub(super) fn push(&mut self, hull: &Hull) {
        // Points that cannot be counted are not written.
        let int = |num| i32::try_from(num).unwrap_or(i32::MAX);
        self.ranges.push(HullRecord { first: int(self.points.len()), num: int(hull.points.len()) });
        self.points.extend_from_slice(&hull.points);
    }
}

/// Bytes of the file that the model was read from, which mean nothing to the model.
#[derive(Default)]
pub(super) struct Originals<'a> {
    /// The whole header of version 1, or nothing.
    pub(super) header: &'a [u8],
    /// What follows it.
    pub(super) extension: &'a [u8],
    /// From the first array to the last one, with what lies between them.
    pub(super) arrays: &'a [u8],
    /// What follows the last array.
    pub(super) trailing: &'a [u8],
}

/// The file of `contents`, which lie inside `bounds`. Arrays go where the kept header says if that
/// is still possible, else behind one another in the order of the header.
pub(super) fn encode(
    contents: &Contents,
    bounds: &StoredBounds,
    kept: &Originals<'_>,
) -> Result<Vec<u8>, WriteError> {
    let arrays = arrays(contents);
    let mut header = vec![0u8; HEADER_BYTES];
    put(&mut header, at("magic number"), MAGIC);
    // Version and extension.
    match kept.header.get(VERSION_AT..SPHERE_AT) {
        Some(kept) => put(&mut header, VERSION_AT as u64, kept),
        None => put(&mut header, VERSION_AT as u64, &VERSION.to_le_bytes()),
    }
    let sphere = bounds.sphere_center.extend(bounds.sphere_radius);
    put(&mut header, at("bounding sphere"), &bytes_of(&[sphere]));
    put(&mut header, at("bounding box"), &bytes_of(&[bounds.aabb.min, bounds.aabb.max]));
    for (info, bytes) in &arrays {
        let count = int(info.count, (bytes.len() / info.record_bytes) as u64)?;
        put(&mut header, info.count_at, &count.to_le_bytes());
    }
    if let Some(out) = as_before(&header, &arrays, kept) {
        return Ok(out);
    }
    let mut out = header;
    out.extend_from_slice(kept.extension);
    for (info, bytes) in &arrays {
        if bytes.is_empty() {
            continue;
        }
        let offset = int("bytes", out.len() as u64)?;
        put(&mut out, info.offset_at, &offset.to_le_bytes());
        out.extend_from_slice(bytes);
    }
    out.extend_from_slice(kept.trailing);
    Ok(out)
}

/// The file with every array where it was, or nothing where counts are others now, or where arrays
/// that shared bytes no longer can.
fn as_before(
    header: &[u8],
    arrays: &[(&ArrayInfo, Vec<u8>)],
    kept: &Originals<'_>,
) -> Option<Vec<u8>> {
    let word = |bytes: &[u8], at: u64| -> Option<i32> {
        Some(i32::from_bytes(bytes.get(usize::try_from(at).ok()?..)?))
    };
    let mut out = header.to_vec();
    out.extend_from_slice(kept.extension);
    let mut places = Vec::new();
    for (info, bytes) in arrays {
        if word(header, info.count_at)? != word(kept.header, info.count_at)? {
            return None;
        }
        let offset = word(kept.header, info.offset_at)?;
        // An array without records may have any offset.
        put(&mut out, info.offset_at, &offset.to_le_bytes());
        if bytes.is_empty() {
            continue;
        }
        let start = usize::try_from(offset).ok()?;
        places.push((start..start.checked_add(bytes.len())?, bytes));
    }
    out.extend_from_slice(kept.arrays);
    for (range, bytes) in &places {
        out.get_mut(range.clone())?.copy_from_slice(bytes);
    }
    let is_whole = |(range, bytes): &(std::ops::Range<usize>, &Vec<u8>)| {
        out.get(range.clone()) == Some(bytes.as_slice())
    };
    if !places.iter().all(is_whole) {
        return None;
    }
    out.extend_from_slice(kept.trailing);
    Some(out)
}

/// All arrays with their bytes, in the order of the header.
fn arrays(contents: &Contents) -> Vec<(&'static ArrayInfo, Vec<u8>)> {
    vec![
        (&array::POSITIONS, bytes_of(&contents.positions)),
        (&array::UVS, bytes_of(&contents.uvs)),
        (&array::NORMALS, bytes_of(&contents.normals)),
        (&array::TANGENTS, bytes_of(&contents.tangents)),
        (&array::TRIANGLES, bytes_of(&contents.triangles)),
        (&array::MESHES, bytes_of(&contents.meshes)),
        (&array::POINTS, bytes_of(&contents.hulls.points)),
        (&array::HULLS, bytes_of(&contents.hulls.ranges)),
        (&array::OCCLUDER_VERTICES, bytes_of(&contents.occluder.positions)),
        (&array::OCCLUDER_TRIANGLES, bytes_of(&contents.occluder.indices)),
    ]
}

/// Overwrites bytes of a header, which is long enough for all its fields.
fn put(bytes: &mut [u8], at: u64, value: &[u8]) {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    let place = bytes.get_mut(at..at.saturating_add(value.len()));
    if let Some(place) = place {
        place.copy_from_slice(value);
    }
}

/// A count or offset as the format stores it.
pub(super) fn int(what: &'static str, count: u64) -> Result<i32, WriteError> {
    i32::try_from(count).map_err(|_| WriteError::TooMany { format: ID, what, count, limit: MAX })
}
