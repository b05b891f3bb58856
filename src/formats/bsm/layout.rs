//! Sizes and places of the parts on disk.

use crate::formats::{Confidence, ProbeInput};
use crate::model::{Element, Field};

/// What a file begins with.
pub(super) const MAGIC: &[u8; 16] = b"BINARYSTATICMESH";
/// Bytes of the header of version 1.
pub(super) const HEADER_BYTES: usize = 132;
/// Bytes of a material's name, with or without a NUL.
pub(super) const MATERIAL_BYTES: usize = 256;

/// Where the header tells of an array, and what its records are.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayInfo {
    /// Name of the count, in the specification's words.
    pub(super) count: &'static str,
    /// Name of the offset, in the specification's words.
    pub(super) name: &'static str,
    /// Offset of the count in the header.
    pub(super) count_at: u64,
    /// Offset of the offset in the header.
    pub(super) offset_at: u64,
    /// Bytes of a record.
    pub(super) record_bytes: usize,
    /// What the records are to the model; `None` where it has no name for them.
    pub(super) element: Option<Element>,
    /// What a record consists of.
    pub(super) fields: &'static [Field],
}

const VERTEX: Option<Element> = Some(Element::Vertex { mesh: 0 });

/// All arrays in the order of the header.
#[rustfmt::skip]
pub(super) mod array {
    use super::*;

    pub(in super::super) const POSITIONS: ArrayInfo = info("number of vertices", "world coordinate array", 0x40, 0x44, 12, VERTEX, &[field("position", 12, "f32x3")]);
    pub(in super::super) const UVS: ArrayInfo = info("number of vertices", "texture coordinate array", 0x40, 0x48, 8, VERTEX, &[field("uv, v up", 8, "f32x2")]);
    pub(in super::super) const NORMALS: ArrayInfo = info("number of vertices", "normal vector array", 0x40, 0x4c, 12, VERTEX, &[field("normal", 12, "f32x3")]);
    pub(in super::super) const TANGENTS: ArrayInfo = info("number of vertices", "tangent vector array", 0x40, 0x50, 16, VERTEX, &[field("tangent and handedness", 16, "f32x4")]);
    pub(in super::super) const TRIANGLES: ArrayInfo = info("number of triangles", "triangle array", 0x54, 0x58, 12, None, &[]);
    pub(in super::super) const MESHES: ArrayInfo = info("number of meshes", "mesh array", 0x5c, 0x60, 8 + MATERIAL_BYTES, Some(Element::Subset { mesh: 0 }), MESH_FIELDS);
    pub(in super::super) const POINTS: ArrayInfo = info("number of collision vertices", "collision vertex array", 0x64, 0x68, 12, None, &[]);
    pub(in super::super) const HULLS: ArrayInfo = info("number of convex hulls", "convex hull array", 0x6c, 0x70, 8, None, &[]);
    pub(in super::super) const OCCLUDER_VERTICES: ArrayInfo = info("number of occlusion mesh vertices", "occlusion mesh vertex array", 0x74, 0x78, 12, None, &[]);
    pub(in super::super) const OCCLUDER_TRIANGLES: ArrayInfo = info("number of occlusion mesh triangles", "occlusion mesh triangle array", 0x7c, 0x80, 12, None, &[]);
}

/// A mesh's fields; the material's name is longer than what a [`Field`] can tell.
const MESH_FIELDS: &[Field] = &[
    Field {
        name: "first triangle",
        offset: 0,
        len: 4,
        layout: "i32",
    },
    Field {
        name: "number of triangles",
        offset: 4,
        len: 4,
        layout: "i32",
    },
];

/// The header's fields before the arrays.
pub(super) const HEADER_FIELDS: &[Field] = &[
    Field {
        name: "magic number",
        offset: 0,
        len: 16,
        layout: "char[16]",
    },
    Field {
        name: "version",
        offset: 0x10,
        len: 4,
        layout: "i32",
    },
    Field {
        name: "extension ID",
        offset: 0x14,
        len: 4,
        layout: "i32",
    },
    Field {
        name: "bounding sphere",
        offset: 0x18,
        len: 16,
        layout: "f32x4",
    },
    Field {
        name: "bounding box",
        offset: 0x28,
        len: 24,
        layout: "f32x6",
    },
    Field {
        name: "counts and offsets",
        offset: 0x40,
        len: 68,
        layout: "i32x17",
    },
];

/// The only field of a record.
const fn field(name: &'static str, len: u8, layout: &'static str) -> Field {
    Field {
        name,
        offset: 0,
        len,
        layout,
    }
}

const fn info(
    count: &'static str,
    name: &'static str,
    count_at: u64,
    offset_at: u64,
    record_bytes: usize,
    element: Option<Element>,
    fields: &'static [Field],
) -> ArrayInfo {
    ArrayInfo {
        count,
        name,
        count_at,
        offset_at,
        record_bytes,
        element,
        fields,
    }
}

/// The magic number decides.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    match input.head.starts_with(MAGIC) {
        true => Confidence::Strong,
        false => Confidence::No,
    }
}
