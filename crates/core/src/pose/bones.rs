//! Where to draw bones, including those of files that store only baked skinning matrices.

use glam::{Affine3A, Vec3};

use super::Pose;
use crate::model::{Aabb, BoneId, IdVec, Model};

/// Length of a drawn bone without children, as a fraction of the model's size.
const LEAF_LENGTH: f32 = 0.03;

/// The centre of the vertices that each bone moves, in mesh space. Used as the position of bones in files
/// that don't store one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneAnchors {
    centers: IdVec<BoneId, Option<Vec3>>,
    extent: f32,
}

impl BoneAnchors {
    /// Averages the vertices of each bone by their weights. Takes one pass over all vertices, so do it once
    /// per model.
    pub fn of(model: &Model) -> Self {
        let mut sums = IdVec::filled((Vec3::ZERO, 0.0f32), model.skeleton.bones());
        let mut bounds = Aabb::EMPTY;
        for mesh in &model.meshes {
            for vertex in 0..mesh.num_vertices() {
                let Some(position) = mesh.position(vertex) else { continue };
                bounds.add(position);
                mesh.for_each_influence(vertex, |bone, weight| {
                    let (sum, total) = &mut sums[bone];
                    *sum += position * weight;
                    *total += weight;
                });
            }
        }
        let center = |&(sum, total): &(Vec3, f32)| (total > 0.0).then(|| sum / total);
        Self { centers: sums.iter().map(center).collect(), extent: bounds.extent() }
    }
}

impl BoneAnchors {
    /// The centre of the vertices that `bone` moves, in mesh space; `None` if it moves none.
    pub fn center(&self, bone: BoneId) -> Option<Vec3> {
        self.centers.get(bone).copied().flatten()
    }

    /// Diagonal of the box around all stored vertices, file units.
    pub fn extent(&self) -> f32 {
        self.extent
    }
}

/// The shape that is drawn for a bone, in file space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneShape {
    pub bone: BoneId,
    pub head: Vec3,
    /// The child's head, or a point along the bone's y axis if it has no child.
    pub tail: Vec3,
}

/// The shapes of all bones in `pose`; a bone with several children has one shape per child.
///
/// In files that store only baked skinning matrices, each bone is at the centre of the vertices that it
/// moves. A bone that doesn't move any vertex has no shape there.
#[must_use]
pub fn bone_shapes(model: &Model, pose: &Pose, anchors: &BoneAnchors) -> Vec<BoneShape> {
    let extent = if anchors.extent > 0.0 {
        anchors.extent
    } else {
        // Without vertices, use the size of the skeleton.
        let bones = model.skeleton.bones().iter().zip(&pose.model_from_bone);
        let shown = bones.filter(|(bone, _)| !bone.is_helper());
        Aabb::from_points(shown.map(|(_, matrix)| matrix.translation.into())).extent()
    };
    let leaf = LEAF_LENGTH * extent.max(f32::MIN_POSITIVE);
    let head = |bone: BoneId| bone_head(model, pose, anchors, bone);
    if let Some(matrices) = baked_matrices(model, pose) {
        let shape = |(bone, matrix): (BoneId, &Affine3A)| {
            let head = head(bone)?;
            Some(BoneShape { bone, head, tail: head + direction(matrix) * leaf })
        };
        return matrices.iter_enumerated().filter_map(shape).collect();
    }
    let mut shapes = Vec::new();
    let bones = model.skeleton.bones();
    for (bone, children) in model.skeleton.shown_children().iter_enumerated() {
        if bones[bone].is_helper() {
            continue;
        }
        let Some(from) = head(bone) else { continue };
        let mut push = |tail: Vec3| shapes.push(BoneShape { bone, head: from, tail });
        if children.is_empty() {
            push(from + direction(&pose.model_from_bone[bone]) * leaf);
        }
        for tail in children.iter().copied().filter_map(head) {
            push(tail);
        }
    }
    shapes
}

/// The head of `bone` in `pose`, file space; `None` if the file doesn't store it and the bone doesn't move
/// any vertex.
#[must_use]
pub fn bone_head(model: &Model, pose: &Pose, anchors: &BoneAnchors, bone: BoneId) -> Option<Vec3> {
    match baked_matrices(model, pose) {
        Some(matrices) => Some(matrices.get(bone)?.transform_point3(anchors.center(bone)?)),
        None => Some(pose.model_from_bone.get(bone)?.translation.into()),
    }
}

/// The baked skinning matrices of a file that doesn't store bone positions.
fn baked_matrices<'a>(model: &Model, pose: &'a Pose) -> Option<&'a IdVec<BoneId, Affine3A>> {
    let matrices = pose.model_from_mesh.as_ref()?;
    (!model.skeleton.has_hierarchy()).then_some(matrices)
}

/// The frame of every bone among `shapes`, file space: its axes, at its head. If the file doesn't store bone
/// positions, the axes are those of the skinning matrices.
#[must_use]
pub fn bone_frames(model: &Model, pose: &Pose, shapes: &[BoneShape]) -> Vec<(BoneId, Affine3A)> {
    let is_placed = model.skeleton.has_hierarchy();
    let matrices = match &pose.model_from_mesh {
        Some(matrices) if !is_placed => matrices,
        _ => &pose.model_from_bone,
    };
    let mut frames: Vec<(BoneId, Affine3A)> = Vec::new();
    for shape in shapes {
        // A bone with several children has several shapes.
        let is_known = frames.last().is_some_and(|(bone, _)| *bone == shape.bone);
        if !is_known {
            let translation = shape.head.into();
            let frame = Affine3A { translation, ..matrices[shape.bone] };
            frames.push((shape.bone, frame));
        }
    }
    frames
}

/// The bone's y axis, or up if the bone is hidden.
fn direction(matrix: &Affine3A) -> Vec3 {
    Vec3::from(matrix.matrix3.y_axis).normalize_or(Vec3::Y)
}
