//! Opening files.

use std::path::{Path, PathBuf};

use super::Error;
use rigscope_core::model::{CancelToken, CompanionFile, Model, Note, Report, UpAxis, check};
use rigscope_io::files::{FileSource, Inputs, Pipes, RelatedFiles, model_file, read_content};
use rigscope_io::formats::{
    FORMATS, FormatInfo, Limits, Opened, ReadError, ReadOptions, Source, open as read,
};

/// Opens a file of any readable format with its related files: buffers, textures, skeletons and
/// animations.
///
/// # Errors
/// If the file can't be read, or its contents aren't a model.
///
/// # Examples
/// ```
/// let document = rigscope::open("assets/sample.bsm2")?;
/// assert_eq!(document.format.unwrap().id, "bsm2");
/// assert!(document.model.find_clip("walk").is_some());
/// for note in &document.notes {
///     println!("{}: {} at {}", note.kind.code(), note.message, note.place);
/// }
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<Document, Error> {
    OpenOptions::default().open(path)
}

/// All formats, readable or writable.
///
/// # Examples
/// ```
/// let writers = rigscope::formats().filter(|format| format.can_write);
/// assert!(writers.map(|format| format.id).any(|id| id == "gltf"));
/// ```
pub fn formats() -> impl Iterator<Item = &'static FormatInfo> {
    FORMATS.iter().map(|format| &format.info)
}

/// Options for opening a file; [`open`] uses the defaults.
///
/// # Examples
/// ```
/// let mut options = rigscope::OpenOptions::default();
/// options.format = Some("gltf".into());
/// let error = options.open("assets/sample.bsm2").unwrap_err();
/// assert!(matches!(error, rigscope::Error::NotUnderstood { .. }));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Additional files and folders: skeletons, animations, textures.
    pub with: Vec<PathBuf>,
    /// Additional files in memory: names and bytes.
    pub with_bytes: Vec<(String, Vec<u8>)>,
    /// Names of related files to ignore.
    pub without: Vec<String>,
    /// Id of the format, if it should not be detected.
    pub format: Option<String>,
    /// Frames per second, for formats that store no frame rate.
    pub fps: Option<f64>,
    /// Up axis, overriding the one of the format.
    pub up: Option<UpAxis>,
    /// Cancels opening from another thread.
    pub cancel: CancelToken,
}

impl OpenOptions {
    /// Opens a file.
    ///
    /// # Errors
    /// If it or an additional file can't be read, or its contents aren't a model.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Document, Error> {
        let path = &*model_file(path.as_ref());
        let report = self.report();
        let along = self.along(&report)?;
        let go_on = |share| report.progress("reading", share);
        let limit_bytes = Limits::default().max_file_bytes;
        let content = read_content(path, limit_bytes, Pipes::Allowed, go_on)
            .map_err(|error| Error::of_file(&error, path))?;
        self.read(path, &along.source(path, content, limit_bytes), &along, &report)
    }

    /// Opens a file in memory. `name` is its file name and may be empty; its only related files are the
    /// additional ones.
    ///
    /// # Errors
    /// If an additional file can't be read, or the contents aren't a model.
    ///
    /// # Examples
    /// ```
    /// let bytes = std::fs::read("assets/sample.bsm2").unwrap();
    /// let document = rigscope::OpenOptions::default().open_bytes("sample.bsm2", bytes)?;
    /// assert_eq!(document.format.unwrap().id, "bsm2");
    /// # Ok::<(), rigscope::Error>(())
    /// ```
    pub fn open_bytes(&self, name: &str, bytes: Vec<u8>) -> Result<Document, Error> {
        let report = self.report();
        let along = self.along(&report)?;
        let file = along.source_in_memory(name, bytes);
        // Errors name their subject.
        let called = if name.is_empty() { "bytes in memory" } else { name };
        self.read(Path::new(called), &file, &along, &report)
    }

    pub(super) fn report(&self) -> Report {
        Report::with_progress(|_| {}, self.cancel.clone())
    }

    pub(super) fn along(&self, report: &Report) -> Result<RelatedFiles, Error> {
        let go_on = |share| report.progress("reading", share);
        let limit_bytes = Limits::default().max_file_bytes;
        let along = RelatedFiles::read(&self.with, limit_bytes, Pipes::Allowed, go_on)
            .map_err(|(path, error)| Error::of_file(&error, &path))?;
        Ok(along.with_bytes(&self.with_bytes).without(&self.without))
    }

    /// Reads a model, with the pixels of its images if `images`.
    pub(super) fn opened(
        &self,
        source: &Source,
        images: bool,
        report: &Report,
    ) -> Result<Opened, ReadError> {
        let options = ReadOptions {
            format: self.format.clone(),
            fps: self.fps,
            up: self.up,
            images,
            ..ReadOptions::default()
        };
        read(source, &options, report)
    }

    fn read(
        &self,
        path: &Path,
        file: &FileSource,
        along: &RelatedFiles,
        report: &Report,
    ) -> Result<Document, Error> {
        let opened = self
            .opened(&file.source, true, report)
            .map_err(|error| Error::of_read(&error, path))?;
        along.remember(file);
        Ok(Document {
            model: opened.model,
            format: Some(&opened.format.info),
            num_bytes: file.source.content.len(),
            notes: report.notes(),
            companions: report.companions(),
            path: path.to_owned(),
            with: self.with.clone(),
            inputs: along.inputs().clone(),
        })
    }
}

/// A model and its origin.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// The checked contents of the file: indices in range, numbers finite, no cycles.
    pub model: Model,
    /// The format of the file; none for [`Document::of_model`].
    pub format: Option<&'static FormatInfo>,
    /// Length of the file in bytes; 0 for [`Document::of_model`].
    pub num_bytes: u64,
    /// Notes of the reader, worst first.
    pub notes: Vec<Note>,
    /// The related files, used or not.
    pub companions: Vec<CompanionFile>,
    pub(super) path: PathBuf,
    pub(super) with: Vec<PathBuf>,
    /// Files that were read, which must not be overwritten.
    pub(super) inputs: Inputs,
}

impl Document {
    /// A document of a model that a program made. The model is checked as if it came from a file: values
    /// out of range or not finite are fixed and noted.
    pub fn of_model(mut model: Model) -> Self {
        let report = Report::new();
        check::check(&mut model, &report);
        Self {
            model,
            format: None,
            num_bytes: 0,
            notes: report.notes(),
            companions: Vec::new(),
            path: PathBuf::new(),
            with: Vec::new(),
            inputs: Inputs::default(),
        }
    }
}
