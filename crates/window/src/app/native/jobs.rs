//! Background work, each job on a named thread.

use rigscope_io::files::{PanicError, catch_panic};

/// A value that can move to another thread; without that bound in a browser.
pub(in crate::app) trait MaybeSend: Send {}

impl<T: Send> MaybeSend for T {}

/// Wraps GPU objects in messages.
#[derive(Debug)]
pub(in crate::app) struct SameThread<T>(T);

impl<T> SameThread<T> {
    pub(in crate::app) fn new(value: T) -> Self {
        Self(value)
    }

    pub(in crate::app) fn take(self) -> T {
        self.0
    }
}

/// Starts `work` on a thread of that name and passes its result to `done`.
///
/// # Errors
/// If the system can't start a thread.
pub(in crate::app) fn spawn<T>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
    done: impl FnOnce(Result<T, PanicError>) + Send + 'static,
) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread.spawn(move || done(catch_panic(name, work))).map(drop)
}

/// Like [`spawn`], for GPU work.
///
/// # Errors
/// If the system can't start a thread.
pub(in crate::app) fn spawn_gpu_job<T>(
    name: &'static str,
    work: impl AsyncFnOnce() -> T + Send + 'static,
    done: impl FnOnce(Result<T, PanicError>) + Send + 'static,
) -> std::io::Result<()> {
    spawn(name, move || pollster::block_on(work()), done)
}
