//! The objects that recording a pass needs.

use super::Gpu;
use super::kernels::Kernels;
use super::pipelines::Pipelines;
use super::timing::Timer;

#[derive(Clone, Copy)]
pub(super) struct RenderContext<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) kernels: &'a Kernels,
    pub(super) pipelines: &'a Pipelines,
    /// The bind group of the environment, if a pass is lit by it.
    pub(super) light: Option<&'a wgpu::BindGroup>,
    /// Set if passes are timed.
    pub(super) timer: Option<&'a Timer>,
}

impl<'a> RenderContext<'a> {
    /// The timestamps of a render pass that is about to begin.
    pub(super) fn timestamps(
        &self,
        name: &'static str,
    ) -> Option<wgpu::RenderPassTimestampWrites<'a>> {
        self.timer.and_then(|timer| timer.render(name))
    }
}
