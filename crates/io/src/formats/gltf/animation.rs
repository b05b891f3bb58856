//! Reads animations as clips: one track per node and property, one per morph target.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, Vec4};
use gltf_json::Animation;
use gltf_json::accessor::{ComponentType, GenericComponentType};
use gltf_json::animation::{Channel, Property, Sampler};
use gltf_json::validation::Checked;

use super::accessor::Integers;
use super::asset::Asset;
use super::fault::{malformed, nth};
use super::layers;
use super::mesh::Meshes;
use super::pointer::{Factor, MaterialChannel};
use super::spans::AccessorUse;
use super::stored_bounds;
use crate::formats::ReadError;
use rigscope_core::model::{
    BoneId, BoneTrack, Clip, ClipId, Element, FindingKind, Interpolation, Material, MaterialId,
    MaterialProperty, MaterialTrack, MeshId, MorphTrack, Motion, NodeProperty, Place, StoredTrack,
    Track, as_u32, counted, numbered,
};

/// Reads all animations. A malformed channel is reported and left out.
pub(super) fn read(
    asset: &mut Asset<'_>,
    meshes: &Meshes,
    materials: &[Material],
) -> Result<(Vec<Clip>, TrackFacts), ReadError> {
    let animations = &asset.root.animations;
    let (mut clips, mut facts) = (Vec::new(), TrackFacts::default());
    for (at, animation) in animations.iter().enumerate() {
        let fraction = at as f32 / animations.len() as f32;
        asset.report.progress("reading clips", 0.4 + 0.2 * fraction)?;
        clips.push(clip(asset, meshes, materials, animation, at, &mut facts)?);
    }
    Ok((clips, facts))
}

/// Tracks of a clip under construction.
#[derive(Default)]
struct ClipBuilder {
    tracks: BTreeMap<BoneId, BoneTrack>,
    morph_tracks: Vec<MorphTrack>,
    material_tracks: Vec<MaterialTrack>,
    times: Option<(f64, f64)>,
    /// Tracks of properties that have one already.
    repeated: Vec<BoneTrack>,
    /// Tracks whose times aren't in order.
    unsorted: Vec<BoneTrack>,
}

fn clip(
    asset: &mut Asset<'_>,
    meshes: &Meshes,
    materials: &[Material],
    animation: &Animation,
    number: usize,
    facts: &mut TrackFacts,
) -> Result<Clip, ReadError> {
    let place = Place::Clip(as_u32(number));
    let mut builder = ClipBuilder::default();
    for (at, channel) in animation.channels.iter().enumerate() {
        add_spans(asset, animation, channel, number);
        let target = ChannelTarget::Node(channel, asset.channel_number(number, at));
        let read = builder.channel(asset, meshes, animation, channel, target, number);
        if read.is_ok() {
            facts.add(asset, animation, channel, number, target);
        }
        unless_malformed(asset, read, target, number)?;
    }
    let repeated = std::mem::take(&mut builder.repeated);
    facts.repeated.extend(repeated.into_iter().map(|track| (ClipId::from_index(number), track)));
    let unsorted = std::mem::take(&mut builder.unsorted);
    facts.unsorted.extend(unsorted.into_iter().map(|track| (ClipId::from_index(number), track)));
    let channels = asset.material_channels;
    for channel in channels.iter().filter(|channel| channel.animation == number) {
        let target = ChannelTarget::Material(channel);
        let read = builder.material(asset, materials, animation, channel);
        unless_malformed(asset, read, target, number)?;
    }
    let has_tracks = !builder.tracks.is_empty()
        || !builder.morph_tracks.is_empty()
        || !builder.material_tracks.is_empty();
    asset.report.add_many(FindingKind::ClipWithoutKeys, place, u64::from(!has_tracks), || {
        let clip = numbered("clip", number, animation.name.as_deref().unwrap_or_default());
        let is_partly_read = asset.partly_read.contains(&number) || !animation.channels.is_empty();
        if is_partly_read {
            format!("{clip} moves nothing here, because none of its channels can be played")
        } else {
            format!("{clip} animates nothing")
        }
    });
    let (start, end) = builder.times.unwrap_or_default();
    Ok(Clip {
        name: animation.name.clone().unwrap_or_default(),
        start_secs: start,
        duration_secs: end - start,
        motion: Motion::Tracks(builder.tracks.into_values().collect()),
        morph_tracks: builder.morph_tracks,
        material_tracks: builder.material_tracks,
        ..Clip::default()
    })
}

/// Facts about tracks that some runtimes need; see [`StoredScene`](rigscope_core::model::StoredScene).
#[derive(Default)]
pub(super) struct TrackFacts {
    pub(super) by_pointer: Vec<StoredTrack>,
    pub(super) of_integers: Vec<(StoredTrack, u16)>,
    pub(super) repeated: Vec<(ClipId, BoneTrack)>,
    pub(super) unsorted: Vec<(ClipId, BoneTrack)>,
}

impl TrackFacts {
    /// Adds those about the track of a channel of clip `number`.
    fn add(
        &mut self,
        asset: &Asset<'_>,
        animation: &Animation,
        channel: &Channel,
        number: usize,
        target: ChannelTarget<'_>,
    ) {
        let Some(track) = stored_track(channel, number) else { return };
        if asset.is_pointer_channel(number, target.number()) {
            self.by_pointer.push(track);
        }
        let sampler = animation.samplers.get(channel.sampler.value());
        let values = sampler.and_then(|own| asset.root.accessors.get(own.output.value()));
        let max = match values.map(|values| values.component_type) {
            Some(Checked::Valid(GenericComponentType(component))) => match component {
                ComponentType::I8 => i8::MAX.unsigned_abs().into(),
                ComponentType::U8 => u8::MAX.into(),
                ComponentType::I16 => i16::MAX.unsigned_abs(),
                ComponentType::U16 => u16::MAX,
                ComponentType::U32 | ComponentType::F32 => return,
            },
            _ => return,
        };
        self.of_integers.push((track, max));
    }
}

/// The track of a channel of clip `number`.
fn stored_track(channel: &Channel, number: usize) -> Option<StoredTrack> {
    let Checked::Valid(property) = channel.target.path else { return None };
    Some(StoredTrack {
        clip: ClipId::from_index(number),
        node: BoneId::from_index(channel.target.node.value()),
        property: match property {
            Property::Translation => NodeProperty::Translation,
            Property::Rotation => NodeProperty::Rotation,
            Property::Scale => NodeProperty::Scale,
            Property::MorphTargetWeights => NodeProperty::MorphWeights,
        },
    })
}

/// Reports a malformed channel, which is left out; returns other errors.
fn unless_malformed(
    asset: &Asset<'_>,
    read: Result<(), ReadError>,
    target: ChannelTarget<'_>,
    clip: usize,
) -> Result<(), ReadError> {
    let Err(ReadError::Malformed(failure)) = read else { return read };
    let place = Place::Clip(as_u32(clip));
    asset.report.add_many(FindingKind::ChannelLeftOut, place, 1, || {
        let property = property_text(asset, clip, target);
        let (clip, number) = (clip_text(asset, clip), target.number());
        format!("{clip}, channel {number} ({property}): {}; the channel is left out", failure.what)
    });
    Ok(())
}

impl ClipBuilder {
    fn channel(
        &mut self,
        asset: &mut Asset<'_>,
        meshes: &Meshes,
        animation: &Animation,
        channel: &Channel,
        target: ChannelTarget<'_>,
        number: usize,
    ) -> Result<(), ReadError> {
        asset.report.progress("reading clips", 0.5)?;
        let sampler = nth(&animation.samplers, channel.sampler.value(), "sampler")?;
        let node = channel.target.node.value();
        if asset.root.nodes.get(node).is_none() {
            return Err(malformed("node", format!("there is no node {node}")));
        }
        let Checked::Valid(property) = channel.target.path else {
            return Err(malformed("path", "glTF has no such property of nodes"));
        };
        let keys = ChannelKeys { sampler, target, clip: number };
        if property == Property::MorphTargetWeights {
            return self.weights(asset, meshes, keys, node);
        }
        let bone = BoneId::from_index(node);
        // Read the values before adding a track, so that a malformed channel leaves no empty one.
        let times = match property {
            Property::Translation => {
                let read = vectors(asset, keys)?;
                let is_repeated = self.track(bone).translation.is_some();
                self.note(is_repeated, &read, |translation| BoneTrack {
                    translation,
                    ..empty_track(bone)
                });
                set(&mut self.track(bone).translation, read)
            }
            Property::Scale => {
                let read = vectors(asset, keys)?;
                let is_repeated = self.track(bone).scale.is_some();
                self.note(is_repeated, &read, |scale| BoneTrack { scale, ..empty_track(bone) });
                set(&mut self.track(bone).scale, read)
            }
            _ => {
                let read = rotations(asset, keys)?;
                let is_repeated = self.track(bone).rotation.is_some();
                self.note(is_repeated, &read, |rotation| BoneTrack {
                    rotation,
                    ..empty_track(bone)
                });
                set(&mut self.track(bone).rotation, read)
            }
        }?;
        self.widen(times);
        Ok(())
    }

    /// Keeps a track that some runtimes play differently; `of_bone` assigns it to a property.
    fn note<T: Clone>(
        &mut self,
        is_repeated: bool,
        track: &Track<T>,
        of_bone: impl Fn(Option<Track<T>>) -> BoneTrack,
    ) {
        if is_repeated {
            self.repeated.push(of_bone(Some(track.clone())));
        } else if !track.times_secs.is_sorted() {
            self.unsorted.push(of_bone(Some(track.clone())));
        }
    }

    /// The track of a bone, created on first use.
    fn track(&mut self, bone: BoneId) -> &mut BoneTrack {
        self.tracks.entry(bone).or_insert_with(|| empty_track(bone))
    }

    /// Morph weights: those of all targets at the first key, then at the second, and so on (section
    /// 3.11).
    ///
    /// The number of weights per key is inferred from the number of values, because files may break
    /// the rule that all primitives of a mesh have the same number of targets. Each primitive uses
    /// the weights of the targets that it has.
    fn weights(
        &mut self,
        asset: &mut Asset<'_>,
        meshes: &Meshes,
        keys: ChannelKeys<'_>,
        node: usize,
    ) -> Result<(), ReadError> {
        let (times, interpolation, per_key) = times(asset, keys)?;
        let values = asset.floats::<1>(keys.sampler.output.value(), Integers::Fractions)?;
        let values = values.into_flattened();
        let meshes_of_node = meshes.of_node.get(&node).map_or(&[][..], |list| list);
        let targets_of = |id: &MeshId| {
            let mesh = meshes.list.get(id.index());
            mesh.map_or(0, |mesh| mesh.morph_targets.len())
        };
        let num_most = meshes_of_node.iter().map(targets_of).max().unwrap_or_default();
        let num_weights = num_weights(values.len(), times.len(), per_key, num_most)?;
        let is_off = u64::from(num_weights != num_most && !meshes_of_node.is_empty());
        let place = Place::Clip(as_u32(keys.clip));
        asset.report.add_many(FindingKind::MorphWeightCount, place, is_off, || {
            let subject = subject(asset, keys.clip, keys.target);
            let weights = counted(num_weights as u64, "weight");
            let targets = counted(num_most as u64, "morph target");
            format!("{subject}: each key has {weights}, but the mesh has {targets}")
        });
        for id in meshes_of_node {
            let num_targets = targets_of(id).min(num_weights);
            let known = self.morph_tracks.iter().any(|track| track.mesh == *id);
            if known {
                return Err(malformed("channels", "another channel animates the same weights"));
            }
            for target in 0..num_targets {
                asset.charge::<f64>(times.len(), "keys")?;
                asset.charge::<f32>(times.len().saturating_mul(per_key), "keys")?;
                let of_target = values.iter().skip(target).step_by(num_weights);
                self.morph_tracks.push(MorphTrack {
                    mesh: *id,
                    target,
                    weights: Track {
                        times_secs: times.clone(),
                        values: of_target.copied().collect(),
                        interpolation,
                    },
                });
            }
        }
        if meshes_of_node.is_empty() {
            let what = format!("node {node} has no mesh");
            return Err(malformed("channels", what));
        }
        self.widen(span(&times));
        Ok(())
    }

    /// A material factor. Factors that multiply each other become one track as long as only one of them is animated.
    fn material(
        &mut self,
        asset: &mut Asset<'_>,
        materials: &[Material],
        animation: &Animation,
        channel: &MaterialChannel,
    ) -> Result<(), ReadError> {
        asset.report.progress("reading clips", 0.5)?;
        let sampler = nth(&animation.samplers, channel.sampler, "sampler")?;
        nth(materials, channel.material, "material")?;
        let target = ChannelTarget::Material(channel);
        let keys = ChannelKeys { sampler, target, clip: channel.animation };
        let values = factors(asset, keys, channel)?;
        let (material, property) =
            (MaterialId::from_index(channel.material), channel.factor.property());
        let mut known = self.material_tracks.iter();
        if known.any(|track| (track.material, track.property) == (material, property)) {
            return Err(malformed("channels", "another channel animates the same property"));
        }
        self.widen(span(&values.times_secs));
        self.material_tracks.push(MaterialTrack { material, property, values });
        Ok(())
    }

    fn widen(&mut self, times: Option<(f64, f64)>) {
        self.times = match (self.times, times) {
            (Some((start, end)), Some((first, last))) => Some((start.min(first), end.max(last))),
            (known, new) => known.or(new),
        };
    }
}

fn empty_track(bone: BoneId) -> BoneTrack {
    BoneTrack { bone, translation: None, rotation: None, scale: None }
}

/// Records where the keys of a channel are stored.
fn add_spans(asset: &mut Asset<'_>, animation: &Animation, channel: &Channel, number: usize) {
    let Some(sampler) = animation.samplers.get(channel.sampler.value()) else { return };
    let clip = as_u32(number);
    let bone = as_u32(channel.target.node.value());
    let element = Element::BoneKey { clip, bone };
    let (element, name) = match channel.target.path {
        Checked::Valid(Property::Translation) => (element, "translation"),
        Checked::Valid(Property::Rotation) => (element, "rotation"),
        Checked::Valid(Property::Scale) => (element, "scale"),
        Checked::Valid(Property::MorphTargetWeights) => (Element::MorphKey { clip }, "weight"),
        Checked::Invalid => return,
    };
    let cubic = Checked::Valid(gltf_json::animation::Interpolation::CubicSpline);
    let usage =
        |name, per_record, integers| AccessorUse { element, first: 0, per_record, name, integers };
    asset.add_span(sampler.input.value(), usage("time", 1, Integers::AsStated));
    let per_key = if sampler.interpolation == cubic { 3 } else { 1 };
    let values = usage(name, per_key, Integers::Fractions);
    asset.add_span(sampler.output.value(), values);
}

/// The earliest and latest time, which may not be in order.
fn span(times: &[f64]) -> Option<(f64, f64)> {
    let ends = times.iter().map(|time| (*time, *time));
    ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Sets a track and returns its earliest and latest time.
fn set<T>(slot: &mut Option<Track<T>>, track: Track<T>) -> Result<Option<(f64, f64)>, ReadError> {
    if slot.is_some() {
        return Err(malformed("channels", "another channel animates the same property"));
    }
    let span = span(&track.times_secs);
    *slot = Some(track);
    Ok(span)
}

/// The target of a channel.
#[derive(Clone, Copy)]
enum ChannelTarget<'a> {
    /// With the number of the channel in the file.
    Node(&'a Channel, usize),
    Material(&'a MaterialChannel),
}

impl ChannelTarget<'_> {
    /// The number of the channel in the file.
    fn number(self) -> usize {
        match self {
            Self::Node(_, number) => number,
            Self::Material(channel) => channel.number,
        }
    }
}

/// The sampler of a track's keys, and the target of its channel.
#[derive(Clone, Copy)]
struct ChannelKeys<'a> {
    sampler: &'a Sampler,
    target: ChannelTarget<'a>,
    clip: usize,
}

/// Describes a channel: `clip 0 "walk", rotation of node 5 "arm"`.
fn subject(asset: &Asset<'_>, clip: usize, target: ChannelTarget<'_>) -> String {
    format!("{}, {}", clip_text(asset, clip), property_text(asset, clip, target))
}

fn clip_text(asset: &Asset<'_>, clip: usize) -> String {
    let name = asset.root.animations.get(clip).and_then(|animation| animation.name.as_deref());
    numbered("clip", clip, name.unwrap_or_default())
}

/// The target of a channel: `rotation of node 5 "arm"`.
fn property_text(asset: &Asset<'_>, clip: usize, target: ChannelTarget<'_>) -> String {
    let (channel, number) = match target {
        ChannelTarget::Node(channel, number) => (channel, number),
        ChannelTarget::Material(channel) => {
            let stored = asset.root.materials.get(channel.material);
            let name = stored.and_then(|material| material.name.as_deref());
            let material = numbered("material", channel.material, name.unwrap_or_default());
            return format!("{} of {material}", channel.factor.property());
        }
    };
    let property = match channel.target.path {
        Checked::Valid(Property::Translation) => "translation",
        Checked::Valid(Property::Rotation) => "rotation",
        Checked::Valid(Property::Scale) => "scale",
        Checked::Valid(Property::MorphTargetWeights) => "morph weights",
        Checked::Invalid => {
            let mut paths = asset.unknown_paths.iter();
            let stored = paths.find(|path| (path.animation, path.channel) == (clip, number));
            &format!("{:?}", stored.map_or("", |stored| &stored.path))
        }
    };
    format!("{property} of {}", asset.node_name(channel.target.node.value()))
}

/// Key times, their interpolation, and the number of stored values per key.
fn times(
    asset: &mut Asset<'_>,
    keys: ChannelKeys<'_>,
) -> Result<(Vec<f64>, Interpolation, usize), ReadError> {
    let sampler = keys.sampler;
    let accessor = sampler.input.value();
    let stored = asset.floats::<1>(accessor, Integers::AsStated)?;
    asset.charge::<f64>(stored.len(), "keys")?;
    let times: Vec<f64> = stored.into_iter().map(|[time]| f64::from(time)).collect();
    if times.is_empty() {
        return Err(malformed("input", "it has no keys"));
    }
    if let Some(key) = times.iter().position(|time| !time.is_finite()) {
        return Err(malformed("input", format!("the time of key {key} isn't a finite number")));
    }
    // Sorting the keys changes the first and last one.
    if times.is_sorted() && asset.is_first_check(accessor) {
        let place = Place::Clip(as_u32(keys.clip));
        stored_bounds::check_times(asset, accessor, &times, place, || {
            subject(asset, keys.clip, keys.target)
        });
    }
    let (interpolation, per_key) = match sampler.interpolation {
        Checked::Valid(gltf_json::animation::Interpolation::Linear) => (Interpolation::Linear, 1),
        Checked::Valid(gltf_json::animation::Interpolation::Step) => (Interpolation::Step, 1),
        // In-tangent, value, out-tangent, as in the model (appendix C.5).
        Checked::Valid(gltf_json::animation::Interpolation::CubicSpline) => {
            (Interpolation::Cubic, 3)
        }
        Checked::Invalid => {
            return Err(malformed("interpolation", "its interpolation is unknown"));
        }
    };
    Ok((times, interpolation, per_key))
}

fn check_count(num_values: usize, num_times: usize, per_key: usize) -> Result<(), ReadError> {
    if num_times.checked_mul(per_key) == Some(num_values) {
        Ok(())
    } else {
        Err(wrong_count(num_values, num_times, per_key))
    }
}

fn wrong_count(num_values: usize, num_times: usize, per_key: usize) -> ReadError {
    let values = counted(num_values as u64, "value");
    let keys = counted(num_times as u64, "key");
    malformed("output", format!("it has {values} for {keys} of {per_key} each"))
}

/// Number of morph weights per key; it should equal `num_targets`.
fn num_weights(
    num_values: usize,
    num_times: usize,
    per_key: usize,
    num_targets: usize,
) -> Result<usize, ReadError> {
    let num_parts = num_times.saturating_mul(per_key).max(1);
    match num_values / num_parts {
        num if num > 0 && num_values.is_multiple_of(num_parts) => Ok(num),
        _ => Err(wrong_count(num_values, num_times, per_key.saturating_mul(num_targets))),
    }
}

fn vectors(asset: &mut Asset<'_>, keys: ChannelKeys<'_>) -> Result<Track<Vec3>, ReadError> {
    let (times_secs, interpolation, per_key) = times(asset, keys)?;
    let values = asset.floats::<3>(keys.sampler.output.value(), Integers::AsStated)?;
    check_count(values.len(), times_secs.len(), per_key)?;
    Ok(Track { times_secs, values: values.into_iter().map(Vec3::from).collect(), interpolation })
}

fn rotations(asset: &mut Asset<'_>, keys: ChannelKeys<'_>) -> Result<Track<Quat>, ReadError> {
    let (times_secs, interpolation, per_key) = times(asset, keys)?;
    let values = asset.floats::<4>(keys.sampler.output.value(), Integers::Fractions)?;
    check_count(values.len(), times_secs.len(), per_key)?;
    asset.charge::<Quat>(values.len(), "keys")?;
    Ok(Track {
        times_secs,
        values: values.into_iter().map(Quat::from_array).collect(),
        interpolation,
    })
}

/// The values of a material factor, multiplied by the constant factors that are part of the same property.
fn factors(
    asset: &mut Asset<'_>,
    keys: ChannelKeys<'_>,
    channel: &MaterialChannel,
) -> Result<Track<Vec4>, ReadError> {
    let (times_secs, interpolation, per_key) = times(asset, keys)?;
    let accessor = keys.sampler.output.value();
    let stored = asset.root.materials.get(channel.material);
    let values: Vec<Vec4> = match channel.factor {
        Factor::EmissiveStrength => {
            let color = stored.map_or([0.0; 3], |material| material.emissive_factor.0);
            let strengths = asset.floats::<1>(accessor, Integers::Fractions)?;
            let color = Vec3::from(color).extend(0.0);
            strengths.into_iter().map(|[strength]| color * strength).collect()
        }
        Factor::Whole(MaterialProperty::Emissive) => {
            let strength = stored.map_or(1.0, layers::emissive_strength);
            let colors = asset.floats::<3>(accessor, Integers::Fractions)?;
            colors.into_iter().map(|color| Vec3::from(color).extend(0.0) * strength).collect()
        }
        Factor::Whole(property) => match property.num_components() {
            4 => {
                let colors = asset.floats::<4>(accessor, Integers::Fractions)?;
                colors.into_iter().map(Vec4::from).collect()
            }
            3 => {
                let colors = asset.floats::<3>(accessor, Integers::Fractions)?;
                colors.into_iter().map(|color| Vec3::from(color).extend(0.0)).collect()
            }
            2 => {
                let pairs = asset.floats::<2>(accessor, Integers::Fractions)?;
                pairs.into_iter().map(|[x, y]| Vec4::new(x, y, 0.0, 0.0)).collect()
            }
            _ => {
                let numbers = asset.floats::<1>(accessor, Integers::Fractions)?;
                numbers.into_iter().map(|[number]| Vec4::X * number).collect()
            }
        },
    };
    asset.charge::<Vec4>(values.len(), "keys")?;
    check_count(values.len(), times_secs.len(), per_key)?;
    Ok(Track { times_secs, values, interpolation })
}
