//! Animations: the stage's timeline as a clip.
//!
//! Source: OpenUSD, `UsdSkelAnimation`, `UsdStage` (time codes) and AOUSD Core Specification 1.0, section 12.5: numbers
//! are interpolated linearly, rotations spherically.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use openusd::sdf::{Path, Value};
use openusd::usd::Stage;

use super::attributes::Attributes;
use super::keys::{affine, bone_keys};
use super::meshes::StagedMesh;
use super::prims::{PrimKind, Prims};
use super::skeletons::Joints;
use super::values::{floats, quats, token, tokens, vec3s};
use super::write::CLIP_NAME;
use crate::formats::ReadError;
use glam::{Quat, Vec3};
use rigscope_core::model::{
    BoneTrack, Clip, FindingKind, Interpolation, MeshId, MorphTrack, Motion, Place, Track,
    VertexAnimation, counted,
};

/// The sources of clips.
pub(super) struct Timeline<'a> {
    pub(super) attributes: &'a Attributes<'a>,
    pub(super) prims: &'a Prims,
    pub(super) skeletons: &'a [Joints],
    pub(super) meshes: &'a [StagedMesh],
}

impl Timeline<'_> {
    /// The clip of transforms and blend shapes, others of animations that nothing is bound to, and one for each mesh
    /// whose points are animated. Each with its path, which is empty if it has several sources.
    pub(super) fn clips(&self) -> Result<Vec<(String, Clip)>, ReadError> {
        let mut tracks = self.node_tracks()?;
        let mut morph_tracks = Vec::new();
        let mut bound: BTreeMap<&str, &Path> = BTreeMap::new();
        for joints in self.skeletons {
            let Some(path) = &joints.animation else { continue };
            bound.insert(path.as_str(), path);
            tracks.extend(self.joint_tracks(joints, path)?);
        }
        for (number, mesh) in self.meshes.iter().enumerate() {
            let animation = self.skeleton_of(mesh).and_then(|joints| joints.animation.as_ref());
            if let Some(path) = animation {
                morph_tracks.extend(self.morph_tracks(MeshId::from_index(number), mesh, path)?);
            }
        }
        let mut clips = Vec::new();
        if !tracks.is_empty() || !morph_tracks.is_empty() {
            let name = self.stated_name().or_else(|| match (bound.len(), bound.values().next()) {
                (1, Some(path)) => Some(self.attributes.display_name(path)),
                _ => None,
            });
            let path = bound.keys().next().filter(|_| bound.len() == 1);
            let path = path.map_or_else(String::new, |path| (*path).to_owned());
            let clip = self.ranged(Clip {
                name: name.unwrap_or_else(|| "timeline".to_owned()),
                motion: Motion::Tracks(tracks),
                morph_tracks,
                ..Clip::default()
            });
            clips.push((path, clip));
        }
        clips.extend(self.unbound_clips(&bound)?);
        for (number, mesh) in self.meshes.iter().enumerate() {
            clips.extend(self.point_clip(MeshId::from_index(number), mesh)?);
        }
        Ok(clips)
    }

    /// The name that Rigscope wrote for the clip of a stage whose prims are animated.
    fn stated_name(&self) -> Option<String> {
        match self.attributes.stage_metadata("customLayerData")? {
            Value::Dictionary(data) => data.get(CLIP_NAME).cloned().and_then(token),
            _ => None,
        }
    }

    /// Clips of animations that no skeleton is bound to, which USD doesn't play.
    fn unbound_clips(
        &self,
        bound: &BTreeMap<&str, &Path>,
    ) -> Result<Vec<(String, Clip)>, ReadError> {
        let mut clips = Vec::new();
        let (mut played, mut unplayed) = (Vec::new(), Vec::new());
        for prim in self.prims.list.iter().filter(|prim| prim.kind == PrimKind::Animation) {
            let path = &prim.path;
            if bound.contains_key(path.as_str()) {
                continue;
            }
            // Without a bound animation, the first clip would be one that USD doesn't play.
            let joints = if bound.is_empty() { None } else { self.skeleton_for(path) };
            let Some(joints) = joints else {
                unplayed.push(path.as_str());
                continue;
            };
            let tracks = self.joint_tracks(joints, path)?;
            let mut morph_tracks = Vec::new();
            for (number, mesh) in self.meshes.iter().enumerate() {
                if self.skeleton_of(mesh).is_some_and(|own| std::ptr::eq(own, joints)) {
                    morph_tracks.extend(self.morph_tracks(
                        MeshId::from_index(number),
                        mesh,
                        path,
                    )?);
                }
            }
            if tracks.is_empty() && morph_tracks.is_empty() {
                continue;
            }
            played.push(path.as_str());
            let clip = of_keys(Clip {
                name: self.attributes.display_name(path),
                motion: Motion::Tracks(tracks),
                morph_tracks,
                ..Clip::default()
            });
            clips.push((path.as_str().to_owned(), clip));
        }
        let report = self.attributes.report;
        let num = played.len() as u64;
        report.add_many(FindingKind::OtherConvention, Place::File, num, || {
            let first = played.first().copied().unwrap_or_default();
            let animations = counted(num, "animation");
            format!("no skeleton is bound to {animations}; USD doesn't play them, and Rigscope shows them as clips: {first}")
        });
        let num = unplayed.len() as u64;
        report.add_many(FindingKind::Dropped, Place::File, num, || {
            let first = unplayed.first().copied().unwrap_or_default();
            format!(
                "no skeleton is bound to {}, so that USD doesn't play it: {first}",
                counted(num, "animation")
            )
        });
        Ok(clips)
    }

    /// The skeleton that has the joints of an animation; of several, the one that the animation is below.
    fn skeleton_for(&self, animation: &Path) -> Option<&Joints> {
        let names = self.attributes.value(animation, "joints").and_then(tokens).unwrap_or_default();
        let has_all =
            |joints: &&Joints| names.iter().all(|name| joints.number_of.contains_key(name));
        let is_around = |joints: &&Joints| {
            let prim = self.prims.list.get(joints.prim);
            prim.is_some_and(|prim| animation.has_prefix(&prim.path))
        };
        let mut fitting = self.skeletons.iter().filter(has_all);
        let around = fitting.clone().find(is_around);
        around.or_else(|| fitting.next().filter(|_| !names.is_empty()))
    }

    fn skeleton_of(&self, own: &StagedMesh) -> Option<&Joints> {
        let binding = super::skins::Binding {
            attributes: self.attributes,
            prims: self.prims,
            skeletons: self.skeletons,
            prim: own.prim,
        };
        let target = binding.skeleton()?.prim;
        self.skeletons.iter().find(|joints| joints.prim == target)
    }

    /// The weights of each mesh's blend shapes outside of clips: the default values of its animation.
    pub(super) fn default_weights(&self) -> Vec<Vec<f32>> {
        let of_mesh = |own: &StagedMesh| {
            let targets = &own.mesh.morph_targets;
            if targets.is_empty() {
                return None;
            }
            let path = self.skeleton_of(own)?.animation.as_ref()?;
            let names = self.attributes.value(path, "blendShapes").and_then(tokens)?;
            let weights = self.attributes.at(path, "blendShapeWeights", None).and_then(floats)?;
            let weight = |name: &String| {
                let at = names.iter().position(|own| own == name)?;
                weights.get(at).copied().filter(|_| weights.len() == names.len())
            };
            Some(own.target_names.iter().map(|name| weight(name).unwrap_or_default()).collect())
        };
        self.meshes.iter().map(|own| of_mesh(own).unwrap_or_default()).collect()
    }

    /// Whether clips have keys at different times. An animation with default values only is the pose of the stage
    /// outside of its time codes as well.
    pub(super) fn has_keys(&self, clips: &[Clip]) -> bool {
        let is_default = |path: &Path| {
            ["translations", "rotations", "scales", "blendShapeWeights"]
                .iter()
                .all(|name| self.attributes.times(path, name).is_empty())
        };
        let mut animations = self.skeletons.iter().filter_map(|own| own.animation.as_ref());
        clips.is_empty() || !animations.all(is_default) || self.skeletons.is_empty()
    }

    fn codes_per_sec(&self) -> f64 {
        let rate = self.attributes.of_stage(Stage::time_codes_per_second);
        if rate.is_finite() && rate > 0.0 { rate } else { 24.0 }
    }

    /// The clip over the range of the stage, or else of its keys.
    fn ranged(&self, clip: Clip) -> Clip {
        let rate = self.codes_per_sec();
        let stated = [Stage::start_time_code, Stage::end_time_code]
            .map(|code| self.attributes.of_stage(code))
            .map(|code| code / rate);
        let [start, end] = stated;
        let is_stated = self.attributes.of_stage(Stage::has_authored_time_code_range)
            && stated.iter().all(|time| time.is_finite())
            && end >= start;
        if is_stated {
            return Clip { start_secs: start, duration_secs: end - start, ..clip };
        }
        of_keys(clip)
    }

    /// Transforms of prims.
    fn node_tracks(&self) -> Result<Vec<BoneTrack>, ReadError> {
        let mut tracks = Vec::new();
        let mut sheared = Vec::new();
        for prim in &self.prims.list {
            let Some(bone) = prim.bone else { continue };
            let times = prim.operations.times();
            if times.is_empty() {
                continue;
            }
            self.attributes.report.progress("reading clips", 0.6)?;
            let local = |time| prim.operations.local(Some(time));
            let is_matrix = prim.operations.is_matrix();
            let (track, has_shear) =
                bone_keys(bone, &times, self.codes_per_sec(), is_matrix, local);
            let num = track.times().map(<[f64]>::len).sum();
            self.attributes.take::<[f64; 4]>(num, "keys")?;
            if has_shear {
                sheared.push(prim.path.as_str());
            }
            tracks.push(track);
        }
        let num = sheared.len() as u64;
        self.attributes.report.add_many(FindingKind::Dropped, Place::File, num, || {
            let first = sheared.first().copied().unwrap_or_default();
            format!("the shear of {} is left out: {first}", counted(num, "animated transform"))
        });
        Ok(tracks)
    }

    /// Joints of a skeleton by their animation.
    fn joint_tracks(&self, joints: &Joints, path: &Path) -> Result<Vec<BoneTrack>, ReadError> {
        self.attributes.report.progress("reading clips", 0.7)?;
        let names = self.attributes.value(path, "joints").and_then(tokens).unwrap_or_default();
        // Animations of blend shapes need no joints.
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let translations = self.channel(path, "translations", vec3s)?;
        let rotations = self.channel(path, "rotations", |value| {
            Some(quats(value)?.into_iter().map(|own| own.as_quat()).collect::<Vec<Quat>>())
        })?;
        let scales = self.channel(path, "scales", vec3s)?;
        let mut unknown = names.iter().filter(|name| !joints.number_of.contains_key(*name));
        let num = unknown.clone().count() as u64;
        self.attributes.report.add_many(FindingKind::UnmatchedBones, Place::File, num, || {
            let first = unknown.next().map_or("", String::as_str);
            format!("{path}.joints: the skeleton has no joint {first:?}")
        });
        let fitting =
            translations.zip(rotations).zip(scales).filter(|((moved, turned), scaled)| {
                [moved.fits(names.len()), turned.fits(names.len()), scaled.fits(names.len())]
                    == [true; 3]
            });
        let Some(((translations, rotations), scales)) = fitting else {
            let message = format!(
                "{path} lacks translations, rotations or scales for its {}, so that USD doesn't play it",
                counted(names.len() as u64, "joint")
            );
            self.attributes.report.add(FindingKind::ClipWithoutKeys, Place::File, message);
            return Ok(Vec::new());
        };
        let mut tracks = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let bone = joints.number_of.get(name).and_then(|number| joints.bones.get(*number));
            let Some(&bone) = bone else { continue };
            tracks.push(BoneTrack {
                bone,
                translation: translations.of(at, names.len()),
                rotation: rotations.of(at, names.len()),
                scale: scales.of(at, names.len()),
            });
        }
        Ok(tracks)
    }

    /// The values of an attribute over time; a single key if only its default is stated.
    fn channel<T>(
        &self,
        path: &Path,
        name: &str,
        list: impl Fn(Value) -> Option<Vec<T>>,
    ) -> Result<Option<Channel<T>>, ReadError> {
        let mut samples = self.attributes.samples(path, name);
        if samples.is_empty() {
            let start = self.attributes.of_stage(Stage::start_time_code);
            samples.extend(self.attributes.at(path, name, None).map(|value| (start, value)));
        }
        let rate = self.codes_per_sec();
        let keys: Vec<(f64, Vec<T>)> = samples
            .into_iter()
            .filter_map(|(time, value)| Some((time / rate, list(value)?)))
            .collect();
        let num = keys.iter().map(|(_, values)| values.len()).sum();
        self.attributes.take::<(f64, T)>(num, "keys")?;
        Ok((!keys.is_empty()).then_some(Channel { keys }))
    }

    /// Weights of a mesh's blend shapes in an animation. Those without samples are constant.
    fn morph_tracks(
        &self,
        id: MeshId,
        own: &StagedMesh,
        path: &Path,
    ) -> Result<Vec<MorphTrack>, ReadError> {
        let has_samples = !self.attributes.times(path, "blendShapeWeights").is_empty();
        if own.mesh.morph_targets.is_empty() || !has_samples {
            return Ok(Vec::new());
        }
        let names = self.attributes.value(path, "blendShapes").and_then(tokens);
        let names = names.unwrap_or_default();
        let Some(weights) = self.channel(path, "blendShapeWeights", floats)? else {
            return Ok(Vec::new());
        };
        let place: HashMap<&str, usize> =
            names.iter().enumerate().rev().map(|(at, name)| (name.as_str(), at)).collect();
        let track = |(target, name): (usize, &String)| {
            let at = *place.get(name.as_str())?;
            Some(MorphTrack { mesh: id, target, weights: weights.of(at, names.len())? })
        };
        Ok(own.target_names.iter().enumerate().filter_map(track).collect())
    }

    /// The animated points of a mesh that isn't skinned.
    fn point_clip(
        &self,
        id: MeshId,
        own: &StagedMesh,
    ) -> Result<Option<(String, Clip)>, ReadError> {
        let Some(prim) = self.prims.list.get(own.prim) else { return Ok(None) };
        if self.attributes.times(&prim.path, "points").len() < 2
            || self.prims.nearest_bone(own.prim) != own.mesh.attached_to
            || !matches!(own.mesh.skin, rigscope_core::model::Skin::None)
        {
            return Ok(None);
        }
        let (mut times_secs, mut positions) = (Vec::new(), Vec::new());
        for (time, value) in self.attributes.samples(&prim.path, "points") {
            let Some(points) = vec3s(value) else { continue };
            if own.points.iter().any(|point| *point as usize >= points.len()) {
                continue;
            }
            self.attributes.take::<Vec3>(own.points.len(), "points")?;
            times_secs.push(time / self.codes_per_sec());
            let world_from_mesh = affine(self.prims.world_from(own.prim, time));
            positions.extend(own.points.iter().map(|&point| {
                let point = points.get(point as usize).copied().unwrap_or_default();
                world_from_mesh.transform_point3(point)
            }));
        }
        let cache = VertexAnimation {
            mesh: id,
            is_blended: true,
            times_secs,
            positions: Arc::new(positions),
        };
        let clip = self.ranged(Clip {
            name: format!("points of {}", own.mesh.name),
            motion: Motion::VertexAnimation(cache),
            ..Clip::default()
        });
        Ok(Some((format!("{}.points", prim.path), clip)))
    }
}

/// The clip over the range of its keys.
fn of_keys(clip: Clip) -> Clip {
    let of_bones: Vec<f64> = match &clip.motion {
        Motion::Tracks(tracks) => {
            tracks.iter().flat_map(BoneTrack::times).flatten().copied().collect()
        }
        Motion::VertexAnimation(cache) => cache.times_secs.clone(),
        _ => Vec::new(),
    };
    let all = of_bones.into_iter().chain(clip.value_times().flatten().copied());
    let range = all.fold(None, |range: Option<(f64, f64)>, time| {
        Some(range.map_or((time, time), |(a, b)| (a.min(time), b.max(time))))
    });
    let (start_secs, end_secs) = range.unwrap_or_default();
    Clip { start_secs, duration_secs: end_secs - start_secs, ..clip }
}

/// Lists of values over time.
struct Channel<T> {
    keys: Vec<(f64, Vec<T>)>,
}

impl<T: Copy> Channel<T> {
    /// Whether any list has `num` values.
    fn fits(&self, num: usize) -> bool {
        self.keys.iter().any(|(_, values)| values.len() == num)
    }

    /// The values at a place of lists that must have `num`; others are ignored, as by UsdSkel.
    fn of(&self, at: usize, num: usize) -> Option<Track<T>> {
        let fitting = self.keys.iter().filter(|(_, values)| values.len() == num);
        let keys = fitting.filter_map(|(time, values)| Some((*time, values.get(at).copied()?)));
        let (times_secs, values): (Vec<f64>, Vec<T>) = keys.unzip();
        let interpolation = Interpolation::Linear;
        (!times_secs.is_empty()).then_some(Track { times_secs, values, interpolation })
    }
}
