//! Sizes of the parts on disk, and telling the format from its header alone.

use glam::Vec4;

use crate::formats::record::{Record, fields, record};
use crate::formats::{Confidence, ProbeInput};
use rigscope_core::model::{Field, Layout, PackedVertex, Scalar, VERTEX_STRIDE_BYTES};

/// Bytes of an index.
pub(super) const INDEX_BYTES: usize = 2;
/// Bytes of a string's length, the least a string takes.
pub(super) const STRING_MIN_BYTES: usize = 4;
/// Bytes of an animation without name and keys.
pub(super) const CLIP_MIN_BYTES: usize = STRING_MIN_BYTES + ClipHead::BYTES;
/// Bones that a vertex's u8 can name.
pub(super) const MAX_NAMED_BONES: u32 = 256;
/// Vertices that a u16 index can name.
pub(super) const MAX_VERTICES: usize = 1 << 16;
/// Vertices that the probe looks at.
const PROBED_VERTICES: usize = 64;

record! {
    /// The six counts at the front of a file.
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

    /// What stands between the name and the keys of an animation.
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

/// What errors call the fields of [`ClipHead`].
pub(super) const CLIP_FIELDS: &[&str] =
    &["animation duration", "animation keys interval", "animation number of keys"];

/// A vertex's fields.
pub(super) const VERTEX_FIELDS: &[Field] = &fields([
    ("position", Scalar::F32.times(3)),
    ("normal", Layout::Snorm10 { has_sign: false }),
    ("tangent", Layout::Snorm10 { has_sign: true }),
    ("uv", Scalar::Unorm16.times(2)),
    ("bones", Scalar::U8.times(4)),
    ("weights", Scalar::Unorm8.times(4)),
]);

/// A key matrix's fields.
pub(super) const KEY_FIELDS: &[Field] = &fields([
    ("row 0", Scalar::F32.times(4)),
    ("row 1", Scalar::F32.times(4)),
    ("row 2", Scalar::F32.times(4)),
]);

/// An index.
pub(super) const INDEX_FIELDS: &[Field] = &fields([("vertex", Scalar::U16.one())]);

/// A string's fields.
pub(super) const STRING_FIELDS: &[Field] =
    &fields([("length", Scalar::U32.one()), ("text", Layout::TEXT)]);

/// A parent's only field.
pub(super) const PARENT_FIELDS: &[Field] = &fields([("parent bone index", Scalar::U8.one())]);

impl Header {
    /// The fewest bytes a file with these counts can have.
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

/// There is no magic: counts must fit the length, and vertices must look like vertices.
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
