//! Moving vertices: linear and dual quaternion skinning with any number of influences.
//!
//! Normals and tangents go by the pose's [`NormalMatrix`]; see [`turned`].

use std::ops::Range;

use glam::{Affine3A, Vec3, Vec3A, Vec4};
use rayon::prelude::*;

use super::directions::{BLOCK, Directions};
use super::normals::{share_of_normal, turned_unscaled, unit_or_zero};
use super::{DualQuaternion, MeshPose, PoseSpec, morph, sample};
use crate::model::{
    Blending, BoneLocalSkin, Influences, InverseBindSkin, Mesh, MeshId, Model, NormalMatrix,
    PackedVertices, Skin, VertexData,
};

/// Vertices per task: enough to drown the cost of handing out work.
const CHUNK: usize = 4096;

/// A mesh's vertices at one moment, file space, in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinnedMesh {
    /// One a vertex.
    pub positions: Vec<Vec3>,
    /// One a vertex, of unit length or zero.
    pub normals: Vec<Vec3>,
    /// One a vertex, xyz of unit length or zero, w the bitangent sign.
    pub tangents: Vec<Vec4>,
}

/// Poses and skins all meshes of a model.
#[must_use]
pub fn skin_model(model: &Model, spec: &PoseSpec) -> Vec<SkinnedMesh> {
    let pose = sample(model, spec);
    model
        .meshes
        .iter()
        .enumerate()
        .map(|(index, mesh)| skin_mesh(mesh, &pose.of_mesh(MeshId::from_index(index), mesh)))
        .collect()
}

/// Skins one mesh with what [`super::Pose::of_mesh`] gave for it: morph targets first, then bones.
///
/// Vertices out of a vertex cache have no normals.
#[must_use]
pub fn skin_mesh(mesh: &Mesh, pose: &MeshPose) -> SkinnedMesh {
    if let Some(positions) = &pose.positions {
        return SkinnedMesh {
            positions: positions.clone(),
            normals: vec![Vec3::ZERO; positions.len()],
            tangents: vec![Vec4::ZERO; positions.len()],
        };
    }
    match (&mesh.vertices, &mesh.skin) {
        (VertexData::Packed(packed), Skin::InverseBind(skin))
            if mesh.morph_targets.is_empty()
                && matches!(skin.influences, Influences::InVertices) =>
        {
            skin_packed(packed, pose)
        }
        (_, Skin::BoneLocal(skin)) => skin_bone_local(mesh, skin, pose),
        _ => skin_streams(mesh, pose),
    }
}

/// Weighted sum of matrices.
#[derive(Clone, Copy)]
pub(super) struct Blend(pub(super) Affine3A);

impl Blend {
    pub(super) const ZERO: Self = Self(Affine3A::ZERO);

    pub(super) fn add(&mut self, matrix: &Affine3A, weight: f32) {
        self.0.matrix3 += matrix.matrix3 * weight;
        self.0.translation += matrix.translation * weight;
    }
}

/// The directions of a block of vertices.
struct Block {
    normals: Directions,
    tangents: Directions,
    /// Bitangent signs.
    signs: [f32; BLOCK],
}

/// Moves vertices 0 to `num`, in parallel: `read` fills a block with the directions of some of them, and
/// `place` says where one is and what moves it.
fn move_all(
    num: usize,
    by: NormalMatrix,
    read: impl Fn(Range<usize>, &mut Block) + Sync,
    place: impl Fn(usize) -> (Vec3, Blend) + Sync,
) -> SkinnedMesh {
    in_chunks(num, |first, positions, normals, tangents| {
        let mut block =
            Block { normals: Directions::ZERO, tangents: Directions::ZERO, signs: [0.0; BLOCK] };
        let parts = positions.chunks_mut(BLOCK).zip(normals.chunks_mut(BLOCK));
        let parts = parts.zip(tangents.chunks_mut(BLOCK)).zip((first..).step_by(BLOCK));
        for (((positions, normals), tangents), first) in parts {
            read(first..first + positions.len(), &mut block);
            for (at, out) in positions.iter_mut().enumerate() {
                let (position, Blend(matrix)) = place(first + at);
                *out = matrix.transform_point3(position);
                let (normal, tangent) = (block.normals.get(at), block.tangents.get(at));
                let (normal, tangent) = turned_unscaled(&matrix.matrix3, by, normal, tangent);
                block.normals.set(at, normal);
                block.tangents.set(at, tangent);
            }
            block.normals.make_unit();
            block.tangents.make_unit();
            for (at, (normal, tangent)) in normals.iter_mut().zip(tangents).enumerate() {
                *normal = block.normals.get(at).into();
                *tangent = Vec3::from(block.tangents.get(at)).extend(block.signs[at]);
            }
        }
    })
}

/// Fills the arrays of `num` vertices in parallel, some at a time: `fill` learns the number of the first.
fn in_chunks(
    num: usize,
    fill: impl Fn(usize, &mut [Vec3], &mut [Vec3], &mut [Vec4]) + Sync,
) -> SkinnedMesh {
    let mut out = SkinnedMesh {
        positions: vec![Vec3::ZERO; num],
        normals: vec![Vec3::ZERO; num],
        tangents: vec![Vec4::ZERO; num],
    };
    out.positions
        .par_chunks_mut(CHUNK)
        .zip(out.normals.par_chunks_mut(CHUNK))
        .zip(out.tangents.par_chunks_mut(CHUNK))
        .enumerate()
        .for_each(|(chunk, ((positions, normals), tangents))| {
            fill(chunk * CHUNK, positions, normals, tangents);
        });
    out
}

fn skin_packed(packed: &PackedVertices, pose: &MeshPose) -> SkinnedMesh {
    let read = |range: Range<usize>, block: &mut Block| {
        let (mut normals, mut tangents) = ([0; BLOCK], [0; BLOCK]);
        for (at, index) in range.enumerate() {
            let vertex = packed.get(index);
            (normals[at], tangents[at]) = vertex.map_or((0, 0), |v| (v.normal, v.tangent));
            block.signs[at] = vertex.map_or(0.0, |v| v.bitangent_sign());
        }
        block.normals.unpack_snorm1010102(&normals);
        block.tangents.unpack_snorm1010102(&tangents);
    };
    let place = |index: usize| {
        let Some(vertex) = packed.get(index) else { return (Vec3::ZERO, Blend::ZERO) };
        let mut blend = Blend::ZERO;
        for (bone, weight) in vertex.influences() {
            if let Some(matrix) = pose.palette.get(usize::from(bone)) {
                blend.add(matrix, weight);
            }
        }
        (vertex.position, blend)
    };
    move_all(packed.len(), pose.normal_matrix, read, place)
}

fn skin_streams(mesh: &Mesh, pose: &MeshPose) -> SkinnedMesh {
    let num = mesh.num_vertices();
    let all = |get: fn(&Mesh, usize) -> Option<Vec3>| -> Vec<Vec3> {
        (0..num).map(|v| get(mesh, v).unwrap_or_default()).collect()
    };
    let (mut positions, mut normals) = (all(Mesh::position), all(Mesh::normal));
    morph::apply(mesh, &pose.morph_weights, &mut positions, &mut normals);
    let palette = Palette::of(mesh, &pose.palette);
    let read = |range: Range<usize>, block: &mut Block| {
        for (at, index) in range.enumerate() {
            let tangent = mesh.tangent(index).unwrap_or_default();
            block.normals.set(at, normals[index].into());
            block.tangents.set(at, Vec3A::from_vec4(tangent));
            block.signs[at] = tangent.w;
        }
    };
    let place = |index: usize| (positions[index], palette.blend_of(mesh, index));
    move_all(num, pose.normal_matrix, read, place)
}

/// The matrices of a mesh's slots, and the same as dual quaternions where its skin wants those.
pub(super) struct Palette<'a> {
    matrices: &'a [Affine3A],
    dual_quaternions: Vec<DualQuaternion>,
}

impl<'a> Palette<'a> {
    pub(super) fn of(mesh: &Mesh, matrices: &'a [Affine3A]) -> Self {
        let is_linear = match &mesh.skin {
            Skin::InverseBind(skin) => skin.blending == Blending::Linear,
            _ => true,
        };
        // Made for each vertex that is asked for alone: nothing is looked through for nothing.
        let rigid = if is_linear { &[] } else { matrices };
        Self { matrices, dual_quaternions: rigid.iter().map(DualQuaternion::from_matrix).collect() }
    }

    /// The transform of one vertex of a mesh with rows of influences, or rigid.
    pub(super) fn blend_of(&self, mesh: &Mesh, index: usize) -> Blend {
        match &mesh.skin {
            Skin::InverseBind(skin) => match &skin.influences {
                rows @ Influences::Rows { .. } => self.blend_of_rows(skin, rows, index),
                Influences::InVertices => {
                    let mut sum = WeightedSum::default();
                    mesh.for_each_slot(skin, index, |slot, weight| {
                        sum.add(self.matrices.get(slot as usize), weight);
                    });
                    sum.finish()
                }
            },
            _ => Blend(self.matrices.first().copied().unwrap_or(Affine3A::IDENTITY)),
        }
    }

    /// Each matrix that moves vertex `index`, with its weight.
    pub(super) fn for_each(
        &self,
        mesh: &Mesh,
        index: usize,
        mut visit: impl FnMut(&Affine3A, f32),
    ) {
        let mut add = |slot: usize, weight: f32| {
            if let Some(matrix) = self.matrices.get(slot) {
                visit(matrix, weight);
            }
        };
        match &mesh.skin {
            Skin::InverseBind(skin) => {
                mesh.for_each_slot(skin, index, |slot, weight| add(slot as usize, weight));
            }
            _ => add(0, 1.0),
        }
    }

    fn blend_of_rows(&self, skin: &InverseBindSkin, rows: &Influences, index: usize) -> Blend {
        let mut linear = WeightedSum::default();
        rows.for_each(index, |slot, weight| {
            linear.add(self.matrices.get(slot as usize), weight);
        });
        let share = skin.blending.dual_quaternion_share(index);
        if share <= 0.0 || linear.weights <= 0.0 {
            return linear.finish();
        }
        let mut rigid = DualQuaternion::ZERO;
        let mut first = None;
        rows.for_each(index, |slot, weight| {
            if let Some(quaternion) = self.dual_quaternions.get(slot as usize) {
                rigid.add(quaternion, first.get_or_insert(*quaternion), weight);
            }
        });
        let rigid = rigid.to_matrix(linear.weights);
        let Blend(linear) = linear.finish();
        Blend(Affine3A {
            matrix3: linear.matrix3 * (1.0 - share) + rigid.matrix3 * share,
            translation: linear.translation * (1.0 - share) + rigid.translation * share,
        })
    }
}

/// Matrices being summed, and the sum of their weights.
struct WeightedSum {
    matrix: Blend,
    weights: f32,
}

impl Default for WeightedSum {
    fn default() -> Self {
        Self { matrix: Blend::ZERO, weights: 0.0 }
    }
}

impl WeightedSum {
    fn add(&mut self, matrix: Option<&Affine3A>, weight: f32) {
        if let Some(matrix) = matrix {
            self.matrix.add(matrix, weight);
            self.weights += weight;
        }
    }

    /// Weights scaled to sum to 1; no change where there are none.
    fn finish(mut self) -> Blend {
        if self.weights <= 0.0 {
            return Blend(Affine3A::IDENTITY);
        }
        let scale = 1.0 / self.weights;
        self.matrix.0.matrix3 *= scale;
        self.matrix.0.translation *= scale;
        self.matrix
    }
}

fn skin_bone_local(mesh: &Mesh, skin: &BoneLocalSkin, pose: &MeshPose) -> SkinnedMesh {
    in_chunks(mesh.num_vertices(), |first, positions, normals, _| {
        for (index, (position, normal)) in (first..).zip(positions.iter_mut().zip(normals)) {
            (*position, *normal) = bone_local_vertex(skin, index, pose);
        }
    })
}

/// Position and normal of one vertex of a bone-local skin.
pub(super) fn bone_local_vertex(
    skin: &BoneLocalSkin,
    index: usize,
    pose: &MeshPose,
) -> (Vec3, Vec3) {
    let (mut position, mut normal, mut sum) = (Vec3A::ZERO, Vec3A::ZERO, 0.0);
    skin.for_each(index, |influence| {
        let Some(matrix) = pose.palette.get(influence.bone.index()) else { return };
        position += matrix.transform_point3a(influence.position.into()) * influence.weight;
        let own = influence.normal.into();
        let share = share_of_normal(&matrix.matrix3, pose.normal_matrix, own);
        normal += share * influence.weight;
        sum += influence.weight;
    });
    let scale = if sum > 0.0 { 1.0 / sum } else { 0.0 };
    ((position * scale).into(), unit_or_zero(normal).into())
}

/// What [`skin_mesh`] gives for the position of vertex `index`, without moving the others; `None`
/// past the end.
#[must_use]
pub fn skin_vertex(mesh: &Mesh, index: usize, pose: &MeshPose) -> Option<Vec3> {
    if let Some(positions) = &pose.positions {
        return positions.get(index).copied();
    }
    let position = mesh.position(index)? + morph::offset(mesh, &pose.morph_weights, index);
    Some(match &mesh.skin {
        Skin::BoneLocal(skin) => bone_local_vertex(skin, index, pose).0,
        _ => Palette::of(mesh, &pose.palette).blend_of(mesh, index).0.transform_point3(position),
    })
}
