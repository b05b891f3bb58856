//! Background work in a page.
//!
//! CPU work runs on workers if the browser allows memory shared with the page. Otherwise, for example for a
//! page opened from disk, it runs on the page's thread after the next frame. GPU work always runs on the
//! page's thread, the only one with access to the GPU.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::page;
use rigscope_io::files::PanicError;
use rigscope_io::files::spin_lock;

/// Matches every type, because GPU work never leaves its thread.
pub(in crate::app) trait MaybeSend {}

impl<T> MaybeSend for T {}

/// Wraps GPU objects in messages, which the page's thread sends to itself.
pub(in crate::app) use send_wrapper::SendWrapper as SameThread;

type Step = Box<dyn FnOnce() + Send>;

/// A job that hasn't answered yet.
struct Job {
    /// The work, until a worker takes it.
    work: Option<Step>,
    /// Called with the reason if the worker stops.
    lost: Box<dyn FnOnce(String) + Send>,
}

/// The last job number, and the jobs by the numbers that the page uses.
static JOBS: Mutex<(u32, BTreeMap<u32, Job>)> = Mutex::new((0, BTreeMap::new()));

/// Text of the last panic, until a job reports it.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

fn with<S, T>(shared: &Mutex<S>, look: impl FnOnce(&mut S) -> T) -> T {
    look(&mut spin_lock(shared))
}

/// Starts `work` and passes its result to `done`.
///
/// # Errors
/// Never fails.
pub(in crate::app) fn spawn<T>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
    done: impl FnOnce(Result<T, PanicError>) + Send + 'static,
) -> std::io::Result<()> {
    // Whichever of the two comes first consumes `done`.
    let done = Arc::new(Mutex::new(Some(done)));
    let for_lost = Arc::clone(&done);
    let lost = Box::new(move |why| {
        if let Some(done) = with(&for_lost, Option::take) {
            done(Err(PanicError::new(name, why)));
        }
    });
    let work: Step = Box::new(move || {
        let answer = work();
        if let Some(done) = with(&done, Option::take) {
            done(Ok(answer));
        }
    });
    let number = with(&JOBS, |(last, jobs)| {
        *last += 1;
        jobs.insert(*last, Job { work: Some(work), lost });
        *last
    });
    // The page wakes a worker, or calls `work` itself.
    page::call("startJob", &[number.into()]);
    Ok(())
}

/// Makes Rayon run on this thread only, which must not wait for others.
pub(super) fn use_single_thread() {
    thread_local! {
        /// Kept for the lifetime of the thread.
        static POOL: RefCell<Option<rayon::ThreadPool>> = const { RefCell::new(None) };
    }
    POOL.with_borrow_mut(|pool| {
        if pool.is_none() {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
            *pool = builder.build().ok();
        }
    });
}

/// Runs a job; called by the page's workers.
pub fn work(number: u32) {
    use_single_thread();
    if let Some(work) = with(&JOBS, |(_, jobs)| jobs.get_mut(&number)?.work.take()) {
        work();
    }
    with(&JOBS, |(_, jobs)| jobs.remove(&number));
}

/// Fails a job whose worker stopped with `error`; called by the page.
pub fn fail_job(number: u32, error: &str) {
    let panic = with(&PANIC, Option::take);
    // A failed allocation stops a worker without a panic message.
    let why = panic.unwrap_or_else(|| format!("the page ran out of memory ({error})"));
    if let Some(job) = with(&JOBS, |(_, jobs)| jobs.remove(&number)) {
        (job.lost)(why);
    }
}

/// Stores the text of a panic on any thread.
pub(super) fn record_panic(text: &str) {
    with(&PANIC, |last| *last = Some(text.to_owned()));
}

/// Starts `work` on the GPU and passes its result to `done`.
///
/// # Errors
/// Never fails.
pub(in crate::app) fn spawn_gpu_job<T: 'static>(
    _: &'static str,
    work: impl AsyncFnOnce() -> T + 'static,
    done: impl FnOnce(Result<T, PanicError>) + 'static,
) -> std::io::Result<()> {
    wasm_bindgen_futures::spawn_local(async move { done(Ok(work().await)) });
    Ok(())
}
