//! The 3D view: renders the state into an image that egui shows, only when it has changed.

use std::sync::Arc;
use std::time::Duration;

use egui::TextureId;
use glam::Vec2;

use super::draw_context::DrawContext;
use super::egui_texture::shown_as;
use super::sample_count::SampleCount;
use super::uploads::UploadRequest;
use super::view_key::{ViewKey, shown};
use rigscope_core::model::{Finding, MaterialOverride, Model, Report};
use rigscope_core::pose::{BoneShape, PoseSpec};
use rigscope_core::visual::Marks;
use rigscope_gpu::headless::{self, Image};
use rigscope_gpu::pick::{PendingHit, PickPoint, Picker};
use rigscope_gpu::readback::{self, PendingVertices};
use rigscope_gpu::{
    Background, FrameStats, Gpu, Msaa, Renderer, Scene, SceneError, SceneLight, SceneMaterials,
    Target,
};
use rigscope_state::{AppState, BONE_REACH_POINTS, Document, Layer, UserImage};

/// A model on the GPU, or the reason it's missing.
#[derive(Debug)]
struct UploadedModel {
    model: Arc<Model>,
    scene: Option<Scene>,
    /// Upload state of the scene.
    upload_state: UploadState,
    /// Material variant that it has, or will have once its textures are uploaded.
    material_override: Option<Arc<MaterialOverride>>,
    /// Its textures are missing and haven't been requested.
    needs_textures: bool,
    /// The image that lights it, or will once its lighting data is computed.
    light: Option<Arc<UserImage>>,
    /// Its lighting data is missing and hasn't been requested.
    needs_light: bool,
    /// It is in the current image, or alternates with a model that is (blink comparison).
    is_wanted: bool,
}

/// Upload state of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UploadState {
    /// Not requested yet.
    Missing,
    /// Requested; the upload is running.
    Pending,
    /// Uploaded, or the upload has failed for good.
    Done,
}

impl UploadedModel {
    fn new(model: &Arc<Model>) -> Self {
        Self {
            model: Arc::clone(model),
            scene: None,
            upload_state: UploadState::Missing,
            material_override: None,
            needs_textures: false,
            light: None,
            needs_light: false,
            is_wanted: true,
        }
    }

    /// Stores the scene, or records that there will be none.
    fn take(&mut self, scene: Option<Scene>) {
        self.upload_state = UploadState::Done;
        self.needs_textures = scene.is_some()
            && (self.material_override.is_some() || SceneMaterials::are_slow(&self.model));
        self.needs_light = scene.is_some() && self.light.is_some();
        self.scene = scene;
    }
}

/// How many models of other tabs stay on the GPU, most recently shown first, so that switching between two
/// tabs uploads nothing.
const MAX_SPARE: usize = 1;

/// Options for rendering a separate image.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImageOptions {
    pub(super) background: Background,
    /// Supersampling: the image is drawn at 2^n times its size and halved n times.
    pub(super) halvings: u32,
    /// Also draws overlays such as lines and faces.
    pub(super) has_marks: bool,
}

/// More halvings would need larger textures than any GPU supports.
const MAX_HALVINGS: u32 = 3;

/// The view's image and its inputs.
#[derive(Debug, Default)]
pub(super) struct View3d {
    uploaded: Vec<UploadedModel>,
    /// The view's image and, for a moving view, one with fewer samples.
    targets: Vec<Target>,
    samples: SampleCount,
    texture: Option<TextureId>,
    shown: Option<ViewKey>,
    /// The document's skeleton as it is drawn.
    bones: Vec<BoneShape>,
    picker: Picker,
    /// The model that the picker last used.
    picked: Option<Arc<Model>>,
    /// A scene has arrived since the last draw.
    has_arrived: bool,
}

/// Result of drawing.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// Cost of drawing; `None` if the previous image was still current.
    pub(super) stats: Option<FrameStats>,
    /// egui must show a different texture.
    pub(super) is_new_texture: bool,
    /// When to redraw with more samples.
    pub(super) refine_in: Option<Duration>,
    /// Why a model can't be drawn.
    pub(super) failure: Option<String>,
    /// A model has been uploaded.
    pub(super) is_new_model: bool,
    /// Findings from uploading a model.
    pub(super) findings: Vec<Finding>,
    /// Models with a part that must be uploaded.
    pub(super) upload_requests: Vec<(Arc<Model>, UploadRequest)>,
}

impl View3d {
    /// The view's image as an egui texture. Until the next model is ready, it shows the previous one.
    pub(super) fn texture(&self) -> Option<TextureId> {
        self.texture.filter(|_| self.has_scene() || self.awaits_scene())
    }

    /// The view's image.
    pub(super) fn picture(&self) -> Option<&Target> {
        self.targets.last().filter(|_| self.has_scene() || self.awaits_scene())
    }

    /// Whether the upload of `model` has finished or failed.
    pub(super) fn holds(&self, model: &Arc<Model>) -> bool {
        let is_it = |known: &&UploadedModel| Arc::ptr_eq(&known.model, model);
        let known = self.uploaded.iter().find(is_it);
        known.is_some_and(|known| known.upload_state == UploadState::Done)
    }

    /// Whether at least one requested model can be drawn.
    fn has_scene(&self) -> bool {
        self.uploaded.iter().any(|model| model.is_wanted && model.scene.is_some())
    }

    /// Whether a requested model is still being uploaded.
    pub(super) fn awaits_scene(&self) -> bool {
        self.uploaded.iter().any(|model| model.is_wanted && model.upload_state != UploadState::Done)
    }

    /// Redraws the image if the state differs from the last one. A light window gets a light background.
    pub(super) fn draw(
        &mut self,
        drawer: DrawContext<'_>,
        egui_renderer: &mut egui_wgpu::Renderer,
        state: &AppState,
        pixels_per_point: f32,
        is_light: bool,
    ) -> Drawn {
        let DrawContext { gpu, renderer, .. } = drawer;
        let mut drawn = Drawn::default();
        let layers = state.layers();
        let had_texture = self.texture().is_some();
        self.upload(gpu, renderer, &layers, state, &mut drawn, true);
        drawn.is_new_model |= std::mem::take(&mut self.has_arrived);
        for known in self.uploaded.iter_mut().filter(|known| known.is_wanted) {
            let mut request_upload =
                |request| drawn.upload_requests.push((Arc::clone(&known.model), request));
            if known.upload_state == UploadState::Missing {
                known.upload_state = UploadState::Pending;
                request_upload(UploadRequest::Scene);
            }
            if std::mem::take(&mut known.needs_textures) {
                request_upload(UploadRequest::Textures(known.material_override.clone()));
            }
            if std::mem::take(&mut known.needs_light)
                && let Some(light) = &known.light
            {
                request_upload(UploadRequest::Light(Arc::clone(light)));
            }
        }
        drawn.is_new_texture = had_texture != self.texture().is_some();
        if !self.has_scene() {
            return drawn;
        }
        let Some(mut shown) = shown(state, layers, pixels_per_point) else { return drawn };
        if is_light && shown.background == Background::default() {
            shown.background = Background::Light;
        }
        if self.shown.as_ref() == Some(&shown) && !self.samples.is_rested_draft() {
            drawn.refine_in = self.samples.rests_in();
            return drawn;
        }
        let moves = self.shown.as_ref().is_some_and(|last| shown.has_moved(last));
        let msaa = self.samples.of_next(gpu, moves);
        let target = self.target(gpu, egui_renderer, shown.size_px, msaa, &mut drawn);
        drawn.stats = self.draw_layers(drawer, &target, &shown, state);
        drawn.refine_in = self.samples.rests_in();
        self.shown = Some(shown);
        drawn
    }

    /// Records that the last image has been presented.
    pub(super) fn presented(&mut self) {
        self.samples.presented();
    }

    /// Renders the state into a separate image; an error is a sentence.
    pub(super) async fn image(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        state: &AppState,
        wanted: &ImageOptions,
    ) -> Result<Image, String> {
        let mut drawn = Drawn::default();
        let layers = state.layers();
        self.upload(gpu, renderer, &layers, state, &mut drawn, false);
        for known in &mut self.uploaded {
            let Some(scene) = &mut known.scene else { continue };
            if std::mem::take(&mut known.needs_light)
                && let Some(file) = &known.light
            {
                match SceneLight::upload(gpu, renderer, &file.image) {
                    Ok(light) => scene.set_light(Some(light)),
                    Err(refusal) => drawn.failure = Some(format!("{} {refusal}", file.name())),
                }
            }
            if !std::mem::take(&mut known.needs_textures) {
                continue;
            }
            let material_override = known.material_override.as_deref();
            match SceneMaterials::upload(
                gpu,
                renderer,
                &known.model,
                material_override,
                &Report::new(),
            ) {
                Ok(materials) => scene.set_materials(materials),
                Err(error) => drawn.failure = Some(error.to_string()),
            }
        }
        if let Some(failure) = drawn.failure {
            return Err(failure);
        }
        let scale = 1u32 << wanted.halvings.min(MAX_HALVINGS);
        let mut shown = shown(state, layers, scale as f32).ok_or("the image has no size")?;
        shown.background = wanted.background;
        // Hovering belongs to the window, not to the image.
        shown.hovered = None;
        if !wanted.has_marks {
            shown.marks = Marks::default();
        }
        let limit = gpu.caps.max_texture;
        if shown.size_px.into_iter().any(|side| side > limit) {
            let limit = limit / scale;
            return Err(format!("this GPU can't draw images larger than {limit} pixels per side"));
        }
        // Supersampling replaces MSAA here, as in `headless`.
        let target = Target::new(gpu, shown.size_px, Msaa::Off);
        self.draw_layers(DrawContext { gpu, renderer, timer: None }, &target, &shown, state);
        let halvings = wanted.halvings.min(MAX_HALVINGS);
        let image = headless::read_halved(gpu, &target, halvings, wanted.background).await;
        match gpu.errors().messages().first() {
            Some(message) => Err(format!("the GPU reported an error: {message}")),
            None => image.map_err(|error| error.to_string()),
        }
    }

    /// Uploads the models of `layers` and drops unneeded ones. With `may_wait`, slow uploads are left for
    /// the caller to request.
    fn upload(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        layers: &[Layer],
        state: &AppState,
        drawn: &mut Drawn,
        may_wait: bool,
    ) {
        // Include models that alternate, so that a blink comparison doesn't upload one at each blink.
        let alternating = state.resident_models();
        let is_wanted = |known: &UploadedModel| {
            let mut wanted = layers.iter().map(|layer| &layer.model).chain(&alternating);
            wanted.any(|model| Arc::ptr_eq(model, &known.model))
        };
        for known in &mut self.uploaded {
            let is_wanted = is_wanted(known);
            known.is_wanted = is_wanted;
        }
        // The sort is stable: models shown most recently come last.
        self.uploaded.sort_by_key(|known| known.is_wanted);
        let spare = |known: &&UploadedModel| !known.is_wanted && state.is_open(&known.model);
        let mut num_more = self.uploaded.iter().filter(spare).count().saturating_sub(MAX_SPARE);
        self.uploaded.retain(|known| {
            let is_spare = spare(&known);
            let is_old = is_spare && num_more > 0;
            num_more -= usize::from(is_old);
            known.is_wanted || (is_spare && !is_old)
        });
        for layer in layers {
            let known =
                self.uploaded.iter().position(|known| Arc::ptr_eq(&known.model, &layer.model));
            let known = known.unwrap_or_else(|| {
                self.uploaded.push(UploadedModel::new(&layer.model));
                self.uploaded.len() - 1
            });
            let Some(known) = self.uploaded.get_mut(known) else { continue };
            let waits = may_wait && Scene::is_slow(&layer.model);
            if known.upload_state == UploadState::Done || waits {
                continue;
            }
            let report = Report::new();
            let scene = Scene::upload_plain(gpu, renderer, &layer.model, &report);
            drawn.findings.extend(report.findings());
            if let Err(error) = &scene {
                drawn.failure = Some(error.to_string());
            }
            known.take(scene.ok());
            self.has_arrived = true;
            self.shown = None;
        }
        let light = state.tab.view.user_images.environment();
        for known in self.uploaded.iter_mut().filter(|known| known.is_wanted) {
            let material_override = state.material_override_of(&known.model);
            if !is_same(known.material_override.as_ref(), material_override) {
                known.material_override = material_override.cloned();
                known.needs_textures = known.scene.is_some();
            }
            if !is_same(known.light.as_ref(), light) {
                known.light = light.cloned();
                known.needs_light = known.scene.is_some() && light.is_some();
                if let Some(scene) = known.scene.as_mut().filter(|_| light.is_none()) {
                    scene.set_light(None);
                    self.shown = None;
                }
            }
        }
    }

    /// Applies lighting data computed from `file` if it is still current.
    pub(super) fn take_light(
        &mut self,
        model: &Arc<Model>,
        file: &Arc<UserImage>,
        light: SceneLight,
    ) -> bool {
        let is_it = |known: &&mut UploadedModel| {
            let is_wanted = known.light.as_ref().is_some_and(|light| Arc::ptr_eq(light, file));
            is_wanted && Arc::ptr_eq(&known.model, model)
        };
        let Some(known) = self.uploaded.iter_mut().find(is_it) else { return false };
        let Some(scene) = &mut known.scene else { return false };
        scene.set_light(Some(light));
        self.shown = None;
        true
    }

    /// Applies the uploaded scene of `model`; a cancelled upload is requested again. Returns whether
    /// the model is in use.
    pub(super) fn take_scene(
        &mut self,
        model: &Arc<Model>,
        scene: Result<Scene, SceneError>,
    ) -> bool {
        let is_it = |known: &&mut UploadedModel| Arc::ptr_eq(&known.model, model);
        let Some(known) = self.uploaded.iter_mut().find(is_it) else { return false };
        match scene {
            // Already uploaded by a separate image, which couldn't wait.
            _ if known.scene.is_some() => return false,
            Err(SceneError::Cancelled) => known.upload_state = UploadState::Missing,
            Err(_) => known.take(None),
            Ok(scene) => {
                known.take(Some(scene));
                self.has_arrived = true;
                self.shown = None;
            }
        }
        true
    }

    /// Stops waiting for requested scenes after their job has failed. A scene that still arrives is used.
    pub(super) fn give_up(&mut self) {
        let pending =
            self.uploaded.iter_mut().filter(|known| known.upload_state == UploadState::Pending);
        pending.for_each(|known| known.take(None));
    }

    /// Applies uploaded textures of `model`; a cancelled upload is requested again. Returns whether
    /// the model is in use.
    pub(super) fn take(
        &mut self,
        model: &Arc<Model>,
        materials: Result<(Option<Arc<MaterialOverride>>, SceneMaterials), SceneError>,
    ) -> bool {
        let is_it = |known: &&mut UploadedModel| Arc::ptr_eq(&known.model, model);
        let Some(known) = self.uploaded.iter_mut().find(is_it) else { return false };
        match (&mut known.scene, materials) {
            // Outdated: textures of the current material variant have been requested.
            (_, Ok((material_override, _)))
                if !is_same(known.material_override.as_ref(), material_override.as_ref()) => {}
            (Some(scene), Ok((_, materials))) => {
                scene.set_materials(materials);
                self.shown = None;
                self.picked = None;
            }
            (_, Err(error)) => known.needs_textures = matches!(error, SceneError::Cancelled),
            (None, _) => {}
        }
        true
    }

    /// Reads back the document's vertices in `pose`, skinned on the GPU; an error is a sentence.
    pub(super) fn ask_skinned(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        document: &Document,
        pose: &PoseSpec,
    ) -> Result<PendingVertices, String> {
        let is_it = |known: &&mut UploadedModel| Arc::ptr_eq(&known.model, &document.model);
        let uploaded = self.uploaded.iter_mut().find(is_it);
        let Some(scene) = uploaded.and_then(|known| known.scene.as_mut()) else {
            return Err("the model is not on the GPU".to_owned());
        };
        readback::request_skinned(gpu, renderer, scene, pose).map_err(|error| error.to_string())
    }

    /// A target of `size_px` for egui to show, reused if one fits.
    fn target(
        &mut self,
        gpu: &Gpu,
        egui_renderer: &mut egui_wgpu::Renderer,
        size_px: [u32; 2],
        msaa: Msaa,
        drawn: &mut Drawn,
    ) -> Target {
        self.targets.retain(|target| target.size_px() == size_px);
        let is_it = |target: &Target| target.msaa() == msaa || !gpu.caps.msaa4;
        // egui shows the last target in the list.
        let is_shown = self.targets.last().is_some_and(is_it);
        let known = self.targets.iter().position(is_it).map(|at| self.targets.remove(at));
        let target = known.unwrap_or_else(|| Target::new(gpu, size_px, msaa));
        self.targets.push(target.clone());
        if !is_shown {
            drawn.is_new_texture |= self.texture.is_none();
            self.texture = Some(shown_as(gpu, egui_renderer, &target, self.texture));
        }
        target
    }

    /// Picks the `document` at `at_ndc`; `None` until it has been drawn.
    pub(super) fn ask_pick(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        document: &Arc<Model>,
        at_ndc: Vec2,
    ) -> Option<PendingHit> {
        let shown = self.shown.as_ref()?;
        let is_solid = |layer: &&Layer| layer.is_document && layer.ghost.is_none();
        let layer = shown.layers.iter().find(is_solid)?;
        if !Arc::ptr_eq(&layer.model, document) {
            // The image still shows the previous model.
            return None;
        }
        let is_it = |known: &&mut UploadedModel| Arc::ptr_eq(&known.model, document);
        let scene = self.uploaded.iter_mut().find(is_it)?.scene.as_mut()?;
        let input = shown.input(layer, &[], &self.bones);
        if !self.picked.as_ref().is_some_and(|picked| Arc::ptr_eq(picked, document)) {
            self.picker = Picker::default();
            self.picked = Some(Arc::clone(document));
        }
        // The document may cover only part of the image, as in a split comparison.
        let [left, right] = layer.view;
        let size = Vec2::new(shown.size_px[0] as f32, shown.size_px[1] as f32);
        let at_ndc =
            Vec2::new(2.0 * (left + (right - left) * at_ndc.x.mul_add(0.5, 0.5)) - 1.0, at_ndc.y);
        let point = PickPoint {
            at_px: Vec2::new(at_ndc.x.mul_add(0.5, 0.5), 0.5 - 0.5 * at_ndc.y) * size,
            reach_points: BONE_REACH_POINTS,
        };
        match self.picker.request(gpu, renderer, scene, &input, shown.size_px, point) {
            Ok(pending) => Some(pending),
            Err(error) => {
                tracing::warn!("picking: {error}");
                None
            }
        }
    }

    /// Draws the layers in order and returns the statistics of the document's layer.
    fn draw_layers(
        &mut self,
        drawer: DrawContext<'_>,
        target: &Target,
        shown: &ViewKey,
        state: &AppState,
    ) -> Option<FrameStats> {
        let mut stats = None;
        // The first layer clears the image and the last one finishes it, so leave out those that are still being
        // uploaded.
        let has_scene = |layer: &&Layer| {
            let is_it = |known: &&UploadedModel| Arc::ptr_eq(&known.model, &layer.model);
            self.uploaded.iter().find(is_it).is_some_and(|known| known.scene.is_some())
        };
        let layers: Vec<&Layer> = shown.layers.iter().filter(has_scene).collect();
        for (number, &layer) in layers.iter().enumerate() {
            let is_it = |known: &&mut UploadedModel| Arc::ptr_eq(&known.model, &layer.model);
            let uploaded = self.uploaded.iter_mut().find(is_it);
            let Some(scene) = uploaded.and_then(|known| known.scene.as_mut()) else { continue };
            let shows_bones = scene.shows_bones(&shown.show_of(layer)) || shown.outlines_bone();
            let bones =
                if shows_bones && layer.is_document { state.bone_shapes() } else { Vec::new() };
            let mut input = shown.input(layer, &layers[..number], &bones);
            input.layer.is_followed = number + 1 < layers.len();
            let took = drawer.render(scene, target, &input);
            if layer.is_document || stats.is_none() {
                stats = Some(took);
                self.bones = bones;
            }
        }
        stats.or(Some(FrameStats::default()))
    }
}

/// Whether both are the same `Arc`, or both are `None`.
fn is_same<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}
