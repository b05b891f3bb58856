//! How calls run: panics become exceptions, and forked processes start new threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::{Mutex, OnceLock, PoisonError};

use pyo3::marker::Ungil;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rigscope::Error;

use crate::errors::exception;

/// The process that imported the module, whose threads compute.
static IMPORTER: OnceLock<u32> = OnceLock::new();
/// The threads of a process that was forked from it, and the number of that process.
static FORKED: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// Remembers this process as the one whose threads exist.
pub(crate) fn remember_process() {
    IMPORTER.get_or_init(process::id);
}

/// Runs a call from Python; a panic becomes an exception. [`rigscope_python_macros::guarded`] inserts it.
pub(crate) fn guarded<T>(call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let reason = format!(
            "internal error: {}; this is a bug in rigscope, please report it",
            text.unwrap_or("no message")
        );
        Python::attach(|py| Err(exception(py, &Error::Internal { reason })))
    })
}

/// Runs `work` without the GIL.
///
/// A forked process doesn't have the threads of its parent, and would wait for them forever.
pub(crate) fn detached<T: Send + Ungil>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + Ungil,
) -> T {
    py.detach(|| match forked_threads() {
        Some(threads) => threads.install(work),
        None => work(),
    })
}

/// The threads of a process that was forked; `None` for the process that imported the module, and for one that can't
/// start threads, where this thread computes.
fn forked_threads() -> Option<&'static ThreadPool> {
    let process = process::id();
    if IMPORTER.get() == Some(&process) {
        return None;
    }
    let mut forked = FORKED.lock().unwrap_or_else(PoisonError::into_inner);
    match *forked {
        Some((owner, threads)) if owner == process => Some(threads),
        _ => {
            // Never dropped: a process that is forked again would wait for threads that it doesn't have.
            let threads = Box::leak(Box::new(ThreadPoolBuilder::new().build().ok()?));
            *forked = Some((process, threads));
            Some(threads)
        }
    }
}

/// Panics, for the test of the guard.
#[rigscope_python_macros::guarded]
#[pyfunction]
#[pyo3(name = "_panic")]
#[expect(clippy::panic, reason = "the purpose of the function")]
pub(crate) fn panic(message: &str) {
    panic!("{message}");
}
