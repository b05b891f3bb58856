//! The window's GPU, which a desktop opens synchronously.

use winit::event_loop::EventLoopProxy;

use crate::app::Msg;

/// A value that a browser provides later, and a desktop immediately.
pub(in crate::app) struct Deferred<T>(Option<T>);

impl<T> Deferred<T> {
    pub(in crate::app) fn begin(open: impl AsyncFnOnce() -> T, _: &EventLoopProxy<Msg>) -> Self {
        Self(Some(pollster::block_on(open())))
    }

    /// The result, once.
    pub(in crate::app) fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}
