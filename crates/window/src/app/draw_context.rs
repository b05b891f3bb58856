//! Shared context for drawing the window's images.

use rigscope_gpu::{FrameInput, FrameStats, Gpu, Renderer, Scene, Target, Timer};

#[derive(Clone, Copy)]
pub(super) struct DrawContext<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) renderer: &'a Renderer,
    /// Only while pass timings are shown.
    pub(super) timer: Option<&'a Timer>,
}

impl DrawContext<'_> {
    pub(super) fn render(
        self,
        scene: &mut Scene,
        target: &Target,
        input: &FrameInput<'_>,
    ) -> FrameStats {
        self.renderer.render_timed(self.gpu, scene, target, input, self.timer)
    }
}
