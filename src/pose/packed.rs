//! Packed vertices, four at a time: decoded from their bytes, and the matrices that move them.

use glam::Vec4;

use super::MeshPose;
use super::lanes::{Affine3x4, LANES, Rows, Vec3x4};
use crate::model::{PackedVertex, PackedVertices, VERTEX_STRIDE_BYTES};

/// Bones that a packed vertex can name.
const MAX_BONES: usize = 1 << u8::BITS;

/// Packed vertices, with the matrices of their bones.
pub(super) struct PosedVertices<'a> {
    records: &'a [[u8; VERTEX_STRIDE_BYTES]],
    /// Of each bone that can be named; none where there is no such bone, and for weights of zero.
    matrices: Box<[Rows; MAX_BONES + 1]>,
}

impl<'a> PosedVertices<'a> {
    pub(super) fn new(vertices: &'a PackedVertices, pose: &MeshPose) -> Self {
        let mut matrices = Box::new([Rows::ZERO; MAX_BONES + 1]);
        let bones = matrices.iter_mut().take(MAX_BONES);
        for (rows, matrix) in bones.zip(&pose.palette) {
            *rows = Rows::from(matrix);
        }
        Self { records: vertices.records(), matrices }
    }

    /// The vertices from `first` on; what is past the end is of zeros.
    #[inline(always)]
    pub(super) fn four(&self, first: usize) -> [PackedVertex; LANES] {
        let rest = self.records.get(first..).unwrap_or_default();
        if let Some([a, b, c, d]) = rest.first_chunk() {
            return [decoded(a), decoded(b), decoded(c), decoded(d)];
        }
        let padded = |lane| rest.get(lane).map_or(decoded(&[0; VERTEX_STRIDE_BYTES]), decoded);
        [padded(0), padded(1), padded(2), padded(3)]
    }

    /// What moves them.
    #[inline(always)]
    pub(super) fn matrices(&self, [a, b, c, d]: &[PackedVertex; LANES]) -> Affine3x4 {
        Affine3x4::from_rows([self.matrix(a), self.matrix(b), self.matrix(c), self.matrix(d)])
    }

    #[inline(always)]
    fn matrix(&self, vertex: &PackedVertex) -> Rows {
        let mut sum = Rows::ZERO;
        for (bone, weight) in vertex.all_influences() {
            // A matrix that is no number does not count where its weight is zero.
            let slot = if weight > 0.0 { usize::from(bone) } else { MAX_BONES };
            sum.add(&self.matrices[slot], weight);
        }
        sum
    }
}

#[inline(always)]
fn decoded(record: &[u8; VERTEX_STRIDE_BYTES]) -> PackedVertex {
    PackedVertex::from_bytes(record)
}

/// Where they are without a pose.
#[inline(always)]
pub(super) fn positions([a, b, c, d]: &[PackedVertex; LANES]) -> Vec3x4 {
    Vec3x4::from_array([a.position, b.position, c.position, d.position])
}

/// Normals, tangents, and the bitangent signs.
#[inline(always)]
pub(super) fn directions([a, b, c, d]: &[PackedVertex; LANES]) -> (Vec3x4, Vec3x4, Vec4) {
    let signs = [a.bitangent_sign(), b.bitangent_sign(), c.bitangent_sign(), d.bitangent_sign()];
    (
        Vec3x4::unpack_snorm1010102([a.normal, b.normal, c.normal, d.normal]),
        Vec3x4::unpack_snorm1010102([a.tangent, b.tangent, c.tangent, d.tangent]),
        Vec4::from_array(signs),
    )
}
