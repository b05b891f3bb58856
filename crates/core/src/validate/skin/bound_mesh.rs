//! The bones of one mesh with the vertices that they move, for rules that compare poses.
//!
//! Not for: findings.

use glam::{Affine3A, Mat4, Vec3};

use crate::model::{Aabb, BoneId, BoneKind, IdVec, InverseBindSkin, Mesh, MeshId, Model, Skeleton};
use crate::pose::Pose;

/// Bones whose vertices they move apart by less than this fraction of the mesh's size agree: more than the
/// rounding error of far bones in long chains, less than is visible.
pub(super) const MAX_MISFIT: f32 = 0.01;
/// Influences of this weight determine the position of a vertex; smaller ones only adjust it.
const STRONG_WEIGHT: f32 = 0.25;
/// A matrix with a smaller volume hides its vertices and has no inverse.
const MIN_VOLUME: f32 = 1e-12;
/// If one in this many bones leaves its vertices in place, the mesh isn't moved as a whole: even if most of a
/// body is bent, the rest shows its original place.
const MIN_STILL: usize = 4;
/// The most bones whose matrices are compared with all others to find the one with most agreement.
const MAX_CANDIDATES: usize = 16;

/// A bone that moves vertices of the mesh.
#[derive(Clone, Debug)]
pub(super) struct BoundBone {
    pub(super) bone: BoneId,
    /// Index in the skin.
    slot: usize,
    /// Box around the vertices that it moves most, mesh space.
    pub(super) bounds: Aabb,
    /// Weighted mean of the vertices that it moves, mesh space.
    pub(super) center: Vec3,
    /// Origin of the bone in the bind pose, mesh space; `None` if its matrix has no inverse.
    pub(super) head: Option<Vec3>,
    /// The nearest ancestor that moves vertices of the mesh too, as an index in the same list.
    pub(super) parent: Option<usize>,
    /// Bones with this one as `parent`.
    pub(super) children: Vec<usize>,
}

/// A mesh with inverse bind matrices.
pub(super) struct BoundMesh<'a> {
    pub(super) number: u32,
    pub(super) mesh: &'a Mesh,
    pub(super) skin: &'a InverseBindSkin,
    /// In the order of the skin; the first slot of a bone with several.
    pub(super) bones: Vec<BoundBone>,
    /// Box around all stored vertices.
    pub(super) bounds: Aabb,
}

impl<'a> BoundMesh<'a> {
    /// All meshes with inverse bind matrices and at least one bone.
    pub(super) fn all(model: &'a Model) -> impl Iterator<Item = Self> {
        let meshes = super::bound_meshes(model).map(|(number, mesh, skin)| Self {
            number,
            mesh,
            skin,
            bones: bound_bones(&model.skeleton, mesh, skin),
            bounds: Aabb::from_points((0..mesh.num_vertices()).filter_map(|at| mesh.position(at))),
        });
        meshes.filter(|mesh| !mesh.bones.is_empty())
    }

    /// The skinning matrix of each of the bones in `pose`.
    pub(super) fn matrices(&self, pose: &Pose) -> Vec<Affine3A> {
        let palette = pose.of_mesh(MeshId(self.number), self.mesh).palette;
        let of_bone = |bone: &BoundBone| palette.get(bone.slot).copied().unwrap_or_default();
        self.bones.iter().map(of_bone).collect()
    }

    /// The inverse bind matrix of one of the bones.
    pub(super) fn bind_of(&self, bone: &BoundBone) -> Mat4 {
        self.skin.bone_from_mesh.get(bone.slot).copied().unwrap_or_default()
    }

    /// The skinning matrix and the joint in the bind pose of each bone, as [`Self::matrices`] and
    /// [`BoundBone::head`] would be with another interpretation of the inverse bind matrices.
    pub(super) fn reread(
        &self,
        pose: &Pose,
        read: impl Fn(Mat4) -> Mat4,
    ) -> Vec<(Affine3A, Option<Vec3>)> {
        let of_bone = |bone: &BoundBone| {
            let bone_from_mesh = Affine3A::from_mat4(read(self.bind_of(bone)));
            let matrix = pose.model_from_bone[bone.bone] * bone_from_mesh;
            let head = Vec3::from(bone_from_mesh.inverse().translation);
            (matrix, Some(head).filter(|head| head.is_finite()))
        };
        self.bones.iter().map(of_bone).collect()
    }

    /// The matrix that moves the mesh as a whole, and the size of the mesh there: the identity if a good part
    /// of the bones leave their vertices in place, otherwise the matrix with which most of them agree.
    pub(super) fn common(&self, matrices: &[Affine3A]) -> (Affine3A, f32) {
        let measure = |candidate: Affine3A| {
            let size = self.bounds.transformed(&candidate).extent();
            let agrees = |(bone, matrix): &(&BoundBone, &Affine3A)| {
                bone.distance(&candidate, matrix) <= size * MAX_MISFIT
            };
            (self.bones.iter().zip(matrices).filter(agrees).count(), candidate, size)
        };
        let (num_still, identity, size) = measure(Affine3A::IDENTITY);
        if num_still * MIN_STILL >= self.bones.len() {
            return (identity, size);
        }
        let step = matrices.len().div_ceil(MAX_CANDIDATES).max(1);
        let candidates = matrices.iter().step_by(step);
        // The first of equals.
        let most =
            candidates.map(|&matrix| measure(matrix)).reduce(|a, b| if b.0 > a.0 { b } else { a });
        most.map_or((identity, size), |(_, matrix, size)| (matrix, size))
    }

    /// Whether the surface continues from the vertices of each bone to others, so that a gap between them is
    /// visible.
    pub(super) fn is_joined(&self) -> Vec<bool> {
        const MIN_SHARE: f32 = 0.05;
        let mut bone_of_slot = vec![usize::MAX; self.skin.bones.len()];
        let numbers: std::collections::HashMap<_, _> =
            self.bones.iter().enumerate().map(|(number, bone)| (bone.bone, number)).collect();
        for (slot, bone) in bone_of_slot.iter_mut().zip(&self.skin.bones) {
            *slot = numbers.get(bone).copied().unwrap_or(usize::MAX);
        }
        let mut is_joined = vec![false; self.bones.len()];
        let mut shares: Vec<(usize, f32)> = Vec::new();
        for corners in self.mesh.triangles(0..self.mesh.indices.len()) {
            shares.clear();
            for corner in corners {
                self.mesh.for_each_slot(self.skin, corner as usize, |slot, weight| {
                    let bone = bone_of_slot.get(slot as usize).copied().unwrap_or(usize::MAX);
                    shares.push((bone, weight));
                });
            }
            shares.sort_unstable_by_key(|(bone, _)| *bone);
            for of_bone in shares.chunk_by(|a, b| a.0 == b.0) {
                let share: f32 = of_bone.iter().map(|(_, weight)| weight).sum();
                let flag = of_bone.first().and_then(|(bone, _)| is_joined.get_mut(*bone));
                if let Some(flag) = flag {
                    *flag |= (MIN_SHARE..3.0 - MIN_SHARE).contains(&share);
                }
            }
        }
        is_joined
    }
}

impl BoundMesh<'_> {
    /// The point of a bone of the list nearest to `point`, mesh space: between its joint and those of the
    /// bones below it.
    pub(super) fn nearest_on(&self, at: usize, point: Vec3) -> Option<Vec3> {
        let bone = self.bones.get(at)?;
        let head = bone.head?;
        let below = bone.children.iter().filter_map(|&child| self.bones.get(child));
        let tails = below.filter_map(|bone| bone.head);
        let on_line = |tail: Vec3| {
            let along = tail - head;
            let share = (point - head).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
            head + along * share.clamp(0.0, 1.0)
        };
        let nearer = |a: Vec3, b: Vec3| {
            if b.distance_squared(point) < a.distance_squared(point) { b } else { a }
        };
        Some(tails.map(on_line).fold(head, nearer))
    }

    /// The distance of `point` from a bone, mesh space.
    pub(super) fn distance_to(&self, bone: BoneId, point: Vec3) -> Option<f32> {
        let at = self.bones.iter().position(|other| other.bone == bone)?;
        Some(self.nearest_on(at, point)?.distance(point))
    }
}

impl BoundBone {
    /// The largest distance between the vertices of the bone as moved by two matrices.
    pub(super) fn distance(&self, one: &Affine3A, other: &Affine3A) -> f32 {
        let apart =
            |corner: Vec3| one.transform_point3(corner).distance(other.transform_point3(corner));
        self.bounds.corners().map(apart).into_iter().fold(0.0, f32::max)
    }
}

/// The bones that move vertices of `mesh`.
fn bound_bones(skeleton: &Skeleton, mesh: &Mesh, skin: &InverseBindSkin) -> Vec<BoundBone> {
    struct Sums {
        strong: Aabb,
        all: Aabb,
        sum: Vec3,
        weight: f32,
    }
    let mut slot_of_bone = IdVec::filled(None, skeleton.bones());
    for (slot, &bone) in skin.bones.iter().enumerate().rev() {
        slot_of_bone[bone] = Some(slot);
    }
    let none = || Sums { strong: Aabb::EMPTY, all: Aabb::EMPTY, sum: Vec3::ZERO, weight: 0.0 };
    let mut sums: Vec<Sums> = std::iter::repeat_with(none).take(skin.bones.len()).collect();
    for vertex in 0..mesh.num_vertices() {
        let Some(position) = mesh.position(vertex) else { continue };
        mesh.for_each_slot(skin, vertex, |slot, weight| {
            let bone = skin.bones.get(slot as usize);
            let slot = bone.and_then(|bone| slot_of_bone[*bone]);
            let Some(sums) = slot.filter(|_| weight > 0.0).and_then(|slot| sums.get_mut(slot))
            else {
                return;
            };
            sums.all.add(position);
            if weight >= STRONG_WEIGHT {
                sums.strong.add(position);
            }
            sums.sum += position * weight;
            sums.weight += weight;
        });
    }
    let mut bones = Vec::new();
    let mut number_of_bone = IdVec::filled(None, skeleton.bones());
    for (slot, (&bone, sums)) in skin.bones.iter().zip(&sums).enumerate() {
        // Vertices of an FBX file without weights follow the node of their mesh, which isn't a bone and has
        // no bind pose.
        let is_bone = skeleton.bones()[bone].kind == BoneKind::Bone;
        if sums.weight <= 0.0 || !is_bone {
            continue;
        }
        let bone_from_mesh = skin.bone_from_mesh.get(slot).map(|m| Affine3A::from_mat4(*m));
        let invertible = bone_from_mesh.filter(|m| m.matrix3.determinant().abs() > MIN_VOLUME);
        number_of_bone[bone] = Some(bones.len());
        bones.push(BoundBone {
            bone,
            slot,
            bounds: if sums.strong.is_empty() { sums.all } else { sums.strong },
            center: sums.sum / sums.weight,
            head: invertible.map(|m| Vec3::from(m.inverse().translation)).filter(|h| h.is_finite()),
            parent: None,
            children: Vec::new(),
        });
    }
    // Parents first: a bone knows its nearest ancestor that moves vertices.
    let mut nearest: IdVec<_, Option<usize>> = IdVec::filled(None, skeleton.bones());
    for &id in skeleton.parents_first() {
        let above = skeleton.bones()[id].parent.and_then(|parent| nearest[parent]);
        let own = number_of_bone[id];
        if let Some(bone) = own.and_then(|own| bones.get_mut(own)) {
            bone.parent = above;
        }
        if let (Some(own), Some(above)) = (own, above)
            && let Some(above) = bones.get_mut(above)
        {
            above.children.push(own);
        }
        nearest[id] = own.or(above);
    }
    bones
}

/// The mean scale of a matrix over its axes.
pub(super) fn scale(matrix: &Affine3A) -> f32 {
    matrix.matrix3.determinant().abs().cbrt()
}
