//! The contents of a file in the format's own terms, and their encoding.

use glam::{Vec2, Vec3, Vec4};

use super::ID;
use super::layout::{ArrayInfo, Header, HullRecord, MAGIC, MeshRecord, array};
use crate::formats::WriteError;
use crate::formats::record::{Record, bytes_of};
use rigscope_core::model::{Hull, OcclusionMesh, StoredBounds};

/// Maximum of counts and offsets, which are i32.
const MAX: u64 = i32::MAX as u64;
/// The version written for a model that wasn't read from a file with another version.
const VERSION: i32 = 1;

/// All arrays of a file. Vertex arrays have equal lengths.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) positions: Vec<Vec3>,
    /// V up, as stored.
    pub(super) uvs: Vec<Vec2>,
    pub(super) normals: Vec<Vec3>,
    pub(super) tangents: Vec<Vec4>,
    /// Vertex numbers, three per triangle.
    pub(super) triangles: Vec<u32>,
    pub(super) meshes: Vec<MeshRecord>,
    pub(super) hulls: Hulls,
    pub(super) occluder: OcclusionMesh,
}

/// Collision vertices, and the ranges of them that form hulls.
#[derive(Default)]
pub(super) struct Hulls {
    pub(super) points: Vec<Vec3>,
    pub(super) ranges: Vec<HullRecord>,
}

impl Hulls {
    /// Appends a hull.
    pub(super) fn push(&mut self, hull: &Hull) {
        // Overflow is reported when the points are written.
        let int = |num| i32::try_from(num).unwrap_or(i32::MAX);
        self.ranges.push(HullRecord { first: int(self.points.len()), num: int(hull.points.len()) });
        self.points.extend_from_slice(&hull.points);
    }
}

/// Bytes without meaning for the model, from the file that it was read from.
#[derive(Default)]
pub(super) struct Originals<'a> {
    pub(super) header: Option<Header>,
    /// Bytes between the header and the first array.
    pub(super) extension: &'a [u8],
    /// From the first array to the last one, including gaps.
    pub(super) arrays: &'a [u8],
    /// Bytes after the last array.
    pub(super) trailing: &'a [u8],
}

/// Encodes `contents` with the given bounds. Arrays are written at the offsets of the kept header if
/// possible, else consecutively in header order.
pub(super) fn encode(
    contents: &Contents,
    bounds: &StoredBounds,
    kept: &Originals<'_>,
) -> Result<Vec<u8>, WriteError> {
    let arrays = arrays(contents);
    let StoredBounds { aabb, sphere_center, sphere_radius } = *bounds;
    let (min, max) = (aabb.min, aabb.max);
    let mut header = Header {
        magic: *MAGIC,
        version: kept.header.map_or(VERSION, |header| header.version),
        extension: kept.header.map_or(0, |header| header.extension),
        sphere: sphere_center.extend(sphere_radius),
        bounds: [min.x, min.y, min.z, max.x, max.y, max.z],
        ..Header::from_bytes(&[])
    };
    for (info, bytes) in &arrays {
        *(info.place)(&mut header).0 = int(info.count, (bytes.len() / info.record_bytes) as u64)?;
    }
    if let Some(out) = as_before(header, &arrays, kept) {
        return Ok(out);
    }
    let mut end = Header::BYTES + kept.extension.len();
    for (info, bytes) in arrays.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        *(info.place)(&mut header).1 = int("bytes", end as u64)?;
        end += bytes.len();
    }
    let mut out = bytes_of(&[header]);
    out.extend_from_slice(kept.extension);
    arrays.iter().for_each(|(_, bytes)| out.extend_from_slice(bytes));
    out.extend_from_slice(kept.trailing);
    Ok(out)
}

/// The file with every array at its previous offset, or `None` if counts have changed or if arrays that
/// shared bytes now differ.
fn as_before(
    mut header: Header,
    arrays: &[(&ArrayInfo, Vec<u8>)],
    kept: &Originals<'_>,
) -> Option<Vec<u8>> {
    let mut before = kept.header?;
    let mut places = Vec::new();
    for (info, bytes) in arrays {
        let (num, offset) = (info.place)(&mut header);
        let (num_before, offset_before) = (info.place)(&mut before);
        if num != num_before {
            return None;
        }
        // An array without records may have any offset.
        *offset = *offset_before;
        if bytes.is_empty() {
            continue;
        }
        let start = usize::try_from(*offset).ok()?;
        places.push((start..start.checked_add(bytes.len())?, bytes));
    }
    let mut out = bytes_of(&[header]);
    out.extend_from_slice(kept.extension);
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

/// All arrays with their bytes, in header order.
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

/// A count or offset as stored.
pub(super) fn int(what: &'static str, count: u64) -> Result<i32, WriteError> {
    i32::try_from(count).map_err(|_| WriteError::TooMany { format: ID, what, count, limit: MAX })
}
