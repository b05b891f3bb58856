//! Transfers the clips of one model to the bones of another.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use glam::Affine3A;

use super::bones::has_same_parents;
use super::expressions::Expressions;
use super::gaze::Eyes;
use super::replay::{Replay, key_times, nan_weights, num_targets};
use super::retarget::{Retarget, RetargetOptions};
use super::rigs::{Rigs, bodies};
use crate::model::{
    BoneId, BoneTrack, Clip, Event, FindingKind, IdVec, KeySpace, LiveCurves, MaterialId,
    MaterialTrack, MeshId, Model, MorphTargetAt, MorphTrack, Motion, PackedKeys, Place, Report,
    SampledMotion, SpaceChange, Track, VertexAnimation, counted, match_bones, match_materials,
    match_morph_targets, numbers, singular_or_plural,
};

/// Keys that would take more bytes than this when copied are replayed from the source instead.
const MAX_COPIED_BYTES: usize = 1 << 30;

/// Adds all clips of `animation`, which was read from the file `from`, to `model`. Bones are matched by
/// [`match_bones`].
///
/// Both have passed the check. Bones without a counterpart are reported.
pub fn add_clips(model: &mut Model, animation: &Model, from: &str, report: &Report) {
    let bones = match_bones(&animation.skeleton, &model.skeleton);
    add_clips_of_bones(model, animation, bones, from, report);
}

/// The same for another choice of bones: for each bone of the animation, the bone of the model that it moves.
pub fn add_clips_of_bones(
    model: &mut Model,
    animation: &Model,
    bones: IdVec<BoneId, Option<BoneId>>,
    from: &str,
    report: &Report,
) {
    let change = SpaceChange::between(&animation.axes, &model.axes);
    let source_of = sources(&bones, model);
    let bodies = bodies([animation, model]);
    let rigs = Rigs { animation, model, source_of: &source_of, change: &change, bodies: &bodies };
    let retarget = Retarget::of(rigs);
    add(model, animation, bones, retarget, from, report);
}

/// The result of [`retarget_clips`].
#[derive(Clone, Copy, Debug)]
pub struct ClipTransfer {
    /// The factor for positions, after the change of axes and unit.
    pub length_ratio: f32,
    /// If the rest poses differ, so that one was first turned into the other: the bone of the model whose direction
    /// differs most, and the angle in radians.
    pub turned: Option<(BoneId, f32)>,
}

/// Adds all clips of `animation` to `model` for a skeleton with another rest pose or other proportions. `bones` is, for
/// each bone of the animation, the bone of the model that it moves.
///
/// # Errors
/// A sentence without a full stop if no bone is matched, or if the matched bones have no lengths.
pub fn retarget_clips(
    model: &mut Model,
    animation: &Model,
    bones: IdVec<BoneId, Option<BoneId>>,
    options: RetargetOptions,
    from: &str,
    report: &Report,
) -> Result<ClipTransfer, String> {
    let change = SpaceChange::between(&animation.axes, &model.axes);
    if bones.iter().flatten().next().is_none() {
        let plays_face = !Expressions::new(animation, model).is_empty()
            || Eyes::of(animation, model, &change).is_some();
        if !plays_face {
            return Err("no bone of the clips has a counterpart in the model".to_owned());
        }
        add(model, animation, bones, None, from, report);
        return Ok(ClipTransfer { length_ratio: 1.0, turned: None });
    }
    let source_of = sources(&bones, model);
    let bodies = bodies([animation, model]);
    let rigs = Rigs { animation, model, source_of: &source_of, change: &change, bodies: &bodies };
    let retarget = Retarget::new(rigs, options)
        .ok_or("the matched bones are all at the same place, so that they have no directions")?;
    let done = ClipTransfer { length_ratio: retarget.length_ratio, turned: retarget.turned };
    add(model, animation, bones, Some(retarget), from, report);
    Ok(done)
}

fn add(
    model: &mut Model,
    animation: &Model,
    bones: IdVec<BoneId, Option<BoneId>>,
    retarget: Option<Retarget>,
    from: &str,
    report: &Report,
) {
    let change = SpaceChange::between(&animation.axes, &model.axes);
    let source_of = sources(&bones, model);
    let shapes = match_morph_targets(&animation.meshes, &model.meshes);
    let materials = match_materials(&animation.materials, &model.materials);
    let transfer = Transfer {
        bones,
        shapes,
        materials,
        source_of,
        change,
        retarget,
        expressions: Expressions::new(animation, model),
        eyes: Eyes::of(animation, model, &change),
        model,
        animation,
    };
    transfer.report_unmatched(from, report);
    transfer.report_unmatched_channels(from, report);
    let clips: Vec<Clip> = animation
        .clips
        .iter()
        .filter_map(|clip| {
            let (morphs, colors) = transfer.expressions.tracks(clip);
            let morph_tracks = [transfer.morph_tracks(clip), morphs].concat();
            let material_tracks = [transfer.material_tracks(clip), colors].concat();
            let motion = transfer.motion(clip).or_else(|| {
                // Clips of morph targets and materials need no bones.
                let has_values = !morph_tracks.is_empty() || !material_tracks.is_empty();
                has_values.then_some(Motion::Tracks(Vec::new()))
            })?;
            Some(Clip {
                name: if clip.name.is_empty() { from.to_owned() } else { clip.name.clone() },
                motion,
                morph_tracks,
                material_tracks,
                events: transfer.events(clip),
                // They belong to another mesh.
                frame_bounds: Vec::new(),
                unsorted_curves: Vec::new(),
                ..*clip
            })
        })
        .collect();
    let (num, all) = (clips.len(), animation.clips.len());
    let ratio = transfer.retarget.as_ref().map(|retarget| retarget.length_ratio);
    report.add_many(FindingKind::AddedClips, Place::File, num as u64, || {
        let were = singular_or_plural(num as u64, "was", "were");
        let added = format!("{} of {from} {were} added", counted(num as u64, "clip"));
        match ratio {
            Some(ratio) => {
                let ratio = numbers::significant(f64::from(ratio), 3);
                format!("{added}, relative to the rest pose and scaled by {ratio}")
            }
            None => added,
        }
    });
    let num_left = (all - num) as u64;
    report.add_many(FindingKind::Dropped, Place::File, num_left, || {
        format!("{} of {from} can't be applied to this model", counted(num_left, "clip"))
    });
    model.clips.extend(clips);
}

/// The reverse of `bones`: the bone of the animation for each bone of `model`.
fn sources(bones: &IdVec<BoneId, Option<BoneId>>, model: &Model) -> IdVec<BoneId, Option<BoneId>> {
    let mut source_of = IdVec::filled(None, model.skeleton.bones());
    for (at, own) in bones.iter_enumerated() {
        if let Some(own) = *own {
            source_of[own] = Some(at);
        }
    }
    source_of
}

struct Transfer<'a> {
    bones: IdVec<BoneId, Option<BoneId>>,
    /// The morph target of `model` for each one of `animation` that has a counterpart.
    shapes: HashMap<MorphTargetAt, MorphTargetAt>,
    materials: Vec<Option<MaterialId>>,
    /// The bone of `animation` that each bone of `model` follows.
    source_of: IdVec<BoneId, Option<BoneId>>,
    change: SpaceChange,
    /// If the rest poses differ, so that keys can't be copied.
    retarget: Option<Retarget>,
    expressions: Expressions<'a>,
    /// If the animation has a gaze that bones of the model follow.
    eyes: Option<Eyes>,
    model: &'a Model,
    animation: &'a Model,
}

impl Transfer<'_> {
    fn bone(&self, bone: BoneId) -> Option<BoneId> {
        self.bones[bone]
    }

    fn report_unmatched(&self, from: &str, report: &Report) {
        let skeleton = &self.animation.skeleton;
        let avatar = self.animation.avatar.iter();
        let values: HashSet<BoneId> = avatar.flat_map(|avatar| avatar.value_bones()).collect();
        let unmatched: Vec<_> = (skeleton.bones().iter_enumerated())
            .filter(|(id, bone)| {
                self.bones[*id].is_none() && !bone.is_helper() && !values.contains(id)
            })
            .map(|(id, _)| skeleton.display_name(id))
            .collect();
        let num = unmatched.len();
        report.add_many(FindingKind::UnmatchedBones, Place::File, num as u64, || {
            let total = counted(self.bones.len() as u64, "bone");
            let have = singular_or_plural(num as u64, "has", "have");
            let names = unmatched.join(", ");
            format!("{num} of {total} of {from} {have} no counterpart in the model: {names}")
        });
    }

    /// Sentences about expressions and the gaze that the model can't play.
    fn unplayed_expressions(&self, from: &str) -> Vec<String> {
        let mut texts = Vec::new();
        let lost = self.expressions.unmatched();
        if !lost.is_empty() {
            let num = lost.len() as u64;
            let expressions = counted(num, "expression");
            let have = singular_or_plural(num, "has", "have");
            let names = lost.join(", ");
            texts.push(format!(
                "{expressions} of {from} {have} no counterpart in the model: {names}"
            ));
        }
        let (names, num) = self.expressions.unplayed();
        if num > 0 {
            let changes = counted(num as u64, "change");
            let are = singular_or_plural(num as u64, "isn't", "aren't");
            let names = names.join(", ");
            texts.push(format!(
                "{changes} of materials by expressions of the model {are} played; only base colours, emission and texture transforms are: {names}"
            ));
        }
        let has_gaze = self.animation.avatar.as_ref().is_some_and(|avatar| avatar.gaze.is_some());
        let look_at = self.model.avatar.as_ref().and_then(|avatar| avatar.look_at);
        if has_gaze && self.eyes.is_none() && !look_at.is_some_and(|own| own.by_expressions) {
            let why = match look_at {
                None => "states no look-at",
                Some(_) => "has no bones of eyes",
            };
            texts.push(format!("the gaze of {from} isn't played, because the model {why}"));
        }
        texts
    }

    /// Reports animated morph targets and materials without a counterpart.
    fn report_unmatched_channels(&self, from: &str, report: &Report) {
        let animation = self.animation;
        let mut targets = BTreeSet::new();
        for clip in &animation.clips {
            targets
                .extend(clip.morph_tracks.iter().map(|track| (track.mesh.index(), track.target)));
            if let Motion::Curves(curves) = &clip.motion {
                let mut weights = nan_weights(animation);
                curves.0.sample_morphs(clip.start_secs, &mut weights);
                for (mesh, weights) in weights.iter().enumerate() {
                    let moved = weights.iter().enumerate().filter(|(_, weight)| !weight.is_nan());
                    targets.extend(moved.map(|(target, _)| (mesh, target)));
                }
            }
        }
        targets.retain(|target| self.shape(*target).is_none());
        let tracks = animation.clips.iter().flat_map(|clip| &clip.material_tracks);
        let mut materials: BTreeSet<usize> = tracks.map(|track| track.material.index()).collect();
        materials.retain(|material| self.material(*material).is_none());
        let num_targets = targets.len() as u64;
        let num = num_targets + materials.len() as u64;
        let mut texts = self.unplayed_expressions(from);
        let total = num + texts.len() as u64;
        let text = || {
            let of_targets = targets.iter().filter_map(|&(mesh, target)| {
                Some(
                    animation
                        .meshes
                        .get(MeshId::from_index(mesh))?
                        .morph_targets
                        .get(target)?
                        .name
                        .as_str(),
                )
            });
            let of_materials = materials
                .iter()
                .filter_map(|&at| animation.materials.get(MaterialId::from_index(at)));
            let names: Vec<&str> =
                of_targets.chain(of_materials.map(|material| material.name.as_str())).collect();
            let what = match (num_targets, num - num_targets) {
                (0, materials) => counted(materials, "animated material"),
                (targets, 0) => counted(targets, "animated morph target"),
                (targets, materials) => format!(
                    "{} and {}",
                    counted(targets, "animated morph target"),
                    counted(materials, "animated material")
                ),
            };
            let have = singular_or_plural(num, "has", "have");
            format!("{what} of {from} {have} no counterpart in the model: {}", names.join(", "))
        };
        if num > 0 {
            texts.insert(0, text());
        }
        report.add_many(FindingKind::UnmatchedChannels, Place::File, total, || texts.join("; "));
    }

    fn motion(&self, clip: &Clip) -> Option<Motion> {
        match &clip.motion {
            Motion::VertexAnimation(cache) => self.cache(cache).map(Motion::VertexAnimation),
            Motion::Curves(_) if self.moves_shapes(clip) => {
                Some(Motion::Curves(LiveCurves(Arc::new(self.replayed(clip)))))
            }
            _ if self.bones.iter().all(Option::is_none) && self.eyes.is_none() => None,
            Motion::Tracks(tracks)
                if self.retarget.is_none() && self.eyes.is_none() && self.has_same_parents() =>
            {
                let tracks: Vec<_> = tracks.iter().filter_map(|t| self.track(t)).collect();
                (!tracks.is_empty()).then_some(Motion::Tracks(tracks))
            }
            Motion::Sampled(motion)
                if motion.space == KeySpace::Skin
                    || (self.retarget.is_none()
                        && self.has_same_parents()
                        && self.copied_bytes(motion) <= MAX_COPIED_BYTES) =>
            {
                self.sampled(motion).map(Motion::Sampled)
            }
            Motion::Tracks(_) | Motion::Sampled(_) | Motion::Curves(_) => {
                Some(Motion::Curves(LiveCurves(Arc::new(self.replayed(clip)))))
            }
        }
    }

    fn has_same_parents(&self) -> bool {
        has_same_parents(&self.bones, &self.animation.skeleton, &self.model.skeleton)
    }

    /// Whether live curves move a morph target that has a counterpart.
    fn moves_shapes(&self, clip: &Clip) -> bool {
        let Motion::Curves(curves) = &clip.motion else { return false };
        // Curves don't list the targets that they write, so find those that differ from NaN
        // afterwards.
        let mut weights = nan_weights(self.animation);
        curves.0.sample_morphs(clip.start_secs, &mut weights);
        let mut shapes = self.shapes();
        shapes.any(|(from, _)| !weights[from.0][from.1].is_nan())
    }

    /// The morph targets of the animation that have a counterpart, in pairs.
    fn shapes(&self) -> impl Iterator<Item = ((usize, usize), (usize, usize))> + '_ {
        let meshes = self.animation.meshes.iter().enumerate();
        let all = meshes.flat_map(|(mesh, from)| {
            (0..from.morph_targets.len()).map(move |target| (mesh, target))
        });
        all.filter_map(|from| Some((from, self.shape(from)?)))
    }

    /// The counterpart of a target, as indices of mesh and target.
    fn shape(&self, (mesh, target): (usize, usize)) -> Option<(usize, usize)> {
        let (mesh, target) = self.shapes.get(&(MeshId::from_index(mesh), target))?;
        Some((mesh.index(), *target))
    }

    /// Size of the keys of `motion` in bytes, with one matrix per bone of the model.
    fn copied_bytes(&self, motion: &SampledMotion) -> usize {
        let matrices = self.model.skeleton.len().saturating_mul(motion.keys.num_keys());
        matrices.saturating_mul(size_of::<Affine3A>())
    }

    fn replayed(&self, clip: &Clip) -> Replay {
        let of_clip = |retarget: &Retarget| retarget.for_clip(clip, &self.source_of);
        Replay {
            animation: Model {
                skeleton: self.animation.skeleton.clone(),
                clips: vec![Clip {
                    morph_tracks: Vec::new(),
                    material_tracks: Vec::new(),
                    events: Vec::new(),
                    ..clip.clone()
                }]
                .into(),
                ..Model::default()
            },
            source_of: self.source_of.clone(),
            skeleton: self.model.skeleton.clone(),
            change: self.change,
            retarget: self.retarget.as_ref().map(of_clip),
            eyes: self.eyes.clone(),
            key_times_secs: key_times(clip),
            shapes: self.shapes().collect(),
            num_targets: num_targets(self.animation),
        }
    }

    fn track(&self, track: &BoneTrack) -> Option<BoneTrack> {
        let change = &self.change;
        Some(BoneTrack {
            bone: self.bone(track.bone)?,
            translation: mapped(&track.translation, |v| change.point(v)),
            rotation: mapped(&track.rotation, |q| change.rotation(q)),
            scale: mapped(&track.scale, |v| change.scale(v)),
        })
    }

    /// Keys for the bones of the model; bones that don't move keep their rest transform.
    fn sampled(&self, motion: &SampledMotion) -> Option<SampledMotion> {
        let num_bones = self.model.skeleton.len();
        let in_order = self.bones.iter_enumerated().all(|(at, own)| *own == Some(at));
        if in_order && self.bones.len() == num_bones && self.change == SpaceChange::IDENTITY {
            return Some(motion.clone());
        }
        if self.copied_bytes(motion) > MAX_COPIED_BYTES {
            return None;
        }
        let rest = match motion.space {
            KeySpace::Local => self.model.skeleton.rest_locals().clone(),
            KeySpace::Skin => vec![Affine3A::IDENTITY; num_bones].into(),
        };
        let mut matrices = Vec::with_capacity(rest.len() * motion.keys.num_keys());
        for key in 0..motion.keys.num_keys() {
            let first = matrices.len();
            matrices.extend_from_slice(&rest);
            for (from, to) in self.bones.iter().enumerate() {
                if let (Some(to), Some(matrix)) = (to, motion.keys.matrix(key, from)) {
                    matrices[first + to.index()] = self.change.matrix(matrix);
                }
            }
        }
        Some(SampledMotion {
            keys: PackedKeys::from_matrices(u32::try_from(num_bones).ok()?, &matrices)?,
            ..motion.clone()
        })
    }

    /// The vertex animation, for the first mesh with the same number of vertices.
    fn cache(&self, cache: &VertexAnimation) -> Option<VertexAnimation> {
        let num_vertices = self.animation.mesh(cache.mesh).num_vertices();
        let mut meshes = self.model.meshes.iter();
        let mesh = meshes.position(|mesh| mesh.num_vertices() == num_vertices)?;
        Some(VertexAnimation {
            is_blended: cache.is_blended,
            mesh: MeshId::from_index(mesh),
            times_secs: cache.times_secs.clone(),
            positions: if self.change == SpaceChange::IDENTITY {
                Arc::clone(&cache.positions)
            } else {
                let points = cache.positions.iter();
                Arc::new(points.map(|&p| self.change.point(p)).collect())
            },
        })
    }

    /// Weights of targets that have a counterpart.
    fn morph_tracks(&self, clip: &Clip) -> Vec<MorphTrack> {
        let tracks = clip.morph_tracks.iter().filter_map(|track| {
            let (mesh, target) = self.shape((track.mesh.index(), track.target))?;
            Some(MorphTrack {
                mesh: MeshId::from_index(mesh),
                target,
                weights: track.weights.clone(),
            })
        });
        tracks.collect()
    }

    /// Tracks of materials that the model has under the same name.
    fn material_tracks(&self, clip: &Clip) -> Vec<MaterialTrack> {
        let tracks = clip.material_tracks.iter().filter_map(|track| {
            let material = self.material(track.material.index())?;
            Some(MaterialTrack { material, ..track.clone() })
        });
        tracks.collect()
    }

    /// The counterpart of a material: the one with the same name.
    fn material(&self, material: usize) -> Option<MaterialId> {
        let name = &self.animation.materials.get(MaterialId::from_index(material))?.name;
        let own = self.materials.get(material).copied().flatten()?;
        let is_same = self.model.materials.get(own)?.name == *name;
        (is_same && !name.is_empty()).then_some(own)
    }

    fn events(&self, clip: &Clip) -> Vec<Event> {
        let events = clip.events.iter().map(|event| Event {
            bone: event.bone.and_then(|bone| self.bone(bone)),
            ..event.clone()
        });
        events.collect()
    }
}

fn mapped<T: Copy>(track: &Option<Track<T>>, map: impl Fn(T) -> T) -> Option<Track<T>> {
    track.as_ref().map(|track| Track {
        times_secs: track.times_secs.clone(),
        values: track.values.iter().map(|&value| map(value)).collect(),
        interpolation: track.interpolation,
    })
}
