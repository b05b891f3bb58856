//! Sizes of the parts on disk, and telling the format from its header alone.

use crate::formats::{Confidence, ProbeInput};
use crate::model::{Field, Layout, PackedVertex, Scalar, VERTEX_STRIDE_BYTES};

/// Bytes of the header: six counts.
pub(super) const HEADER_BYTES: usize = 24;
/// Bytes of an index.
pub(super) const INDEX_BYTES: usize = 2;
/// Bytes of a subset.
pub(super) const SUBSET_BYTES: usize = 12;
/// Bytes of a string's length, the least a string takes.
pub(super) const STRING_MIN_BYTES: usize = 4;
/// Bytes of an animation without name and keys.
pub(super) const CLIP_MIN_BYTES: usize = 4 + 8 + 8 + 4;
/// Bytes of an inverse base pose matrix.
pub(super) const INVERSE_BIND_BYTES: usize = 64;
/// Bones that a vertex's u8 can name.
pub(super) const MAX_NAMED_BONES: u32 = 256;
/// Vertices that a u16 index can name.
pub(super) const MAX_VERTICES: usize = 1 << 16;
/// Vertices that the probe looks at.
const PROBED_VERTICES: usize = 64;

/// The header's fields.
pub(super) const HEADER_FIELDS: &[Field] = &[
    Field::new("number of vertices", 0, Scalar::U32.one()),
    Field::new("number of indices", 4, Scalar::U32.one()),
    Field::new("number of geometry subsets", 8, Scalar::U32.one()),
    Field::new("number of bones", 12, Scalar::U32.one()),
    Field::new("number of material names", 16, Scalar::U32.one()),
    Field::new("number of animations", 20, Scalar::U32.one()),
];

/// A vertex's fields.
pub(super) const VERTEX_FIELDS: &[Field] = &[
    Field::new("position", 0, Scalar::F32.times(3)),
    Field::new("normal", 12, Layout::Snorm10 { has_sign: false }),
    Field::new("tangent", 16, Layout::Snorm10 { has_sign: true }),
    Field::new("uv", 20, Scalar::Unorm16.times(2)),
    Field::new("bones", 24, Scalar::U8.times(4)),
    Field::new("weights", 28, Scalar::Unorm8.times(4)),
];

/// A subset's fields.
pub(super) const SUBSET_FIELDS: &[Field] = &[
    Field::new("first index", 0, Scalar::U32.one()),
    Field::new("number of indices", 4, Scalar::U32.one()),
    Field::new("material index", 8, Scalar::U32.one()),
];

/// A key matrix's fields.
pub(super) const KEY_FIELDS: &[Field] = &[
    Field::new("row 0", 0, Scalar::F32.times(4)),
    Field::new("row 1", 16, Scalar::F32.times(4)),
    Field::new("row 2", 32, Scalar::F32.times(4)),
];

/// An inverse base pose matrix's fields.
pub(super) const INVERSE_BIND_FIELDS: &[Field] = &[
    Field::new("column 0", 0, Scalar::F32.times(4)),
    Field::new("column 1", 16, Scalar::F32.times(4)),
    Field::new("column 2", 32, Scalar::F32.times(4)),
    Field::new("column 3", 48, Scalar::F32.times(4)),
];

/// An index.
pub(super) const INDEX_FIELDS: &[Field] = &[Field::new("vertex", 0, Scalar::U16.one())];

/// A string's fields.
pub(super) const STRING_FIELDS: &[Field] =
    &[Field::new("length", 0, Scalar::U32.one()), Field::new("text", 4, Layout::TEXT)];

/// An animation's fields between name and keys.
pub(super) const CLIP_FIELDS: &[Field] = &[
    Field::new("duration in ns", 0, Scalar::U64.one()),
    Field::new("keys interval in ns", 8, Scalar::U64.one()),
    Field::new("number of keys", 16, Scalar::U32.one()),
];

/// A parent's only field.
pub(super) const PARENT_FIELDS: &[Field] = &[Field::new("parent bone index", 0, Scalar::U8.one())];

/// The six counts at the front of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) num_vertices: u32,
    pub(super) num_indices: u32,
    pub(super) num_subsets: u32,
    pub(super) num_bones: u32,
    pub(super) num_materials: u32,
    pub(super) num_clips: u32,
}

impl Header {
    fn from_bytes(head: &[u8]) -> Option<Self> {
        let (words, _) = head.get(..HEADER_BYTES)?.as_chunks::<4>();
        let [v, i, s, b, m, c] = *words else {
            return None;
        };
        Some(Self {
            num_vertices: u32::from_le_bytes(v),
            num_indices: u32::from_le_bytes(i),
            num_subsets: u32::from_le_bytes(s),
            num_bones: u32::from_le_bytes(b),
            num_materials: u32::from_le_bytes(m),
            num_clips: u32::from_le_bytes(c),
        })
    }

    /// The fewest bytes a file with these counts can have.
    fn min_bytes(&self) -> u64 {
        let part = |num: u32, bytes: usize| u64::from(num) * bytes as u64;
        HEADER_BYTES as u64
            + part(self.num_vertices, VERTEX_STRIDE_BYTES)
            + part(self.num_indices, INDEX_BYTES)
            + part(self.num_subsets, SUBSET_BYTES)
            + part(self.num_materials, STRING_MIN_BYTES)
            + part(self.num_clips, CLIP_MIN_BYTES)
    }
}

/// There is no magic: counts must fit the length, and vertices must look like vertices.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    let Some(header) = Header::from_bytes(input.head) else {
        return Confidence::No;
    };
    let is_plausible = header.min_bytes() <= input.len
        && header.num_vertices > 0
        && header.num_indices.is_multiple_of(3)
        && (1..=MAX_NAMED_BONES).contains(&header.num_bones);
    if !is_plausible {
        return Confidence::No;
    }
    let body = input.head.get(HEADER_BYTES..).unwrap_or_default();
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
