//! What a browser gives later, and a desktop at once: the GPU of the window.

use winit::event_loop::EventLoopProxy;

use crate::app::Msg;

/// Something that is being opened: on a desktop it is there at once.
pub(in crate::app) struct Opening<T>(Option<T>);

impl<T> Opening<T> {
    /// Opens it.
    pub(in crate::app) fn begin(open: impl AsyncFnOnce() -> T, _: &EventLoopProxy<Msg>) -> Self {
        Self(Some(pollster::block_on(open())))
    }

    /// What came of it, once.
    pub(in crate::app) fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}
