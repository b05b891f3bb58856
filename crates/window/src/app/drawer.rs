//! What the pictures of a window are drawn with.

use rigscope_gpu::{FrameInput, FrameStats, Gpu, Renderer, Scene, Target, Timer};

#[derive(Clone, Copy)]
pub(super) struct Drawer<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) renderer: &'a Renderer,
    /// Where somebody wants to know what passes take.
    pub(super) timer: Option<&'a Timer>,
}

impl Drawer<'_> {
    /// Draws one layer.
    pub(super) fn render(
        self,
        scene: &mut Scene,
        target: &Target,
        input: &FrameInput<'_>,
    ) -> FrameStats {
        self.renderer.render_timed(self.gpu, scene, target, input, self.timer)
    }
}
