//! Background jobs: reading, uploading, exporting, each on a named thread.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;

use winit::event_loop::EventLoopProxy;

use super::document_loading::{files_of, hand_image, panic_failure, read};
use super::export::export;
use super::step_times;
use super::system::{clock::time_of_day, jobs};
use super::thumbnail_cache::ThumbnailCache;
use super::uploads::{FinishedUpload, UploadRequest, perform_upload};
use super::watch::Stamps;
use super::{Msg, image_export, poses, thumbnails};
use rigscope_core::model::{CancelToken, Cancelled, Model, Progress, Report};
use rigscope_gpu::headless::Image;
use rigscope_gpu::{Gpu, Renderer};
use rigscope_io::files::Inputs;
use rigscope_state::{
    Action, AppState, ClipPoses, Document, ExportOutcome, ExportRequest, ImageRequest, LoadFailure,
    LoadRequest, POSES_TASK, PictureChoice, PictureOutcome, PictureRequest, PosesAction,
    RecentInfo, Task, ToastLevel, UserImageAction,
};

/// Minimum time between progress messages. Each one redraws the window, which slows loading down on a
/// software adapter.
const PROGRESS_PERIOD: Duration = Duration::from_millis(150);

/// An event of a job.
#[derive(Debug)]
pub(super) enum JobEvent {
    Progress(Progress),
    /// Reading has finished.
    Loaded {
        document: Box<Document>,
        /// The files' state before they were read.
        stamps: Stamps,
        /// The time of day when reading finished.
        clock: String,
    },
    /// An export has finished or failed.
    Exported(Result<ExportOutcome, String>),
    /// Writing images has finished or failed.
    Pictures(Result<PictureOutcome, String>),
    /// Drawing an image for the clipboard has finished or failed.
    Copied(Result<Image, String>),
    /// One recent file has been checked.
    RecentFile(PathBuf, RecentInfo),
    /// All recent files have been checked.
    RecentFilesDone,
    /// An upload has finished; `None` if the thread panicked.
    Uploaded(jobs::SameThread<Option<Box<FinishedUpload>>>),
    /// A task has finished.
    Answered(Option<Box<Action>>),
    /// Reading has failed.
    Failed {
        failure: LoadFailure,
        /// The files' state before they were read.
        stamps: Stamps,
    },
}

/// The running jobs.
#[derive(Debug)]
pub(super) struct Loader {
    proxy: EventLoopProxy<Msg>,
    running: HashMap<u64, CancelToken>,
}

impl Loader {
    pub(super) fn new(proxy: EventLoopProxy<Msg>) -> Self {
        Self { proxy, running: HashMap::new() }
    }

    /// Starts reading files.
    ///
    /// # Errors
    /// If the system can't start a thread.
    pub(super) fn start(&mut self, request: LoadRequest) -> std::io::Result<()> {
        let (id, cancel) = (request.id, CancelToken::default());
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
        let work = move || loaded(&request, &report);
        jobs::spawn(format!("reading {id}"), work, move |event| {
            let event = event.unwrap_or_else(|fault| JobEvent::Failed {
                failure: panic_failure(&fault),
                stamps: Stamps::default(),
            });
            // Fails only if the window has been closed.
            let _ = proxy.send_event(Msg::Job(id, event));
        })
    }

    /// Starts exporting `model`, which was read from `inputs`.
    ///
    /// # Errors
    /// If the system can't start a thread.
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
            // Fails only if the window has been closed.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Exported(outcome)));
        })
    }

    /// Starts rendering the view of `state`, which was read from `inputs`, to image files.
    ///
    /// # Errors
    /// If the system can't start a thread.
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
        let work = async move || image_export::write(&request, &state, &inputs, &report).await;
        jobs::spawn_gpu_job(format!("pictures {id}"), work, move |outcome| {
            let outcome = outcome.unwrap_or_else(|fault| Err(fault.to_string()));
            // Fails only if the window has been closed.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Pictures(outcome)));
        })
    }

    /// Starts rendering the view of `state` for the clipboard.
    ///
    /// # Errors
    /// If the system can't start a thread.
    pub(super) fn start_copy(
        &mut self,
        id: u64,
        choice: PictureChoice,
        state: AppState,
    ) -> std::io::Result<()> {
        self.running.insert(id, CancelToken::default());
        let proxy = self.proxy.clone();
        let work = async move || image_export::still(&choice, &state).await;
        jobs::spawn_gpu_job(format!("picture {id}"), work, move |image| {
            let image = image.unwrap_or_else(|fault| Err(fault.to_string()));
            // Fails only if the window has been closed.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Copied(image)));
        })
    }

    /// Starts checking recent files and drawing their thumbnails, which are cached in `folder`.
    ///
    /// # Errors
    /// If the system can't start a thread.
    pub(super) fn start_look(
        &mut self,
        id: u64,
        paths: Vec<PathBuf>,
        folder: Option<PathBuf>,
    ) -> std::io::Result<()> {
        let cancel = CancelToken::default();
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let sender = proxy.clone();
        let work = async move || {
            let report = Report::with_progress(|_| {}, cancel);
            let open = |request: &LoadRequest| Some(read(request, &report).ok()?.0);
            // Fails only if the window has been closed.
            let report_item = |path: &Path, look| {
                let _ =
                    sender.send_event(Msg::Job(id, JobEvent::RecentFile(path.to_owned(), look)));
            };
            thumbnails::look(&paths, folder.as_deref(), (&report, &open), report_item).await;
        };
        jobs::spawn_gpu_job(format!("thumbnails {id}"), work, move |_| {
            let _ = proxy.send_event(Msg::Job(id, JobEvent::RecentFilesDone));
        })
    }

    /// Starts drawing pose thumbnails for `clips`, cached in `folder`.
    ///
    /// # Errors
    /// If the system can't start a thread.
    pub(super) fn start_poses(
        &mut self,
        id: u64,
        (document, clips): (Document, Vec<ClipPoses>),
        folder: Option<PathBuf>,
    ) -> std::io::Result<()> {
        let cancel = CancelToken::default();
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let sender = proxy.clone();
        let work = async move || {
            let report = Report::with_progress(throttled(id, sender.clone()), cancel);
            let cache = ThumbnailCache::of(folder.as_deref());
            // Fails only if the window has been closed.
            let report_item = |poses: &ClipPoses, strip| {
                let drawn = PosesAction::Drawn { id, clip: poses.clip, strip };
                let _ = sender.send_event(Msg::Answer(Box::new(Action::Poses(drawn))));
            };
            poses::draw(document, &clips, cache, &report, report_item).await;
        };
        // Clips that weren't reported have no thumbnails.
        jobs::spawn_gpu_job(format!("{} {id}", POSES_TASK.0), work, move |_| {
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Answered(None)));
        })
    }

    /// Starts another background task.
    ///
    /// # Errors
    /// If the system can't start a thread.
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
                    Err(fault) => Some(Action::ShowMessage(ToastLevel::Error, fault.to_string())),
                };
                // Fails only if the window has been closed.
                let _ = proxy.send_event(Msg::Job(id, JobEvent::Answered(answer.map(Box::new))));
            },
        )
    }

    /// Starts reading an image that was assigned by hand.
    ///
    /// # Errors
    /// If the system can't start a thread.
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
                    let took = UserImageAction::Loaded(slot, path, found.map(Arc::new));
                    Some(Box::new(Action::UserImage(took)))
                }
                None => None,
            };
            // Fails only if the window has been closed.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Answered(answer)));
        })
    }

    /// Starts uploading the `wanted` part of `model`.
    ///
    /// # Errors
    /// If the system can't start a thread.
    pub(super) fn start_upload(
        &mut self,
        id: u64,
        (gpu, renderer): (Gpu, Arc<Renderer>),
        model: Arc<Model>,
        wanted: UploadRequest,
    ) -> std::io::Result<()> {
        let part = wanted.part();
        let cancel = CancelToken::default();
        self.running.insert(id, cancel.clone());
        let proxy = self.proxy.clone();
        let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
        let work = async move || perform_upload(&gpu, renderer, model, wanted, &report);
        jobs::spawn_gpu_job(format!("{} {id}", part.slot().0), work, move |upload| {
            // Fails only if the window has been closed.
            let upload = jobs::SameThread::new(upload.ok().map(Box::new));
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Uploaded(upload)));
        })
    }

    /// Starts waiting for the result of a GPU query; `None` is ignored.
    ///
    /// # Errors
    /// If the system can't start a thread.
    pub(super) fn start_waiting(
        &self,
        what: &'static str,
        wait: impl AsyncFnOnce() -> Option<Action> + jobs::MaybeSend + 'static,
    ) -> std::io::Result<()> {
        let proxy = self.proxy.clone();
        jobs::spawn_gpu_job(what.to_owned(), wait, move |answer| {
            let answer = answer.unwrap_or_else(|fault| {
                Some(Action::ShowMessage(ToastLevel::Error, fault.to_string()))
            });
            if let Some(answer) = answer {
                // Fails only if the window has been closed.
                let _ = proxy.send_event(Msg::Answer(Box::new(answer)));
            }
        })
    }

    /// Starts computing an answer on the CPU.
    ///
    /// # Errors
    /// If the system can't start a thread.
    pub(super) fn start_answering(
        &self,
        what: &'static str,
        work: impl FnOnce() -> Action + Send + 'static,
    ) -> std::io::Result<()> {
        let proxy = self.proxy.clone();
        jobs::spawn(what.to_owned(), work, move |answer| {
            let answer = answer
                .unwrap_or_else(|fault| Action::ShowMessage(ToastLevel::Error, fault.to_string()));
            let _ = proxy.send_event(Msg::Answer(Box::new(answer)));
        })
    }

    /// Asks a job to stop at its next checkpoint.
    pub(super) fn cancel(&mut self, id: u64) {
        if let Some(token) = self.running.remove(&id) {
            token.cancel();
        }
    }

    /// Removes a finished job. Returns whether its result is still wanted.
    pub(super) fn forget(&mut self, id: u64) -> bool {
        self.running.remove(&id).is_some()
    }
}

/// Reads the requested files.
fn loaded(request: &LoadRequest, report: &Report) -> JobEvent {
    let mut stamps = Stamps::of(files_of(request));
    let start = Instant::now();
    let result = read(request, report);
    step_times::report_step("reading files", start.elapsed());
    match result {
        Ok((document, more)) => {
            // Textures are known only now; a change while they were being read is noticed at the next
            // change.
            stamps.add(Stamps::of(more));
            JobEvent::Loaded { document: Box::new(document), stamps, clock: time_of_day() }
        }
        Err(failure) => JobEvent::Failed { failure, stamps },
    }
}

/// Forwards progress, limited to [`PROGRESS_PERIOD`].
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
