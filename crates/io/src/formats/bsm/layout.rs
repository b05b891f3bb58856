//! Sizes and places of the parts on disk.

use glam::{Vec2, Vec3, Vec4};

use crate::formats::record::{Record, end, fields, offset_of, record};
use crate::formats::{Confidence, ProbeInput};
use rigscope_core::model::{Element, Field, Layout, Scalar};

/// What a file begins with.
pub(super) const MAGIC: &[u8; 16] = b"BINARYSTATICMESH";
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
    /// Its count and its offset.
    pub(super) place: fn(&mut Header) -> (&mut i32, &mut i32),
    /// Bytes of a record.
    pub(super) record_bytes: usize,
    /// What the records are to the model.
    pub(super) element: Element,
    /// What a record consists of.
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
        /// Its smallest corner, then its largest.
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

/// Where a field of the header begins.
pub(super) const fn at(field: &str) -> u64 {
    offset_of(Header::FIELDS, field) as u64
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

/// The magic number decides.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    match input.head.starts_with(MAGIC) {
        true => Confidence::Strong,
        false => Confidence::No,
    }
}
