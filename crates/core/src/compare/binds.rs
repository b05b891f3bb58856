//! Compares inverse bind matrices, the most common reason why the same skeleton moves the same vertices
//! differently.

use glam::Affine3A;

use super::DifferenceKind as Kind;
use super::bones::BoneMap;
use super::collector::{DifferenceCollector, Measured};
use super::side::{ComparedSide, Sides, matrix_difference};
use crate::model::stats::used_bones;
use crate::model::{BoneId, IdVec, Place, Skin};
use crate::pose::{Moment, PoseSpec, has_bind_pose, sample};

/// Number of bones tried as the reference with which most others agree.
const MAX_CANDIDATES: usize = 16;

/// A bone of both sides and its transform in the bind pose of each, display space.
struct BoundPair {
    bone_a: BoneId,
    bone_b: BoneId,
    in_a: Affine3A,
    in_b: Affine3A,
}

/// Compares the positions of bones in the bind pose relative to each other. A matrix that all bones share
/// only moves the mesh as a whole, which other differences report.
pub(super) fn compare(
    Sides { a, b, .. }: &Sides<'_>,
    map: &BoneMap,
    extent: f64,
    found: &mut DifferenceCollector<'_>,
) {
    let pairs = bound_pairs(a, b, map);
    if pairs.len() < 2 {
        return;
    }
    let limit = found.options.tolerance;
    // Rounding errors in the poses must not decide which bones agree.
    let same = limit.max(1e-4);
    let differences = |a_from_b: &Affine3A| -> Vec<f64> {
        let of_pair =
            |pair: &BoundPair| matrix_difference(&pair.in_a, &(*a_from_b * pair.in_b), extent);
        pairs.iter().map(of_pair).collect()
    };
    let num_same = |differences: &[f64]| differences.iter().filter(|d| **d <= same).count();
    let mut best = differences(&Affine3A::IDENTITY);
    if num_same(&best) * 2 < pairs.len() {
        for pair in pairs.iter().step_by(pairs.len().div_ceil(MAX_CANDIDATES)) {
            let candidate = differences(&(pair.in_a * pair.in_b.inverse()));
            if num_same(&candidate) > num_same(&best) {
                best = candidate;
            }
        }
    }
    let worst = best.iter().zip(&pairs).max_by(|(x, _), (y, _)| x.total_cmp(y));
    let Some((&amount, pair)) = worst else { return };
    let count = best.iter().filter(|difference| **difference > limit).count() as u64;
    found.measured(Kind::InverseBinds, Measured { amount, limit, count }, || {
        let name = a.model.skeleton.display_name(pair.bone_a);
        format!("the inverse bind matrix of bone {name:?} differs")
    });
    found.locate(Kind::InverseBinds, Place::Bone(pair.bone_b.0));
    found.locate_in_a(Kind::InverseBinds, Place::Bone(pair.bone_a.0));
}

/// Bones that move vertices by an inverse bind matrix on both sides.
fn bound_pairs(a: &ComparedSide<'_>, b: &ComparedSide<'_>, map: &BoneMap) -> Vec<BoundPair> {
    let (of_a, of_b) = (bound_bones(a), bound_bones(b));
    let b_of_a = map.b_of_a(&a.model.skeleton);
    let pairs = b_of_a.iter_enumerated().filter_map(|(bone_a, bone_b)| {
        let bone_b = (*bone_b)?;
        Some(BoundPair { bone_a, bone_b, in_a: of_a[bone_a]?, in_b: of_b[bone_b]? })
    });
    pairs.filter(|pair| pair.in_b.inverse().is_finite()).collect()
}

/// The bind transform of each bone that moves vertices, display space. If several meshes use the bone, the
/// first counts.
fn bound_bones(side: &ComparedSide<'_>) -> IdVec<BoneId, Option<Affine3A>> {
    let model = side.model;
    let mut bound = IdVec::filled(None, model.skeleton.bones());
    if !has_bind_pose(model) {
        return bound;
    }
    let used = used_bones(model);
    let pose = sample(model, &PoseSpec { moment: Moment::Bind, ..PoseSpec::default() });
    let placed = pose.model_from_bound_mesh.unwrap_or_default();
    for (mesh, model_from_mesh) in model.meshes.iter().zip(placed) {
        let Skin::InverseBind(skin) = &mesh.skin else { continue };
        for (&bone, bone_from_mesh) in skin.bones.iter().zip(&skin.bone_from_mesh) {
            let mesh_from_bone = Affine3A::from_mat4(*bone_from_mesh).inverse();
            if bound[bone].is_none() && used[bone] && mesh_from_bone.is_finite() {
                bound[bone] = Some(side.space.matrix(model_from_mesh * mesh_from_bone));
            }
        }
    }
    bound
}
