//! Curves of FBX files in engines that rebuild them from their keys.
//!
//! three.js has keys for translation, rotation and scale, each at the times of their axes (0.187.0,
//! examples/jsm/loaders/FBXLoader.js: generateTracks, generateRotationTrack, getTimesForAllAxes). Blender evaluates the
//! whole transform at each key of a node (5.0, source/blender/io/fbx/importer/fbx_import_anim.cc:
//! create_transform_curve_data). Both interpolate linearly between keys, whatever the tangents are.

use std::f32::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use glam::{EulerRot, Quat, Vec3};

use super::playback_difference::PlaybackDifference;
use super::{FbxCurves, Rules};
use crate::model::{
    BoneId, BoneTrack, Clip, FbxClip, FbxNode, FbxWeight, IdVec, Interpolation, Mesh, MeshId,
    Model, MorphTrack, Motion, Place, Skeleton, Track, Trs,
};

/// Transforms that the keys of a clip may take, over all nodes.
const MAX_TRANSFORMS: usize = 1 << 22;

/// Euler angles that change by less between keys are interpolated like rotations.
const ANGLE_STEP_RAD: f32 = 0.004;
/// Keys that Euler angles may add to a clip.
const MAX_ADDED_KEYS: usize = 1 << 20;

/// Replaces curves by tracks.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    let Some(fbx) = model.stored.fbx.as_deref() else { return };
    if rules.fbx_curves == FbxCurves::AsStored {
        return;
    }
    let (skeleton, meshes) = (&model.skeleton, &model.meshes);
    let scene = FbxScene { skeleton, meshes, rule: rules.fbx_curves };
    let (mut first, mut count) = (None, 0);
    for (number, clip) in (0u32..).zip(&mut model.clips) {
        let Some(own) = fbx.clips.iter().find(|own| own.clip.index() == number as usize) else {
            continue;
        };
        if replace(clip, own, &scene) {
            first.get_or_insert(number);
            count += 1;
        } else if matches!(clip.motion, Motion::Curves(_)) {
            differences.push(PlaybackDifference {
                kind: "unpredicted",
                text: "curves with that many keys are lines between them (not predicted)"
                    .to_owned(),
                place: Place::Clip(number),
                count: 1,
            });
        }
    }
    if let Some(first) = first {
        differences.push(PlaybackDifference {
            kind: "curves-straightened",
            text: "curves are straight lines between keys, and rotations take the shortest way"
                .to_owned(),
            place: Place::Clip(first),
            count,
        });
    }
}

/// The parts of a model that clips refer to.
struct FbxScene<'a> {
    skeleton: &'a Skeleton,
    meshes: &'a IdVec<MeshId, Mesh>,
    rule: FbxCurves,
}

/// Replaces the curves of a clip by tracks with the values at its keys; returns whether it did.
fn replace(clip: &mut Clip, keys: &FbxClip, scene: &FbxScene<'_>) -> bool {
    let FbxScene { skeleton, meshes, rule } = *scene;
    let Motion::Curves(curves) = &clip.motion else { return false };
    let curves = Arc::clone(&curves.0);
    let mut nodes: Vec<NodeTracks> =
        keys.nodes.iter().map(|node| NodeTracks::new(node, rule)).collect();
    let mut weights: Vec<(&FbxWeight, Track<f32>)> =
        keys.weights.iter().map(|own| (own, empty_track())).collect();
    let mut times: Vec<f64> =
        nodes.iter().flat_map(|node| node.times.iter().flatten()).copied().collect();
    times.extend(keys.weights.iter().flat_map(|own| &own.keys.times_secs));
    times.sort_by(f64::total_cmp);
    times.dedup();
    if times.len().saturating_mul(skeleton.len().max(1)) > MAX_TRANSFORMS {
        return false;
    }
    let mut parent_from_bone = skeleton.rest_locals().clone();
    let mut of_meshes: Vec<Vec<f32>> =
        meshes.iter().map(|mesh| vec![0.0; mesh.morph_targets.len()]).collect();
    for &time in &times {
        curves.sample(time, &mut parent_from_bone);
        for node in &mut nodes {
            if let Some(local) = parent_from_bone.get(node.bone) {
                node.add(time, &Trs::from_affine(*local));
            }
        }
        if weights.is_empty() {
            continue;
        }
        curves.sample_morphs(time, &mut of_meshes);
        for (own, track) in &mut weights {
            let value = of_meshes.get(own.mesh.index()).and_then(|all| all.get(own.target));
            if let Some(value) = value.filter(|_| has(&own.keys.times_secs, time)) {
                add(track, time, *value);
            }
        }
    }
    let weights = weights.into_iter().filter(|(_, track)| !track.values.is_empty());
    clip.morph_tracks = weights
        .map(|(own, weights)| MorphTrack { mesh: own.mesh, target: own.target, weights })
        .collect();
    let mut tracks: Vec<BoneTrack> = nodes.into_iter().map(NodeTracks::finish).collect();
    if rule == FbxCurves::LinesByNode {
        let mut num_left = MAX_ADDED_KEYS;
        for (track, node) in tracks.iter_mut().zip(&keys.nodes).filter(|(_, node)| !node.is_joint) {
            let parent = skeleton.bones().get(node.bone).and_then(|bone| bone.parent);
            if let Some(rotation) = &mut track.rotation {
                add_euler_keys(rotation, parent.is_none(), &mut num_left);
            }
        }
    }
    clip.motion = Motion::Tracks(tracks);
    true
}

/// Adds keys between those of an object, whose rotation Blender interpolates as Euler angles. Blender's Z axis points up,
/// so it turns nodes at the top of the scene.
fn add_euler_keys(track: &mut Track<Quat>, is_at_top: bool, num_left: &mut usize) {
    let turn = if is_at_top { Quat::from_rotation_x(FRAC_PI_2) } else { Quat::IDENTITY };
    let angles: Vec<Vec3> = track.values.iter().map(|value| euler(turn * *value)).collect();
    let mut added = Track { times_secs: Vec::new(), values: Vec::new(), ..*track };
    for (at, (&time, &value)) in track.times_secs.iter().zip(&track.values).enumerate() {
        add(&mut added, time, value);
        let (Some(&next), Some(&[from, to])) = (
            track.times_secs.get(at + 1),
            angles.get(at..at + 2).and_then(|pair| pair.first_chunk()),
        ) else {
            continue;
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "angles are at most half a turn"
        )]
        let num = ((to - from).abs().max_element() / ANGLE_STEP_RAD).ceil() as usize;
        if num > *num_left {
            return;
        }
        *num_left -= num;
        for step in 1..num {
            let share = step as f32 / num as f32;
            let own = from.lerp(to, share);
            let turned = Quat::from_euler(EulerRot::ZYX, own.z, own.y, own.x);
            let time = time + (next - time) * f64::from(share);
            add(&mut added, time, turn.conjugate() * turned);
        }
    }
    *track = added;
}

/// The angles about X, then Y, then Z. Of both solutions, Blender chooses the one with smaller angles.
fn euler(rotation: Quat) -> Vec3 {
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    let first = Vec3::new(x, y, z);
    let far = |angle: f32| if angle > 0.0 { angle - PI } else { angle + PI };
    let second = Vec3::new(far(x), if y > 0.0 { PI - y } else { -PI - y }, far(z));
    if first.abs().element_sum() <= second.abs().element_sum() { first } else { second }
}

/// The tracks of a node while keys are added.
struct NodeTracks {
    bone: BoneId,
    /// The times of translation, rotation and scale.
    times: [Vec<f64>; 3],
    translation: Track<Vec3>,
    rotation: Track<Quat>,
    scale: Track<Vec3>,
}

impl NodeTracks {
    fn new(node: &FbxNode, rule: FbxCurves) -> Self {
        let own = [&node.translation, &node.rotation, &node.scale];
        let mut times = own.map(|keys| keys.times_secs.clone());
        if rule == FbxCurves::LinesByNode {
            let mut all = times.concat();
            all.sort_by(f64::total_cmp);
            all.dedup();
            times = [all.clone(), all.clone(), all];
        }
        Self {
            bone: node.bone,
            times,
            translation: empty_track(),
            rotation: empty_track(),
            scale: empty_track(),
        }
    }

    /// Adds keys if the node has any at the time.
    fn add(&mut self, time: f64, local: &Trs) {
        let [translation, rotation, scale] = &self.times;
        if has(translation, time) {
            add(&mut self.translation, time, local.translation);
        }
        if has(rotation, time) {
            add(&mut self.rotation, time, local.rotation);
        }
        if has(scale, time) {
            add(&mut self.scale, time, local.scale);
        }
    }

    fn finish(self) -> BoneTrack {
        BoneTrack {
            bone: self.bone,
            translation: non_empty(self.translation),
            rotation: non_empty(self.rotation),
            scale: non_empty(self.scale),
        }
    }
}

fn has(times: &[f64], time: f64) -> bool {
    times.binary_search_by(|own| own.total_cmp(&time)).is_ok()
}

fn add<T>(track: &mut Track<T>, time: f64, value: T) {
    track.times_secs.push(time);
    track.values.push(value);
}

fn empty_track<T>() -> Track<T> {
    Track { times_secs: Vec::new(), values: Vec::new(), interpolation: Interpolation::Linear }
}

fn non_empty<T>(track: Track<T>) -> Option<Track<T>> {
    (!track.values.is_empty()).then_some(track)
}
