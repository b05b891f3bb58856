//! The image of the UV pane: layers of flat models seen from the front, redrawn only after a change.

use std::sync::Arc;

use egui::TextureId;
use glam::Vec3;

use super::draw_context::DrawContext;
use super::egui_texture::shown_as;
use super::uploads::UploadRequest;
use rigscope_core::camera::{Camera, FOV_Y_RAD, Preset, Projection};
use rigscope_core::model::{Aabb, Model};
use rigscope_core::visual::{Line, Marks, OutlineTarget};
use rigscope_gpu::{
    Background, FrameInput, Gpu, Layer, Msaa, Scene, SceneError, Show, SubsetLook, Target,
};
use rigscope_state::{AppState, UvLayers};

/// Linear RGB and opacity of mirrored triangles, and of triangles outside 0 to 1.
const MIRRORED: [f32; 4] = [0.95, 0.32, 0.02, 0.30];
const OUTSIDE: [f32; 4] = [0.45, 0.10, 0.90, 0.30];
/// The background in a dark and in a light window, and the colour of the texture's border.
const BEHIND: [[f32; 3]; 2] = [[0.012, 0.013, 0.016], [0.62, 0.64, 0.68]];
const BORDER: [[f32; 4]; 2] = [[0.75, 0.75, 0.75, 0.9], [0.05, 0.05, 0.06, 0.9]];

/// The image and its inputs.
#[derive(Debug, Default)]
pub(super) struct UvMap {
    uploaded: Vec<(Arc<Model>, UvUpload)>,
    target: Option<Target>,
    texture: Option<TextureId>,
    shown: Option<Shown>,
}

/// Inputs of the image: layers, size in pixels, whether the window is light.
type Shown = (UvLayers, [u32; 2], bool);

/// A model of the image on the GPU.
#[derive(Debug)]
enum UvUpload {
    /// Requested; the upload is running.
    Pending,
    Scene(Box<Scene>),
    /// It can't be drawn.
    None,
}

/// Result of drawing.
#[derive(Debug, Default)]
pub(super) struct UvDrawn {
    /// egui must show a different texture, or the first one.
    pub(super) is_new_texture: bool,
    /// The image has changed.
    pub(super) has_drawn: bool,
    /// Models that must be uploaded first.
    pub(super) upload_requests: Vec<(Arc<Model>, UploadRequest)>,
}

/// One model of the image.
struct Part<'a> {
    model: &'a Arc<Model>,
    show: Show,
    ghost: Option<[f32; 4]>,
    has_looks: bool,
}

impl UvMap {
    /// The image as an egui texture.
    pub(super) fn texture(&self) -> Option<TextureId> {
        self.texture.filter(|_| self.shown.is_some())
    }

    /// Redraws the image if the state differs from the last one and everything is on the GPU.
    pub(super) fn draw(
        &mut self,
        drawer: DrawContext<'_>,
        egui_renderer: &mut egui_wgpu::Renderer,
        state: &AppState,
        pixels_per_point: f32,
        is_light: bool,
    ) -> UvDrawn {
        let mut drawn = UvDrawn::default();
        let Some(wanted) = state.uv_shown() else {
            drawn.is_new_texture = self.shown.take().is_some();
            self.uploaded.clear();
            return drawn;
        };
        let size = wanted.size_points * pixels_per_point;
        #[expect(clippy::cast_possible_truncation, reason = "a screen has few pixels")]
        #[expect(clippy::cast_sign_loss, reason = "a shown pane has a size")]
        let size_px = [size.x.round() as u32, size.y.round() as u32];
        let wanted: Shown = (wanted, size_px, is_light);
        if self.shown.as_ref() == Some(&wanted) {
            return drawn;
        }
        let parts = parts(&wanted.0);
        drawn.upload_requests = self.ask_for(&parts);
        if self.uploaded.iter().any(|(_, uploaded)| matches!(uploaded, UvUpload::Pending)) {
            // The last image shows another subject.
            drawn.is_new_texture = self.shown.take().is_some();
            return drawn;
        }
        drawn.is_new_texture =
            self.shown.is_none() | self.resize(drawer.gpu, egui_renderer, size_px);
        if let Some(target) = self.target.clone() {
            self.draw_parts(drawer, &target, (&wanted, &parts), pixels_per_point);
            drawn.has_drawn = true;
        }
        self.shown = Some(wanted);
        drawn
    }

    /// Applies an uploaded model; a cancelled upload is requested again. Returns whether the model is
    /// in use.
    pub(super) fn take(&mut self, model: &Arc<Model>, scene: Result<Scene, SceneError>) -> bool {
        let is_stopped = matches!(scene, Err(SceneError::Cancelled));
        let place = self.uploaded.iter_mut().find(|(known, _)| Arc::ptr_eq(known, model));
        let is_known = place.is_some();
        if let Some((_, uploaded)) = place {
            *uploaded = scene.map_or(UvUpload::None, |scene| UvUpload::Scene(Box::new(scene)));
        }
        self.uploaded.retain(|(known, _)| !is_stopped || !Arc::ptr_eq(known, model));
        is_known
    }

    /// Replaces the target if its size isn't `size_px`. Returns whether it did.
    fn resize(
        &mut self,
        gpu: &Gpu,
        egui_renderer: &mut egui_wgpu::Renderer,
        size_px: [u32; 2],
    ) -> bool {
        let is_sized = |target: &Target| target.size_px() == size_px;
        if self.target.as_ref().is_some_and(is_sized) {
            return false;
        }
        let target = Target::new(gpu, size_px, Msaa::X4);
        self.texture = Some(shown_as(gpu, egui_renderer, &target, self.texture));
        self.target = Some(target);
        true
    }

    /// Drops unused models and returns new ones that must be uploaded.
    fn ask_for(&mut self, parts: &[Part<'_>]) -> Vec<(Arc<Model>, UploadRequest)> {
        let mut upload_requests = Vec::new();
        self.uploaded.retain(|(known, _)| parts.iter().any(|part| Arc::ptr_eq(part.model, known)));
        for part in parts {
            if !self.uploaded.iter().any(|(known, _)| Arc::ptr_eq(known, part.model)) {
                self.uploaded.push((Arc::clone(part.model), UvUpload::Pending));
                upload_requests.push((Arc::clone(part.model), UploadRequest::Whole));
            }
        }
        upload_requests
    }

    fn draw_parts(
        &mut self,
        drawer: DrawContext<'_>,
        target: &Target,
        ((wanted, _, is_light), parts): (&Shown, &[Part<'_>]),
        pixels_per_point: f32,
    ) {
        let looks: Vec<SubsetLook> = (wanted.looks.iter())
            .map(|look| SubsetLook { visible: look.is_visible, color: Some(look.color) })
            .collect();
        let ground = usize::from(*is_light);
        let border = border(BORDER[ground]);
        for (number, part) in parts.iter().enumerate() {
            let mut known = self.uploaded.iter_mut();
            let known = known.find(|(known, _)| Arc::ptr_eq(known, part.model));
            let Some((_, UvUpload::Scene(scene))) = known else { continue };
            let is_last = number + 1 == parts.len();
            let input = FrameInput {
                camera: camera(wanted),
                bounds: Aabb::from_points([Vec3::NEG_ONE, Vec3::ONE]),
                show: part.show,
                subsets: if part.has_looks { &looks } else { &[] },
                selected: wanted.selected.map(OutlineTarget::Part).filter(|_| part.has_looks),
                marks: if is_last { &border } else { Marks::NONE },
                background: Background::Plain(BEHIND[ground]),
                layer: Layer {
                    keeps: number > 0,
                    is_followed: !is_last,
                    ghost: part.ghost,
                    has_background: number == 0,
                    ..Layer::default()
                },
                pixels_per_point,
                ..FrameInput::default()
            };
            drawer.render(scene, target, &input);
        }
    }
}

/// The parts of the image, back to front.
fn parts(wanted: &UvLayers) -> Vec<Part<'_>> {
    let mut parts = vec![Part {
        model: &wanted.picture.model,
        show: Show {
            surface: true,
            textures: true,
            checker: wanted.picture.image.is_none(),
            ..Show::NOTHING
        },
        ghost: None,
        has_looks: false,
    }];
    let layout = &wanted.layout;
    let tints = [(&layout.outside, OUTSIDE), (&layout.mirrored, MIRRORED)];
    for (model, tint) in tints {
        if let Some(model) = model.as_ref().filter(|_| wanted.has_tints) {
            parts.push(Part { model, show: Show::NOTHING, ghost: Some(tint), has_looks: true });
        }
    }
    parts.push(Part {
        model: &layout.lines,
        show: Show { wireframe: true, subset_colors: true, ..Show::NOTHING },
        ghost: None,
        has_looks: true,
    });
    parts
}

/// A camera that looks from the front: u to the right, v down.
fn camera(wanted: &UvLayers) -> Camera {
    let mut camera = Camera {
        target: Vec3::new(wanted.center.x, -wanted.center.y, 0.0),
        distance: wanted.height * 0.5 / (FOV_Y_RAD * 0.5).tan(),
        projection: Projection::Orthographic,
        ..Camera::default()
    };
    camera.look_from(Preset::Front);
    camera
}

/// The texture's border.
fn border(color: [f32; 4]) -> Marks {
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, -1.0), (0.0, -1.0)];
    let corners = corners.map(|(x, y)| Vec3::new(x, y, 0.0));
    let ends = corners.iter().zip(corners.iter().cycle().skip(1));
    let line = |(&from, &to): (&Vec3, &Vec3)| Line { from, to, color, width_points: 1.0 };
    Marks { lines_on_top: ends.map(line).collect(), ..Marks::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_border_surrounds_the_texture() {
        let border = border(BORDER[0]);
        assert_eq!(border.lines_on_top.len(), 4);
        let length: f32 = border.lines_on_top.iter().map(|l| l.from.distance(l.to)).sum();
        assert_eq!(length, 4.0);
    }
}
