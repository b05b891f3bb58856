//! Work beside the page.
//!
//! What computes goes to workers, where the browser gives memory that they share with the page; where it gives
//! none, as to a page that is opened from disk, it is done on the page's thread after the next frame. What
//! draws stays on that thread, which alone has the GPU.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, TryLockError};

use super::page;
use rigscope_io::files::PanicError;

/// Nothing that draws leaves its thread.
pub(in crate::app) trait Movable {}

impl<T> Movable for T {}

/// What is of the GPU, on its way in a message: from the page's thread to itself.
pub(in crate::app) use send_wrapper::SendWrapper as Here;

type Step = Box<dyn FnOnce() + Send>;

/// A job until it has answered.
struct Job {
    /// Its work, until a worker takes it.
    work: Option<Step>,
    /// What answers for it where its worker stops; it is told why.
    lost: Box<dyn FnOnce(String) + Send>,
}

/// Jobs by the numbers that the page knows them by.
static JOBS: Mutex<(u32, BTreeMap<u32, Job>)> = Mutex::new((0, BTreeMap::new()));

/// What the last panic said, until a job has answered with it.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Looks at what threads share; nobody waits for it, since a page may not.
fn with<S, T>(shared: &Mutex<S>, look: impl FnOnce(&mut S) -> T) -> T {
    loop {
        match shared.try_lock() {
            Ok(mut shared) => return look(&mut shared),
            Err(TryLockError::Poisoned(shared)) => return look(&mut shared.into_inner()),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
}

/// Starts `work`, and gives what came of it to `done`.
///
/// # Errors
/// None.
pub(in crate::app) fn spawn<T>(
    name: String,
    work: impl FnOnce() -> T + Send + 'static,
    done: impl FnOnce(Result<T, PanicError>) + Send + 'static,
) -> std::io::Result<()> {
    let doing = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().to_owned();
    // Either answers, and only once.
    let done = Arc::new(Mutex::new(Some(done)));
    let for_lost = Arc::clone(&done);
    let lost = Box::new(move |why| {
        if let Some(done) = with(&for_lost, Option::take) {
            done(Err(PanicError::new(&doing, why)));
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

/// On this thread nothing waits for another: what is parallel is done by it alone.
pub(super) fn be_alone() {
    thread_local! {
        /// Kept for as long as the thread lives.
        static ALONE: RefCell<Option<rayon::ThreadPool>> = const { RefCell::new(None) };
    }
    ALONE.with_borrow_mut(|pool| {
        if pool.is_none() {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
            *pool = builder.build().ok();
        }
    });
}

/// Does the job of that number: what a worker of the page calls.
pub fn work(number: u32) {
    be_alone();
    if let Some(work) = with(&JOBS, |(_, jobs)| jobs.get_mut(&number)?.work.take()) {
        work();
    }
    with(&JOBS, |(_, jobs)| jobs.remove(&number));
}

/// Answers for a job whose worker stopped by `error`, which the page calls.
pub fn lost(number: u32, error: &str) {
    let panic = with(&PANIC, Option::take);
    // What can be had no memory for stops as well, without a word.
    let why = panic.unwrap_or_else(|| format!("the memory of the page is not enough ({error})"));
    if let Some(job) = with(&JOBS, |(_, jobs)| jobs.remove(&number)) {
        (job.lost)(why);
    }
}

/// Keeps what a panic says, on whichever thread it is.
pub(super) fn note_panic(text: &str) {
    with(&PANIC, |last| *last = Some(text.to_owned()));
}

/// Starts `work`, which has to do with the GPU, and gives what came of it to `done`.
///
/// # Errors
/// None.
pub(in crate::app) fn spawn_drawing<T: 'static>(
    _: String,
    work: impl AsyncFnOnce() -> T + 'static,
    done: impl FnOnce(Result<T, PanicError>) + 'static,
) -> std::io::Result<()> {
    wasm_bindgen_futures::spawn_local(async move { done(Ok(work().await)) });
    Ok(())
}
