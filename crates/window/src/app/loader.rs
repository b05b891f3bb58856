//! Reading files beside the window: one named thread a job.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;

use winit::event_loop::EventLoopProxy;

use super::export::export;
use super::kept_pictures::KeptPictures;
use super::laps;
use super::reading::{files_of, hand_image, read, stopped};
use super::system::{clock::time_of_day, jobs};
use super::uploads::{Brought, Wanted, bring};
use super::watch::Stamps;
use super::{Msg, pictures, poses, thumbnails};
use rigscope_core::model::{CancelToken, Cancelled, Model, Progress, Report};
use rigscope_gpu::headless::Image;
use rigscope_gpu::{Gpu, Renderer};
use rigscope_io::files::Inputs;
use rigscope_state::{
    Action, AppState, ByHandAction, ClipPoses, Document, ExportOutcome, ExportRequest,
    ImageRequest, LoadFailure, LoadRequest, POSES_TASK, PictureChoice, PictureOutcome,
    PictureRequest, PosesAction, RecentLook, Task, ToastLevel,
};

/// Between two messages about progress: the window is drawn for each, which on a software adapter takes
/// from what is loaded.
const PROGRESS_PERIOD: Duration = Duration::from_millis(150);

/// What a job reports.
#[derive(Debug)]
pub(super) enum JobEvent {
    /// It goes on.
    Progress(Progress),
    /// It is done.
    Loaded {
        /// What was read.
        document: Box<Document>,
        /// The files as they were before they were read.
        stamps: Stamps,
        /// When it was done.
        clock: String,
    },
    /// A model is written, or not.
    Exported(Result<ExportOutcome, String>),
    /// Pictures are written, or not.
    Pictures(Result<PictureOutcome, String>),
    /// A picture is drawn to be copied, or not.
    Copied(Result<Image, String>),
    /// A recent file was looked at.
    Looked(PathBuf, RecentLook),
    /// All of them were.
    LookedAtAll,
    /// Something is on the GPU; none where the thread failed.
    Brought(jobs::Here<Option<Box<Brought>>>),
    /// A task is done.
    Answered(Option<Box<Action>>),
    /// It has failed.
    Failed {
        /// Why.
        failure: LoadFailure,
        /// The files as they were before they were read.
        stamps: Stamps,
    },
}

/// Jobs on their way.
#[derive(Debug)]
pub(super) struct Loader {
    proxy: EventLoopProxy<Msg>,
    running: HashMap<u64, CancelToken>,
}

impl Loader {
    pub(super) fn new(proxy: EventLoopProxy<Msg>) -> Self {
        Self { proxy, running: HashMap::new() }
    }

    /// Starts reading.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(&mut self, request: LoadRequest) -> std::io::Result<()> {
        let (id, cancel) = (request.id, CancelToken::default());
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
        let work = move || loaded(&request, &report);
        jobs::spawn(format!("reading {id}"), work, move |event| {
            let event = event.unwrap_or_else(|fault| JobEvent::Failed {
                failure: stopped(&fault),
                stamps: Stamps::default(),
            });
            // The window may be closed by now; then nobody wants to know.
            let _ = proxy.send_event(Msg::Job(id, event));
        })
    }

    /// Starts writing `model`, which was read from `inputs`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_export(
        &mut self,
        request: ExportRequest,
        model: Arc<Model>,
        inputs: Inputs,
    ) -> std::io::Result<()> {
        let (id, cancel) = (request.id, CancelToken::default());
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
        let work = move || export(&request, &model, &inputs, &report);
        jobs::spawn(format!("writing {id}"), work, move |outcome| {
            let outcome = outcome.unwrap_or_else(|fault| Err(fault.to_string()));
            // The window may be closed by now; then nobody wants to know.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Exported(outcome)));
        })
    }

    /// Starts drawing what `state` shows, which was read from `inputs`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_pictures(
        &mut self,
        request: PictureRequest,
        state: AppState,
        inputs: Inputs,
    ) -> std::io::Result<()> {
        let (id, cancel) = (request.id, CancelToken::default());
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
        let work = async move || pictures::write(&request, &state, &inputs, &report).await;
        jobs::spawn_drawing(format!("pictures {id}"), work, move |outcome| {
            let outcome = outcome.unwrap_or_else(|fault| Err(fault.to_string()));
            // The window may be closed by now; then nobody wants to know.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Pictures(outcome)));
        })
    }

    /// Starts drawing a picture of what `state` shows, to be copied.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_copy(
        &mut self,
        id: u64,
        choice: PictureChoice,
        state: AppState,
    ) -> std::io::Result<()> {
        self.running.insert(id, CancelToken::default());
        let proxy = self.proxy.clone();
        let work = async move || pictures::still(&choice, &state).await;
        jobs::spawn_drawing(format!("picture {id}"), work, move |image| {
            let image = image.unwrap_or_else(|fault| Err(fault.to_string()));
            // The window may be closed by now; then nobody wants to know.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Copied(image)));
        })
    }

    /// Starts looking at recent files, whose pictures are kept in `folder`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_look(
        &mut self,
        id: u64,
        paths: Vec<PathBuf>,
        folder: Option<PathBuf>,
    ) -> std::io::Result<()> {
        let cancel = CancelToken::default();
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let telling = proxy.clone();
        let work = async move || {
            let report = Report::with_progress(|_| {}, cancel);
            let open = |request: &LoadRequest| Some(read(request, &report).ok()?.0);
            // The window may be closed by now; then nobody wants to know.
            let tell = |path: &Path, look| {
                let _ = telling.send_event(Msg::Job(id, JobEvent::Looked(path.to_owned(), look)));
            };
            thumbnails::look(&paths, folder.as_deref(), (&report, &open), tell).await;
        };
        jobs::spawn_drawing(format!("thumbnails {id}"), work, move |_| {
            let _ = proxy.send_event(Msg::Job(id, JobEvent::LookedAtAll));
        })
    }

    /// Starts drawing the poses of `clips`, whose pictures are kept in `folder`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_poses(
        &mut self,
        id: u64,
        (document, clips): (Document, Vec<ClipPoses>),
        folder: Option<PathBuf>,
    ) -> std::io::Result<()> {
        let cancel = CancelToken::default();
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let telling = proxy.clone();
        let work = async move || {
            let report = Report::with_progress(throttled(id, telling.clone()), cancel);
            let kept = KeptPictures::of(folder.as_deref());
            // The window may be closed by now; then nobody wants to know.
            let tell = |poses: &ClipPoses, strip| {
                let drawn = PosesAction::Drawn { id, clip: poses.clip, strip };
                let _ = telling.send_event(Msg::Answer(Box::new(Action::Poses(drawn))));
            };
            poses::draw(document, &clips, kept, &report, tell).await;
        };
        // What was not told of has no picture.
        jobs::spawn_drawing(format!("{} {id}", POSES_TASK.0), work, move |_| {
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Answered(None)));
        })
    }

    /// Starts other work.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_task(&mut self, task: Task) -> std::io::Result<()> {
        let (id, cancel) = (task.id, CancelToken::default());
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
        let name = format!("{} {id}", task.slot.0);
        jobs::spawn(
            name,
            move || task.run(&report),
            move |answer| {
                let answer = match answer {
                    Ok(Ok(answer)) => Some(answer),
                    Ok(Err(Cancelled)) => None,
                    Err(fault) => Some(Action::Say(ToastLevel::Error, fault.to_string())),
                };
                // The window may be closed by now; then nobody wants to know.
                let _ = proxy.send_event(Msg::Job(id, JobEvent::Answered(answer.map(Box::new))));
            },
        )
    }

    /// Starts reading an image that was chosen by hand.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_image(&mut self, request: ImageRequest) -> std::io::Result<()> {
        let ImageRequest { id, slot, path } = request;
        let cancel = CancelToken::default();
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
        let from = path.clone();
        let work = move || hand_image(slot, &from, &report);
        jobs::spawn(format!("reading an image {id}"), work, move |found| {
            let answer = match found.unwrap_or_else(|fault| Some(Err(fault.to_string()))) {
                Some(found) => {
                    let took = ByHandAction::Took(slot, path, found.map(Arc::new));
                    Some(Box::new(Action::ByHand(took)))
                }
                None => None,
            };
            // The window may be closed by now; then nobody wants to know.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Answered(answer)));
        })
    }

    /// Starts bringing what is `wanted` of `model` to the GPU.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_upload(
        &mut self,
        id: u64,
        (gpu, renderer): (Gpu, Arc<Renderer>),
        model: Arc<Model>,
        wanted: Wanted,
    ) -> std::io::Result<()> {
        let part = wanted.part();
        let cancel = CancelToken::default();
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
        let work = async move || bring(&gpu, renderer, model, wanted, &report);
        jobs::spawn_drawing(format!("{} {id}", part.slot().0), work, move |brought| {
            // The window may be closed by now; then nobody wants to know.
            let brought = jobs::Here::new(brought.ok().map(Box::new));
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Brought(brought)));
        })
    }

    /// Starts to wait for what the GPU was asked; nothing comes of none.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_waiting(
        &self,
        what: &'static str,
        wait: impl AsyncFnOnce() -> Option<Action> + jobs::Movable + 'static,
    ) -> std::io::Result<()> {
        let proxy = self.proxy.clone();
        jobs::spawn_drawing(what.to_owned(), wait, move |answer| {
            let answer = answer
                .unwrap_or_else(|fault| Some(Action::Say(ToastLevel::Error, fault.to_string())));
            if let Some(answer) = answer {
                // The window may be closed by now; then nobody wants to know.
                let _ = proxy.send_event(Msg::Answer(Box::new(answer)));
            }
        })
    }

    /// Works an answer out without the GPU.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start_answering(
        &self,
        what: &'static str,
        work: impl FnOnce() -> Action + Send + 'static,
    ) -> std::io::Result<()> {
        let proxy = self.proxy.clone();
        jobs::spawn(what.to_owned(), work, move |answer| {
            let answer =
                answer.unwrap_or_else(|fault| Action::Say(ToastLevel::Error, fault.to_string()));
            let _ = proxy.send_event(Msg::Answer(Box::new(answer)));
        })
    }

    /// Tells a job to stop at its next step.
    pub(super) fn cancel(&mut self, id: u64) {
        if let Some(token) = self.running.remove(&id) {
            token.cancel();
        }
    }

    /// Forgets a job that has answered; whether its answer is still wanted.
    pub(super) fn forget(&mut self, id: u64) -> bool {
        self.running.remove(&id).is_some()
    }
}

/// Reads what is asked for; fails where it cannot be read.
fn loaded(request: &LoadRequest, report: &Report) -> JobEvent {
    let mut stamps = Stamps::of(files_of(request));
    let start = Instant::now();
    let result = read(request, report);
    laps::finished("reading files", start.elapsed());
    match result {
        Ok((document, more)) => {
            // Only known now; a texture that changed in between is seen at the next change.
            stamps.add(Stamps::of(more));
            JobEvent::Loaded { document: Box::new(document), stamps, clock: time_of_day() }
        }
        Err(failure) => JobEvent::Failed { failure, stamps },
    }
}

/// Passes progress on, but not more often than anyone can see.
fn throttled(id: u64, proxy: EventLoopProxy<Msg>) -> impl Fn(Progress) + Send + Sync + 'static {
    let last: Mutex<Option<(Instant, Progress)>> = Mutex::new(None);
    move |progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due =
            |(at, told): (Instant, Progress)| told != progress && at.elapsed() >= PROGRESS_PERIOD;
        if last.is_none_or(is_due) {
            *last = Some((Instant::now(), progress));
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Progress(progress)));
        }
    }
}
