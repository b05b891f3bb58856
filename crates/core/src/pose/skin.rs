//! Moves vertices: linear and dual quaternion skinning with any number of influences.
//!
//! Normals and tangents follow the pose's [`NormalMatrix`]; see [`transformed_normal`](super::transformed_normal).

use glam::{Affine3A, Vec3, Vec3A, Vec4};
use rayon::prelude::*;

use super::lanes::{Affine3x4, LANES, Vec3x4};
use super::normals::{inverse_transpose, share_of_normal, unit_or_zero};
use super::packed::PosedVertices;
use super::{DualQuaternion, MeshPose, PoseSpec, morph, sample};
use crate::model::{
    Blending, BoneLocalSkin, Influences, InverseBindSkin, Mesh, MeshId, Model, NormalMatrix,
    PackedVertices, Skin, VertexData,
};

/// Vertices per task: enough to make the cost of distributing work negligible; a multiple of the lanes.
const CHUNK: usize = 4096;

/// A mesh's vertices at one moment, file space, in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinnedMesh {
    /// One per vertex.
    pub positions: Vec<Vec3>,
    /// One per vertex, of unit length or zero.
    pub normals: Vec<Vec3>,
    /// One per vertex, xyz of unit length or zero, w the bitangent sign.
    pub tangents: Vec<Vec4>,
}

impl SkinnedMesh {
    /// Resizes all arrays; the contents are unspecified.
    fn resize(&mut self, num: usize) {
        self.positions.resize(num, Vec3::ZERO);
        self.normals.resize(num, Vec3::ZERO);
        self.tangents.resize(num, Vec4::ZERO);
    }
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

/// Skins one mesh with the result of [`super::Pose::of_mesh`]: morph targets first, then bones.
///
/// Vertices of a vertex animation have no normals.
#[must_use]
pub fn skin_mesh(mesh: &Mesh, pose: &MeshPose) -> SkinnedMesh {
    let mut out = SkinnedMesh::default();
    skin_mesh_into(mesh, pose, &mut out);
    out
}

/// Like [`skin_mesh`], reusing the memory of `out`: for one mesh at many moments, where allocating can take
/// as long as skinning.
pub fn skin_mesh_into(mesh: &Mesh, pose: &MeshPose, out: &mut SkinnedMesh) {
    if let Some(positions) = &pose.positions {
        out.resize(positions.len());
        out.positions.copy_from_slice(positions);
        out.normals.fill(Vec3::ZERO);
        out.tangents.fill(Vec4::ZERO);
        return;
    }
    if pose.normal_matrix == NormalMatrix::InverseTransposePerBone
        && !matches!(mesh.skin, Skin::BoneLocal(_))
    {
        skin_with_normal_matrices(mesh, pose, out);
        return;
    }
    let num = mesh.num_vertices();
    // Whole lanes are written.
    out.resize(num.next_multiple_of(LANES));
    match (&mesh.vertices, &mesh.skin) {
        (VertexData::Packed(vertices), Skin::InverseBind(skin))
            if mesh.morph_targets.is_empty()
                && matches!(skin.influences, Influences::InVertices) =>
        {
            skin_packed(vertices, pose, out);
        }
        (_, Skin::BoneLocal(skin)) => skin_bone_local(skin, pose, out),
        _ => skin_streams(mesh, pose, &Palette::of(mesh, &pose.palette), out),
    }
    out.resize(num);
}

/// [`NormalMatrix::InverseTransposePerBone`]: normals have a separate palette.
fn skin_with_normal_matrices(mesh: &Mesh, pose: &MeshPose, out: &mut SkinnedMesh) {
    let num = mesh.num_vertices();
    let pose = MeshPose { normal_matrix: NormalMatrix::Same, ..pose.clone() };
    let of_normals: Vec<_> = pose.palette.iter().map(inverse_transpose).collect();
    let mut normals = SkinnedMesh::default();
    for (out, palette) in [
        (&mut normals, &Palette::of_normals(mesh, &pose.palette, &of_normals)),
        (&mut *out, &Palette::of(mesh, &pose.palette)),
    ] {
        out.resize(num.next_multiple_of(LANES));
        skin_streams(mesh, &pose, palette, out);
        out.resize(num);
    }
    out.normals = normals.normals;
}

/// Weighted sum of matrices.
#[derive(Clone, Copy)]
pub(super) struct Blend(pub(super) Affine3A);

impl Blend {
    pub(super) const ZERO: Self = Self(Affine3A::ZERO);

    #[inline]
    pub(super) fn add(&mut self, matrix: &Affine3A, weight: f32) {
        self.0.matrix3 += matrix.matrix3 * weight;
        self.0.translation += matrix.translation * weight;
    }
}

/// Four vertices before posing, and their matrices.
struct Four {
    positions: Vec3x4,
    normals: Vec3x4,
    tangents: Vec3x4,
    /// Bitangent signs.
    signs: Vec4,
    matrices: Affine3x4,
}

/// Moves all vertices of `out` in parallel. `read` returns four vertices from an index on; it may return
/// anything past the end.
fn move_all(out: &mut SkinnedMesh, pose: &MeshPose, read: impl Fn(usize) -> Four + Sync) {
    let by = pose.normal_matrix;
    in_chunks(out, |first, positions, normals, tangents| {
        let (positions, _) = positions.as_chunks_mut();
        let parts = positions.iter_mut().zip(normals.as_chunks_mut().0);
        let parts = parts.zip(tangents.as_chunks_mut().0).zip((first..).step_by(LANES));
        for (((positions, normals), tangents), first) in parts {
            let four = read(first);
            *positions = four.matrices.transform_points(four.positions).to_array();
            let rotated = four.matrices.transformed_normal(by, four.normals, four.tangents);
            *normals = rotated.0.to_array();
            *tangents = rotated.1.with_w(four.signs);
            if let Some(matrix) = pose.after_normals {
                for normal in normals {
                    *normal = unit_or_zero(matrix * Vec3A::from(*normal)).into();
                }
            }
        }
    });
}

/// Fills the arrays in parallel chunks; `fill` receives the index of the first vertex.
fn in_chunks(
    out: &mut SkinnedMesh,
    fill: impl Fn(usize, &mut [Vec3], &mut [Vec3], &mut [Vec4]) + Sync,
) {
    out.positions
        .par_chunks_mut(CHUNK)
        .zip(out.normals.par_chunks_mut(CHUNK))
        .zip(out.tangents.par_chunks_mut(CHUNK))
        .enumerate()
        .for_each(|(chunk, ((positions, normals), tangents))| {
            fill(chunk * CHUNK, positions, normals, tangents);
        });
}

fn skin_packed(vertices: &PackedVertices, pose: &MeshPose, out: &mut SkinnedMesh) {
    let posed = PosedVertices::new(vertices, pose);
    move_all(out, pose, |first| {
        let four = posed.four(first);
        let (normals, tangents, signs) = four.directions();
        let matrices = posed.matrices(&four);
        Four { positions: four.positions, normals, tangents, signs, matrices }
    });
}

fn skin_streams(mesh: &Mesh, pose: &MeshPose, palette: &Palette<'_>, out: &mut SkinnedMesh) {
    let num = mesh.num_vertices();
    let all = |get: fn(&Mesh, usize) -> Option<Vec3>| -> Vec<Vec3> {
        (0..num).map(|v| get(mesh, v).unwrap_or_default()).collect()
    };
    let shaped = (!mesh.morph_targets.is_empty()).then(|| {
        let (mut positions, mut normals) = (all(Mesh::position), all(Mesh::normal));
        morph::apply(mesh, &pose.morph_weights, &mut positions, &mut normals);
        (positions, normals)
    });
    let (position, normal) = (
        |at| shaped.as_ref().map_or_else(|| mesh.position(at), |(all, _)| all.get(at).copied()),
        |at| shaped.as_ref().map_or_else(|| mesh.normal(at), |(_, all)| all.get(at).copied()),
    );
    move_all(out, pose, |first| {
        let tangent = |lane| mesh.tangent(first + lane).unwrap_or_default();
        let tangents = [tangent(0), tangent(1), tangent(2), tangent(3)];
        let [a, b, c, d] = tangents;
        let matrix = |lane| palette.blend_of(mesh, first + lane).0;
        Four {
            positions: four(|lane| position(first + lane).unwrap_or_default()),
            normals: four(|lane| normal(first + lane).unwrap_or_default()),
            tangents: four(|lane| tangents[lane].truncate()),
            signs: Vec4::new(a.w, b.w, c.w, d.w),
            matrices: Affine3x4::from_array(&[matrix(0), matrix(1), matrix(2), matrix(3)]),
        }
    });
}

#[inline]
fn four(of: impl Fn(usize) -> Vec3) -> Vec3x4 {
    Vec3x4::from_array([of(0), of(1), of(2), of(3)])
}

/// The matrices of a mesh's slots, also as dual quaternions if its skin needs those.
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
        // This also runs for single vertices, so linear skins skip the loop.
        let rigid = if is_linear { &[] } else { matrices };
        Self { matrices, dual_quaternions: rigid.iter().map(DualQuaternion::from_matrix).collect() }
    }

    /// The matrices for normals: the inverse transposes of `matrices`.
    fn of_normals(mesh: &Mesh, matrices: &[Affine3A], inverse_transposes: &'a [Affine3A]) -> Self {
        let mut rigid = Palette::of(mesh, matrices).dual_quaternions;
        for quaternion in &mut rigid {
            let inverse = quaternion.scale.recip();
            quaternion.scale = if inverse.is_finite() { inverse } else { Vec3::ZERO };
        }
        Self { matrices: inverse_transposes, dual_quaternions: rigid }
    }

    /// The transform of one vertex of a mesh with rows of influences, or of a rigid mesh.
    #[inline]
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

    /// Calls `visit` for each matrix that moves vertex `index`, with its weight.
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

    #[inline]
    fn blend_of_rows(&self, skin: &InverseBindSkin, rows: &Influences, index: usize) -> Blend {
        let mut linear = WeightedSum::default();
        for (slot, weight) in rows.row(index) {
            linear.add(self.matrices.get(slot as usize), weight);
        }
        let share = skin.blending.dual_quaternion_share(index);
        if share <= 0.0 || linear.weights <= 0.0 {
            return linear.finish();
        }
        let mut rigid = DualQuaternion::ZERO;
        let mut first = None;
        for (slot, weight) in rows.row(index) {
            if let Some(quaternion) = self.dual_quaternions.get(slot as usize) {
                rigid.add(quaternion, first.get_or_insert(*quaternion), weight);
            }
        }
        let rigid = rigid.to_matrix(linear.weights);
        let Blend(linear) = linear.finish();
        Blend(Affine3A {
            matrix3: linear.matrix3 * (1.0 - share) + rigid.matrix3 * share,
            translation: linear.translation * (1.0 - share) + rigid.translation * share,
        })
    }
}

/// A weighted sum of matrices, and the sum of the weights.
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
    #[inline]
    fn add(&mut self, matrix: Option<&Affine3A>, weight: f32) {
        if let Some(matrix) = matrix {
            self.matrix.add(matrix, weight);
            self.weights += weight;
        }
    }

    /// Weights scaled to sum to 1; the identity without weights.
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

fn skin_bone_local(skin: &BoneLocalSkin, pose: &MeshPose, out: &mut SkinnedMesh) {
    out.tangents.fill(Vec4::ZERO);
    in_chunks(out, |first, positions, normals, _| {
        for (index, (position, normal)) in (first..).zip(positions.iter_mut().zip(normals)) {
            (*position, *normal) = bone_local_vertex(skin, index, pose);
        }
    });
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

/// The position that [`skin_mesh`] gives for vertex `index`, without moving the others; `None` past the end.
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
