//! Reading files beside the window: one named thread a job.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use winit::event_loop::EventLoopProxy;

use super::Msg;
use super::clock::time_of_day;
use super::watch::Stamps;
use crate::formats::{self, Companion, Limits, ReadError, ReadOptions, Source};
use crate::model::{CancelToken, Cancelled, Progress, Report};
use crate::state::{Document, LoadFailure, LoadRequest, Origin};

/// The character that comes with the program.
const SAMPLE: &[u8] = include_bytes!("../../assets/sample.bsm2");
const SAMPLE_NAME: &str = "sample.bsm2";
/// Between two messages about progress: as often as anyone can see.
const PROGRESS_PERIOD: Duration = Duration::from_millis(33);
/// Read at a time, between two looks at whether anybody still waits.
const CHUNK_BYTES: u64 = 4 << 20;

/// What a job tells.
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
        Self {
            proxy,
            running: HashMap::new(),
        }
    }

    /// Starts reading.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(&mut self, request: LoadRequest) -> std::io::Result<()> {
        let cancel = CancelToken::default();
        self.running.insert(request.id, cancel.clone());
        let mut job = Job {
            id: request.id,
            proxy: self.proxy.clone(),
            has_answered: false,
        };
        std::thread::Builder::new()
            .name(format!("load {}", request.id))
            .spawn(move || job.run(&request, cancel))?;
        Ok(())
    }

    /// Tells a job to stop at its next step.
    pub(super) fn cancel(&mut self, id: u64) {
        if let Some(token) = self.running.remove(&id) {
            token.cancel();
        }
    }

    /// Forgets a job that has answered.
    pub(super) fn forget(&mut self, id: u64) {
        self.running.remove(&id);
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
        let stamps = Stamps::of(files_of(request));
        let report = Report::with_progress(throttled(self.id, self.proxy.clone()), cancel);
        let event = match read(request, &report) {
            Ok(document) => JobEvent::Loaded {
                document: Box::new(document),
                stamps,
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
                facts: Vec::new(),
            };
            let stamps = Stamps::default();
            self.answer(JobEvent::Failed { failure, stamps });
        }
    }
}

fn files_of(request: &LoadRequest) -> Vec<std::path::PathBuf> {
    let main = request.target.path().map(Path::to_owned);
    let companions = request.companions.iter().cloned();
    main.into_iter().chain(companions).collect()
}

/// Passes progress on, but not more often than anyone can see.
fn throttled(id: u64, proxy: EventLoopProxy<Msg>) -> impl Fn(Progress) + Send + Sync + 'static {
    let last: Mutex<Option<Instant>> = Mutex::new(None);
    move |progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= PROGRESS_PERIOD) {
            *last = Some(Instant::now());
            let _ = proxy.send_event(Msg::Job(id, JobEvent::Progress(progress)));
        }
    }
}

/// Reads files, model and all that is worked out once about it.
fn read(request: &LoadRequest, report: &Report) -> Result<Document, LoadFailure> {
    let source = source(request, report)?;
    let options = ReadOptions {
        format: request.format.clone(),
        ..ReadOptions::default()
    };
    let opened = formats::open(&source, &options, report).map_err(|error| failure_of(&error))?;
    Document::new(
        request.target.clone(),
        request.companions.clone(),
        Arc::clone(&source.bytes),
        opened,
        report,
    )
    .map_err(|_| LoadFailure::Cancelled)
}

fn source(request: &LoadRequest, report: &Report) -> Result<Source, LoadFailure> {
    let path = match &request.target {
        Origin::Sample => return Ok(Source::new(SAMPLE_NAME, SAMPLE.to_vec())),
        Origin::File(path) => path,
    };
    let mut source = Source::new(request.target.name(), bytes_of(path, report)?);
    for path in &request.companions {
        source.companions.push(Companion {
            name: Origin::File(path.clone()).name(),
            bytes: Arc::new(bytes_of(path, report)?),
        });
    }
    Ok(source)
}

/// The whole file, in pieces so that reading can be stopped.
fn bytes_of(path: &Path, report: &Report) -> Result<Vec<u8>, LoadFailure> {
    let io_failure = |error: std::io::Error| LoadFailure::Failed {
        message: format!("the file cannot be read: {error}"),
        facts: vec![("File", path.display().to_string())],
    };
    // Before it is opened: opening a pipe waits for its other end.
    let metadata = std::fs::metadata(path).map_err(io_failure)?;
    if metadata.is_dir() {
        return Err(LoadFailure::Failed {
            message: "this is a folder; open one of its files".into(),
            facts: vec![("File", path.display().to_string())],
        });
    }
    // Devices and pipes may never end.
    let limit = Limits::default().max_alloc_bytes;
    if !metadata.is_file() || metadata.len() > limit {
        let message = match metadata.is_file() {
            true => format!("the file holds more than the {limit} bytes allowed"),
            false => "this is no file".to_owned(),
        };
        return Err(LoadFailure::Failed {
            message,
            facts: vec![("File", path.display().to_string())],
        });
    }
    // One more than the file has now, so that reading to its end needs no second allocation.
    let expected = usize::try_from(metadata.len() + 1).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    let reserved = bytes.try_reserve_exact(expected);
    reserved.map_err(|error| io_failure(error.into()))?;
    // A file that grows while it is read is left at the limit; the reader then says what is wrong.
    let mut file = std::fs::File::open(path).map_err(io_failure)?.take(limit);
    loop {
        // Reading is the smaller part of the work: up to a fifth of the bar.
        let share = bytes.len() as f32 / metadata.len().max(1) as f32;
        report
            .progress("reading", 0.2 * share.min(1.0))
            .map_err(|Cancelled| LoadFailure::Cancelled)?;
        let mut chunk = (&mut file).take(CHUNK_BYTES);
        if chunk.read_to_end(&mut bytes).map_err(io_failure)? == 0 {
            return Ok(bytes);
        }
    }
}

fn failure_of(error: &ReadError) -> LoadFailure {
    let facts = match error {
        ReadError::Cancelled => return LoadFailure::Cancelled,
        ReadError::Malformed(failure)
        | ReadError::Unsupported(failure)
        | ReadError::Limit(failure) => vec![
            ("Format", failure.format.to_owned()),
            ("Where", failure.place.to_string()),
            ("Field", failure.field.to_owned()),
        ],
        ReadError::UnknownFormat { .. } => Vec::new(),
    };
    LoadFailure::Failed {
        message: error.to_string(),
        facts,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{AppState, LoadReason};

    fn request(target: Origin) -> LoadRequest {
        AppState::request(target, LoadReason::Open)
    }

    #[test]
    fn the_sample_is_read_without_a_file() {
        let document = read(&request(Origin::Sample), &Report::new()).unwrap();
        assert_eq!(document.name(), SAMPLE_NAME);
        assert!(!document.subsets.is_empty());
    }

    #[test]
    fn a_cut_file_fails_with_format_place_and_field() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.bsm2");
        std::fs::write(&path, &SAMPLE[..SAMPLE.len() / 2]).unwrap();
        let failure = read(&request(Origin::File(path)), &Report::new()).unwrap_err();
        let LoadFailure::Failed { message, facts } = failure else {
            panic!("it was not cancelled");
        };
        assert!(message.starts_with("bsm2: "), "{message}");
        let names: Vec<_> = facts.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["Format", "Where", "Field"]);
        assert!(facts[1].1.starts_with("offset 0x"), "{facts:?}");
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
