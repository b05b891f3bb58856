//! How far vertices move with a bone or morph target, so that rules can judge visible effects.

use glam::Vec3;

use crate::model::{Aabb, BoneId, IdVec, MeshId, Model, MorphTarget};
use crate::pose::{BoneAnchors, PoseSpec, bone_head, sample, skin_model};
use crate::validate::worst::DefaultPose;

/// Smaller influences move a vertex invisibly.
const MIN_WEIGHT: f32 = 0.1;
/// Assumed reach of a bone as a fraction of the model's size, for models without meshes.
const BARE_REACH: f32 = 0.05;

/// The reach of one bone in the default pose.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BoneReach {
    /// Model units per unit of the bone's translation: the scale of its parents.
    pub(super) per_unit: f32,
    /// Distance from the bone to the farthest vertex that it or a bone below it moves, file units.
    pub(super) farthest: f32,
}

/// The reach of all bones and morph targets.
pub(in crate::validate) struct BoneReaches {
    /// The model's size in the default pose, file units.
    pub(super) size: f32,
    bones: IdVec<BoneId, BoneReach>,
    /// The centre of the vertices that each bone and the bones below it move, model space in the default
    /// pose.
    centers: IdVec<BoneId, Vec3>,
    /// By mesh and target.
    morphs: Vec<Vec<f32>>,
}

impl BoneReaches {
    pub(super) fn of(model: &Model, shown: &DefaultPose) -> Self {
        let spec = PoseSpec::default();
        let pose = sample(model, &spec);
        let skeleton = &model.skeleton;
        let mut boxes = IdVec::filled(Aabb::EMPTY, skeleton.bones());
        for (mesh, posed) in model.meshes.iter().zip(skin_model(model, &spec)) {
            for (vertex, position) in posed.positions.iter().enumerate() {
                mesh.for_each_influence(vertex, |bone, weight| {
                    if weight >= MIN_WEIGHT {
                        boxes[bone].add(*position);
                    }
                });
            }
        }
        let anchors = BoneAnchors::of(model);
        let head = |bone: BoneId| bone_head(model, &pose, &anchors, bone);
        if model.num_vertices() == 0 {
            for bone in skeleton.bones().ids() {
                head(bone).into_iter().for_each(|head| boxes[bone].add(head));
            }
        }
        let parent = |bone: BoneId| skeleton.bones()[bone].parent;
        for &bone in skeleton.parents_first().iter().rev() {
            if let Some(parent) = parent(bone) {
                boxes[parent] = boxes[parent].union(boxes[bone]);
            }
        }
        let least = if model.num_vertices() == 0 { BARE_REACH * shown.extent } else { 0.0 };
        let bones = boxes.iter_enumerated().map(|(bone, bounds)| {
            let scale = parent(bone).map(|parent| pose.model_from_bone[parent]);
            let from = match pose.model_from_mesh {
                // Bones are where the matrices of a file place them, if it has any.
                None => head(bone),
                Some(_) => None,
            };
            let from = from.unwrap_or_else(|| bounds.center());
            let farthest = if bounds.is_empty() {
                0.0
            } else {
                (bounds.min - from).abs().max((bounds.max - from).abs()).length()
            };
            BoneReach {
                per_unit: scale.map_or(1.0, |m| m.matrix3.x_axis.length()),
                farthest: farthest.max(least),
            }
        });
        let of_target = |target: &MorphTarget| {
            let offsets = target.shapes.iter().flat_map(|shape| &shape.position_offsets);
            offsets.map(|offset| offset.length()).fold(0.0, f32::max)
        };
        let of_mesh =
            |mesh: &crate::model::Mesh| mesh.morph_targets.iter().map(of_target).collect();
        Self {
            size: shown.extent,
            bones: bones.collect(),
            centers: boxes.iter().map(Aabb::center).collect(),
            morphs: model.meshes.iter().map(of_mesh).collect(),
        }
    }

    pub(super) fn of_bone(&self, bone: BoneId) -> BoneReach {
        self.bones[bone]
    }

    pub(super) fn center(&self, bone: BoneId) -> Vec3 {
        self.centers[bone]
    }

    /// Length of the largest offset of a morph target at weight 1, file units.
    pub(super) fn of_morph(&self, mesh: MeshId, target: usize) -> f32 {
        let of_mesh = self.morphs.get(mesh.index());
        of_mesh.and_then(|targets| targets.get(target)).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::bar;

    #[test]
    fn a_bone_reaches_the_farthest_vertex_below_it() {
        let model = bar();
        let reaches = BoneReaches::of(&model, &DefaultPose::of(&model));
        let corner = |y: f32| Vec3::new(0.2, y, 0.2).length();
        assert!((reaches.of_bone(BoneId(0)).farthest - corner(2.0)).abs() < 1e-6);
        assert!((reaches.of_bone(BoneId(1)).farthest - corner(1.0)).abs() < 1e-6);
        assert_eq!(reaches.of_bone(BoneId(1)).per_unit, 1.0);
    }
}
