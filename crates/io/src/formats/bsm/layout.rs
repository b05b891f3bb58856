//! Sizes and offsets of the parts of a file.

use glam::{Vec2, Vec3, Vec4};

use crate::formats::record::{Record, end, fields, offset_of, record};
use crate::formats::{Confidence, ProbeInput};
use rigscope_core::model::{Element, Field, Layout, Scalar};

pub(super) const MAGIC: &[u8; 16] = b"BINARYSTATICMESH";
pub(super) const INDEX_BYTES: usize = 4;
/// Length of the material name field; a NUL isn't required.
pub(super) const MATERIAL_BYTES: usize = 256;
/// Offset of the material name in a mesh record.
pub(super) const MATERIAL_AT: usize = end(MESH_FIELDS);

/// The whole header, preserved for rewriting. Its presence means that the model is unchanged since it was
/// read.
pub(super) const KEPT_HEADER: &str = "header";
/// From the first array to the last one, including gaps, which mean nothing to the model.
pub(super) const KEPT_ARRAYS: &str = "arrays";

/// The location of an array in the header, and the type of its records.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayInfo {
    /// Name of the count in the specification.
    pub(super) count: &'static str,
    /// Name of the offset in the specification.
    pub(super) name: &'static str,
    /// Its count and offset in a header.
    pub(super) place: fn(&mut Header) -> (&mut i32, &mut i32),
    /// Size of a record in bytes.
    pub(super) record_bytes: usize,
    /// The element that a record represents.
    pub(super) element: Element,
    /// The fields of a record.
    pub(super) fields: &'static [Field],
}

record! {
    /// The header of version 1, with count and offset of each array.
    #[derive(Clone, Copy)]
    pub(super) struct Header {
        magic: [u8; 16] = "magic number";
        version: i32 = "version";
        extension: i32 = "extension ID";
        /// Centre and radius.
        sphere: Vec4 = "bounding sphere";
        /// Minimum, then maximum.
        bounds: [f32; 6] = "bounding box";
        num_vertices: i32 = "number of vertices";
        positions: i32 = "world coordinate array";
        uvs: i32 = "texture coordinate array";
        normals: i32 = "normal vector array";
        tangents: i32 = "tangent vector array";
        num_triangles: i32 = "number of triangles";
        triangles: i32 = "triangle array";
        num_meshes: i32 = "number of meshes";
        meshes: i32 = "mesh array";
        num_points: i32 = "number of collision vertices";
        points: i32 = "collision vertex array";
        num_hulls: i32 = "number of convex hulls";
        hulls: i32 = "convex hull array";
        num_occluder_vertices: i32 = "number of occlusion mesh vertices";
        occluder_vertices: i32 = "occlusion mesh vertex array";
        num_occluder_triangles: i32 = "number of occlusion mesh triangles";
        occluder_triangles: i32 = "occlusion mesh triangle array";
    }

    /// A range of triangles, with a material.
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

/// Offset of a header field.
pub(super) const fn at(field: &str) -> u64 {
    offset_of(Header::FIELDS, field) as u64
}

const VERTEX: Element = Element::Vertex { mesh: 0 };
const INDEX: &[Field] = &fields([("vertex", Scalar::I32.one())]);
const POINT: &[Field] = &fields([("position", Scalar::F32.times(3))]);
/// The fields of a mesh record before the material name.
const MESH_FIELDS: &[Field] = MeshRecord::FIELDS.split_at(2).0;
pub(super) const MATERIAL_FIELDS: &[Field] = &fields([("material", Layout::chars(256))]);

/// All arrays in header order.
#[rustfmt::skip]
pub(super) mod array {
    use super::*;

    pub(in super::super) const POSITIONS: ArrayInfo = info::<Vec3>(|h| (&mut h.num_vertices, &mut h.positions), "number of vertices", "world coordinate array", VERTEX, POINT);
    pub(in super::super) const UVS: ArrayInfo = info::<Vec2>(|h| (&mut h.num_vertices, &mut h.uvs), "number of vertices", "texture coordinate array", VERTEX, &fields([("uv, v up", Scalar::F32.times(2))]));
    pub(in super::super) const NORMALS: ArrayInfo = info::<Vec3>(|h| (&mut h.num_vertices, &mut h.normals), "number of vertices", "normal vector array", VERTEX, &fields([("normal", Scalar::F32.times(3))]));
    pub(in super::super) const TANGENTS: ArrayInfo = info::<Vec4>(|h| (&mut h.num_vertices, &mut h.tangents), "number of vertices", "tangent vector array", VERTEX, &fields([("tangent and handedness", Scalar::F32.times(4))]));
    pub(in super::super) const TRIANGLES: ArrayInfo = info::<[i32; 3]>(|h| (&mut h.num_triangles, &mut h.triangles), "number of triangles", "triangle array", Element::Index { mesh: 0 }, INDEX);
    pub(in super::super) const MESHES: ArrayInfo = info::<MeshRecord>(|h| (&mut h.num_meshes, &mut h.meshes), "number of meshes", "mesh array", Element::Subset { mesh: 0 }, MESH_FIELDS);
    pub(in super::super) const POINTS: ArrayInfo = info::<Vec3>(|h| (&mut h.num_points, &mut h.points), "number of collision vertices", "collision vertex array", Element::HullPoint, POINT);
    pub(in super::super) const HULLS: ArrayInfo = info::<HullRecord>(|h| (&mut h.num_hulls, &mut h.hulls), "number of convex hulls", "convex hull array", Element::Hull, HullRecord::FIELDS);
    pub(in super::super) const OCCLUDER_VERTICES: ArrayInfo = info::<Vec3>(|h| (&mut h.num_occluder_vertices, &mut h.occluder_vertices), "number of occlusion mesh vertices", "occlusion mesh vertex array", Element::OccluderVertex, POINT);
    pub(in super::super) const OCCLUDER_TRIANGLES: ArrayInfo = info::<[i32; 3]>(|h| (&mut h.num_occluder_triangles, &mut h.occluder_triangles), "number of occlusion mesh triangles", "occlusion mesh triangle array", Element::OccluderIndex, INDEX);
}

/// An array of `T`.
const fn info<T: Record>(
    place: fn(&mut Header) -> (&mut i32, &mut i32),
    count: &'static str,
    name: &'static str,
    element: Element,
    fields: &'static [Field],
) -> ArrayInfo {
    ArrayInfo { count, name, place, record_bytes: T::BYTES, element, fields }
}

/// Recognizes the magic number.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    if input.head.starts_with(MAGIC) { Confidence::Strong } else { Confidence::No }
}
