//! Files, and the documents made of them.

use std::path::{Path, PathBuf};

use super::Error;
use rigscope_core::model::{CancelToken, CompanionFile, Model, Note, Report, UpAxis, check};
use rigscope_io::files::{FileSource, Inputs, Pipes, RelatedFiles, model_file, read_content};
use rigscope_io::formats::{
    FORMATS, FormatInfo, Limits, Opened, ReadError, ReadOptions, Source, open as read,
};

/// Opens a file of any format that is read, with what lies beside it: buffers, textures,
/// skeletons and animations.
///
/// # Errors
/// When the file cannot be read or understood.
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

/// All formats, read and written.
///
/// # Examples
/// ```
/// let writers = rigscope::formats().filter(|format| format.can_write);
/// assert!(writers.map(|format| format.id).any(|id| id == "gltf"));
/// ```
pub fn formats() -> impl Iterator<Item = &'static FormatInfo> {
    FORMATS.iter().map(|format| format.info())
}

/// How a file is opened, where [`open`] is not enough.
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
    /// Files and folders given along: skeletons, animations, textures.
    pub with: Vec<PathBuf>,
    /// The same in memory: names and bytes.
    pub with_bytes: Vec<(String, Vec<u8>)>,
    /// Names of files around the model that are not taken.
    pub without: Vec<String>,
    /// Id of the format to take the bytes for, whatever they look like.
    pub format: Option<String>,
    /// Frames a second, for formats that count frames and do not say how fast they go.
    pub fps: Option<f64>,
    /// The axis that points up, overriding the format's.
    pub up: Option<UpAxis>,
    /// Stops the work from another thread.
    pub cancel: CancelToken,
}

impl OpenOptions {
    /// Opens a file.
    ///
    /// # Errors
    /// When it or a file given along cannot be read or understood.
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

    /// Opens a file that is in memory. `name` is what it would be called, and may be empty; nothing
    /// lies beside it but what is given along.
    ///
    /// # Errors
    /// When it or a file given along cannot be read or understood.
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
        // Errors name what they are about.
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

    /// Understands a file, with the pixels of its `images` if they are wanted.
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
            format: Some(opened.format.info()),
            num_bytes: file.source.content.len(),
            notes: report.notes(),
            companions: report.companions(),
            path: path.to_owned(),
            with: self.with.clone(),
            inputs: along.inputs().clone(),
        })
    }
}

/// A model, and where it comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// What the file holds, checked: indices in range, numbers finite, no cycles.
    pub model: Model,
    /// The format that was read; none where the model was made by a program.
    pub format: Option<&'static FormatInfo>,
    /// Length of the file; 0 where the model was made by a program.
    pub num_bytes: u64,
    /// What was found on the way, worst first.
    pub notes: Vec<Note>,
    /// The files around it, and what was made of them.
    pub companions: Vec<CompanionFile>,
    pub(super) path: PathBuf,
    pub(super) with: Vec<PathBuf>,
    /// What was read, and is never written over.
    pub(super) inputs: Inputs,
}

impl Document {
    /// A model that was made by a program. It is checked as if it came from a file: what is out of
    /// range or not finite is mended and noted.
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
