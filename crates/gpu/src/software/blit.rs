//! Copies an image into another, pixel by pixel.

use crate::bind::bind_resources;
use crate::pipelines::blit_pipelines;
use crate::{Gpu, Renderer, Target};

/// Draws images into targets of one format.
#[derive(Debug)]
pub struct Blit {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
    clear: wgpu::RenderPipeline,
    /// The last image and its bind group.
    bound: Option<(wgpu::TextureView, wgpu::BindGroup)>,
}

impl Blit {
    /// For targets of `format`. Bytes are written without conversion.
    pub fn new(gpu: &Gpu, renderer: &Renderer, format: wgpu::TextureFormat) -> Self {
        let layout = renderer.kernels.layouts.image.clone();
        let [pipeline, clear] = blit_pipelines(gpu, &layout, format);
        Self { layout, pipeline, clear, bound: None }
    }

    /// Clears the current scissor rectangle to transparent black.
    pub fn clear(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.clear);
        pass.draw(0..3, 0..1);
    }

    /// Draws `image` with its upper left corner at `at_px`, within the current scissor rectangle. Changes
    /// the pass's viewport, pipeline and bind group 0.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        pass: &mut wgpu::RenderPass<'_>,
        image: &Target,
        at_px: [u32; 2],
    ) {
        let view = image.shown_view();
        if self.bound.as_ref().is_none_or(|(known, _)| known != view) {
            let resources = [wgpu::BindingResource::TextureView(view)];
            let bind = bind_resources(&gpu.device, "blit", &self.layout, resources);
            self.bound = Some((view.clone(), bind));
        }
        let Some((_, bind)) = &self.bound else { return };
        let [[x, y], [width, height]] =
            [at_px, image.size_px()].map(|pair| pair.map(|side| side as f32));
        pass.set_viewport(x, y, width, height, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, bind, &[]);
        pass.draw(0..3, 0..1);
    }
}
