//! The stage: metadata, prims and their contents.

use std::collections::HashMap;

use glam::{Affine3A, DMat4};
use openusd::sdf::{Data, FieldKey, Path, Value};

use super::animation::{Animations, Timing, ends, tracks_by_bone};
use super::blend_shapes::{self, WeightNames};
use super::layer::{Layer, token};
use super::layout::{Layout, PlannedPrim, has_tracks};
use super::skeleton::{Joints, double};
use super::skin::Binding;
use super::stored::animated_points;
use super::texture::ImageNames;
use super::transform::Transform;
use super::{material, mesh};
use crate::formats::{WriteError, WriteOptions};
use rigscope_core::model::{
    BoneId, Clip, ClipId, FindingKind, IdVec, MeshId, MeshOrigins, Model, Motion, Origins, Place,
    Report, UpAxis, counted,
};
use rigscope_core::pose::{PoseSpec, sample};

/// Time codes per second of models without a frame rate.
const USUAL_CODES_PER_SEC: f64 = 24.0;
/// Rates are whole if they differ by less, relatively.
const RATE_ROUNDING: f64 = 1e-5;
/// The key of a clip's name in the metadata of a layer whose prims are animated.
pub(in super::super) const CLIP_NAME: &str = "rigscopeClip";

/// The layer of a model in plain form, and the origins of its parts.
pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    images: &ImageNames<'_>,
    is_text: bool,
    report: &Report,
) -> Result<(Data, Origins), WriteError> {
    let layout = Layout::of(model, &options.stem);
    let stage = Stage {
        model,
        options,
        report,
        timing: Timing { codes_per_sec: codes_per_sec(model, options) },
        paths: Vec::new(),
        layer: Layer::new(is_text),
        layout,
    };
    stage.write(images)
}

fn codes_per_sec(model: &Model, options: &WriteOptions) -> f64 {
    let of_clip = || model.clips.iter().find_map(Clip::frames_per_sec);
    let rate = options.rate.or_else(of_clip).filter(|rate| (1.0..=1000.0).contains(rate));
    let rate = rate.unwrap_or(USUAL_CODES_PER_SEC);
    // Rates that are computed from times in single precision.
    let whole = rate.round();
    if (rate - whole).abs() < RATE_ROUNDING * whole { whole } else { rate }
}

struct Stage<'a> {
    model: &'a Model,
    options: &'a WriteOptions,
    report: &'a Report,
    timing: Timing,
    /// The paths of the layout's prims.
    paths: Vec<Path>,
    layer: Layer,
    layout: Layout,
}

impl Stage<'_> {
    fn write(mut self, images: &ImageNames<'_>) -> Result<(Data, Origins), WriteError> {
        let model = self.model;
        self.write_prims();
        let Some(root) = self.paths.first().cloned() else {
            return Ok((self.layer.finish().0, Origins::default()));
        };
        let has_materials = !model.materials.is_empty();
        let scope = has_materials.then(|| self.layer.prim(&root, "Materials", "Scope"));
        let materials =
            scope.map(|scope| material::write(&scope, model, images, &mut self.layer, self.report));
        let materials = materials.unwrap_or_default();
        let names = WeightNames::of(model);
        let mut joints = Joints::of(model, &self.layout.joints)?;
        self.write_meshes(&materials, &names, &mut joints)?;
        let written = self.write_clips(&names, &joints)?;
        let points = self.write_points();
        self.write_metadata(&root, &written, &points);
        let origins = self.origins(&joints, written, points);
        let (data, num_changed) = self.layer.finish();
        self.report.add_many(FindingKind::NameRespelled, Place::File, num_changed, || {
            "characters that USD can't store are replaced in names".to_owned()
        });
        Ok((data, origins))
    }

    /// The clip whose samples prims have: the only one that isn't a vertex animation.
    fn timeline(&self) -> Option<(ClipId, &Clip)> {
        let mut clips =
            self.model.clips.iter_enumerated().filter(|(_, clip)| has_tracks(&clip.motion));
        clips.next().filter(|_| clips.next().is_none())
    }

    fn write_prims(&mut self) {
        let model = self.model;
        let clip = self.timeline().map(|(id, _)| id).and_then(|id| model.clips.get(id));
        let tracks = clip.map(tracks_by_bone).unwrap_or_default();
        for at in 0..self.layout.prims.len() {
            let Some(PlannedPrim { name, kind, parent, bone, .. }) =
                self.layout.prims.get(at).cloned()
            else {
                continue;
            };
            let parent = parent.and_then(|parent| self.paths.get(parent)).cloned();
            let parent = parent.unwrap_or_else(Path::abs_root);
            let prim = self.layer.prim(&parent, &name, kind.name());
            match bone.and_then(|bone| Some((bone, model.skeleton.bones().get(bone)?))) {
                Some((id, bone)) => {
                    let keys = tracks.get(&id).copied().zip(clip);
                    let transform = Transform { bone, keys, timing: self.timing };
                    transform.write(&prim, &mut self.layer);
                }
                None => self.layer.mark_as_added(&prim),
            }
            self.paths.push(prim);
        }
    }

    fn write_meshes(
        &mut self,
        materials: &[Path],
        names: &WeightNames,
        joints: &mut Joints,
    ) -> Result<(), WriteError> {
        let model = self.model;
        let prims = self.layout.prims.iter().enumerate();
        let mut prims: Vec<(MeshId, usize)> =
            prims.filter_map(|(at, prim)| Some((prim.mesh?, at))).collect();
        prims.sort_unstable();
        // Meshes with a skin define the bind transforms that others use.
        prims.sort_by_key(|(id, _)| {
            let skin = model.meshes.get(*id).map(|mesh| &mesh.skin);
            matches!(skin, Some(rigscope_core::model::Skin::None))
        });
        let skeleton = self.layout.skeleton.and_then(|at| self.paths.get(at)).cloned();
        let num = prims.len();
        for (number, (id, at)) in prims.into_iter().enumerate() {
            let (Some(mesh), Some(prim)) = (model.meshes.get(id), self.paths.get(at).cloned())
            else {
                continue;
            };
            self.report.progress("writing meshes", 0.1 + 0.5 * number as f32 / num as f32)?;
            if mesh.is_hidden {
                let visibility = self.layer.attribute(&prim, "visibility", "token");
                visibility.value(token("invisible"));
            }
            mesh::write(&prim, model, id, mesh, materials, &mut self.layer, self.report);
            if self.layout.is_skinned.get(id) == Some(&true)
                && let Some(skeleton) = &skeleton
            {
                let binding = Binding::of(mesh, joints, self.report)?;
                self.layer.apply(&prim, "SkelBindingAPI");
                binding.write(&prim, skeleton, joints, &mut self.layer);
                blend_shapes::write(&prim, id, mesh, names, &mut self.layer, self.report);
            }
        }
        for (id, mesh) in model.meshes.iter_enumerated() {
            if !super::layout::has_vertices(mesh) {
                let message = "the mesh has no vertices and isn't written";
                self.report.add(FindingKind::LeftOut, Place::Mesh(id.0), message);
            }
        }
        Ok(())
    }

    /// Writes the skeleton and its clips; returns the clips in the order in which they are read.
    fn write_clips(
        &mut self,
        names: &WeightNames,
        joints: &Joints,
    ) -> Result<Vec<ClipId>, WriteError> {
        let model = self.model;
        let timeline = self.timeline().map(|(id, _)| id);
        let moves_prims = self.moves_prims();
        let skeleton = self.layout.skeleton.and_then(|at| self.paths.get(at)).cloned();
        let Some(skeleton) = skeleton else {
            return Ok(timeline.filter(|_| moves_prims).into_iter().collect());
        };
        joints.write(&skeleton, &mut self.layer);
        let animations =
            Animations { model, joints, names, options: self.options, timing: self.timing };
        let mut written = Vec::new();
        let mut bound = None;
        for (id, clip) in model.clips.iter_enumerated() {
            if !has_tracks(&clip.motion) {
                continue;
            }
            self.report.progress("writing clips", 0.7)?;
            let prim = animations.write(&skeleton, clip, !moves_prims, &mut self.layer)?;
            bound.get_or_insert(prim);
            written.push(id);
        }
        self.report_unplayed(&written);
        if bound.is_none() && WeightNames::has_defaults(model) {
            let prim = self.layer.prim(&skeleton, "Defaults", "SkelAnimation");
            names.write_defaults(&prim, model, &mut self.layer);
            bound = Some(prim);
        }
        if let Some(animation) = bound {
            self.layer.apply(&skeleton, "SkelBindingAPI");
            self.layer.relate(&skeleton, "skel:animationSource", vec![animation]);
        }
        Ok(written)
    }

    /// Reports clips that USD doesn't play, since a stage has one timeline.
    fn report_unplayed(&self, clips: &[ClipId]) {
        let Some((first, others)) = clips.split_first() else { return };
        let num = others.len() as u64;
        self.report.add_many(FindingKind::Altered, Place::File, num, || {
            let name = self.model.clips.get(*first).map_or("", |clip| &clip.name);
            let clips = counted(num, "other clip");
            format!("a stage has one timeline: USD plays {name:?}; {clips} can be bound by skel:animationSource")
        });
    }

    /// Whether the clip of the timeline has keys of prims.
    fn moves_prims(&self) -> bool {
        let Some((_, clip)) = self.timeline() else { return false };
        let tracks = tracks_by_bone(clip);
        let mut prims = self.layout.prims.iter().filter_map(|prim| prim.bone);
        prims.any(|bone| tracks.contains_key(&bone))
    }

    /// Writes vertex animations; returns those that are written, in the order of their meshes.
    fn write_points(&mut self) -> Vec<ClipId> {
        let model = self.model;
        let pose = sample(model, &PoseSpec::default());
        let mut written = Vec::new();
        for (id, clip) in animated_points(model, &self.layout) {
            let Some(Motion::VertexAnimation(cache)) = model.clips.get(clip).map(|own| &own.motion)
            else {
                continue;
            };
            let place = self.layout.prims.iter().position(|prim| prim.mesh == Some(id));
            let Some(prim) = place.and_then(|at| self.paths.get(at)).cloned() else { continue };
            let bone = model.meshes.get(id).and_then(|mesh| mesh.attached_to);
            let world = bone.and_then(|bone| pose.model_from_bone.get(bone).copied());
            let mesh_from_world: DMat4 = double(&world.unwrap_or(Affine3A::IDENTITY)).inverse();
            let num = model.meshes.get(id).map_or(0, |mesh| mesh.num_vertices());
            mesh::write_points(&prim, cache, num, &mesh_from_world, self.timing, &mut self.layer);
            written.push(clip);
        }
        written
    }

    fn write_metadata(&mut self, root: &Path, clips: &[ClipId], points: &[ClipId]) {
        let layer = Path::abs_root();
        let axes = self.model.axes;
        let up = if axes.up == UpAxis::Z { "Z" } else { "Y" };
        let creator = concat!("Rigscope ", env!("CARGO_PKG_VERSION")).to_owned();
        let mut data = HashMap::from([("creator".to_owned(), Value::String(creator))]);
        if let Some(copyright) = self.model.copyright.clone() {
            data.insert("copyright".to_owned(), Value::String(copyright));
        }
        let first = clips.first().and_then(|id| self.model.clips.get(*id));
        if let Some(clip) = first.filter(|_| self.moves_prims() && !clips.is_empty()) {
            data.insert(CLIP_NAME.to_owned(), Value::String(clip.name.clone()));
        }
        self.layer.set(&layer, FieldKey::CustomLayerData, Value::Dictionary(data));
        if let Some(name) = root.name() {
            self.layer.set(&layer, FieldKey::DefaultPrim, token(name));
        }
        self.layer.set(&layer, "metersPerUnit", axes.unit_meters.unwrap_or(1.0));
        self.layer.set(&layer, "upAxis", token(up));
        let ranges = clips.iter().take(1).chain(points);
        let ranges = ranges.filter_map(|id| self.model.clips.get(*id)).map(ends);
        let range = ranges.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
        if let Some([start, end]) = range.map(|ends| ends.map(|time| self.timing.code(time))) {
            self.layer.set(&layer, FieldKey::StartTimeCode, start);
            self.layer.set(&layer, FieldKey::EndTimeCode, end);
        }
        self.layer.set(&layer, FieldKey::TimeCodesPerSecond, self.timing.codes_per_sec);
        self.layer.set(&layer, FieldKey::FramesPerSecond, self.timing.codes_per_sec);
    }

    fn origins(&self, joints: &Joints, clips: Vec<ClipId>, points: Vec<ClipId>) -> Origins {
        let order = self.layout.in_reading_order();
        let meshes = order.iter().filter_map(|prim| prim.mesh).map(MeshOrigins::Same).collect();
        let of_prims = order.iter().filter_map(|prim| prim.bone).map(Some);
        let bones: Vec<Option<BoneId>> = of_prims.chain(joints.bones.iter().copied()).collect();
        let clips = clips.into_iter().chain(points).map(Some).collect();
        let bones: IdVec<BoneId, Option<BoneId>> = bones.into();
        Origins { meshes, clips: Some(clips), bones: Some(bones) }
    }
}
