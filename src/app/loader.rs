//! Reading files beside the window: one named thread a job.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;

use winit::event_loop::EventLoopProxy;

use super::export::export;
use super::kept_pictures::KeptPictures;
use super::system::{clock::time_of_day, jobs};
use super::uploads::{Brought, Wanted, bring};
use super::watch::Stamps;
use super::{Msg, pictures, poses, thumbnails};
use crate::files::{Along, FileError, Inputs, Pipes, guarded, read_file};
use crate::formats::{self, Limits, ReadOptions, Source};
use crate::gpu::headless::Image;
use crate::gpu::{Gpu, Renderer};
use crate::model::{CancelToken, Cancelled, Model, Progress, Report};
use crate::state::{
    Action, AppState, ByHandAction, ClipPoses, Document, ExportOutcome, ExportRequest, HandImage,
    HandSlot, ImageRequest, LoadFailure, LoadRequest, Origin, POSES_TASK, PictureChoice,
    PictureOutcome, PictureRequest, PosesAction, RecentLook, Task, ToastLevel,
};

/// The character that comes with the program.
const SAMPLE: &[u8] = include_bytes!("../../assets/sample.bsm2");
const SAMPLE_NAME: &str = "sample.bsm2";
/// Largest image file that is read when it is chosen by hand.
const MAX_IMAGE_FILE_BYTES: u64 = 1 << 30;
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
        let cancel = CancelToken::default();
        self.running.insert(request.id, cancel.clone());
        let mut job = Job { id: request.id, proxy: self.proxy.clone(), has_answered: false };
        jobs::spawn(format!("load {}", request.id), move || job.run(&request, cancel))
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
        jobs::spawn(format!("export {id}"), move || {
            let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
            let work = || export(&request, &model, &inputs, &report);
            let outcome = guarded("writing", work).unwrap_or_else(|fault| Err(fault.to_string()));
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
        jobs::spawn(format!("{} {id}", task.slot.0), move || {
            let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
            let answer = match guarded(task.slot.0, || task.run(&report)) {
                Ok(Ok(answer)) => Some(answer),
                Ok(Err(Cancelled)) => None,
                Err(fault) => Some(Action::Say(ToastLevel::Error, fault.to_string())),
            };
            // The window may be closed by now; then nobody wants to know.
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Answered(answer.map(Box::new))));
        })
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
        jobs::spawn(format!("image {id}"), move || {
            let report = Report::with_progress(throttled(id, proxy.clone()), cancel);
            let found = guarded("reading an image", || hand_image(slot, &path, &report));
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
        jobs::spawn(what.to_owned(), move || {
            let answer = guarded(what, work)
                .unwrap_or_else(|fault| Action::Say(ToastLevel::Error, fault.to_string()));
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

/// A job that answers whatever happens to it.
struct Job {
    id: u64,
    proxy: EventLoopProxy<Msg>,
    has_answered: bool,
}

impl Job {
    fn run(&mut self, request: &LoadRequest, cancel: CancelToken) {
        let mut stamps = Stamps::of(files_of(request));
        let report = Report::with_progress(throttled(self.id, self.proxy.clone()), cancel);
        let event = match read(request, &report) {
            Ok((document, more)) => JobEvent::Loaded {
                document: Box::new(document),
                stamps: {
                    // Only known now; a texture that changed in between is seen at the next change.
                    stamps.add(Stamps::of(more));
                    stamps
                },
                clock: time_of_day(),
            },
            Err(failure) => JobEvent::Failed { failure, stamps },
        };
        self.answer(event);
    }

    fn answer(&mut self, event: JobEvent) {
        self.has_answered = true;
        // The window may be closed by now; then nobody wants to know.
        let _ = self.proxy.send_event(Msg::Job(self.id, event));
    }
}

impl Drop for Job {
    /// Answers for a reader that panicked, which would leave the window waiting forever.
    fn drop(&mut self) {
        if !self.has_answered {
            let failure = LoadFailure::Failed {
                message: "the reader stopped unexpectedly; this is a fault of the program".into(),
                words: "The reader stopped unexpectedly. This is a fault of the program.".into(),
                facts: Vec::new(),
                file: None,
            };
            let stamps = Stamps::default();
            self.answer(JobEvent::Failed { failure, stamps });
        }
    }
}

fn files_of(request: &LoadRequest) -> Vec<PathBuf> {
    let main = request.target.path().map(Path::to_owned);
    let companions = request.companions.iter().cloned();
    main.into_iter().chain(companions).collect()
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

/// Reads files, model and all that is worked out once about it; with it the files that were read
/// besides those asked for.
fn read(request: &LoadRequest, report: &Report) -> Result<(Document, Vec<PathBuf>), LoadFailure> {
    let options = ReadOptions {
        format: request.format.clone(),
        fps: request.fps,
        up: request.up,
        images: true,
        ..ReadOptions::default()
    };
    let path = match &request.target {
        Origin::Sample => {
            let source = Source::new(SAMPLE_NAME, SAMPLE.to_vec());
            return Ok((document(request, &source, &options, report)?, Vec::new()));
        }
        Origin::File(path) => path,
    };
    let limit_bytes = Limits::default().max_alloc_bytes;
    let along = Along::read(&request.companions, limit_bytes, Pipes::Refused, |_| {
        report.progress("reading", 0.0)
    })
    .map_err(|(path, error)| unreadable(&path, error))?
    .without(&request.without);
    // Reading is the smaller part of the work: up to a fifth of the bar.
    let bytes = read_file(path, limit_bytes, Pipes::Refused, |share| {
        report.progress("reading", 0.2 * share)
    })
    .map_err(|error| unreadable(path, error))?;
    let file = along.source(path, bytes, limit_bytes);
    let mut document = document(request, &file.source, &options, report)?;
    document.place_companions(|name| file.path_of(name));
    document.found_along = file.used_paths();
    let found = document.found_along.clone();
    Ok((document, found))
}

/// The image in a file that was chosen by hand, or why it is of no use; nothing where nobody waits for it.
fn hand_image(slot: HandSlot, path: &Path, report: &Report) -> Option<Result<HandImage, String>> {
    let on_progress = |share| report.progress("reading", share);
    Some(match read_file(path, MAX_IMAGE_FILE_BYTES, Pipes::Refused, on_progress) {
        Ok(bytes) => HandImage::new(slot, path.to_owned(), bytes),
        Err(FileError::Cancelled) => return None,
        Err(error) => Err(error.to_string()),
    })
}

fn document(
    request: &LoadRequest,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Document, LoadFailure> {
    let opened = formats::open(source, options, report)
        .map_err(|error| LoadFailure::of(&error, source, report))?;
    let bytes = Arc::clone(&source.bytes);
    Document::new(request, bytes, opened, report).map_err(|Cancelled| LoadFailure::Cancelled)
}

/// Why the bytes of a file cannot be had, as a sentence for a window.
fn unreadable(path: &Path, error: FileError) -> LoadFailure {
    let (message, words) = match error {
        FileError::Cancelled => return LoadFailure::Cancelled,
        FileError::Io(error) => {
            let words = match error.kind() {
                std::io::ErrorKind::NotFound => "There is no such file.".to_owned(),
                std::io::ErrorKind::PermissionDenied => "The file may not be read.".to_owned(),
                _ => format!("The file cannot be read: {error}."),
            };
            (format!("the file cannot be read: {error}"), words)
        }
        FileError::Folder => (
            "this is a folder; open one of its files".to_owned(),
            "This is a folder. Open one of its files.".to_owned(),
        ),
        FileError::NotAFile => ("this is no file".to_owned(), "This is no file.".to_owned()),
        FileError::TooLarge { limit_bytes } => (
            format!("the file holds more than the {limit_bytes} bytes allowed"),
            format!("The file holds more than the {limit_bytes} bytes allowed."),
        ),
    };
    let facts = vec![("File", path.display().to_string())];
    LoadFailure::Failed { message, words, facts, file: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::LoadReason;

    fn request(target: Origin) -> LoadRequest {
        AppState::request(target, LoadReason::Open)
    }

    #[test]
    fn the_sample_is_read_without_a_file() {
        let (document, _) = read(&request(Origin::Sample), &Report::new()).unwrap();
        assert_eq!(document.name(), SAMPLE_NAME);
        assert!(!document.subsets.is_empty());
    }

    #[test]
    fn a_cut_file_fails_with_format_place_and_field() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.bsm2");
        std::fs::write(&path, &SAMPLE[..SAMPLE.len() / 2]).unwrap();
        let failure = read(&request(Origin::File(path)), &Report::new()).unwrap_err();
        let LoadFailure::Failed { message, words, facts, .. } = failure else {
            panic!("it was not cancelled");
        };
        assert!(message.starts_with("bsm2: "), "{message}");
        assert_eq!(words, "The BSM2 file ends too early: a part of it is missing.");
        let names: Vec<_> = facts.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["Found", "Format", "Where", "Field"]);
        assert!(facts[2].1.starts_with("offset 0x"), "{facts:?}");
    }

    #[test]
    fn missing_files_and_folders_are_told_apart_from_broken_ones() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("none.bsm2"), folder.path().to_owned()] {
            let failure = read(&request(Origin::File(path)), &Report::new()).unwrap_err();
            assert!(
                matches!(&failure, LoadFailure::Failed { facts, .. } if facts[0].0 == "File"),
                "{failure:?}"
            );
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_never_ends_is_not_read() {
        for path in ["/dev/zero", "/dev/tty"] {
            let failure = read(&request(Origin::File(path.into())), &Report::new()).unwrap_err();
            let LoadFailure::Failed { message, .. } = failure else {
                panic!("it was not cancelled");
            };
            assert_eq!(message, "this is no file");
        }
    }

    #[test]
    fn a_cancelled_job_fails_as_such() {
        let cancel = CancelToken::default();
        cancel.cancel();
        let report = Report::with_progress(|_| {}, cancel);
        let failure = read(&request(Origin::Sample), &report).unwrap_err();
        assert_eq!(failure, LoadFailure::Cancelled);
    }
}
