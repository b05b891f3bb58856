//! The view: from the state to a picture that egui shows, drawn only where it has changed.

use std::sync::Arc;
use std::time::Duration;

use egui::TextureId;
use glam::Vec2;

use super::drawer::Drawer;
use super::egui_texture::shown_as;
use super::picture_key::{PictureKey, shown};
use super::samples::Samples;
use rigscope_core::model::{Dress, Model, Note, Report};
use rigscope_core::pose::{BoneShape, PoseSpec};
use rigscope_core::visual::Marks;
use rigscope_gpu::headless::{self, Image};
use rigscope_gpu::pick::{PendingHit, PickPoint, Picker};
use rigscope_gpu::readback::{self, PendingVertices};
use rigscope_gpu::{
    Background, FrameStats, Gpu, Msaa, Renderer, Scene, SceneLight, SceneMaterials, Target,
};
use rigscope_state::{AppState, BONE_REACH_POINTS, Document, HandImage, Layer, UploadPart};

/// A model on the GPU, or why it is not there.
#[derive(Debug)]
struct Uploaded {
    model: Arc<Model>,
    scene: Option<Scene>,
    /// What there is on the way to its scene.
    coming: Coming,
    /// What it wears, or will once its textures are there.
    dress: Option<Arc<Dress>>,
    /// Its textures are not there and not on their way.
    lacks_textures: bool,
    /// The image that lights it, or will once its light is made.
    light: Option<Arc<HandImage>>,
    /// That light is not there and not on its way.
    lacks_light: bool,
    /// It is in the picture, or takes turns with what is.
    is_wanted: bool,
}

/// Where a scene is that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coming {
    /// Nobody has asked for it yet.
    Lacking,
    /// On its way.
    Asked,
    /// It is there, or never will be.
    Ended,
}

impl Uploaded {
    fn new(model: &Arc<Model>) -> Self {
        Self {
            model: Arc::clone(model),
            scene: None,
            coming: Coming::Lacking,
            dress: None,
            lacks_textures: false,
            light: None,
            lacks_light: false,
            is_wanted: true,
        }
    }

    /// It is there, or never will be.
    fn take(&mut self, scene: Option<Scene>) {
        self.coming = Coming::Ended;
        self.lacks_textures =
            scene.is_some() && (self.dress.is_some() || SceneMaterials::are_slow(&self.model));
        self.lacks_light = scene.is_some() && self.light.is_some();
        self.scene = scene;
    }
}

/// So many models of other tabs stay on the GPU, the last shown first: going to and fro between two tabs
/// uploads nothing.
const MAX_SPARE: usize = 1;

/// How a picture of its own is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImageWanted {
    /// What is behind the model.
    pub(super) background: Background,
    /// Drawn so many times twice as large, and made smaller.
    pub(super) halvings: u32,
    /// Lines and faces beside the model are drawn too.
    pub(super) has_marks: bool,
}

/// More would need larger images than any GPU draws.
const MAX_HALVINGS: u32 = 3;

/// The picture and what it is made from.
#[derive(Debug, Default)]
pub(super) struct View3d {
    /// The models of the layers.
    uploaded: Vec<Uploaded>,
    /// The picture, and for moving views one of fewer samples.
    targets: Vec<Target>,
    samples: Samples,
    texture: Option<TextureId>,
    shown: Option<PictureKey>,
    /// The document's skeleton as it is drawn.
    bones: Vec<BoneShape>,
    picker: Picker,
    /// What the picker has seen.
    picked: Option<Arc<Model>>,
    /// A scene has arrived since the last picture.
    has_arrived: bool,
}

/// What came of drawing.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// What it took; none where the picture was still right.
    pub(super) stats: Option<FrameStats>,
    /// egui must show another texture than before.
    pub(super) is_new_texture: bool,
    /// When the picture is to be drawn again with more samples.
    pub(super) refine_in: Option<Duration>,
    /// Why a model cannot be drawn.
    pub(super) failure: Option<String>,
    /// A model was brought to the GPU.
    pub(super) is_new_model: bool,
    /// What uploading a model found.
    pub(super) notes: Vec<Note>,
    /// Models of which a part must be brought to the GPU.
    pub(super) lacking: Vec<(Arc<Model>, UploadPart)>,
}

impl View3d {
    /// The picture as egui knows it: until the next model is there that of the last one.
    pub(super) fn texture(&self) -> Option<TextureId> {
        self.texture.filter(|_| self.has_scene() || self.awaits_scene())
    }

    /// The picture itself.
    pub(super) fn picture(&self) -> Option<&Target> {
        self.targets.last().filter(|_| self.has_scene() || self.awaits_scene())
    }

    /// Whether `model` was brought to the GPU, or could not be.
    pub(super) fn holds(&self, model: &Arc<Model>) -> bool {
        let is_it = |known: &&Uploaded| Arc::ptr_eq(&known.model, model);
        let known = self.uploaded.iter().find(is_it);
        known.is_some_and(|known| known.coming == Coming::Ended)
    }

    /// Whether something of what is wanted can be drawn.
    fn has_scene(&self) -> bool {
        self.uploaded.iter().any(|model| model.is_wanted && model.scene.is_some())
    }

    /// Whether something of what is wanted will be there soon.
    pub(super) fn awaits_scene(&self) -> bool {
        self.uploaded.iter().any(|model| model.is_wanted && model.coming != Coming::Ended)
    }

    /// Draws the picture where the state asks for another than the last one, on a light ground where the
    /// window is light.
    pub(super) fn draw(
        &mut self,
        drawer: Drawer<'_>,
        egui_renderer: &mut egui_wgpu::Renderer,
        state: &AppState,
        pixels_per_point: f32,
        is_light: bool,
    ) -> Drawn {
        let Drawer { gpu, renderer, .. } = drawer;
        let mut drawn = Drawn::default();
        let layers = state.layers();
        let had_texture = self.texture().is_some();
        self.upload(gpu, renderer, &layers, state, &mut drawn, true);
        drawn.is_new_model |= std::mem::take(&mut self.has_arrived);
        for known in self.uploaded.iter_mut().filter(|known| known.is_wanted) {
            if known.coming == Coming::Lacking {
                known.coming = Coming::Asked;
                drawn.lacking.push((Arc::clone(&known.model), UploadPart::Scene));
            }
            let lacks = [
                (&mut known.lacks_textures, UploadPart::Textures),
                (&mut known.lacks_light, UploadPart::Light),
            ];
            for (lacks, part) in lacks {
                if std::mem::take(lacks) {
                    drawn.lacking.push((Arc::clone(&known.model), part));
                }
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

    /// The window shows what was drawn last.
    pub(super) fn presented(&mut self) {
        self.samples.presented();
    }

    /// Draws what the state shows into a picture of its own; why not, as a sentence.
    pub(super) async fn image(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        state: &AppState,
        wanted: &ImageWanted,
    ) -> Result<Image, String> {
        let mut drawn = Drawn::default();
        let layers = state.layers();
        self.upload(gpu, renderer, &layers, state, &mut drawn, false);
        for known in &mut self.uploaded {
            let Some(scene) = &mut known.scene else { continue };
            if std::mem::take(&mut known.lacks_light)
                && let Some(file) = &known.light
            {
                match SceneLight::upload(gpu, renderer, &file.image) {
                    Ok(light) => scene.set_light(Some(light)),
                    Err(refusal) => drawn.failure = Some(format!("{} {refusal}", file.name())),
                }
            }
            if !std::mem::take(&mut known.lacks_textures) {
                continue;
            }
            let dress = known.dress.as_deref();
            match SceneMaterials::upload(gpu, renderer, &known.model, dress, &Report::new()) {
                Ok(materials) => scene.set_materials(materials),
                Err(error) => drawn.failure = Some(error.to_string()),
            }
        }
        if let Some(failure) = drawn.failure {
            return Err(failure);
        }
        let scale = 1u32 << wanted.halvings.min(MAX_HALVINGS);
        let mut shown = shown(state, layers, scale as f32).ok_or("the picture has no size")?;
        shown.background = wanted.background;
        // The pointer is on the window and not on the picture.
        shown.hovered = None;
        if !wanted.has_marks {
            shown.marks = Marks::default();
        }
        let limit = gpu.caps.max_texture;
        if shown.size_px.into_iter().any(|side| side > limit) {
            let limit = limit / scale;
            return Err(format!("sides longer than {limit} pixels cannot be drawn here"));
        }
        // Several samples are taken by size alone, as `headless` does.
        let target = Target::new(gpu, shown.size_px, Msaa::Off);
        self.draw_layers(Drawer { gpu, renderer, timer: None }, &target, &shown, state);
        let halvings = wanted.halvings.min(MAX_HALVINGS);
        let image = headless::read_halved(gpu, &target, halvings, wanted.background).await;
        match gpu.errors().messages().first() {
            Some(message) => Err(format!("the GPU reported an error, {message}")),
            None => image.map_err(|error| error.to_string()),
        }
    }

    /// Brings the models of `layers` to the GPU and forgets others; what takes long is left to be asked for
    /// where it `may_wait`.
    fn upload(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        layers: &[Layer],
        state: &AppState,
        drawn: &mut Drawn,
        may_wait: bool,
    ) {
        // Also what is drawn by turns: a model is not uploaded at every blink.
        let kept = state.models_to_keep();
        let is_wanted = |known: &Uploaded| {
            let mut wanted = layers.iter().map(|layer| &layer.model).chain(&kept);
            wanted.any(|model| Arc::ptr_eq(model, &known.model))
        };
        for known in &mut self.uploaded {
            let is_wanted = is_wanted(known);
            known.is_wanted = is_wanted;
        }
        // Those shown last are at the end.
        self.uploaded.sort_by_key(|known| known.is_wanted);
        let spare = |known: &&Uploaded| !known.is_wanted && state.is_open(&known.model);
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
                self.uploaded.push(Uploaded::new(&layer.model));
                self.uploaded.len() - 1
            });
            let Some(known) = self.uploaded.get_mut(known) else { continue };
            let waits = may_wait && Scene::is_slow(&layer.model);
            if known.coming == Coming::Ended || waits {
                continue;
            }
            let report = Report::new();
            let scene = Scene::upload_plain(gpu, renderer, &layer.model, &report);
            drawn.notes.extend(report.notes());
            if let Err(error) = &scene {
                drawn.failure = Some(error.to_string());
            }
            known.take(scene.ok());
            self.has_arrived = true;
            self.shown = None;
        }
        let light = state.tab.view.by_hand.environment();
        for known in self.uploaded.iter_mut().filter(|known| known.is_wanted) {
            let dress = state.dress_of(&known.model);
            if !is_same(known.dress.as_ref(), dress) {
                known.dress = dress.cloned();
                known.lacks_textures = known.scene.is_some();
            }
            if !is_same(known.light.as_ref(), light) {
                known.light = light.cloned();
                known.lacks_light = known.scene.is_some() && light.is_some();
                if let Some(scene) = known.scene.as_mut().filter(|_| light.is_none()) {
                    scene.set_light(None);
                    self.shown = None;
                }
            }
        }
    }

    /// Lights `model` by what was made of `file`, where that is still wanted.
    pub(super) fn take_light(
        &mut self,
        model: &Arc<Model>,
        file: &Arc<HandImage>,
        light: SceneLight,
    ) -> bool {
        let is_it = |known: &&mut Uploaded| {
            let is_wanted = known.light.as_ref().is_some_and(|light| Arc::ptr_eq(light, file));
            is_wanted && Arc::ptr_eq(&known.model, model)
        };
        let Some(known) = self.uploaded.iter_mut().find(is_it) else { return false };
        let Some(scene) = &mut known.scene else { return false };
        scene.set_light(Some(light));
        self.shown = None;
        true
    }

    /// Shows `model`, which was brought to the GPU; whether it is drawn at all. Without a scene it is asked for
    /// again where that was stopped.
    pub(super) fn take_scene(&mut self, model: &Arc<Model>, scene: Result<Scene, bool>) -> bool {
        let is_it = |known: &&mut Uploaded| Arc::ptr_eq(&known.model, model);
        let Some(known) = self.uploaded.iter_mut().find(is_it) else { return false };
        match scene {
            // A picture of its own could not wait for it.
            _ if known.scene.is_some() => return false,
            Err(true) => known.coming = Coming::Lacking,
            Err(false) => known.take(None),
            Ok(scene) => {
                known.take(Some(scene));
                self.has_arrived = true;
                self.shown = None;
            }
        }
        true
    }

    /// Waits no longer for scenes that were asked for: who made one has stopped. One that arrives after all is taken.
    pub(super) fn give_up(&mut self) {
        let asked = self.uploaded.iter_mut().filter(|known| known.coming == Coming::Asked);
        asked.for_each(|known| known.take(None));
    }

    /// Shows textures of `model` that were brought to the GPU; whether it is drawn at all. Without any
    /// they are asked for again where that was stopped.
    pub(super) fn take(
        &mut self,
        model: &Arc<Model>,
        materials: Result<(Option<Arc<Dress>>, SceneMaterials), bool>,
    ) -> bool {
        let is_it = |known: &&mut Uploaded| Arc::ptr_eq(&known.model, model);
        let Some(known) = self.uploaded.iter_mut().find(is_it) else { return false };
        match (&mut known.scene, materials) {
            // What was chosen since then is on its way.
            (_, Ok((dress, _))) if !is_same(known.dress.as_ref(), dress.as_ref()) => {}
            (Some(scene), Ok((_, materials))) => {
                scene.set_materials(materials);
                self.shown = None;
                self.picked = None;
            }
            (_, Err(is_stopped)) => known.lacks_textures = is_stopped,
            (None, _) => {}
        }
        true
    }

    /// Asks for the document's vertices in `pose`, skinned on the GPU; why not, as a sentence.
    pub(super) fn ask_skinned(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        document: &Document,
        pose: &PoseSpec,
    ) -> Result<PendingVertices, String> {
        let is_it = |known: &&mut Uploaded| Arc::ptr_eq(&known.model, &document.model);
        let uploaded = self.uploaded.iter_mut().find(is_it);
        let Some(scene) = uploaded.and_then(|known| known.scene.as_mut()) else {
            return Err("the model is not on the GPU".to_owned());
        };
        readback::request_skinned(gpu, renderer, scene, pose).map_err(|error| error.to_string())
    }

    /// An image of `size_px` that egui shows from now on: one of the last ones, or a new one.
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
        // The one that egui shows is the last.
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

    /// Asks what the picture shows at `at_ndc` of the `document`; none where there is no picture of it yet.
    pub(super) fn ask_pick(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        document: &Arc<Model>,
        at_ndc: Vec2,
    ) -> Option<PendingHit> {
        let shown = self.shown.as_ref()?;
        let mut layers = shown.layers.iter().enumerate();
        let is_solid = |layer: &Layer| layer.is_document && layer.ghost.is_none();
        let (number, layer) = layers.find(|(_, layer)| is_solid(layer))?;
        if !Arc::ptr_eq(&layer.model, document) {
            // What is shown yet is the model before.
            return None;
        }
        let is_it = |known: &&mut Uploaded| Arc::ptr_eq(&known.model, document);
        let scene = self.uploaded.iter_mut().find(is_it)?.scene.as_mut()?;
        let input = shown.input(number, layer, &self.bones);
        if !self.picked.as_ref().is_some_and(|picked| Arc::ptr_eq(picked, document)) {
            self.picker = Picker::default();
            self.picked = Some(Arc::clone(document));
        }
        // The document may have a part of the picture only.
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

    /// Draws one layer after another and returns what the document's took.
    fn draw_layers(
        &mut self,
        drawer: Drawer<'_>,
        target: &Target,
        shown: &PictureKey,
        state: &AppState,
    ) -> Option<FrameStats> {
        let mut stats = None;
        for (number, layer) in shown.layers.iter().enumerate() {
            let is_it = |known: &&mut Uploaded| Arc::ptr_eq(&known.model, &layer.model);
            let uploaded = self.uploaded.iter_mut().find(is_it);
            let Some(scene) = uploaded.and_then(|known| known.scene.as_mut()) else { continue };
            let shows_bones = scene.shows_bones(&shown.show_of(layer)) || shown.outlines_bone();
            let bones = match shows_bones && layer.is_document {
                true => state.bone_shapes(),
                false => Vec::new(),
            };
            let input = shown.input(number, layer, &bones);
            let took = drawer.render(scene, target, &input);
            if layer.is_document || stats.is_none() {
                stats = Some(took);
                self.bones = bones;
            }
        }
        stats.or(Some(FrameStats::default()))
    }
}

/// Whether both are one, or none.
fn is_same<T>(a: Option<&Arc<T>>, b: Option<&Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}
