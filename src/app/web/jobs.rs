//! Work beside the page.
//!
//! What computes goes to workers, where the browser gives memory that they share with the page; where it gives
//! none, as to a page that is opened from disk, it is done on the page's thread after the next frame. What
//! draws stays on that thread, which alone has the GPU.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Mutex, TryLockError};

use super::page;
use crate::files::Panicked;

/// Nothing that draws leaves its thread.
pub(in crate::app) trait Movable {}

impl<T> Movable for T {}

/// What is of the GPU, on its way in a message: from the page's thread to itself.
pub(in crate::app) use send_wrapper::SendWrapper as Here;

type Job = Box<dyn FnOnce() + Send>;

/// What waits for a worker.
static WAITING: Mutex<VecDeque<Job>> = Mutex::new(VecDeque::new());

/// Looks at the queue; nobody waits for it, since a page may not.
fn with_waiting<T>(look: impl FnOnce(&mut VecDeque<Job>) -> T) -> T {
    loop {
        match WAITING.try_lock() {
            Ok(mut waiting) => return look(&mut waiting),
            Err(TryLockError::Poisoned(waiting)) => return look(&mut waiting.into_inner()),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
}

/// Starts `work`.
///
/// # Errors
/// None.
pub(in crate::app) fn spawn(
    _: String,
    work: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    with_waiting(|waiting| waiting.push_back(Box::new(work)));
    // The page wakes a worker, or calls `work` itself.
    page::call("startJob", &[]);
    Ok(())
}

/// Does the job that waits longest, if any does: what a worker of the page calls.
pub fn work() {
    thread_local! {
        /// Kept for as long as the thread lives: what is parallel is done by it alone.
        static ALONE: RefCell<Option<rayon::ThreadPool>> = const { RefCell::new(None) };
    }
    ALONE.with_borrow_mut(|pool| {
        if pool.is_none() {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
            *pool = builder.build().ok();
        }
    });
    if let Some(job) = with_waiting(VecDeque::pop_front) {
        job();
    }
}

/// Starts `work`, which has to do with the GPU, and gives what came of it to `done`.
///
/// # Errors
/// None.
pub(in crate::app) fn spawn_drawing<T: 'static>(
    _: String,
    work: impl AsyncFnOnce() -> T + 'static,
    done: impl FnOnce(Result<T, Panicked>) + 'static,
) -> std::io::Result<()> {
    wasm_bindgen_futures::spawn_local(async move { done(Ok(work().await)) });
    Ok(())
}
