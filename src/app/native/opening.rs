//! Opening the GPU for the window.

use std::sync::Arc;

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use crate::app::Msg;
use crate::app::graphics::Graphics;

/// A GPU that is being opened: on a desktop it is there at once.
pub(in crate::app) struct Opening(Option<anyhow::Result<Graphics>>);

impl Opening {
    /// Opens it for `window`.
    pub(in crate::app) fn begin(window: &Arc<Window>, _: &EventLoopProxy<Msg>) -> Self {
        Self(Some(pollster::block_on(Graphics::new(window))))
    }

    /// What came of it, once.
    pub(in crate::app) fn take(&mut self) -> Option<anyhow::Result<Graphics>> {
        self.0.take()
    }
}
