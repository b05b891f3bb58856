//! Sizes and places of the parts on disk.

use glam::{Vec2, Vec3, Vec4};

use crate::formats::record::{Record, end, fields, offset_of, record};
use crate::formats::{Confidence, ProbeInput};
use crate::model::{Element, Field, Layout, Scalar};

/// What a file begins with.
pub(super) const MAGIC: &[u8; 16] = b"BINARYSTATICMESH";
/// Bytes of the header of version 1.
pub(super) const HEADER_BYTES: usize = end(HEADER_FIELDS);
/// Bytes of an index.
pub(super) const INDEX_BYTES: usize = 4;
/// Bytes of a material's name, with or without a NUL.
pub(super) const MATERIAL_BYTES: usize = 256;
/// Where in a mesh its material's name begins.
pub(super) const MATERIAL_AT: usize = end(MESH_FIELDS);

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

record! {
    /// A range of triangles with a material.
    pub(super) struct MeshRecord {
        first_triangle: i32 = "first triangle";
        num_triangles: i32 = "number of triangles";
        material: [u8; MATERIAL_BYTES] = "material";
    }

    /// A range of collision vertices.
    pub(super) struct HullRecord {
        first: i32 = "first vertex";
        num: i32 = "number of vertices";
    }
}

/// The header's fields.
pub(super) const HEADER_FIELDS: &[Field] = &fields([
    ("magic number", Layout::chars(16)),
    ("version", Scalar::I32.one()),
    ("extension ID", Scalar::I32.one()),
    ("bounding sphere", Scalar::F32.times(4)),
    ("bounding box", Scalar::F32.times(6)),
    ("number of vertices", Scalar::I32.one()),
    ("world coordinate array", Scalar::I32.one()),
    ("texture coordinate array", Scalar::I32.one()),
    ("normal vector array", Scalar::I32.one()),
    ("tangent vector array", Scalar::I32.one()),
    ("number of triangles", Scalar::I32.one()),
    ("triangle array", Scalar::I32.one()),
    ("number of meshes", Scalar::I32.one()),
    ("mesh array", Scalar::I32.one()),
    ("number of collision vertices", Scalar::I32.one()),
    ("collision vertex array", Scalar::I32.one()),
    ("number of convex hulls", Scalar::I32.one()),
    ("convex hull array", Scalar::I32.one()),
    ("number of occlusion mesh vertices", Scalar::I32.one()),
    ("occlusion mesh vertex array", Scalar::I32.one()),
    ("number of occlusion mesh triangles", Scalar::I32.one()),
    ("occlusion mesh triangle array", Scalar::I32.one()),
]);

/// Where a field of the header begins.
pub(super) const fn at(field: &str) -> u64 {
    offset_of(HEADER_FIELDS, field) as u64
}

const VERTEX: Element = Element::Vertex { mesh: 0 };
const INDEX: &[Field] = &fields([("vertex", Scalar::I32.one())]);
const POINT: &[Field] = &fields([("position", Scalar::F32.times(3))]);
/// Of a mesh before its material's name.
const MESH_FIELDS: &[Field] = MeshRecord::FIELDS.split_at(2).0;
/// A material's name.
pub(super) const MATERIAL_FIELDS: &[Field] = &fields([("material", Layout::chars(256))]);

/// All arrays in the order of the header.
#[rustfmt::skip]
pub(super) mod array {
    use super::*;

    pub(in super::super) const POSITIONS: ArrayInfo = info::<Vec3>("number of vertices", "world coordinate array", VERTEX, POINT);
    pub(in super::super) const UVS: ArrayInfo = info::<Vec2>("number of vertices", "texture coordinate array", VERTEX, &fields([("uv, v up", Scalar::F32.times(2))]));
    pub(in super::super) const NORMALS: ArrayInfo = info::<Vec3>("number of vertices", "normal vector array", VERTEX, &fields([("normal", Scalar::F32.times(3))]));
    pub(in super::super) const TANGENTS: ArrayInfo = info::<Vec4>("number of vertices", "tangent vector array", VERTEX, &fields([("tangent and handedness", Scalar::F32.times(4))]));
    pub(in super::super) const TRIANGLES: ArrayInfo = info::<[i32; 3]>("number of triangles", "triangle array", Element::Index { mesh: 0 }, INDEX);
    pub(in super::super) const MESHES: ArrayInfo = info::<MeshRecord>("number of meshes", "mesh array", Element::Subset { mesh: 0 }, MESH_FIELDS);
    pub(in super::super) const POINTS: ArrayInfo = info::<Vec3>("number of collision vertices", "collision vertex array", Element::HullPoint, POINT);
    pub(in super::super) const HULLS: ArrayInfo = info::<HullRecord>("number of convex hulls", "convex hull array", Element::Hull, HullRecord::FIELDS);
    pub(in super::super) const OCCLUDER_VERTICES: ArrayInfo = info::<Vec3>("number of occlusion mesh vertices", "occlusion mesh vertex array", Element::OccluderVertex, POINT);
    pub(in super::super) const OCCLUDER_TRIANGLES: ArrayInfo = info::<[i32; 3]>("number of occlusion mesh triangles", "occlusion mesh triangle array", Element::OccluderIndex, INDEX);
}

/// An array of `T`.
const fn info<T: Record>(
    count: &'static str,
    name: &'static str,
    element: Element,
    fields: &'static [Field],
) -> ArrayInfo {
    let (count_at, offset_at) = (at(count), at(name));
    ArrayInfo { count, name, count_at, offset_at, record_bytes: T::BYTES, element, fields }
}

/// The magic number decides.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    match input.head.starts_with(MAGIC) {
        true => Confidence::Strong,
        false => Confidence::No,
    }
}
