//! Sizes and places of the parts on disk.

use crate::formats::{Confidence, ProbeInput};
use crate::model::{Element, Field, Layout, Scalar};

/// What a file begins with.
pub(super) const MAGIC: &[u8; 16] = b"BINARYSTATICMESH";
/// Bytes of the header of version 1.
pub(super) const HEADER_BYTES: usize = 132;
/// Bytes of an index.
pub(super) const INDEX_BYTES: usize = 4;
/// Where in a mesh its material's name begins.
pub(super) const MATERIAL_AT: usize = 8;
/// Bytes of a material's name, with or without a NUL.
pub(super) const MATERIAL_BYTES: usize = 256;

/// The whole header, kept for a rewrite; that it is there says that the model is as it was read.
pub(super) const KEPT_HEADER: &str = "header";
/// From the first array to the last one: what lies between arrays means nothing to the model.
pub(super) const KEPT_ARRAYS: &str = "arrays";

/// Where the header describes an array, and what its records are.
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
    /// What the records are to the model.
    pub(super) element: Element,
    /// What a record consists of.
    pub(super) fields: &'static [Field],
}

const VERTEX: Element = Element::Vertex { mesh: 0 };
const INDEX: &[Field] = &[Field::new("vertex", 0, Scalar::I32.one())];
const POINT: &[Field] = &[Field::new("position", 0, Scalar::F32.times(3))];

/// All arrays in the order of the header.
#[rustfmt::skip]
pub(super) mod array {
    use super::*;

    pub(in super::super) const POSITIONS: ArrayInfo = info("number of vertices", "world coordinate array", 0x40, 0x44, 12, VERTEX, &[field("position", Scalar::F32.times(3))]);
    pub(in super::super) const UVS: ArrayInfo = info("number of vertices", "texture coordinate array", 0x40, 0x48, 8, VERTEX, &[field("uv, v up", Scalar::F32.times(2))]);
    pub(in super::super) const NORMALS: ArrayInfo = info("number of vertices", "normal vector array", 0x40, 0x4c, 12, VERTEX, &[field("normal", Scalar::F32.times(3))]);
    pub(in super::super) const TANGENTS: ArrayInfo = info("number of vertices", "tangent vector array", 0x40, 0x50, 16, VERTEX, &[field("tangent and handedness", Scalar::F32.times(4))]);
    pub(in super::super) const TRIANGLES: ArrayInfo = info("number of triangles", "triangle array", 0x54, 0x58, 12, Element::Index { mesh: 0 }, INDEX);
    pub(in super::super) const MESHES: ArrayInfo = info("number of meshes", "mesh array", 0x5c, 0x60, MATERIAL_AT + MATERIAL_BYTES, Element::Subset { mesh: 0 }, MESH_FIELDS);
    pub(in super::super) const POINTS: ArrayInfo = info("number of collision vertices", "collision vertex array", 0x64, 0x68, 12, Element::HullPoint, POINT);
    pub(in super::super) const HULLS: ArrayInfo = info("number of convex hulls", "convex hull array", 0x6c, 0x70, 8, Element::Hull, HULL);
    pub(in super::super) const OCCLUDER_VERTICES: ArrayInfo = info("number of occlusion mesh vertices", "occlusion mesh vertex array", 0x74, 0x78, 12, Element::OccluderVertex, POINT);
    pub(in super::super) const OCCLUDER_TRIANGLES: ArrayInfo = info("number of occlusion mesh triangles", "occlusion mesh triangle array", 0x7c, 0x80, 12, Element::OccluderIndex, INDEX);
}

/// A mesh's fields before its material's name.
const MESH_FIELDS: &[Field] = &[
    Field::new("first triangle", 0, Scalar::I32.one()),
    Field::new("number of triangles", 4, Scalar::I32.one()),
];

const HULL: &[Field] = &[
    Field::new("first vertex", 0, Scalar::I32.one()),
    Field::new("number of vertices", 4, Scalar::I32.one()),
];

/// A material's name.
pub(super) const MATERIAL_FIELDS: &[Field] = &[Field::new("material", 0, Layout::chars(256))];

/// The header's fields.
pub(super) const HEADER_FIELDS: &[Field] = &[
    Field::new("magic number", 0, Layout::chars(16)),
    Field::new("version", 0x10, Scalar::I32.one()),
    Field::new("extension ID", 0x14, Scalar::I32.one()),
    Field::new("bounding sphere", 0x18, Scalar::F32.times(4)),
    Field::new("bounding box", 0x28, Scalar::F32.times(6)),
    Field::new("number of vertices", 0x40, Scalar::I32.one()),
    Field::new("world coordinate array", 0x44, Scalar::I32.one()),
    Field::new("texture coordinate array", 0x48, Scalar::I32.one()),
    Field::new("normal vector array", 0x4c, Scalar::I32.one()),
    Field::new("tangent vector array", 0x50, Scalar::I32.one()),
    Field::new("number of triangles", 0x54, Scalar::I32.one()),
    Field::new("triangle array", 0x58, Scalar::I32.one()),
    Field::new("number of meshes", 0x5c, Scalar::I32.one()),
    Field::new("mesh array", 0x60, Scalar::I32.one()),
    Field::new("number of collision vertices", 0x64, Scalar::I32.one()),
    Field::new("collision vertex array", 0x68, Scalar::I32.one()),
    Field::new("number of convex hulls", 0x6c, Scalar::I32.one()),
    Field::new("convex hull array", 0x70, Scalar::I32.one()),
    Field::new("number of occlusion mesh vertices", 0x74, Scalar::I32.one()),
    Field::new("occlusion mesh vertex array", 0x78, Scalar::I32.one()),
    Field::new("number of occlusion mesh triangles", 0x7c, Scalar::I32.one()),
    Field::new("occlusion mesh triangle array", 0x80, Scalar::I32.one()),
];

/// The only field of a record.
const fn field(name: &'static str, layout: Layout) -> Field {
    Field::new(name, 0, layout)
}

const fn info(
    count: &'static str,
    name: &'static str,
    count_at: u64,
    offset_at: u64,
    record_bytes: usize,
    element: Element,
    fields: &'static [Field],
) -> ArrayInfo {
    ArrayInfo { count, name, count_at, offset_at, record_bytes, element, fields }
}

/// The magic number decides.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    match input.head.starts_with(MAGIC) {
        true => Confidence::Strong,
        false => Confidence::No,
    }
}
