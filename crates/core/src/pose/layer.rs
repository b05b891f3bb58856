//! Applies the layers of a [`PoseSpec`] to a pose: a second clip, in-place motion, morph weights
//! set by hand.

use glam::{Affine3A, Vec3};

use super::base_pose::{base_pose, from_locals, rest};
use super::{ClipLayer, InPlace, LayerMode, Moment, Pose, PoseSpec, decompose};
use crate::model::{BoneId, Clip, Model, RotationBlending, Skeleton};

/// Applies the layers of `spec` to `pose`, which is the base pose of `spec`.
pub(super) fn apply_layers(model: &Model, spec: &PoseSpec, pose: &mut Pose) {
    if let Some(layer) = &spec.layer {
        apply_clip(model, spec, layer, pose);
    }
    if let Some(in_place) = &spec.in_place {
        let offset = ground_displacement(model, spec, in_place, pose);
        shift(pose, -offset);
    }
    spec.morphs.apply(&mut pose.morph_weights);
}

/// Combines the layer's pose with `pose`, or leaves `pose` unchanged if they don't fit
/// ([`ClipLayer::fits`]).
fn apply_clip(model: &Model, spec: &PoseSpec, layer: &ClipLayer, pose: &mut Pose) {
    let Some(clip) = model.clips.get(layer.clip) else { return };
    let weight = layer.weight;
    if weight == 0.0 || !weight.is_finite() {
        return;
    }
    let alone = |moment| {
        let spec = PoseSpec {
            clip: Some(layer.clip),
            moment,
            sampling: spec.sampling,
            ..PoseSpec::default()
        };
        base_pose(model, &spec)
    };
    let over = alone(Moment::TimeSecs(layer.time_secs));
    let reference = match layer.mode {
        LayerMode::Crossfade => None,
        LayerMode::AddToStart => {
            Some(alone(Moment::TimeSecs(layer.reference_secs.unwrap_or(clip.start_secs))))
        }
        LayerMode::AddToRest => Some(rest(model)),
    };
    let mask = layer.mask.filter(|_| ClipLayer::can_be_masked(clip));
    let is_affected = mask.map(|mask| below(&model.skeleton, mask));
    let is_affected = |bone: BoneId| is_affected.as_ref().is_none_or(|all| all[bone.index()]);
    apply_clip_to_bones(model, pose, &over, reference.as_ref(), weight, &is_affected);
    if mask.is_some() {
        return;
    }
    for (mesh, weights) in pose.morph_weights.iter_mut().enumerate() {
        for (target, value) in weights.iter_mut().enumerate() {
            let of = |pose: &Pose| pose.morph_weights.get(mesh)?.get(target).copied();
            let from = reference.as_ref().map_or(Some(*value), of);
            if let (Some(to), Some(from)) = (of(&over), from) {
                *value += weight * (to - from);
            }
        }
    }
}

fn apply_clip_to_bones(
    model: &Model,
    pose: &mut Pose,
    over: &Pose,
    reference: Option<&Pose>,
    weight: f32,
    is_affected: &dyn Fn(BoneId) -> bool,
) {
    let blending = model.clip_blending;
    match (&mut pose.model_from_mesh, &over.model_from_mesh) {
        (Some(base), Some(over)) => {
            // Outside any clip, a baked skinning matrix is the identity.
            let of_reference = |bone: BoneId| {
                let matrices = reference.and_then(|pose| pose.model_from_mesh.as_ref());
                matrices.map_or(Affine3A::IDENTITY, |matrices| matrices[bone])
            };
            for (bone, over) in over.iter_enumerated() {
                base[bone] = match reference {
                    None => decompose::baked(&base[bone], over, weight),
                    Some(_) => decompose::add_baked(&base[bone], over, &of_reference(bone), weight),
                };
            }
        }
        (None, None) => {
            let from = reference.map(|pose| &pose.parent_from_bone);
            for (bone, over) in over.parent_from_bone.iter_enumerated() {
                if !is_affected(bone) {
                    continue;
                }
                let base = &mut pose.parent_from_bone[bone];
                *base = match (from.map(|from| from.get(bone)), blending.rotations) {
                    (None, RotationBlending::Replaced) => *over,
                    (None, rotations) => decompose::blended(base, over, weight, rotations),
                    (Some(Some(from)), _) => {
                        decompose::add_local(base, over, from, weight, blending.additive)
                    }
                    (Some(None), _) => *base,
                };
            }
            let locals = std::mem::take(&mut pose.parent_from_bone);
            let composed = from_locals(&model.skeleton, locals);
            pose.parent_from_bone = composed.parent_from_bone;
            pose.model_from_bone = composed.model_from_bone;
        }
        _ => {}
    }
}

/// Whether each bone is `root` or below it.
fn below(skeleton: &Skeleton, root: BoneId) -> Vec<bool> {
    let mut is_below = vec![false; skeleton.len()];
    for &bone in skeleton.parents_first() {
        let parent = skeleton.bones()[bone].parent;
        let is_child = parent.is_some_and(|parent| is_below[parent.index()]);
        is_below[bone.index()] = bone == root || is_child;
    }
    is_below
}

impl Pose {
    /// The position of `point` of `bone`, file space; see [`InPlace::point`].
    pub fn place_of(&self, bone: BoneId, point: Vec3) -> Option<Vec3> {
        let matrices = self.model_from_mesh.as_ref();
        let matrix = matrices.unwrap_or(&self.model_from_bone).get(bone)?;
        Some(matrix.transform_point3(point))
    }
}

/// The horizontal displacement of the point since the start of the clip, file space.
fn ground_displacement(model: &Model, spec: &PoseSpec, in_place: &InPlace, pose: &Pose) -> Vec3 {
    let start = spec.clip_of(model).map(|clip: &Clip| PoseSpec {
        sampling: spec.sampling,
        ..PoseSpec::at_secs(spec.clip, clip.start_secs)
    });
    let begin = start.map(|start| base_pose(model, &start));
    let place = |pose: &Pose| pose.place_of(in_place.bone, in_place.point);
    let (Some(now), Some(begin)) = (place(pose), begin.as_ref().and_then(place)) else {
        return Vec3::ZERO;
    };
    let display_from_file = model.axes.display_from_file();
    let way = display_from_file.transform_vector3(now - begin);
    let level = Vec3::new(way.x, 0.0, way.z);
    display_from_file.inverse().transform_vector3(level)
}

/// Moves a whole pose; transforms relative to parents remain as in the file.
fn shift(pose: &mut Pose, offset: Vec3) {
    let move_by = Affine3A::from_translation(offset);
    let finished = pose.model_from_mesh.iter_mut().flatten();
    for matrix in pose.model_from_bone.iter_mut().chain(finished) {
        *matrix = move_by * *matrix;
    }
    for position in pose.cached.iter_mut().flat_map(|c| &mut c.positions) {
        *position += offset;
    }
}
