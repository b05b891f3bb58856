//! Textures for depth peeling.
//!
//! Not for: drawing them (`depth_peeling`), compositing them over the image (`pass/layers`).

use super::Gpu;
use super::attachment::attachment;
use super::bind::{Layouts, bind_resources};
use super::image_formats::{COLOR_VIEW_FORMAT, DEPTH_FORMAT};

/// The textures of one target, created on first use.
#[derive(Debug)]
pub(super) struct PeelTargets {
    /// Depth of the current and of the previous layer, alternating.
    pub(super) depth_views: [wgpu::TextureView; 2],
    /// For each layer parity, the depth of the opaque scene and of the previous layer.
    pub(super) depth_binds: [wgpu::BindGroup; 2],
    /// The layers so far, composited from the nearest on.
    pub(super) samples_view: Option<wgpu::TextureView>,
    pub(super) view: wgpu::TextureView,
    pub(super) bind: wgpu::BindGroup,
}

impl PeelTargets {
    pub(super) fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        size_px: [u32; 2],
        samples: u32,
        solid: &wgpu::TextureView,
    ) -> Self {
        let texture = |label, format, samples| attachment(gpu, label, format, size_px, samples);
        let depth_views = [(); 2].map(|()| texture("layer depth", DEPTH_FORMAT, samples));
        let bind = |label, layout, views: &[&wgpu::TextureView]| {
            let views = views.iter().map(|view| wgpu::BindingResource::TextureView(view));
            bind_resources(&gpu.device, label, layout, views)
        };
        let peel = &layouts.peel[usize::from(samples > 1)];
        let depth_binds = [1, 0].map(|before| bind("peel", peel, &[solid, &depth_views[before]]));
        let view = texture("layers", COLOR_VIEW_FORMAT, 1);
        Self {
            depth_views,
            depth_binds,
            samples_view: (samples > 1).then(|| texture("layers", COLOR_VIEW_FORMAT, samples)),
            bind: bind("layers", &layouts.image, &[&view]),
            view,
        }
    }
}
