//! Registers the images of panes with egui. Not for: drawing them (`view3d`, `uv_view`).

use egui::TextureId;

use rigscope_gpu::{Gpu, Target};

/// The egui texture for `target`; reuses `known` if given.
pub(super) fn shown_as(
    gpu: &Gpu,
    egui_renderer: &mut egui_wgpu::Renderer,
    target: &Target,
    known: Option<TextureId>,
) -> TextureId {
    let (device, view) = (&gpu.device, target.shown_view());
    let filter = wgpu::FilterMode::Linear;
    match known {
        Some(id) => {
            egui_renderer.update_egui_texture_from_wgpu_texture(device, view, filter, id);
            id
        }
        None => egui_renderer.register_native_texture(device, view, filter),
    }
}
