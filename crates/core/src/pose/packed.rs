//! Packed vertices, four at a time: decodes them and blends their bone matrices.

use glam::{Affine3A, Vec4};

use super::MeshPose;
use super::lanes::{Affine3x4, LANES, Rows, Vec3x4};
use crate::model::{PackedVertex, PackedVertices, VERTEX_STRIDE_BYTES};

/// Number of bones that a packed vertex can address.
const MAX_BONES: usize = 1 << u8::BITS;

/// Packed vertices, with the matrices of their bones.
pub(super) struct PosedVertices<'a> {
    records: &'a [Record],
    /// One per addressable bone; zero if the bone doesn't exist.
    matrices: Box<[Rows; MAX_BONES]>,
    /// Whether all matrices are finite, so that weights of zero need no special handling.
    is_finite: bool,
}

type Record = [u8; VERTEX_STRIDE_BYTES];

pub(super) struct PackedFour {
    /// Before posing.
    pub(super) positions: Vec3x4,
    normals: [u32; LANES],
    vertices: [PackedVertex; LANES],
}

impl<'a> PosedVertices<'a> {
    pub(super) fn new(vertices: &'a PackedVertices, pose: &MeshPose) -> Self {
        let mut matrices = Box::new([Rows::ZERO; MAX_BONES]);
        let palette = &pose.palette[..pose.palette.len().min(MAX_BONES)];
        for (rows, matrix) in matrices.iter_mut().zip(palette) {
            *rows = Rows::from(matrix);
        }
        let is_finite = palette.iter().all(Affine3A::is_finite);
        Self { records: vertices.records(), matrices, is_finite }
    }

    /// The vertices from `first` on; those past the end are zero.
    #[inline(always)]
    pub(super) fn four(&self, first: usize) -> PackedFour {
        let rest = self.records.get(first..).unwrap_or_default();
        match rest.first_chunk() {
            Some(whole) => PackedFour::new(whole),
            None => PackedFour::of_some(rest),
        }
    }

    /// The blended matrix of each vertex.
    #[inline(always)]
    pub(super) fn matrices(&self, four: &PackedFour) -> Affine3x4 {
        if !self.is_finite {
            return self.matrices_that_count(four);
        }
        let [a, b, c, d] = &four.vertices;
        Affine3x4::from_rows([self.sum(a), self.sum(b), self.sum(c), self.sum(d)])
    }

    /// Like [`Self::matrices`], without matrices of weight zero, which could turn the sum into NaN.
    #[cold]
    fn matrices_that_count(&self, four: &PackedFour) -> Affine3x4 {
        Affine3x4::from_rows(four.vertices.map(|vertex| {
            let mut sum = Rows::ZERO;
            for (bone, weight) in vertex.influences() {
                sum.add(&self.matrices[usize::from(bone)], weight);
            }
            sum
        }))
    }

    #[inline(always)]
    fn sum(&self, vertex: &PackedVertex) -> Rows {
        let mut sum = Rows::ZERO;
        for (bone, weight) in vertex.all_influences() {
            sum.add(&self.matrices[usize::from(bone)], weight);
        }
        sum
    }
}

impl PackedFour {
    #[inline(always)]
    fn new([a, b, c, d]: &[Record; LANES]) -> Self {
        // Positions and normals are the first four words, read by a single load.
        let words = [first_words(a), first_words(b), first_words(c), first_words(d)];
        let (positions, normals) = Vec3x4::from_xyzw(words);
        let [x, y, z, w] = normals.to_array();
        Self {
            positions,
            normals: [x.to_bits(), y.to_bits(), z.to_bits(), w.to_bits()],
            vertices: [decoded(a), decoded(b), decoded(c), decoded(d)],
        }
    }

    #[cold]
    fn of_some(records: &[Record]) -> Self {
        let mut padded = [[0; VERTEX_STRIDE_BYTES]; LANES];
        padded.iter_mut().zip(records).for_each(|(out, record)| *out = *record);
        Self::new(&padded)
    }

    /// Normals, tangents, and the signs of bitangents.
    #[inline(always)]
    pub(super) fn directions(&self) -> (Vec3x4, Vec3x4, Vec4) {
        let [a, b, c, d] = &self.vertices;
        let tangents = [a.tangent, b.tangent, c.tangent, d.tangent];
        let signs =
            [a.bitangent_sign(), b.bitangent_sign(), c.bitangent_sign(), d.bitangent_sign()];
        (
            Vec3x4::unpack_snorm1010102(self.normals),
            Vec3x4::unpack_snorm1010102(tangents),
            Vec4::from_array(signs),
        )
    }
}

#[inline(always)]
fn decoded(record: &Record) -> PackedVertex {
    PackedVertex::from_bytes(record)
}

#[inline(always)]
fn first_words(record: &Record) -> Vec4 {
    let word = |at: usize| {
        f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
    };
    Vec4::new(word(0), word(4), word(8), word(12))
}

#[cfg(test)]
mod tests {
    use glam::{Vec3, Vec3A};

    use super::*;
    use crate::model::{Mesh, Skin, VertexData};
    use crate::pose::{SkinnedMesh, skin_mesh, skin_mesh_into, skin_positions, transformed_normal};

    /// Eleven vertices, so that the last four lanes have three; the first refers to a bone with weight zero.
    fn mesh() -> Mesh {
        let vertices = (0..11_u8).map(|at| PackedVertex {
            position: Vec3::new(f32::from(at), -1.5, 0.1),
            normal: u32::from(at).wrapping_mul(0x1234_5671),
            tangent: u32::from(at).wrapping_mul(0x7654_3217),
            uv: [0; 2],
            bones: [at % 4, 1, 4, 2],
            weights: [at * 20, 50, if at == 0 { 0 } else { at }, 7],
        });
        let mut mesh = crate::model::grid(4, 5).meshes.as_mut_vec().remove(0);
        assert!(matches!(mesh.skin, Skin::InverseBind(_)));
        mesh.vertices = VertexData::Packed(PackedVertices::from_vertices(vertices));
        mesh
    }

    fn pose(last: Affine3A) -> MeshPose {
        let rotations = (0..4_u8).map(|bone| Affine3A::from_rotation_x(f32::from(bone)));
        MeshPose { palette: rotations.chain([last]).collect(), ..MeshPose::default() }
    }

    fn bits<const N: usize>(values: [f32; N]) -> [u32; N] {
        values.map(f32::to_bits)
    }

    #[test]
    fn skinning_in_lanes_matches_the_scalar_version_bit_for_bit() {
        let mesh = mesh();
        let VertexData::Packed(vertices) = &mesh.vertices else { panic!("packed") };
        let no_number = Affine3A::from_translation(Vec3::NAN);
        for last in [Affine3A::from_scale(Vec3::new(1.0, -2.0, 0.5)), no_number] {
            let pose = pose(last);
            let (skinned, positions) = (skin_mesh(&mesh, &pose), skin_positions(&mesh, &pose));
            assert_eq!((skinned.positions.len(), positions.len()), (11, 11));
            for (at, vertex) in vertices.iter().enumerate() {
                let mut sum = Affine3A::ZERO;
                for (bone, weight) in vertex.influences() {
                    let matrix = pose.palette[usize::from(bone)];
                    sum.matrix3 += matrix.matrix3 * weight;
                    sum.translation += matrix.translation * weight;
                }
                let position = sum.transform_point3(vertex.position);
                assert_eq!(position.is_nan(), at > 0 && last.is_nan(), "{at}");
                let tangent = vertex.tangent_decoded();
                let (normal, along): (Vec3A, Vec3A) =
                    (vertex.normal_decoded().into(), tangent.truncate().into());
                let (normal, along) =
                    transformed_normal(&sum.matrix3, pose.normal_matrix, normal, along);
                let place = |v: Vec3| if v.is_nan() { None } else { Some(bits(v.to_array())) };
                assert_eq!(place(skinned.positions[at]), place(position), "{at}");
                assert_eq!(place(positions[at]), place(position), "{at}");
                assert_eq!(bits(skinned.normals[at].to_array()), bits(normal.to_array()), "{at}");
                let along = along.extend(tangent.w);
                assert_eq!(bits(skinned.tangents[at].to_array()), bits(along.to_array()), "{at}");
            }
        }
    }

    #[test]
    fn previous_contents_of_output_arrays_are_overwritten() {
        let (mesh, pose) = (mesh(), pose(Affine3A::IDENTITY));
        let many = vec![Vec3::ONE; 20];
        let mut out = SkinnedMesh {
            positions: many.clone(),
            normals: many.clone(),
            tangents: vec![Vec4::ONE; 20],
        };
        skin_mesh_into(&mesh, &pose, &mut out);
        assert_eq!(out, skin_mesh(&mesh, &pose));
        let still = MeshPose { positions: Some(many), ..MeshPose::default() };
        skin_mesh_into(&mesh, &still, &mut out);
        assert_eq!(out, skin_mesh(&mesh, &still));
    }
}
