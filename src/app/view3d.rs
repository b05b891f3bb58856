//! The view: from the state to a picture that egui shows, drawn only where it has changed.

use std::sync::Arc;

use egui::TextureId;

use crate::camera::Camera;
use crate::gpu::{
    Background, FrameInput, FrameStats, Gpu, Msaa, Renderer, Scene, Show, SubsetLook, Target,
};
use crate::model::{BoneId, Model, Note, Report};
use crate::state::{AppState, Layer, Overlays, Selection};
use crate::visual::{Coloring, Marks, VertexPaint};

/// Everything that decides the picture, to tell whether it has changed.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    layers: Vec<Layer>,
    camera: Camera,
    show: Show,
    looks: Vec<SubsetLook>,
    selected_subset: Option<usize>,
    selected_bone: Option<BoneId>,
    paint: Option<VertexPaint>,
    marks: Marks,
    background: Background,
    size_px: [u32; 2],
    pixels_per_point: f32,
}

/// A model on the GPU, or why it is not there.
#[derive(Debug)]
struct Uploaded {
    model: Arc<Model>,
    scene: Option<Scene>,
}

/// The picture and what it is made from.
#[derive(Debug, Default)]
pub(super) struct View3d {
    /// The models of the layers.
    uploaded: Vec<Uploaded>,
    target: Option<Target>,
    texture: Option<TextureId>,
    shown: Option<Shown>,
}

/// What came of drawing.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// What it took; none where the picture was still right.
    pub(super) stats: Option<FrameStats>,
    /// egui must show another texture than before.
    pub(super) is_new_texture: bool,
    /// Why a model cannot be drawn.
    pub(super) failure: Option<String>,
    /// What uploading a model found.
    pub(super) notes: Vec<Note>,
}

impl View3d {
    /// The picture as egui knows it.
    pub(super) fn texture(&self) -> Option<TextureId> {
        let has_scene = self.uploaded.iter().any(|model| model.scene.is_some());
        self.texture.filter(|_| has_scene)
    }

    /// Draws the picture where the state asks for another than the last one.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        egui_renderer: &mut egui_wgpu::Renderer,
        state: &AppState,
        pixels_per_point: f32,
    ) -> Drawn {
        let mut drawn = Drawn::default();
        let layers = state.layers();
        let had_texture = self.texture().is_some();
        self.upload(gpu, renderer, &layers, &mut drawn);
        drawn.is_new_texture = had_texture != self.texture().is_some();
        if self.uploaded.iter().all(|model| model.scene.is_none()) {
            return drawn;
        }
        let Some(shown) = shown(state, layers, pixels_per_point) else {
            return drawn;
        };
        if self.shown.as_ref() == Some(&shown) {
            return drawn;
        }
        let target = self.target(gpu, egui_renderer, shown.size_px, &mut drawn);
        drawn.stats = self.draw_layers(gpu, renderer, &target, &shown, state);
        self.target = Some(target);
        self.shown = Some(shown);
        drawn
    }

    /// Brings the models of `layers` to the GPU and forgets all others.
    fn upload(&mut self, gpu: &Gpu, renderer: &Renderer, layers: &[Layer], drawn: &mut Drawn) {
        let is_wanted = |known: &Uploaded| {
            let mut wanted = layers.iter().map(|layer| &layer.model);
            wanted.any(|model| Arc::ptr_eq(model, &known.model))
        };
        self.uploaded.retain(is_wanted);
        for layer in layers {
            let is_it = |known: &Uploaded| Arc::ptr_eq(&known.model, &layer.model);
            if self.uploaded.iter().any(is_it) {
                continue;
            }
            self.shown = None;
            let report = Report::new();
            let scene = Scene::upload(gpu, renderer, &layer.model, &report);
            drawn.notes.extend(report.notes());
            if let Err(error) = &scene {
                drawn.failure = Some(error.to_string());
            }
            self.uploaded.push(Uploaded {
                model: Arc::clone(&layer.model),
                scene: scene.ok(),
            });
        }
    }

    /// An image of `size_px`: the last one, or a new one that egui is told about.
    fn target(
        &mut self,
        gpu: &Gpu,
        egui_renderer: &mut egui_wgpu::Renderer,
        size_px: [u32; 2],
        drawn: &mut Drawn,
    ) -> Target {
        let is_sized = |target: &Target| target.size_px() == size_px;
        if let Some(target) = self.target.take().filter(is_sized) {
            return target;
        }
        let target = Target::new(gpu, size_px, Msaa::X4);
        let (device, view) = (&gpu.device, target.shown_view());
        let filter = wgpu::FilterMode::Linear;
        match self.texture {
            Some(id) => {
                egui_renderer.update_egui_texture_from_wgpu_texture(device, view, filter, id);
            }
            None => {
                let id = egui_renderer.register_native_texture(device, view, filter);
                self.texture = Some(id);
                drawn.is_new_texture = true;
            }
        }
        target
    }

    /// Draws one layer after another and returns what the document's took.
    fn draw_layers(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        target: &Target,
        shown: &Shown,
        state: &AppState,
    ) -> Option<FrameStats> {
        let mut stats = None;
        for (number, layer) in shown.layers.iter().enumerate() {
            let is_it = |known: &&mut Uploaded| Arc::ptr_eq(&known.model, &layer.model);
            let uploaded = self.uploaded.iter_mut().find(is_it);
            let Some(scene) = uploaded.and_then(|known| known.scene.as_mut()) else {
                continue;
            };
            let show = match layer.is_document {
                true => shown.show,
                false => Show {
                    coloring: shown.show.coloring.filter(|c| *c != Coloring::Paint),
                    bones: false,
                    bones_on_top: false,
                    ..shown.show
                },
            };
            let bones = if scene.shows_bones(&show) && layer.is_document {
                state.bone_shapes()
            } else {
                Vec::new()
            };
            let same_part = |other: &Layer| other.window == layer.window;
            let is_over = shown.layers[..number].iter().any(same_part);
            let of_document = layer.is_document.then_some(());
            let input = FrameInput {
                camera: shown.camera,
                bounds: layer.bounds,
                pose: layer.pose,
                show,
                subsets: of_document.map_or(&[], |()| &shown.looks),
                selected_subset: of_document.and(shown.selected_subset),
                bones: &bones,
                selected_bone: of_document.and(shown.selected_bone),
                paint: of_document.and(shown.paint.as_ref()),
                marks: of_document.map_or(Marks::NONE, |()| &shown.marks),
                background: shown.background,
                layer: crate::gpu::Layer {
                    keeps: number > 0,
                    is_followed: number + 1 < shown.layers.len(),
                    view: layer.view,
                    window: layer.window,
                    ghost: layer.ghost,
                    has_background: !is_over,
                },
                pixels_per_point: shown.pixels_per_point,
            };
            let took = renderer.render(gpu, scene, target, &input);
            if layer.is_document {
                stats = Some(took);
            }
        }
        stats.or(Some(FrameStats::default()))
    }
}

/// What the state asks for; nothing before the view has a size.
fn shown(state: &AppState, layers: Vec<Layer>, pixels_per_point: f32) -> Option<Shown> {
    let view = &state.view;
    let size = view.size_points * pixels_per_point;
    if size.min_element() < 1.0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a screen has few pixels")]
    #[expect(clippy::cast_sign_loss, reason = "checked above")]
    let size_px = [size.x.round() as u32, size.y.round() as u32];
    let look = |(number, look): (usize, &crate::state::SubsetLook)| SubsetLook {
        visible: view.shows(number),
        color: Some(look.color),
    };
    Some(Shown {
        layers,
        camera: view.camera,
        show: Show {
            // Around a silhouette the model is a ghost.
            surface: view.overlays.surface && !state.shows_silhouette(),
            ..show_of(&view.overlays)
        },
        looks: view.looks.iter().enumerate().map(look).collect(),
        // Around a selected vertex the surface keeps its colours: the marker is what stands out.
        selected_subset: match state.selection {
            Selection::Subset(number) => Some(number),
            _ => None,
        },
        selected_bone: state.selection.bone(),
        paint: state.vertex_paint().cloned(),
        marks: state.marks(),
        background: Background::default(),
        size_px,
        pixels_per_point,
    })
}

fn show_of(overlays: &Overlays) -> Show {
    Show {
        surface: overlays.surface,
        textures: overlays.textures,
        checker: overlays.checker,
        subset_colors: overlays.subset_colors,
        coloring: overlays.coloring,
        wireframe: overlays.wireframe,
        normals: overlays.normals,
        tangents: overlays.tangents,
        bitangents: overlays.bitangents,
        glyph_permille: overlays.glyph_permille,
        points: overlays.points,
        bones: overlays.bones,
        bones_on_top: overlays.bones && overlays.bones_on_top,
        grid: overlays.grid,
        axes: overlays.axes,
        two_sided: overlays.two_sided,
        flat: overlays.flat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked_for_before_the_view_has_a_size() {
        let mut state = AppState::default();
        assert!(shown(&state, Vec::new(), 1.0).is_none());
        state.view.size_points = glam::Vec2::new(100.4, 50.0);
        let wanted = shown(&state, Vec::new(), 2.0).unwrap();
        assert_eq!(wanted.size_px, [201, 100]);
    }
}
