//! Work beside the window: a named thread each.

use crate::files::{Panicked, guarded};

/// What goes to another thread.
pub(in crate::app) trait Movable: Send {}

impl<T: Send> Movable for T {}

/// What is of the GPU, on its way in a message.
#[derive(Debug)]
pub(in crate::app) struct Here<T>(T);

impl<T> Here<T> {
    pub(in crate::app) fn new(value: T) -> Self {
        Self(value)
    }

    pub(in crate::app) fn take(self) -> T {
        self.0
    }
}

/// Starts `work`.
///
/// # Errors
/// When the system gives no thread.
pub(in crate::app) fn spawn(
    name: String,
    work: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    std::thread::Builder::new().name(name).spawn(work).map(drop)
}

/// Starts `work`, which has to do with the GPU, and gives what came of it to `done`.
///
/// # Errors
/// When the system gives no thread.
pub(in crate::app) fn spawn_drawing<T>(
    name: String,
    work: impl AsyncFnOnce() -> T + Send + 'static,
    done: impl FnOnce(Result<T, Panicked>) + Send + 'static,
) -> std::io::Result<()> {
    let doing = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().to_owned();
    spawn(name, move || done(guarded(&doing, || pollster::block_on(work()))))
}
