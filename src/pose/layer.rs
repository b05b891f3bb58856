//! What is laid over a pose: a second clip, weights of morph targets that somebody has set, and
//! staying in place.

use glam::{Affine3A, Vec3};

use super::blend::{Moment, PoseSpec};
use super::sample::sample;
use super::{Pose, decompose};
use crate::model::{BoneId, Clip, ClipId, KeySpace, Model, Motion};

/// Weights that can be set at a time.
const MAX_WEIGHTS: usize = 64;

/// How a second clip is laid over the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerMode {
    /// From the first clip to the second.
    #[default]
    Crossfade,
    /// What leads from the second clip's beginning to its present pose is added.
    AddToStart,
    /// What leads from the rest pose to the second clip's present pose is added.
    AddToRest,
}

/// A second clip over the first. Joined bone by bone: moves and scales along a straight line,
/// turns spherically.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipLayer {
    /// Which clip.
    pub clip: ClipId,
    /// When, on its own clock.
    pub time_secs: f64,
    /// How much of it, 0 to 1.
    pub weight: f32,
    /// In which way.
    pub mode: LayerMode,
}

impl ClipLayer {
    /// Whether `over` can be laid over `base`: the keys of both are in bones or both are finished
    /// matrices of meshes. What a vertex cache says of vertices takes no part.
    #[must_use]
    pub fn fits(base: &Clip, over: &Clip) -> bool {
        let is_cache = |clip: &Clip| matches!(clip.motion, Motion::VertexCache(_));
        let is_finished = |clip: &Clip| match &clip.motion {
            Motion::Sampled(motion) => motion.space == KeySpace::Skin,
            _ => false,
        };
        !is_cache(base) && !is_cache(over) && is_finished(base) == is_finished(over)
    }
}

/// Takes the way over the ground out of a pose: a point of a bone stays where it is at the start of
/// the clip, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InPlace {
    /// Whose way it is.
    pub bone: BoneId,
    /// In the bone's space; for finished skinning matrices in the mesh's.
    pub point: Vec3,
}

/// Weights of morph targets in place of the clip's. Small and without memory of its own, since
/// poses are handed about by value.
#[derive(Clone, Copy)]
pub struct MorphOverrides {
    num: u8,
    targets: [u16; MAX_WEIGHTS],
    weights: [f32; MAX_WEIGHTS],
}

impl Default for MorphOverrides {
    fn default() -> Self {
        Self { num: 0, targets: [0; MAX_WEIGHTS], weights: [0.0; MAX_WEIGHTS] }
    }
}

impl PartialEq for MorphOverrides {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl std::fmt::Debug for MorphOverrides {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl MorphOverrides {
    /// Target, counted over all meshes, and weight of each that is set.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let targets = self.targets.iter().map(|&target| usize::from(target));
        targets.zip(self.weights.iter().copied()).take(usize::from(self.num))
    }

    /// Whether none is set.
    pub fn is_empty(&self) -> bool {
        self.num == 0
    }

    /// The weight set for `target`, counted over all meshes.
    pub fn get(&self, target: usize) -> Option<f32> {
        self.iter().find(|(at, _)| *at == target).map(|(_, w)| w)
    }

    /// Sets a weight or leaves it to the clip again. Says whether there was room for it.
    pub fn set(&mut self, target: usize, weight: Option<f32>) -> bool {
        let Ok(number) = u16::try_from(target) else {
            return weight.is_none();
        };
        let num = usize::from(self.num);
        let known = self.targets.iter().copied().zip(self.weights).take(num);
        let mut all: Vec<(u16, f32)> = known.filter(|(at, _)| *at != number).collect();
        if let Some(weight) = weight.filter(|weight| weight.is_finite()) {
            if all.len() >= MAX_WEIGHTS {
                return false;
            }
            all.push((number, weight));
        }
        // In their order, so that equal settings are equal however they came about.
        all.sort_by_key(|(at, _)| *at);
        *self = Self::default();
        let slots = self.targets.iter_mut().zip(&mut self.weights);
        for ((target, weight), (at, value)) in slots.zip(all) {
            (*target, *weight) = (at, value);
            self.num += 1;
        }
        true
    }

    fn apply(&self, weights: &mut [Vec<f32>]) {
        for (at, weight) in self.iter() {
            if let Some(slot) = weights.iter_mut().flatten().nth(at) {
                *slot = weight;
            }
        }
    }
}

/// Lays over `pose`, which is that of `spec` alone, what `spec` wants over it.
pub(super) fn lay(model: &Model, spec: &PoseSpec, pose: &mut Pose) {
    if let Some(layer) = &spec.layer {
        join(model, spec, layer, pose);
    }
    if let Some(in_place) = &spec.in_place {
        let offset = way_over_ground(model, spec, in_place, pose);
        shift(pose, -offset);
    }
    spec.morphs.apply(&mut pose.morph_weights);
}

/// Joins the layer's pose with `pose`; poses that do not fit ([`ClipLayer::fits`]) are left as they
/// are.
fn join(model: &Model, spec: &PoseSpec, layer: &ClipLayer, pose: &mut Pose) {
    let Some(clip) = model.clips.get(layer.clip.index()) else {
        return;
    };
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
        sample(model, &spec)
    };
    let over = alone(Moment::TimeSecs(layer.time_secs));
    let reference = match layer.mode {
        LayerMode::Crossfade => None,
        LayerMode::AddToStart => Some(alone(Moment::TimeSecs(clip.start_secs))),
        LayerMode::AddToRest => Some(super::sample::rest(model)),
    };
    join_bones(model, pose, &over, reference.as_ref(), weight);
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

fn join_bones(model: &Model, pose: &mut Pose, over: &Pose, reference: Option<&Pose>, weight: f32) {
    match (&mut pose.model_from_mesh, &over.model_from_mesh) {
        (Some(base), Some(over)) => {
            // Outside any clip a finished matrix moves nothing.
            let of_reference = |bone: usize| {
                let matrices = reference.and_then(|pose| pose.model_from_mesh.as_ref());
                let matrix = matrices.and_then(|matrices| matrices.get(bone));
                matrix.copied().unwrap_or(Affine3A::IDENTITY)
            };
            for (bone, (base, over)) in base.iter_mut().zip(over).enumerate() {
                *base = match reference {
                    None => decompose::finished(base, over, weight),
                    Some(_) => decompose::add_finished(base, over, &of_reference(bone), weight),
                };
            }
        }
        (None, None) => {
            let from = reference.map(|pose| &pose.parent_from_bone);
            for (bone, base) in pose.parent_from_bone.iter_mut().enumerate() {
                let Some(over) = over.parent_from_bone.get(bone) else {
                    continue;
                };
                *base = match from.map(|from| from.get(bone)) {
                    None => decompose::local(base, over, weight),
                    Some(Some(from)) => decompose::add_local(base, over, from, weight),
                    Some(None) => *base,
                };
            }
            let locals = std::mem::take(&mut pose.parent_from_bone);
            let composed = super::sample::from_locals(&model.skeleton, locals);
            pose.parent_from_bone = composed.parent_from_bone;
            pose.model_from_bone = composed.model_from_bone;
        }
        _ => {}
    }
}

impl Pose {
    /// Where `point` of `bone` is, file space; see [`InPlace::point`].
    pub fn place_of(&self, bone: BoneId, point: Vec3) -> Option<Vec3> {
        let matrices = self.model_from_mesh.as_ref();
        let matrix = matrices.unwrap_or(&self.model_from_bone).get(bone.index())?;
        Some(matrix.transform_point3(point))
    }
}

/// How far the point has gone over the ground since the start of the clip, file space.
fn way_over_ground(model: &Model, spec: &PoseSpec, in_place: &InPlace, pose: &Pose) -> Vec3 {
    let start = spec.clip_of(model).map(|clip: &Clip| PoseSpec {
        clip: spec.clip,
        moment: Moment::TimeSecs(clip.start_secs),
        sampling: spec.sampling,
        ..PoseSpec::default()
    });
    let begin = start.map(|start| sample(model, &start));
    let place = |pose: &Pose| pose.place_of(in_place.bone, in_place.point);
    let (Some(now), Some(begin)) = (place(pose), begin.as_ref().and_then(place)) else {
        return Vec3::ZERO;
    };
    let display_from_file = model.axes.display_from_file();
    let way = display_from_file.transform_vector3(now - begin);
    let level = Vec3::new(way.x, 0.0, way.z);
    display_from_file.inverse().transform_vector3(level)
}

/// Moves a whole pose; what bones are in their parents stays as the file has it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_set_taken_back_and_compared() {
        let mut overrides = MorphOverrides::default();
        assert!(overrides.is_empty());
        assert!(overrides.set(7, Some(0.5)) && overrides.set(2, Some(1.0)));
        assert!(overrides.set(7, Some(0.25)));
        assert_eq!(overrides.iter().collect::<Vec<_>>(), [(2, 1.0), (7, 0.25)]);
        assert_eq!((overrides.get(7), overrides.get(3)), (Some(0.25), None));
        let mut weights = vec![vec![0.0; 3], vec![0.1; 5]];
        overrides.apply(&mut weights);
        assert_eq!((weights[0][2], weights[1][4], weights[1][3]), (1.0, 0.25, 0.1));
        assert!(overrides.set(2, None) && overrides.set(7, None));
        assert_eq!(overrides, MorphOverrides::default());
    }

    #[test]
    fn a_weight_without_room_is_refused() {
        let mut overrides = MorphOverrides::default();
        for target in 0..MAX_WEIGHTS {
            assert!(overrides.set(target, Some(1.0)));
        }
        assert!(!overrides.set(1000, Some(1.0)));
        assert!(!overrides.set(1 << 20, Some(1.0)));
        assert!(overrides.set(3, Some(0.5)));
        assert_eq!(overrides.iter().count(), MAX_WEIGHTS);
    }
}
