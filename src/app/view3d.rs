//! The view: from the state to a picture that egui shows, drawn only where it has changed.

use std::sync::Arc;

use egui::TextureId;

use crate::camera::Camera;
use crate::gpu::{
    Background, FrameInput, FrameStats, Gpu, Msaa, Renderer, Scene, Show, SubsetLook, Target,
};
use crate::model::{Aabb, BoneId, Model, Note, Report};
use crate::pose::PoseSpec;
use crate::state::{AppState, Overlays, Selection};

/// Everything that decides the picture, to tell whether it has changed.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    camera: Camera,
    bounds: Aabb,
    pose: PoseSpec,
    show: Show,
    looks: Vec<SubsetLook>,
    selected_subset: Option<usize>,
    selected_bone: Option<BoneId>,
    background: Background,
    size_px: [u32; 2],
    pixels_per_point: f32,
}

/// The picture and what it is made from.
#[derive(Debug, Default)]
pub(super) struct View3d {
    scene: Option<Scene>,
    /// The model that `scene` holds, or could not be made from.
    model: Option<Arc<Model>>,
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
    /// Why the model cannot be drawn.
    pub(super) failure: Option<String>,
    /// What uploading the model found.
    pub(super) notes: Vec<Note>,
}

impl View3d {
    /// The picture as egui knows it.
    pub(super) fn texture(&self) -> Option<TextureId> {
        self.texture.filter(|_| self.scene.is_some())
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
        let Some(document) = &state.document else {
            self.scene = None;
            self.model = None;
            return drawn;
        };
        let is_same = |model: &Arc<Model>| Arc::ptr_eq(model, &document.model);
        if !self.model.as_ref().is_some_and(is_same) {
            let had_scene = self.scene.is_some();
            self.model = Some(Arc::clone(&document.model));
            self.shown = None;
            let report = Report::new();
            let uploaded = Scene::upload(gpu, renderer, &document.model, &report);
            drawn.notes = report.notes();
            match uploaded {
                Ok(scene) => self.scene = Some(scene),
                Err(error) => {
                    self.scene = None;
                    drawn.failure = Some(error.to_string());
                }
            }
            drawn.is_new_texture = had_scene != self.scene.is_some();
        }
        let Some(scene) = &mut self.scene else {
            return drawn;
        };
        let Some(shown) = shown(state, document.bounds, pixels_per_point) else {
            return drawn;
        };
        if self.shown.as_ref() == Some(&shown) {
            return drawn;
        }
        let is_sized = |target: &Target| target.size_px() == shown.size_px;
        let target = match self.target.take().filter(is_sized) {
            Some(target) => target,
            None => {
                let target = Target::new(gpu, shown.size_px, Msaa::X4);
                let (device, view) = (&gpu.device, target.shown_view());
                let filter = wgpu::FilterMode::Linear;
                match self.texture {
                    Some(id) => {
                        egui_renderer
                            .update_egui_texture_from_wgpu_texture(device, view, filter, id);
                    }
                    None => {
                        let id = egui_renderer.register_native_texture(device, view, filter);
                        self.texture = Some(id);
                        drawn.is_new_texture = true;
                    }
                }
                target
            }
        };
        let bones = if scene.shows_bones(&shown.show) {
            state.bone_shapes()
        } else {
            Vec::new()
        };
        let input = FrameInput {
            camera: shown.camera,
            bounds: shown.bounds,
            pose: shown.pose,
            show: shown.show,
            subsets: &shown.looks,
            selected_subset: shown.selected_subset,
            bones: &bones,
            selected_bone: shown.selected_bone,
            background: shown.background,
            pixels_per_point: shown.pixels_per_point,
        };
        drawn.stats = Some(renderer.render(gpu, scene, &target, &input));
        self.target = Some(target);
        self.shown = Some(shown);
        drawn
    }
}

/// What the state asks for; nothing before the view has a size.
fn shown(state: &AppState, bounds: Aabb, pixels_per_point: f32) -> Option<Shown> {
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
        camera: view.camera,
        bounds,
        pose: state.playback.pose_spec(),
        show: show_of(&view.overlays),
        looks: view.looks.iter().enumerate().map(look).collect(),
        // Around a selected vertex the surface keeps its colours: the marker is what stands out.
        selected_subset: match state.selection {
            Selection::Subset(number) => Some(number),
            _ => None,
        },
        selected_bone: state.selection.bone(),
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
        influence_colors: overlays.influence_colors,
        wireframe: overlays.wireframe,
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
        assert!(shown(&state, Aabb::EMPTY, 1.0).is_none());
        state.view.size_points = glam::Vec2::new(100.4, 50.0);
        let wanted = shown(&state, Aabb::EMPTY, 2.0).unwrap();
        assert_eq!(wanted.size_px, [201, 100]);
    }
}
