//! Runs jobs in the background: on threads, or for GPU work in a browser on the page's thread.
//!
//! Not for: the work itself, and who waits for it (`JobOwner`).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;

use winit::event_loop::EventLoopProxy;

use super::system::jobs::{self, MaybeSend, SameThread};
use super::uploads::FinishedUpload;
use super::{Msg, send};
use rigscope_core::model::{CancelToken, Progress, Report};
use rigscope_io::files::PanicError;
use rigscope_state::{Action, JobError, JobId};

/// Minimum time between progress messages. Each one redraws the window, which slows loading down on a
/// software adapter.
const PROGRESS_PERIOD: Duration = Duration::from_millis(150);

/// The answer of a job.
#[derive(Debug)]
pub(super) enum JobAnswer {
    Action(Box<Action>),
    /// For the graphics, on the window's thread.
    Upload(SameThread<Box<FinishedUpload>>),
}

pub(super) type JobResult<A = JobAnswer> = Result<A, JobError>;

impl From<Action> for JobAnswer {
    fn from(action: Action) -> Self {
        Self::Action(Box::new(action))
    }
}

/// Starts jobs and cancels those that are running.
#[derive(Debug)]
pub(super) struct JobRunner {
    proxy: EventLoopProxy<Msg>,
    running: HashMap<JobId, CancelToken>,
}

impl JobRunner {
    pub(super) fn new(proxy: EventLoopProxy<Msg>) -> Self {
        Self { proxy, running: HashMap::new() }
    }

    /// Starts `work` on the CPU. Its result arrives as [`Msg::JobDone`].
    pub(super) fn start<A: Into<JobAnswer> + 'static>(
        &mut self,
        id: JobId,
        work: impl FnOnce(&Report) -> JobResult<A> + Send + 'static,
    ) {
        let (report, done) = self.begin(id);
        let started = jobs::spawn(id.owner().name(), move || work(&report), done);
        self.check(id, started);
    }

    /// Like [`Self::start`], for GPU work.
    pub(super) fn start_gpu<A: Into<JobAnswer> + 'static>(
        &mut self,
        id: JobId,
        work: impl AsyncFnOnce(&Report) -> JobResult<A> + MaybeSend + 'static,
    ) {
        let (report, done) = self.begin(id);
        let work = async move || work(&report).await;
        let started = jobs::spawn_gpu_job(id.owner().name(), work, done);
        self.check(id, started);
    }

    /// Asks a job to stop at its next checkpoint.
    pub(super) fn cancel(&self, id: JobId) {
        if let Some(token) = self.running.get(&id) {
            token.cancel();
        }
    }

    /// Removes a finished job.
    pub(super) fn remove(&mut self, id: JobId) {
        self.running.remove(&id);
    }

    /// The report of a new job, and the function that sends its result.
    fn begin<A: Into<JobAnswer>>(
        &mut self,
        id: JobId,
    ) -> (Report, impl FnOnce(Result<JobResult<A>, PanicError>) + Send + use<A>) {
        let cancel = CancelToken::default();
        self.running.insert(id, cancel.clone());
        let report = Report::with_progress(throttled(id, self.proxy.clone()), cancel);
        let proxy = self.proxy.clone();
        let done = move |result: Result<JobResult<A>, PanicError>| {
            let result = result.unwrap_or_else(|panic| Err(JobError::Failed(panic.to_string())));
            send(&proxy, Msg::JobDone(id, result.map(Into::into)));
        };
        (report, done)
    }

    /// Reports a job that couldn't be started.
    fn check(&self, id: JobId, started: std::io::Result<()>) {
        if let Err(error) = started {
            let error = JobError::Failed(format!("a thread could not be started: {error}"));
            send(&self.proxy, Msg::JobDone(id, Err(error)));
        }
    }
}

/// Forwards progress, limited to [`PROGRESS_PERIOD`].
fn throttled(id: JobId, proxy: EventLoopProxy<Msg>) -> impl Fn(Progress) + Send + Sync + 'static {
    let last: Mutex<Option<(Instant, Progress)>> = Mutex::new(None);
    move |progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due =
            |(at, sent): (Instant, Progress)| sent != progress && at.elapsed() >= PROGRESS_PERIOD;
        if last.is_none_or(is_due) {
            *last = Some((Instant::now(), progress));
            send(&proxy, Msg::JobProgress(id, progress));
        }
    }
}
