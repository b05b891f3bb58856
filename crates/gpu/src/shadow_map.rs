//! Textures for the ground shadow.
//!
//! Not for: drawing the shadow map (`shadow_pass`), drawing the shadow on the ground
//! (`pass/ground_shadow`).

use super::Gpu;
use super::attachment::attachment;
use super::bind::{Layouts, bind_resources};
use super::image_formats::SHADOW_FORMAT;

/// Low, since the shadow is soft.
const SIDE: u32 = 256;

/// The textures of one model, created when it first casts a shadow.
#[derive(Debug)]
pub(super) struct ShadowMap {
    /// The first holds the shadow map and, after blurring into the second and back, the shadow.
    pub(super) views: [wgpu::TextureView; 2],
    pub(super) binds: [wgpu::BindGroup; 2],
}

impl ShadowMap {
    pub(super) fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let views = [(); 2].map(|()| attachment(gpu, "shadow", SHADOW_FORMAT, [SIDE; 2], 1));
        let bind = |view| {
            let resources = [
                wgpu::BindingResource::TextureView(view),
                wgpu::BindingResource::Sampler(&sampler),
            ];
            bind_resources(&gpu.device, "shadow", &layouts.shadow, resources)
        };
        let binds = [bind(&views[0]), bind(&views[1])];
        Self { views, binds }
    }

    /// The blurred shadow.
    pub(super) fn bind(&self) -> &wgpu::BindGroup {
        &self.binds[0]
    }
}
