//! Bone matrices at a moment of a clip, without layers.

use glam::{Affine3A, Vec3};

use super::blend::{KeyBlend, blend_keys, snap_to_key};
use super::{Moment, PoseSpec, Sampling, decompose, morph, track};
use crate::model::{
    BoneId, BoneTrack, Clip, DefaultPose, IdVec, KeySpace, MeshId, Model, Motion, NormalMatrix,
    SampledMotion, Skeleton, Trs, VertexAnimation,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Transforms relative to the parent; empty if `model_from_mesh` is set.
    pub parent_from_bone: IdVec<BoneId, Affine3A>,
    /// Not meaningful if `model_from_mesh` is set.
    pub model_from_bone: IdVec<BoneId, Affine3A>,
    /// The baked skinning matrix of each bone, if the file's keys store those.
    pub model_from_mesh: Option<IdVec<BoneId, Affine3A>>,
    /// In the bind pose, the matrix that places each skinned mesh as a whole, instead of its bones.
    pub model_from_bound_mesh: Option<Vec<Affine3A>>,
    /// Weights by mesh and morph target.
    pub morph_weights: Vec<Vec<f32>>,
    /// Final vertices of one mesh, if the clip is a vertex animation.
    pub cached: Option<CachedVertices>,
    /// The rule by which normals and tangents are transformed.
    pub normal_matrix: NormalMatrix,
}

/// The vertices of a mesh from a vertex animation.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedVertices {
    pub mesh: MeshId,
    /// One per vertex, model space.
    pub positions: Vec<Vec3>,
}

/// The pose without layers.
pub(super) fn base_pose(model: &Model, spec: &PoseSpec) -> Pose {
    let clip = match (spec.clip, spec.moment, model.default_pose) {
        (None, Moment::Default, DefaultPose::Rest) => None,
        _ => spec.clip_of(model),
    };
    let Some(clip) = clip else { return rest(model) };
    let sampling = spec.sampling.in_clip(clip);
    let time_secs = time_read(clip, spec.moment, sampling);
    let mut pose = match &clip.motion {
        Motion::Sampled(motion) => sampled(model, motion, spec.moment, sampling),
        Motion::Tracks(tracks) => {
            let mut locals = model.skeleton.rest_locals().clone();
            for bone_track in tracks {
                locals[bone_track.bone] = tracked(&model.skeleton, bone_track, time_secs, sampling);
            }
            from_locals(&model.skeleton, locals)
        }
        Motion::Curves(curves) => {
            let mut locals = model.skeleton.rest_locals().clone();
            curves.0.sample(time_secs, &mut locals);
            from_locals(&model.skeleton, locals)
        }
        Motion::VertexAnimation(cache) => Pose { cached: cached(cache, time_secs), ..rest(model) },
    };
    pose.morph_weights = morph::weights_at(model, clip, time_secs);
    if let Motion::Curves(curves) = &clip.motion {
        curves.0.sample_morphs(time_secs, &mut pose.morph_weights);
    }
    pose
}

/// The time at which `clip` is read for `moment`: with step sampling, the time of the frame that
/// holds.
pub(super) fn time_read(clip: &Clip, moment: Moment, sampling: Sampling) -> f64 {
    let time_secs = time_in(clip, moment);
    if sampling != Sampling::Step {
        return time_secs;
    }
    if let Motion::VertexAnimation(cache) = &clip.motion {
        let next = cache.times_secs.partition_point(|&t| t <= time_secs);
        let at = next.checked_sub(1).and_then(|at| cache.times_secs.get(at));
        return at.copied().unwrap_or(clip.start_secs);
    }
    let frame_secs = clip.frame_secs();
    let frame = snap_to_key((time_secs - clip.start_secs) / frame_secs).floor();
    let held = clip.start_secs + frame * frame_secs;
    if held.is_finite() { held } else { time_secs }
}

/// `moment` on the clip's clock, clamped to the clip.
fn time_in(clip: &Clip, moment: Moment) -> f64 {
    let end = clip.start_secs + clip.duration_secs.max(0.0);
    match moment {
        Moment::Default | Moment::Rest | Moment::Bind => clip.start_secs,
        Moment::TimeSecs(t) if t.is_nan() => clip.start_secs,
        Moment::TimeSecs(t) => t.clamp(clip.start_secs, end),
        Moment::Key(key) => (clip.start_secs + f64::from(key) * clip.frame_secs()).min(end),
    }
}

/// The skeleton outside any clip.
pub(super) fn rest(model: &Model) -> Pose {
    let mut pose = from_locals(&model.skeleton, model.skeleton.rest_locals().clone());
    pose.morph_weights = morph::default_weights(model);
    // Without keys, the bone positions of a skin-space file are unknown: vertices keep their stored
    // positions.
    if model.default_pose == DefaultPose::FirstKey && !model.skeleton.has_hierarchy() {
        pose.model_from_mesh = Some(IdVec::filled(Affine3A::IDENTITY, model.skeleton.bones()));
    }
    pose
}

/// Composes parents: `model_from_bone[b] = model_from_bone[parent] * parent_from_bone[b]`.
pub(super) fn from_locals(skeleton: &Skeleton, parent_from_bone: IdVec<BoneId, Affine3A>) -> Pose {
    let mut model_from_bone = parent_from_bone.clone();
    for &bone in skeleton.parents_first() {
        if let Some(parent) = skeleton.bones()[bone].parent {
            model_from_bone[bone] = model_from_bone[parent] * parent_from_bone[bone];
        }
    }
    Pose {
        parent_from_bone,
        model_from_bone,
        model_from_mesh: None,
        model_from_bound_mesh: None,
        morph_weights: Vec::new(),
        cached: None,
        normal_matrix: NormalMatrix::default(),
    }
}

/// The vertices of a vertex animation at a time, clamped to its first and last time.
fn cached(cache: &VertexAnimation, time_secs: f64) -> Option<CachedVertices> {
    let times = &cache.times_secs;
    let num_vertices = cache.positions.len().checked_div(times.len())?;
    let frame = |at: usize| {
        let first = at * num_vertices;
        cache.positions.get(first..first + num_vertices)
    };
    let next = times.partition_point(|&t| t <= time_secs);
    let at = next.saturating_sub(1);
    let first = frame(at)?;
    let begin = times.get(at).copied().unwrap_or(time_secs);
    let positions = match (frame(next), times.get(next)) {
        (Some(second), Some(&end)) if begin < time_secs => {
            #[expect(clippy::cast_possible_truncation, reason = "a fraction needs no 53 bits")]
            let t = ((time_secs - begin) / (end - begin)) as f32;
            let pairs = first.iter().zip(second);
            pairs.map(|(a, &b)| a.lerp(b, t)).collect()
        }
        _ => first.to_vec(),
    };
    Some(CachedVertices { mesh: cache.mesh, positions })
}

fn sampled(model: &Model, motion: &SampledMotion, moment: Moment, sampling: Sampling) -> Pose {
    let Some(blend) = blend_keys(motion, moment, sampling) else { return rest(model) };
    let matrices: IdVec<BoneId, Affine3A> =
        (0..model.skeleton.len()).map(|bone| blended(motion, blend, sampling, bone)).collect();
    match motion.space {
        KeySpace::Local => from_locals(&model.skeleton, matrices),
        KeySpace::Skin => Pose {
            parent_from_bone: IdVec::new(),
            model_from_bone: if motion.is_bind_pair {
                // Key 0 of a bind pair holds the bone transforms.
                (0..model.skeleton.len())
                    .map(|bone| motion.keys.matrix(0, bone).unwrap_or(Affine3A::IDENTITY))
                    .collect()
            } else {
                IdVec::filled(Affine3A::IDENTITY, &matrices)
            },
            model_from_mesh: Some(matrices),
            model_from_bound_mesh: None,
            morph_weights: Vec::new(),
            cached: None,
            normal_matrix: NormalMatrix::default(),
        },
    }
}

/// One bone's matrix, blended from two keys.
fn blended(motion: &SampledMotion, blend: KeyBlend, sampling: Sampling, bone: usize) -> Affine3A {
    let at = |key: u32| motion.keys.matrix(key as usize, bone).unwrap_or(Affine3A::IDENTITY);
    let first = at(blend.key0);
    if blend.is_product {
        return first * at(blend.key1);
    }
    if blend.fraction == 0.0 {
        return first;
    }
    let (second, t) = (at(blend.key1), blend.fraction);
    match (sampling, motion.space) {
        (Sampling::Decomposed, KeySpace::Local) => decompose::local(&first, &second, t),
        (Sampling::Decomposed, KeySpace::Skin) => decompose::baked(&first, &second, t),
        _ => decompose::sum(&first, &second, t),
    }
}

/// One bone's local matrix from its curves; its rest transform without curves.
fn tracked(
    skeleton: &Skeleton,
    curves: &BoneTrack,
    time_secs: f64,
    sampling: Sampling,
) -> Affine3A {
    let rest = skeleton.bones()[curves.bone].rest_local.to_trs();
    let keys = track::keys_around(curves, time_secs).filter(|_| sampling == Sampling::Linear);
    let Some(track::Around { begin, end, share }) = keys else {
        return of_curves(rest, curves, time_secs).to_affine();
    };
    let matrix = |time_secs| of_curves(rest, curves, time_secs).to_affine();
    decompose::sum(&matrix(begin), &matrix(end), share)
}

/// The components of a bone's local transform from its curves.
fn of_curves(rest: Trs, curves: &BoneTrack, time_secs: f64) -> Trs {
    let mut trs = rest;
    let read_vec = |t: &Option<_>| t.as_ref().and_then(|t| track::read(t, time_secs));
    if let Some(translation) = read_vec(&curves.translation) {
        trs.translation = translation;
    }
    if let Some(scale) = read_vec(&curves.scale) {
        trs.scale = scale;
    }
    if let Some(rotation) = curves.rotation.as_ref().and_then(|t| track::read(t, time_secs)) {
        trs.rotation = if rotation.length_squared() > f32::MIN_POSITIVE {
            rotation.normalize()
        } else {
            glam::Quat::IDENTITY
        };
    }
    trs
}
