//! Loading a document: files, model and everything computed once from it.
//!
//! Not for: running jobs (`job_runner`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use web_time::Instant;

use super::step_times;
use super::system::clock::time_of_day;
use rigscope_core::model::{Cancelled, FindingKind, Place, Report};
use rigscope_io::OpenOptions;
use rigscope_io::files::{
    ExternalReaders, FileError, FileSource, Inputs, Pipes, content_of, read_input,
};
use rigscope_io::history::{Repository, Revision, file_at};
use rigscope_io::open::Opener;
use rigscope_state::{
    Action, Document, ImageSlot, JobError, LoadFailure, LoadRequest, Origin, UserImage,
};

/// The built-in sample character.
const SAMPLE: &[u8] = rigscope_assets::SAMPLE;
const SAMPLE_NAME: &str = "sample.bsm2";
/// Largest image file accepted when an image is assigned by hand.
const MAX_IMAGE_FILE_BYTES: u64 = 1 << 30;

/// The main file and the related files of a request.
pub(super) fn files_of(request: &LoadRequest) -> Vec<PathBuf> {
    let main = request.target.path().map(Path::to_owned);
    let related_files = request.options.with.iter().chain(&request.options.bone_map).cloned();
    main.into_iter().chain(related_files).collect()
}

/// Reads the requested files; the action that opens the document, or why it can't be opened.
pub(super) fn load(request: &LoadRequest, report: &Report) -> Result<Action, JobError> {
    let id = request.id;
    let start = Instant::now();
    let result = read(request, report);
    step_times::report_step("reading files", start.elapsed());
    match result {
        Ok(document) => {
            Ok(Action::Loaded { id, document: Box::new(document), clock: time_of_day() })
        }
        Err(LoadFailure::Cancelled) => Err(JobError::Cancelled),
        Err(failure) => Ok(Action::LoadFailed { id, failure }),
    }
}

/// Reads files and model and computes the derived data.
pub(super) fn read(request: &LoadRequest, report: &Report) -> Result<Document, LoadFailure> {
    let (opener, file) = opened(&request.target, &request.options, report)?;
    let source = &file.source;
    let opened =
        opener.parse(&file, report).map_err(|error| LoadFailure::of(&error, source, report))?;
    let mut document = Document::new(request, source.content.clone(), opened, report)
        .map_err(|Cancelled| LoadFailure::Cancelled)?;
    document.place_related_files(|name| file.path_of(name));
    document.found_along = file.used_paths();
    document.open_contents(|path| content_of(path).ok());
    document.find_missing(|name| file.places_of(name));
    Ok(document)
}

/// The bytes of a file, and the opener that reads it.
pub(super) fn opened(
    target: &Origin,
    options: &OpenOptions,
    report: &Report,
) -> Result<(Opener, FileSource), LoadFailure> {
    let readers = readers(report);
    let opener = |options: &OpenOptions| {
        let options = OpenOptions { readers: readers.clone(), ..options.clone() };
        Opener::new(&options, Pipes::Refused, report)
            .map(|opener| opener.with_images().with_related_bytes())
            .map_err(|(path, error)| unreadable(&path, error))
    };
    Ok(match target {
        Origin::Sample => {
            // The sample has no related files.
            let opener = opener(&OpenOptions { with: Vec::new(), ..options.clone() })?;
            let file = opener.file_in_memory(SAMPLE_NAME, SAMPLE.to_vec());
            (opener, file)
        }
        Origin::Revision { path, revision } => {
            let opener = opener(options)?;
            let file = at_revision(&opener, path, revision).map_err(|message| {
                unreadable(path, FileError::Io(std::io::Error::other(message)))
            })?;
            (opener, file)
        }
        Origin::File(path) => {
            let opener = opener(options)?;
            let file = opener.file(path, report).map_err(|error| unreadable(path, error))?;
            (opener, file)
        }
    })
}

/// A file as of a revision of its repository.
fn at_revision(opener: &Opener, path: &Path, revision: &Revision) -> Result<FileSource, String> {
    let repository = Repository::of(path, opener.limit_bytes());
    let repository = Arc::new(repository.map_err(|error| error.to_string())?);
    let file = file_at(opener, &repository, &revision.id, &revision.path);
    file.map_err(|error| error.to_string())
}

/// The programs in the settings of the user. They are read each time, so that a change takes effect at once.
fn readers(report: &Report) -> ExternalReaders {
    ExternalReaders::of_user().unwrap_or_else(|message| {
        let message = format!("{message}; programs that read other formats aren't used");
        report.add(FindingKind::ReaderWarning, Place::File, message);
        ExternalReaders::default()
    })
}

/// The image in a file that was assigned by hand, or why it can't be used.
///
/// # Errors
/// If the job was cancelled.
pub(super) fn read_user_image(
    slot: ImageSlot,
    path: &Path,
    report: &Report,
) -> Result<Result<UserImage, String>, Cancelled> {
    let on_progress = |share| report.progress("reading", share);
    // The state has its path from now on.
    let inputs = Inputs::none();
    Ok(match read_input(path, MAX_IMAGE_FILE_BYTES, Pipes::Refused, &inputs, on_progress) {
        Ok(bytes) => UserImage::new(slot, path.to_owned(), bytes),
        Err(FileError::Cancelled) => return Err(Cancelled),
        Err(error) => Err(error.to_string()),
    })
}

/// Describes a failure to read a file.
fn unreadable(path: &Path, error: FileError) -> LoadFailure {
    let (message, words) = match error {
        FileError::Cancelled => return LoadFailure::Cancelled,
        FileError::Io(error) => {
            let words = match error.kind() {
                std::io::ErrorKind::NotFound => "There is no such file.".to_owned(),
                std::io::ErrorKind::PermissionDenied => {
                    "The file can't be read: permission denied.".to_owned()
                }
                _ => format!("The file can't be read: {error}."),
            };
            (format!("the file can't be read: {error}"), words)
        }
        FileError::Folder => (
            "this is a folder; open one of its files".to_owned(),
            "This is a folder. Open one of its files.".to_owned(),
        ),
        FileError::NotAFile => {
            ("not a regular file".to_owned(), "This isn't a regular file.".to_owned())
        }
        FileError::Reader(fault) => {
            let message = fault.to_string();
            let (first, rest) = message.split_at(1);
            let words = format!("{}{rest}.", first.to_uppercase());
            (message, words)
        }
        FileError::TooLarge { limit_bytes } => (
            format!("the file is larger than the allowed {limit_bytes} bytes"),
            format!("The file is larger than the allowed {limit_bytes} bytes."),
        ),
    };
    let facts = vec![("File", path.display().to_string())];
    LoadFailure::Failed { message, words, facts, file: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::CancelToken;
    use rigscope_state::{AppState, LoadReason};

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
    fn places_of_a_missing_texture_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gltf");
        let json = r#"{"asset":{"version":"2.0"},"images":[{"uri":"tex/skin.png"}],
            "textures":[{"source":0}],"materials":[{"name":"skin",
            "pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]}"#;
        std::fs::write(&path, json).unwrap();
        let document = read(&request(Origin::File(path)), &Report::new()).unwrap();
        let texture = folder.path().join("tex/skin.png");
        assert!(document.missing_paths.contains(&texture), "{:?}", document.missing_paths);
    }

    #[test]
    fn a_file_is_read_as_of_a_revision() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hero.bsm2");
        std::fs::write(&path, SAMPLE).unwrap();
        for args in [
            &["init", "--quiet"][..],
            &["add", "-A"],
            &["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "add"],
        ] {
            let mut git = std::process::Command::new("git");
            let Ok(status) = git.args(args).current_dir(folder.path()).status() else { return };
            assert!(status.success(), "{args:?}");
        }
        std::fs::write(&path, "something else").unwrap();
        let repository = Repository::of(&path, 1 << 30).unwrap();
        let [revision] = &repository.revisions("hero.bsm2").unwrap()[..] else { panic!("one") };
        let target = Origin::Revision { path, revision: Box::new(revision.clone()) };
        let document = read(&request(target), &Report::new()).unwrap();
        assert_eq!(document.model.num_vertices(), 4224);
        assert_eq!(document.origin.name(), format!("hero.bsm2 at {}", revision.short()));
    }

    #[test]
    fn a_truncated_file_fails_with_format_place_and_field() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.bsm2");
        std::fs::write(&path, &SAMPLE[..SAMPLE.len() / 2]).unwrap();
        let failure = read(&request(Origin::File(path)), &Report::new()).unwrap_err();
        let LoadFailure::Failed { message, words, facts, .. } = failure else {
            panic!("it was not cancelled");
        };
        assert!(message.starts_with("truncated BSM2 file: "), "{message}");
        assert_eq!(words, "The BSM2 file ends too early: a part of it is missing.");
        let names: Vec<_> = facts.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["Found", "Format", "Place", "Field"]);
        assert!(facts[2].1.starts_with("offset 0x"), "{facts:?}");
    }

    #[test]
    fn missing_files_folders_and_broken_files_have_different_errors() {
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
    fn endless_devices_are_not_read() {
        for path in ["/dev/zero", "/dev/tty"] {
            let failure = read(&request(Origin::File(path.into())), &Report::new()).unwrap_err();
            let LoadFailure::Failed { message, .. } = failure else {
                panic!("it was not cancelled");
            };
            assert_eq!(message, "not a regular file");
        }
    }

    #[test]
    fn a_cancelled_job_fails_as_cancelled() {
        let cancel = CancelToken::default();
        cancel.cancel();
        let report = Report::with_progress(|_| {}, cancel);
        let failure = read(&request(Origin::Sample), &report).unwrap_err();
        assert_eq!(failure, LoadFailure::Cancelled);
    }
}
