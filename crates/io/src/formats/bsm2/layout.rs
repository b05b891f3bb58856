//! Sizes of the parts of a file, and format detection from the header.

use glam::Vec4;

use crate::formats::record::{Record, fields, record};
use crate::formats::{Confidence, ProbeInput};
use rigscope_core::model::{Field, Layout, PackedVertex, Scalar, VERTEX_STRIDE_BYTES};

pub(super) const INDEX_BYTES: usize = 2;
/// Size of a string's length, which is the minimum size of a string.
pub(super) const STRING_MIN_BYTES: usize = 4;
/// Size of an animation with an empty name and no keys.
pub(super) const CLIP_MIN_BYTES: usize = STRING_MIN_BYTES + ClipHead::BYTES;
/// Number of bones that the u8 indices of vertices can address.
pub(super) const MAX_NAMED_BONES: u32 = 256;
/// Number of vertices that u16 indices can address.
pub(super) const MAX_VERTICES: usize = 1 << 16;
/// Number of vertices checked by the probe.
const PROBED_VERTICES: usize = 64;

record! {
    /// The six counts at the beginning of a file.
    #[derive(Clone, Copy)]
    pub(super) struct Header {
        num_vertices: u32 = "number of vertices";
        num_indices: u32 = "number of indices";
        num_subsets: u32 = "number of geometry subsets";
        num_bones: u32 = "number of bones";
        num_materials: u32 = "number of material names";
        num_clips: u32 = "number of animations";
    }

    /// A range of indices with a material.
    pub(super) struct SubsetRecord {
        first_index: u32 = "first index";
        index_count: u32 = "number of indices";
        material: u32 = "material index";
    }

    /// The fields between the name and the keys of an animation.
    pub(super) struct ClipHead {
        duration_ns: u64 = "duration in ns";
        interval_ns: u64 = "keys interval in ns";
        num_keys: u32 = "number of keys";
    }

    /// An inverse base pose matrix.
    pub(super) struct InverseBind {
        x: Vec4 = "column 0";
        y: Vec4 = "column 1";
        z: Vec4 = "column 2";
        w: Vec4 = "column 3";
    }
}

/// Names of the fields of [`ClipHead`] in errors.
pub(super) const CLIP_FIELDS: &[&str] =
    &["animation duration", "animation keys interval", "animation number of keys"];

pub(super) const VERTEX_FIELDS: &[Field] = &fields([
    ("position", Scalar::F32.times(3)),
    ("normal", Layout::Snorm10 { has_sign: false }),
    ("tangent", Layout::Snorm10 { has_sign: true }),
    ("uv", Scalar::Unorm16.times(2)),
    ("bones", Scalar::U8.times(4)),
    ("weights", Scalar::Unorm8.times(4)),
]);

pub(super) const KEY_FIELDS: &[Field] = &fields([
    ("row 0", Scalar::F32.times(4)),
    ("row 1", Scalar::F32.times(4)),
    ("row 2", Scalar::F32.times(4)),
]);

pub(super) const INDEX_FIELDS: &[Field] = &fields([("vertex", Scalar::U16.one())]);

pub(super) const STRING_FIELDS: &[Field] =
    &fields([("length", Scalar::U32.one()), ("text", Layout::TEXT)]);

pub(super) const PARENT_FIELDS: &[Field] = &fields([("parent bone index", Scalar::U8.one())]);

impl Header {
    /// Minimum size in bytes of a file with these counts.
    fn min_bytes(&self) -> u64 {
        let part = |num: u32, bytes: usize| u64::from(num) * bytes as u64;
        Self::BYTES as u64
            + part(self.num_vertices, VERTEX_STRIDE_BYTES)
            + part(self.num_indices, INDEX_BYTES)
            + part(self.num_subsets, SubsetRecord::BYTES)
            + part(self.num_materials, STRING_MIN_BYTES)
            + part(self.num_clips, CLIP_MIN_BYTES)
    }
}

/// Without a magic number, the counts must match the file size and the vertices must be plausible.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    let Some(body) = input.head.get(Header::BYTES..) else { return Confidence::No };
    let header = Header::from_bytes(input.head);
    let is_plausible = header.min_bytes() <= input.len
        && header.num_vertices > 0
        && header.num_indices.is_multiple_of(3)
        && (1..=MAX_NAMED_BONES).contains(&header.num_bones);
    if !is_plausible {
        return Confidence::No;
    }
    let (records, _) = body.as_chunks::<VERTEX_STRIDE_BYTES>();
    let num = records.len().min(header.num_vertices as usize).min(PROBED_VERTICES);
    let vertices = records.iter().take(num).map(PackedVertex::from_bytes);
    let num_good = vertices.filter(|v| v.weight_sum() == 255 && v.position.is_finite()).count();
    match (num_good == num, num_good * 2 >= num) {
        (true, _) => Confidence::Strong,
        (_, true) => Confidence::Weak(60),
        _ => Confidence::Weak(10),
    }
}
