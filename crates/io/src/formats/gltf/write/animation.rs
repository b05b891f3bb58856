//! Animations: one per clip, one channel per bone and property, samplers as authored.
//!
//! Source: glTF 2.0, sections 3.11 and 5.5 to 5.8. Times are single precision, strictly ascending
//! and not below 0; an animation has at least one channel.

use std::collections::HashSet;

use glam::{Quat, Vec3};
use gltf_json::animation::{
    Channel, Interpolation as StoredInterpolation, Property, Sampler, Target,
};
use gltf_json::validation::Checked;
use gltf_json::{Animation, Index};

use super::super::pointer::material_pointer;
use super::data::{FileData, PointerChannel, Use, index};
use super::layers;
use super::material::has_texture;
use super::mesh::WrittenMeshes;
use super::nodes::{name, unit};
use super::weights;
use crate::formats::WriteError;
use rigscope_core::model::{
    BoneTrack, Clip, ClipId, FindingKind, Interpolation, MaterialId, MaterialProperty,
    MaterialTrack, MeshId, Model, Motion, Place, Report, Track, Trs, as_u32, numbered, numbers,
};
use rigscope_core::pose::peak_look;

/// Keys within this distance of a clip's ends, in seconds, count as reaching them: single precision
/// isn't more precise after some minutes.
const TIME_TOLERANCE_SECS: f64 = 1e-5;

/// Between quaternions up to this angle apart (on their sphere), linear and spherical interpolation
/// differ by less than 1e-6 (at most 0.016 times the cube of the angle; as a rotation, twice that).
const STRAIGHT_RAD: f32 = 0.03;

/// Writes all clips.
pub(super) fn write(
    model: &Model,
    meshes: &WrittenMeshes,
    num_nodes: usize,
    data: &mut FileData,
    report: &Report,
) -> Result<Vec<Option<ClipId>>, WriteError> {
    let mut written = Vec::new();
    for (at, clip) in model.clips.iter().enumerate() {
        report.progress("writing clips", 0.6 + 0.3 * at as f32 / model.clips.len() as f32)?;
        let clip_id = ClipId::from_index(at);
        let mut channels = channels(model, clip_id, clip, meshes, &data.root.materials, report);
        // The losses name vertex animations; a clip that doesn't move would only hide that.
        if channels.list.is_empty() && matches!(clip.motion, Motion::VertexAnimation(_)) {
            continue;
        }
        channels.extend_to_clip(model, clip, num_nodes);
        channels.repeat_single_keys(clip);
        if channels.list.is_empty() {
            report.add(
                FindingKind::LeftOut,
                Place::Clip(clip_id.0),
                "the clip animates nothing and isn't written",
            );
            continue;
        }
        data.close_keys();
        let animation = channels.into_animation(clip, clip_id, data, report);
        data.root.animations.push(animation);
        written.push(Some(clip_id));
    }
    Ok(written)
}

/// Values of a channel, key by key.
enum CurveValues {
    Pairs(Vec<[f32; 2]>),
    Vectors(Vec<[f32; 3]>),
    Fours(Vec<[f32; 4]>),
    Numbers(Vec<[f32; 1]>),
}

/// The target of a channel.
#[derive(Clone, Copy)]
enum CurveTarget {
    Node(usize, Property),
    Material(MaterialId, MaterialProperty),
}

#[derive(PartialEq, Eq, Hash)]
enum TargetKey {
    Node(usize, u8),
    Material(MaterialId, MaterialProperty),
}

impl CurveTarget {
    /// Differs between targets; the crate's properties can't be hashed.
    fn key(self) -> TargetKey {
        match self {
            Self::Node(node, property) => TargetKey::Node(node, property as u8),
            Self::Material(material, property) => TargetKey::Material(material, property),
        }
    }
}

/// A channel with its sampler.
struct ChannelCurve {
    target: CurveTarget,
    times_secs: Vec<f64>,
    values: CurveValues,
    interpolation: StoredInterpolation,
}

#[derive(Default)]
struct Channels {
    list: Vec<ChannelCurve>,
    /// The target of each curve: a file may animate each only once.
    taken: HashSet<TargetKey>,
}

fn channels(
    model: &Model,
    clip_id: ClipId,
    clip: &Clip,
    meshes: &WrittenMeshes,
    materials: &[gltf_json::Material],
    report: &Report,
) -> Channels {
    let mut channels = Channels::default();
    if let Motion::Tracks(tracks) = &clip.motion {
        for track in tracks {
            channels.add_bone(track);
        }
    }
    for (at, mesh) in model.meshes.iter().enumerate() {
        let Some(node) = meshes.node_of.get(at).copied().flatten() else { continue };
        let id = MeshId::from_index(at);
        let Some(found) = weights::weights(model, clip_id, clip, id, mesh, report) else {
            continue;
        };
        channels.add(ChannelCurve {
            target: CurveTarget::Node(node, Property::MorphTargetWeights),
            times_secs: found.times_secs,
            values: CurveValues::Numbers(found.values.into_iter().map(|weight| [weight]).collect()),
            interpolation: found.interpolation,
        });
    }
    for track in &clip.material_tracks {
        let stored = materials.get(track.material.index());
        if let MaterialProperty::Texture(role, _) = track.property
            && !stored.is_some_and(|stored| has_texture(stored, role))
        {
            report.add(FindingKind::LeftOut, Place::Clip(clip_id.0), missing_texture(model, track));
            continue;
        }
        channels.add(factors(model, track));
    }
    channels
}

fn missing_texture(model: &Model, track: &MaterialTrack) -> String {
    let material = model.materials.get(track.material).map_or("", |material| &material.name);
    let material = numbered("material", track.material.index(), material);
    format!(
        "the animated {} of {material} is left out, because no such texture is written",
        track.property
    )
}

impl Channels {
    fn add(&mut self, curve: ChannelCurve) {
        if !curve.times_secs.is_empty() && self.taken.insert(curve.target.key()) {
            self.list.push(curve);
        }
    }

    fn add_bone(&mut self, track: &BoneTrack) {
        let node = track.bone.index();
        if let Some(moves) = &track.translation {
            self.add(vectors(node, Property::Translation, moves));
        }
        if let Some(turns) = &track.rotation {
            self.add(rotations(node, turns));
        }
        if let Some(scales) = &track.scale {
            self.add(vectors(node, Property::Scale, scales));
        }
    }

    fn span(&self) -> Option<(f64, f64)> {
        let firsts = self.list.iter().filter_map(|curve| curve.times_secs.first());
        let lasts = self.list.iter().filter_map(|curve| curve.times_secs.last());
        let first = firsts.copied().reduce(f64::min)?;
        Some((first, lasts.copied().reduce(f64::max)?))
    }

    /// Extends the keys from the clip's start to its end, since the format has no other way to
    /// store a clip's length.
    fn extend_to_clip(&mut self, model: &Model, clip: &Clip, num_nodes: usize) {
        let (start, end) = (clip.start_secs, clip.start_secs + clip.duration_secs.max(0.0));
        let reaches = |(first, last)| {
            first <= start + TIME_TOLERANCE_SECS && last >= end - TIME_TOLERANCE_SECS
        };
        if self.span().is_some_and(reaches) {
            return;
        }
        let ends = if end > start { vec![start, end] } else { vec![start] };
        let is_constant = |curve: &&mut ChannelCurve| {
            curve.times_secs.len() == 1 && curve.interpolation != StoredInterpolation::CubicSpline
        };
        if let Some(curve) = self.list.iter_mut().find(is_constant) {
            curve.values.repeat(ends.len());
            curve.times_secs = ends;
            return;
        }
        if num_nodes == 0 {
            return;
        }
        // Node 0 is the first bone, if there are bones.
        let rest = model.skeleton.bones().first();
        let rest = rest.map_or(Trs::IDENTITY, |bone| bone.rest_local.to_trs());
        let properties = [(Property::Scale, rest.scale), (Property::Translation, rest.translation)];
        let is_free =
            |(path, _): &(Property, Vec3)| !self.taken.contains(&CurveTarget::Node(0, *path).key());
        match properties.into_iter().find(is_free) {
            Some((path, value)) => self.add(ChannelCurve {
                target: CurveTarget::Node(0, path),
                values: CurveValues::Vectors(vec![value.to_array(); ends.len()]),
                times_secs: ends,
                interpolation: StoredInterpolation::Linear,
            }),
            None => {
                if let Some(curve) = self.list.first_mut() {
                    curve.extend_to(start, end);
                }
            }
        }
    }

    /// Writes single keys at both ends of the clip, because some runtimes ignore tracks with one key. A clip without a
    /// duration keeps them: it has no second time.
    fn repeat_single_keys(&mut self, clip: &Clip) {
        let (start, end) = (clip.start_secs, clip.start_secs + clip.duration_secs.max(0.0));
        if end <= start {
            return;
        }
        for curve in self.list.iter_mut().filter(|curve| curve.times_secs.len() == 1) {
            // The value of a single key applies at all times, so its own time doesn't matter.
            curve.times_secs = vec![start];
            curve.extend_to(start, end);
        }
    }

    fn into_animation(
        self,
        clip: &Clip,
        clip_id: ClipId,
        data: &mut FileData,
        report: &Report,
    ) -> Animation {
        let (first, _) = self.span().unwrap_or_default();
        let shift = (-first).max(0.0);
        report.add_many(
            FindingKind::Altered,
            Place::Clip(clip_id.0),
            u64::from(shift > 0.0),
            || format!("the clip starts at {} and is moved to 0 s", numbers::seconds(first)),
        );
        let mut animation = Animation {
            extensions: None,
            extras: Default::default(),
            channels: Vec::new(),
            name: name(&clip.name),
            samplers: Vec::new(),
        };
        for curve in self.list {
            let input = data.times(&single(&curve.times_secs, shift));
            let output = match &curve.values {
                CurveValues::Pairs(values) => data.floats(values, Use::Keys),
                CurveValues::Vectors(values) => data.floats(values, Use::Keys),
                CurveValues::Fours(values) => data.floats(values, Use::Keys),
                CurveValues::Numbers(values) => data.floats(values, Use::Keys),
            };
            let (node, path) = match curve.target {
                CurveTarget::Node(node, path) => (node, path),
                CurveTarget::Material(material, property) => {
                    let animation_index = data.root.animations.len();
                    let channel = animation.channels.len();
                    let pointer = material_pointer(material.index(), property);
                    data.pointers.extend(pointer.map(|pointer| PointerChannel {
                        animation: animation_index,
                        channel,
                        pointer,
                    }));
                    (0, Property::Translation)
                }
            };
            animation.channels.push(Channel {
                sampler: index(animation.samplers.len()),
                target: Target {
                    extensions: None,
                    extras: Default::default(),
                    node: index(node),
                    path: Checked::Valid(path),
                },
                extensions: None,
                extras: Default::default(),
            });
            animation.samplers.push(Sampler {
                extensions: None,
                extras: Default::default(),
                input: index(input),
                interpolation: Checked::Valid(curve.interpolation),
                output: Index::new(as_u32(output)),
            });
        }
        animation
    }
}

impl CurveValues {
    /// Repeats a single key `num` times.
    fn repeat(&mut self, num: usize) {
        match self {
            Self::Pairs(list) => *list = list.repeat(num),
            Self::Vectors(list) => *list = list.repeat(num),
            Self::Fours(list) => *list = list.repeat(num),
            Self::Numbers(list) => *list = list.repeat(num),
        }
    }

    /// Duplicates the first or last of `num` keys at its end.
    fn extend(&mut self, num: usize, is_cubic: bool, at_start: bool) {
        match self {
            Self::Pairs(list) => extend(list, num, is_cubic, at_start),
            Self::Vectors(list) => extend(list, num, is_cubic, at_start),
            Self::Fours(list) => extend(list, num, is_cubic, at_start),
            Self::Numbers(list) => extend(list, num, is_cubic, at_start),
        }
    }
}

fn extend<const N: usize>(list: &mut Vec<[f32; N]>, num: usize, is_cubic: bool, at_start: bool) {
    let per_key = list.len() / num.max(1);
    let range = if at_start { 0..per_key } else { list.len().saturating_sub(per_key)..list.len() };
    let mut copy: Vec<_> = list.get(range.clone()).unwrap_or_default().to_vec();
    if is_cubic {
        // Tangents that become effective must not bend the curve: those on both sides of the new
        // segment are set to 0.
        let third = per_key / 3;
        let keep = third..third * 2;
        for values in [Some(&mut copy[..]), list.get_mut(range)].into_iter().flatten() {
            for (at, value) in values.iter_mut().enumerate() {
                let is_inner = if at_start { at < third } else { at >= third * 2 };
                if !keep.contains(&at) && is_inner {
                    *value = [0.0; N];
                }
            }
        }
        for (at, value) in copy.iter_mut().enumerate() {
            if !keep.contains(&at) {
                *value = [0.0; N];
            }
        }
    }
    let place = if at_start { 0 } else { list.len() };
    list.splice(place..place, copy);
}

impl ChannelCurve {
    /// Extends the first key back to `start` and the last key to `end`.
    fn extend_to(&mut self, start: f64, end: f64) {
        let is_cubic = self.interpolation == StoredInterpolation::CubicSpline;
        if self.times_secs.first().is_some_and(|&first| first > start) {
            self.values.extend(self.times_secs.len(), is_cubic, true);
            self.times_secs.insert(0, start);
        }
        if self.times_secs.last().is_some_and(|&last| last < end) {
            self.values.extend(self.times_secs.len(), is_cubic, false);
            self.times_secs.push(end);
        }
    }
}

fn stored(interpolation: Interpolation) -> StoredInterpolation {
    match interpolation {
        Interpolation::Step => StoredInterpolation::Step,
        Interpolation::Linear | Interpolation::Nlerp | Interpolation::Matrix => {
            StoredInterpolation::Linear
        }
        Interpolation::Cubic => StoredInterpolation::CubicSpline,
    }
}

fn vectors(node: usize, path: Property, track: &Track<Vec3>) -> ChannelCurve {
    ChannelCurve {
        target: CurveTarget::Node(node, path),
        times_secs: track.times_secs.clone(),
        values: CurveValues::Vectors(track.values.iter().map(|v| v.to_array()).collect()),
        interpolation: stored(track.interpolation),
    }
}

/// A material parameter. Emission is divided by the strength that the material is written with.
fn factors(model: &Model, track: &MaterialTrack) -> ChannelCurve {
    let (material, property) = (track.material, track.property);
    let strength = match model.materials.get(material) {
        Some(stored) if property == MaterialProperty::Emissive => {
            let look = stored.look.as_deref().copied().unwrap_or_default();
            layers::emissive_strength(peak_look(model, material, &look).emissive)
        }
        _ => 1.0,
    };
    let values = track.values.values.iter().map(|value| (*value / strength).to_array());
    ChannelCurve {
        target: CurveTarget::Material(material, property),
        times_secs: track.values.times_secs.clone(),
        values: match property.num_components() {
            4 => CurveValues::Fours(values.collect()),
            3 => CurveValues::Vectors(values.map(|[x, y, z, _]| [x, y, z]).collect()),
            2 => CurveValues::Pairs(values.map(|[x, y, ..]| [x, y]).collect()),
            _ => CurveValues::Numbers(values.map(|[x, ..]| [x]).collect()),
        },
        interpolation: stored(track.values.interpolation),
    }
}

fn rotations(node: usize, track: &Track<Quat>) -> ChannelCurve {
    if matches!(track.interpolation, Interpolation::Nlerp | Interpolation::Matrix) {
        return subdivided_rotations(node, track);
    }
    let is_cubic = track.interpolation == Interpolation::Cubic;
    let value = |(at, &turn): (usize, &Quat)| {
        if is_cubic && at % 3 != 1 { turn.to_array() } else { unit(turn).to_array() }
    };
    ChannelCurve {
        target: CurveTarget::Node(node, Property::Rotation),
        times_secs: track.times_secs.clone(),
        values: CurveValues::Fours(track.values.iter().enumerate().map(value).collect()),
        interpolation: stored(track.interpolation),
    }
}

/// Keys for spherical interpolation from keys for linear interpolation of quaternions: large
/// rotations get additional keys, so that both give the same result.
fn subdivided_rotations(node: usize, track: &Track<Quat>) -> ChannelCurve {
    let (mut times_secs, mut values) = (Vec::new(), Vec::new());
    let keys: Vec<(f64, Quat)> = (track.times_secs.iter().copied())
        .zip(track.values.iter().map(|&turn| unit(turn)))
        .collect();
    for pair in keys.windows(2) {
        let &[(start, from), (end, to)] = pair else { continue };
        let angle_rad = from.dot(to).abs().min(1.0).acos();
        #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        let num_steps = ((angle_rad / STRAIGHT_RAD).ceil() as u32).max(1);
        for step in 0..num_steps {
            let share = f64::from(step) / f64::from(num_steps);
            let side = if from.dot(to) < 0.0 { -to } else { to };
            #[expect(clippy::cast_possible_truncation, reason = "a share needs no 53 bits")]
            let turn = from * (1.0 - share as f32) + side * share as f32;
            times_secs.push(start + (end - start) * share);
            values.push(if step == 0 { from } else { turn.normalize() }.to_array());
        }
    }
    if let Some((time, turn)) = keys.last() {
        times_secs.push(*time);
        values.push(turn.to_array());
    }
    ChannelCurve {
        target: CurveTarget::Node(node, Property::Rotation),
        times_secs,
        values: CurveValues::Fours(values),
        interpolation: StoredInterpolation::Linear,
    }
}

/// Times in single precision, shifted by `shift`. If two times become equal, the earlier one moves
/// back, so that the later value applies from its own time on.
fn single(times_secs: &[f64], shift: f64) -> Vec<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "files hold single precision")]
    let mut times: Vec<f32> = times_secs.iter().map(|time| (time + shift) as f32).collect();
    let mut limit = f32::INFINITY;
    for time in times.iter_mut().rev() {
        *time = time.min(limit.next_down());
        limit = *time;
    }
    // Times can't move below 0: the later ones move forward instead.
    let mut least = 0.0f32;
    for time in &mut times {
        *time = time.max(least);
        least = time.next_up();
    }
    times
}
