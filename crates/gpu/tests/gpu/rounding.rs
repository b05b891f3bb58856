//! A bound on the difference between two evaluations of the same skinning due to rounding, for any adapter.
//!
//! Shaders may fuse multiplications with additions, reorder sums, divide to 2.5 units in the last place and
//! flush denormal numbers to zero (WGSL, "Floating Point Evaluation"), so GPUs and the CPU round
//! differently. In the standard model each rounding adds an error of at most `u = EPSILON / 2` relative to
//! the rounded value, so a sequence of `n` of them errs by at most `n * u * size` (Higham, "Accuracy and
//! Stability of Numerical Algorithms", section 3.1), and two evaluations differ by at most twice as much.
//! `size` is the size of the terms rather than of their sum: a vertex near the origin at the end of long
//! bones has the rounding errors of these bones.

use glam::{Affine3A, Mat3A, Vec3};
use rigscope_core::model::{Blending, BoneId, IdVec, Influences, Mesh, MeshId, Model, Skin};
use rigscope_core::pose::{Pose, PoseSpec, Sampling, sample, skin_model};

/// Roundings when applying a bone's matrix to a vector, and when blending two keys.
const OF_A_BONE: usize = 4 + 3;
/// Normalizing weights (a division), applying the blended matrix, and storing.
const OF_A_VERTEX: usize = 3 + 4 + 1;
/// Converting matrices to quaternions and back: square roots, divisions and products of products.
const OF_DUAL_QUATERNIONS: usize = 48;

/// For each mesh of `model`, the largest allowed difference between positions in two evaluations of `spec`,
/// in file units.
pub(crate) fn position_tolerances(model: &Model, spec: &PoseSpec) -> Vec<f32> {
    // Between two keys that nearly cancel, the terms are as large as the keys.
    let poses = [spec.sampling, Sampling::Step].map(|sampling| {
        let spec = PoseSpec { sampling, ..*spec };
        sample(model, &spec)
    });
    let depth = depth_of(model);
    let of_mesh = |(number, mesh): (usize, &Mesh)| {
        let id = MeshId::from_index(number);
        let sizes = poses.each_ref().map(|pose| size_of_terms(model, pose, id, mesh));
        let roundings = num_roundings(mesh, depth) as f32;
        let flushed = f32::MIN_POSITIVE;
        roundings * (f32::EPSILON * sizes[0].max(sizes[1]) + flushed)
    };
    model.meshes.iter().enumerate().map(of_mesh).collect()
}

/// Number of bones from the deepest one to its root.
fn depth_of(model: &Model) -> usize {
    let skeleton = &model.skeleton;
    let mut depths = IdVec::filled(1, skeleton.bones());
    for &bone in skeleton.parents_first() {
        if let Some(parent) = skeleton.bones()[bone].parent {
            depths[bone] = depths[parent] + 1;
        }
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Number of roundings on the longest path from a stored to a skinned position.
fn num_roundings(mesh: &Mesh, depth: usize) -> usize {
    let most = |first: &[u32]| first.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    let (num_influences, of_blending) = match &mesh.skin {
        Skin::None => (1, 0),
        Skin::BoneLocal(skin) => (most(&skin.first), 0),
        Skin::InverseBind(skin) => {
            let num_influences = match &skin.influences {
                Influences::Rows { first, .. } => most(first),
                Influences::InVertices => 4,
            };
            let is_linear = matches!(skin.blending, Blending::Linear);
            (num_influences, if is_linear { 0 } else { OF_DUAL_QUATERNIONS })
        }
    };
    let of_morphs = 2 * mesh.morph_targets.iter().map(|target| target.shapes.len()).sum::<usize>();
    // The inverse bind matrix is another factor.
    OF_A_BONE * (depth + 1) + 2 * num_influences as usize + OF_A_VERTEX + of_blending + of_morphs
}

/// The largest sum of absolute values in the computation of a position of `mesh`.
fn size_of_terms(model: &Model, pose: &Pose, id: MeshId, mesh: &Mesh) -> f32 {
    let of_mesh = pose.of_mesh(id, mesh);
    if let Some(positions) = &of_mesh.positions {
        return longest(positions.iter().copied());
    }
    let stored = longest((0..mesh.num_vertices()).filter_map(|vertex| mesh.position(vertex)));
    let morphed: f32 = mesh
        .morph_targets
        .iter()
        .zip(&of_mesh.morph_weights)
        .map(|(target, weight)| {
            let offsets = target.shapes.iter().flat_map(|shape| &shape.position_offsets);
            longest(offsets.copied()) * weight.abs().max(1.0)
        })
        .sum();
    let radius = stored + morphed;
    let chain = Chain { model, pose };
    let moved = match &mesh.skin {
        Skin::None => mesh.attached_to.map_or(radius, |bone| chain.up_from_bone(bone, radius)),
        Skin::BoneLocal(skin) => {
            let sizes = skin
                .influences
                .iter()
                .map(|influence| chain.up_from_bone(influence.bone, influence.position.length()));
            sizes.fold(0.0, f32::max)
        }
        Skin::InverseBind(skin) => {
            let sizes = skin.bones.iter().enumerate().map(|(slot, bone)| {
                let inverse =
                    skin.bone_from_mesh.get(slot).filter(|_| pose.model_from_mesh.is_none());
                let inverse =
                    inverse.map_or(Affine3A::IDENTITY, |&inverse| Affine3A::from_mat4(inverse));
                chain.up_from_bone(*bone, applied(&inverse, radius))
            });
            sizes.fold(0.0, f32::max)
        }
    };
    // Vertices without weights don't move.
    moved.max(radius)
}

/// The matrices from bones to model space.
struct Chain<'a> {
    model: &'a Model,
    pose: &'a Pose,
}

impl Chain<'_> {
    /// The largest sum of absolute values for a vector of length `size` in the bone's space, on its way to
    /// model space.
    fn up_from_bone(&self, bone: BoneId, size: f32) -> f32 {
        if let Some(finished) = &self.pose.model_from_mesh {
            return applied(&finished[bone], size);
        }
        let bones = self.model.skeleton.bones();
        let (mut size, mut next) = (size, Some(bone));
        while let Some(bone) = next {
            size = applied(&self.pose.parent_from_bone[bone], size);
            next = bones[bone].parent;
        }
        size
    }
}

fn applied(matrix: &Affine3A, size: f32) -> f32 {
    stretch(matrix.matrix3) * size + matrix.translation.length()
}

/// The largest factor by which a matrix scales a vector: its largest singular value, by power iteration.
fn stretch(matrix: Mat3A) -> f32 {
    let squared = matrix.transpose() * matrix;
    let columns = [squared.x_axis, squared.y_axis, squared.z_axis];
    let mut longest = columns.into_iter().fold(glam::Vec3A::ZERO, |a, b| {
        if a.length_squared() >= b.length_squared() { a } else { b }
    });
    for _ in 0..16 {
        longest = (squared * longest).normalize_or_zero();
    }
    (squared * longest).length().sqrt()
}

fn longest(vectors: impl Iterator<Item = Vec3>) -> f32 {
    vectors.map(Vec3::length).fold(0.0, f32::max)
}

/// Skins with fused multiply-add, from the last bone to its root, as a GPU may.
mod fused {
    use super::*;

    fn point(matrix: &Affine3A, p: Vec3) -> Vec3 {
        let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
        let row =
            |x: f32, y: f32, z: f32, t: f32| p.x.mul_add(x, p.y.mul_add(y, p.z.mul_add(z, t)));
        let t = matrix.translation;
        Vec3::new(row(x.x, y.x, z.x, t.x), row(x.y, y.y, z.y, t.y), row(x.z, y.z, z.z, t.z))
    }

    /// Positions of a mesh with inverse bind matrices. Each influence is transformed separately.
    pub(super) fn positions(model: &Model, mesh: &Mesh, spec: &PoseSpec) -> Vec<Vec3> {
        let pose = sample(model, spec);
        let skin = mesh.inverse_bind().unwrap();
        let bones = model.skeleton.bones();
        let moved = |slot: u32, p: Vec3| {
            let slot = slot as usize;
            let inverse = skin.bone_from_mesh.get(slot).map(|&m| Affine3A::from_mat4(m));
            if let Some(finished) = &pose.model_from_mesh {
                return point(&finished[skin.bones[slot]], p);
            }
            let mut p = inverse.map_or(p, |inverse| point(&inverse, p));
            let mut next = Some(skin.bones[slot]);
            while let Some(bone) = next {
                p = point(&pose.parent_from_bone[bone], p);
                next = bones[bone].parent;
            }
            p
        };
        let of_vertex = |vertex| {
            let stored = mesh.position(vertex).unwrap();
            let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
            mesh.for_each_slot(skin, vertex, |slot, weight| {
                let p = moved(slot, stored);
                let add = |sum: f32, p: f32| p.mul_add(weight, sum);
                sum = Vec3::new(add(sum.x, p.x), add(sum.y, p.y), add(sum.z, p.z));
                weights += weight;
            });
            if weights > 0.0 { sum / weights } else { stored }
        };
        (0..mesh.num_vertices()).map(of_vertex).collect()
    }
}

#[test]
fn fused_and_reordered_arithmetic_stays_within_the_tolerance() {
    use super::models::{PLAIN, Recipe};
    use rigscope_core::model::ClipId;
    let mut largest_share = 0.0f32;
    for (seed, num_vertices, num_bones) in [(1, 1, 3), (2, 3000, 40), (3, 3000, 256)] {
        let model = Recipe { seed, num_vertices, num_bones, has_hierarchy: true, ..PLAIN }.model();
        for time_secs in [0.0, 0.05, 0.31] {
            let spec = PoseSpec { clip: Some(ClipId(0)), ..PoseSpec::linear(None, time_secs) };
            let tolerance = position_tolerances(&model, &spec)[0];
            let one_way = fused::positions(&model, &model.meshes[MeshId(0)], &spec);
            let other_way = &skin_model(&model, &spec)[0].positions;
            for (a, b) in one_way.iter().zip(other_way) {
                let deviation = a.distance(*b);
                assert!(deviation <= tolerance, "{deviation} of {tolerance}");
                largest_share = largest_share.max(deviation / tolerance);
            }
        }
    }
    assert!(
        largest_share > 1e-3,
        "the tolerance is so wide that it catches nothing: {largest_share}"
    );
}

/// At the last key of a clip in this file, large translations cancel: fused arithmetic moves vertices by
/// 2e-5 of the model's size, a hundred times as much as at other keys.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn large_translations_that_cancel_are_within_the_tolerance() {
    use super::samples::poses;
    use super::support::{open_file, readable_samples_if_any};
    use rigscope_core::model::Report;
    let files = readable_samples_if_any();
    let spider = files.iter().find(|path| path.ends_with("spider_animation.bsm2")).unwrap();
    let model = open_file(spider, &[], &Report::new()).unwrap();
    for spec in poses(&model) {
        let tolerance = position_tolerances(&model, &spec)[0];
        let one_way = fused::positions(&model, &model.meshes[MeshId(0)], &spec);
        let other_way = &skin_model(&model, &spec)[0].positions;
        for (a, b) in one_way.iter().zip(other_way) {
            let deviation = a.distance(*b);
            assert!(deviation <= tolerance, "{spec:?}: {deviation} of {tolerance}");
        }
    }
}

#[test]
fn a_wrong_inverse_bind_matrix_exceeds_the_tolerance() {
    use super::models::{PLAIN, Recipe};
    let model = Recipe { has_hierarchy: true, ..PLAIN }.model();
    let spec = PoseSpec::default();
    let mut other = model.clone();
    let skin = other.meshes[MeshId(0)].inverse_bind_mut().unwrap();
    // A hundredth of a unit in one inverse bind matrix; the model is 20 units wide.
    skin.bone_from_mesh[0].w_axis.x += 1e-2;
    let tolerance = position_tolerances(&model, &spec)[0];
    let [a, b] = [&model, &other].map(|model| skin_model(model, &spec).swap_remove(0).positions);
    let deviation = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(deviation > tolerance, "{deviation} of {tolerance}");
}
