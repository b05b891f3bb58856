//! The image of how much of the light around arrives where, as large as the picture.
//!
//! Not for: drawing it (`occlusion`), and darkening the picture by it (`pass/ambient_occlusion`).

use super::Gpu;
use super::bind::{Layouts, bind_resources};
use super::image_formats::OCCLUSION_FORMAT;

/// That of one target, made when it is first wanted.
#[derive(Debug)]
pub(super) struct OcclusionMap {
    pub(super) view: wgpu::TextureView,
    /// The depth that it is told from.
    pub(super) depth_bind: wgpu::BindGroup,
    pub(super) bind: wgpu::BindGroup,
}

impl OcclusionMap {
    pub(super) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        [width, height]: [u32; 2],
        samples: u32,
        depth: &wgpu::TextureView,
    ) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("occlusion"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: OCCLUSION_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let bind = |label, layout, view| {
            let resources = [wgpu::BindingResource::TextureView(view)];
            bind_resources(&gpu.device, label, layout, resources)
        };
        let depth_layout = &layouts.depth[usize::from(samples > 1)];
        Self {
            depth_bind: bind("depth", depth_layout, depth),
            bind: bind("occlusion", &layouts.picture, &view),
            view,
        }
    }
}
