//! Work beside the window: a named thread each.

use rigscope_io::files::{PanicError, catch_panic};

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

/// Starts `work` on a thread of that name, and gives what came of it to `done`.
///
/// # Errors
/// When the system gives no thread.
pub(in crate::app) fn spawn<T>(
    name: String,
    work: impl FnOnce() -> T + Send + 'static,
    done: impl FnOnce(Result<T, PanicError>) + Send + 'static,
) -> std::io::Result<()> {
    let doing = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().to_owned();
    let thread = std::thread::Builder::new().name(name);
    thread.spawn(move || done(catch_panic(&doing, work))).map(drop)
}

/// The same for `work` that has to do with the GPU.
///
/// # Errors
/// When the system gives no thread.
pub(in crate::app) fn spawn_drawing<T>(
    name: String,
    work: impl AsyncFnOnce() -> T + Send + 'static,
    done: impl FnOnce(Result<T, PanicError>) + Send + 'static,
) -> std::io::Result<()> {
    spawn(name, move || pollster::block_on(work()), done)
}
