//! The ambient occlusion map, as large as the image.
//!
//! Not for: drawing it (`occlusion`), applying it to the image (`pass/ambient_occlusion`).

use super::Gpu;
use super::attachment::attachment;
use super::bind::{Layouts, bind_resources};
use super::image_formats::OCCLUSION_FORMAT;

/// The map of one target, created on first use.
#[derive(Debug)]
pub(super) struct OcclusionMap {
    pub(super) view: wgpu::TextureView,
    /// The depth buffer that it is computed from.
    pub(super) depth_bind: wgpu::BindGroup,
    pub(super) bind: wgpu::BindGroup,
}

impl OcclusionMap {
    pub(super) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        size_px: [u32; 2],
        samples: u32,
        depth: &wgpu::TextureView,
    ) -> Self {
        let view = attachment(gpu, "occlusion", OCCLUSION_FORMAT, size_px, 1);
        let bind = |label, layout, view| {
            let resources = [wgpu::BindingResource::TextureView(view)];
            bind_resources(&gpu.device, label, layout, resources)
        };
        let depth_layout = &layouts.depth[usize::from(samples > 1)];
        Self {
            depth_bind: bind("depth", depth_layout, depth),
            bind: bind("occlusion", &layouts.image, &view),
            view,
        }
    }
}
