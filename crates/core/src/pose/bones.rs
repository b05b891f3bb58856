//! Where to draw bones, also where a file only stores finished skinning matrices.

use glam::{Affine3A, Vec3};

use super::Pose;
use crate::model::{Aabb, BoneId, Model};

/// A bone without child is drawn this long, as a part of the model's extent.
const LEAF_LENGTH: f32 = 0.03;

/// Centre of what each bone moves, mesh space: stands in for bones whose place no file states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneAnchors {
    centers: Vec<Option<Vec3>>,
    extent: f32,
}

impl BoneAnchors {
    /// Averages the vertices of each bone by their weights; costs one pass over all vertices, so
    /// it is made once a model.
    pub fn of(model: &Model) -> Self {
        let mut sums = vec![(Vec3::ZERO, 0.0f32); model.skeleton.len()];
        let mut bounds = Aabb::EMPTY;
        for mesh in &model.meshes {
            for vertex in 0..mesh.num_vertices() {
                let Some(position) = mesh.position(vertex) else { continue };
                bounds.add(position);
                mesh.for_each_influence(vertex, |bone, weight| {
                    if let Some((sum, total)) = sums.get_mut(bone.index()) {
                        *sum += position * weight;
                        *total += weight;
                    }
                });
            }
        }
        let center = |&(sum, total): &(Vec3, f32)| (total > 0.0).then(|| sum / total);
        Self { centers: sums.iter().map(center).collect(), extent: bounds.extent() }
    }
}

impl BoneAnchors {
    /// The middle of what `bone` moves, mesh space; none where it moves nothing.
    pub fn center(&self, bone: BoneId) -> Option<Vec3> {
        self.centers.get(bone.index()).copied().flatten()
    }

    /// Diagonal of the box around all vertices as stored, file units.
    pub fn extent(&self) -> f32 {
        self.extent
    }
}

/// One bone as an elongated shape, file space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneShape {
    /// Which bone.
    pub bone: BoneId,
    /// Where it begins.
    pub head: Vec3,
    /// Where it ends: a child's head, or along its own y axis where it has none.
    pub tail: Vec3,
}

/// The shapes of all bones in `pose`; a bone with several children has one shape for each.
///
/// Bones of files that store only finished skinning matrices stand at the centre of what they
/// move; those that move nothing have no shape there.
#[must_use]
pub fn bone_shapes(model: &Model, pose: &Pose, anchors: &BoneAnchors) -> Vec<BoneShape> {
    let extent = match anchors.extent > 0.0 {
        true => anchors.extent,
        // Without vertices the bones are all there is.
        false => {
            let bones = model.skeleton.bones().iter().zip(&pose.model_from_bone);
            let shown = bones.filter(|(bone, _)| !bone.is_helper());
            Aabb::from_points(shown.map(|(_, matrix)| matrix.translation.into())).extent()
        }
    };
    let leaf = LEAF_LENGTH * extent.max(f32::MIN_POSITIVE);
    let head = |bone: BoneId| bone_head(model, pose, anchors, bone);
    if let Some(matrices) = unplaced(model, pose) {
        let shape = |(index, matrix): (usize, &Affine3A)| {
            let bone = BoneId::from_index(index);
            let head = head(bone)?;
            Some(BoneShape { bone, head, tail: head + direction(matrix) * leaf })
        };
        return matrices.iter().enumerate().filter_map(shape).collect();
    }
    let mut shapes = Vec::new();
    let bones = model.skeleton.bones();
    for (index, children) in model.skeleton.shown_children().into_iter().enumerate() {
        let bone = BoneId::from_index(index);
        if bones[index].is_helper() {
            continue;
        }
        let (Some(from), Some(matrix)) = (head(bone), pose.model_from_bone.get(index)) else {
            continue;
        };
        let mut push = |tail: Vec3| shapes.push(BoneShape { bone, head: from, tail });
        if children.is_empty() {
            push(from + direction(matrix) * leaf);
        }
        for tail in children.into_iter().filter_map(head) {
            push(tail);
        }
    }
    shapes
}

/// Where `bone` begins in `pose`, as its shape does, file space; none where no file states it and the
/// bone moves nothing.
#[must_use]
pub fn bone_head(model: &Model, pose: &Pose, anchors: &BoneAnchors, bone: BoneId) -> Option<Vec3> {
    match unplaced(model, pose) {
        Some(matrices) => Some(matrices.get(bone.index())?.transform_point3(anchors.center(bone)?)),
        None => Some(pose.model_from_bone.get(bone.index())?.translation.into()),
    }
}

/// The finished skinning matrices of a file that does not say where bones are.
fn unplaced<'a>(model: &Model, pose: &'a Pose) -> Option<&'a [Affine3A]> {
    let matrices = pose.model_from_mesh.as_deref()?;
    (!model.skeleton.has_hierarchy()).then_some(matrices)
}

/// The frame of every bone among `shapes`, file space: its axes, at its head. Where the file does
/// not say where bones are, the axes are those of their skinning matrices.
#[must_use]
pub fn bone_frames(model: &Model, pose: &Pose, shapes: &[BoneShape]) -> Vec<(BoneId, Affine3A)> {
    let is_placed = model.skeleton.has_hierarchy();
    let matrices = match &pose.model_from_mesh {
        Some(matrices) if !is_placed => matrices,
        _ => &pose.model_from_bone,
    };
    let mut frames: Vec<(BoneId, Affine3A)> = Vec::new();
    for shape in shapes {
        // A bone with several children has a shape for each.
        let is_known = frames.last().is_some_and(|(bone, _)| *bone == shape.bone);
        if !is_known && let Some(&matrix) = matrices.get(shape.bone.index()) {
            let translation = shape.head.into();
            let frame = Affine3A { translation, ..matrix };
            frames.push((shape.bone, frame));
        }
    }
    frames
}

/// The bone's own y axis, or up where it is hidden.
fn direction(matrix: &Affine3A) -> Vec3 {
    Vec3::from(matrix.matrix3.y_axis).normalize_or(Vec3::Y)
}
