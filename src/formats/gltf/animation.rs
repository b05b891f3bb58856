//! Animations as clips: one track a node and property, morph weights a track a target.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use gltf_json::Animation;
use gltf_json::animation::{Channel, Property, Sampler};
use gltf_json::validation::Checked;

use super::accessor::Integers;
use super::asset::Asset;
use super::fault::{malformed, nth};
use super::mesh::Meshes;
use super::spans::AccessorUse;
use crate::formats::ReadError;
use crate::model::{
    BoneId, BoneTrack, Clip, Element, Interpolation, MorphTrack, Motion, NoteKind, Place, Track,
};

/// Reads all animations. A channel that is wrong is noted and left out.
pub(super) fn read(asset: &mut Asset<'_>, meshes: &Meshes) -> Result<Vec<Clip>, ReadError> {
    let animations = &asset.root.animations;
    let mut clips = Vec::new();
    for (at, animation) in animations.iter().enumerate() {
        let fraction = at as f32 / animations.len() as f32;
        asset.report.progress("reading clips", 0.4 + 0.2 * fraction)?;
        clips.push(clip(asset, meshes, animation, at)?);
    }
    Ok(clips)
}

/// A clip being made.
#[derive(Default)]
struct Parts {
    tracks: BTreeMap<BoneId, BoneTrack>,
    morph_tracks: Vec<MorphTrack>,
    times: Option<(f64, f64)>,
}

fn clip(
    asset: &mut Asset<'_>,
    meshes: &Meshes,
    animation: &Animation,
    number: usize,
) -> Result<Clip, ReadError> {
    let place = Place::Clip(u32::try_from(number).unwrap_or(u32::MAX));
    let mut parts = Parts::default();
    for channel in &animation.channels {
        add_spans(asset, animation, channel, number);
        match parts.channel(asset, meshes, animation, channel) {
            Ok(()) => {}
            Err(ReadError::Malformed(failure)) => {
                let what = format!("a channel of animation {number}: {}", failure.what);
                asset.report.note(NoteKind::Dropped, place, what);
            }
            Err(other) => return Err(other),
        }
    }
    let has_tracks = !parts.tracks.is_empty() || !parts.morph_tracks.is_empty();
    asset.report.note_many(NoteKind::ClipWithoutKeys, place, u64::from(!has_tracks), || {
        format!("animation {number} moves nothing")
    });
    let (start, end) = parts.times.unwrap_or_default();
    Ok(Clip {
        name: animation.name.clone().unwrap_or_default(),
        start_secs: start,
        duration_secs: end - start,
        motion: Motion::Tracks(parts.tracks.into_values().collect()),
        morph_tracks: parts.morph_tracks,
        ..Clip::default()
    })
}

impl Parts {
    fn channel(
        &mut self,
        asset: &mut Asset<'_>,
        meshes: &Meshes,
        animation: &Animation,
        channel: &Channel,
    ) -> Result<(), ReadError> {
        asset.report.progress("reading clips", 0.5)?;
        let sampler = nth(&animation.samplers, channel.sampler.value(), "sampler")?;
        let node = channel.target.node.value();
        nth(&asset.root.nodes, node, "node")?;
        let Checked::Valid(property) = channel.target.path else {
            return Err(malformed("path", "it moves no known property"));
        };
        if property == Property::MorphTargetWeights {
            return self.weights(asset, meshes, sampler, node);
        }
        let bone = BoneId::from_index(node);
        // Read before the bone has a track: a bad channel leaves none.
        let times = match property {
            Property::Translation => {
                let read = vectors(asset, sampler)?;
                set(&mut self.track(bone).translation, read)
            }
            Property::Scale => {
                let read = vectors(asset, sampler)?;
                set(&mut self.track(bone).scale, read)
            }
            _ => {
                let read = rotations(asset, sampler)?;
                set(&mut self.track(bone).rotation, read)
            }
        }?;
        self.widen(times);
        Ok(())
    }

    /// The track of a bone, made where there is none.
    fn track(&mut self, bone: BoneId) -> &mut BoneTrack {
        self.tracks.entry(bone).or_insert_with(|| BoneTrack {
            bone,
            translation: None,
            rotation: None,
            scale: None,
        })
    }

    /// Morph weights: all targets' at the first key, then all at the second … (section 3.11).
    fn weights(
        &mut self,
        asset: &mut Asset<'_>,
        meshes: &Meshes,
        sampler: &Sampler,
        node: usize,
    ) -> Result<(), ReadError> {
        let (times, interpolation, per_key) = times(asset, sampler)?;
        let values = asset.floats::<1>(sampler.output.value(), Integers::Fractions)?;
        let values = values.into_flattened();
        let meshes_of_node = meshes.of_node.get(&node).map_or(&[][..], |list| list);
        for id in meshes_of_node {
            let mesh = nth(&meshes.list, id.index(), "mesh")?;
            let num_targets = mesh.morph_targets.len();
            check_count(values.len(), times.len(), per_key.saturating_mul(num_targets))?;
            let known = self.morph_tracks.iter().any(|track| track.mesh == *id);
            if known {
                return Err(malformed("channels", "it moves weights that another moves"));
            }
            for target in 0..num_targets {
                asset.charge::<f64>(times.len(), "keys")?;
                asset.charge::<f32>(times.len().saturating_mul(per_key), "keys")?;
                let of_target = values.iter().skip(target).step_by(num_targets);
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
            let what = format!("it moves weights of node {node}, which shows no mesh");
            return Err(malformed("channels", what));
        }
        self.widen(span(&times));
        Ok(())
    }

    fn widen(&mut self, times: Option<(f64, f64)>) {
        self.times = match (self.times, times) {
            (Some((start, end)), Some((first, last))) => Some((start.min(first), end.max(last))),
            (known, new) => known.or(new),
        };
    }
}

/// Tells where the keys of a channel lie.
fn add_spans(asset: &mut Asset<'_>, animation: &Animation, channel: &Channel, number: usize) {
    let Some(sampler) = animation.samplers.get(channel.sampler.value()) else { return };
    let clip = u32::try_from(number).unwrap_or(u32::MAX);
    let bone = u32::try_from(channel.target.node.value()).unwrap_or(u32::MAX);
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

/// First and last time.
fn span(times: &[f64]) -> Option<(f64, f64)> {
    Some((*times.first()?, *times.last()?))
}

/// Puts a curve in its place; its first and last time.
fn set<T>(slot: &mut Option<Track<T>>, track: Track<T>) -> Result<Option<(f64, f64)>, ReadError> {
    if slot.is_some() {
        return Err(malformed("channels", "it moves what another moves"));
    }
    let span = span(&track.times_secs);
    *slot = Some(track);
    Ok(span)
}

/// Key times, how to read between them, and values a key and component.
fn times(
    asset: &mut Asset<'_>,
    sampler: &Sampler,
) -> Result<(Vec<f64>, Interpolation, usize), ReadError> {
    let stored = asset.floats::<1>(sampler.input.value(), Integers::AsStated)?;
    asset.charge::<f64>(stored.len(), "keys")?;
    let times: Vec<f64> = stored.into_iter().map(|[time]| f64::from(time)).collect();
    if times.is_empty() {
        return Err(malformed("input", "it has no keys"));
    }
    if !times.iter().all(|time| time.is_finite()) || !times.is_sorted() {
        return Err(malformed("input", "its times do not ascend"));
    }
    let is_strict = times.windows(2).all(|pair| pair.first() < pair.last());
    asset.report.note_many(NoteKind::ReaderWarning, Place::File, u64::from(!is_strict), || {
        "two keys of a channel have the same time".to_owned()
    });
    let (interpolation, per_key) = match sampler.interpolation {
        Checked::Valid(gltf_json::animation::Interpolation::Linear) => (Interpolation::Linear, 1),
        Checked::Valid(gltf_json::animation::Interpolation::Step) => (Interpolation::Step, 1),
        // In-tangent, value, out-tangent, as here (appendix C.5).
        Checked::Valid(gltf_json::animation::Interpolation::CubicSpline) => {
            (Interpolation::Cubic, 3)
        }
        Checked::Invalid => {
            return Err(malformed("interpolation", "it has an unknown interpolation"));
        }
    };
    Ok((times, interpolation, per_key))
}

fn check_count(num_values: usize, num_times: usize, per_key: usize) -> Result<(), ReadError> {
    match num_times.checked_mul(per_key) == Some(num_values) {
        true => Ok(()),
        false => {
            let what = format!("it has {num_values} values for {num_times} keys of {per_key}");
            Err(malformed("output", what))
        }
    }
}

fn vectors(asset: &mut Asset<'_>, sampler: &Sampler) -> Result<Track<Vec3>, ReadError> {
    let (times_secs, interpolation, per_key) = times(asset, sampler)?;
    let values = asset.floats::<3>(sampler.output.value(), Integers::AsStated)?;
    check_count(values.len(), times_secs.len(), per_key)?;
    Ok(Track { times_secs, values: values.into_iter().map(Vec3::from).collect(), interpolation })
}

fn rotations(asset: &mut Asset<'_>, sampler: &Sampler) -> Result<Track<Quat>, ReadError> {
    let (times_secs, interpolation, per_key) = times(asset, sampler)?;
    let values = asset.floats::<4>(sampler.output.value(), Integers::Fractions)?;
    check_count(values.len(), times_secs.len(), per_key)?;
    asset.charge::<Quat>(values.len(), "keys")?;
    Ok(Track {
        times_secs,
        values: values.into_iter().map(Quat::from_array).collect(),
        interpolation,
    })
}
