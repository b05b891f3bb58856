//! Reads paths into checked models. Only this module reads input files and companions.

use std::path::{Path, PathBuf};

use super::InputArgs;
use super::exit::at_path;
use super::output::Output;
use super::timings;
use rigscope_core::model::{CompanionFile, Model, Note, Report, Severity, UpAxis};
use rigscope_core::summary::{FileRead, Info, info_of};
use rigscope_io::files::{
    FileError, FileSource, Inputs, Pipes, RelatedFiles, hash, model_file, read_content,
};
use rigscope_io::formats::{Format, ReadError, ReadOptions, open};

/// Settings for reading all inputs of a command.
pub(super) struct Input {
    along: RelatedFiles,
    options: ReadOptions,
}

/// A file that was read.
pub(super) struct Document {
    pub(super) model: Model,
    pub(super) format: &'static Format,
    /// Size of the file.
    pub(super) num_bytes: u64,
    /// Related files, with the reason why each was used or not.
    pub(super) companions: Vec<CompanionFile>,
    /// Findings of the reader, most severe first.
    pub(super) notes: Vec<Note>,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content is malformed or unsupported.
    #[error(transparent)]
    Read(ReadError),
}

impl From<ReadError> for InputError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => Self::File(FileError::Io(error)),
            other => Self::Read(other),
        }
    }
}

impl Document {
    /// A summary of the file, under the given `name`.
    pub(super) fn info(&self, name: &str) -> Info {
        let file = FileRead {
            model: &self.model,
            format: self.format.info.id,
            num_bytes: self.num_bytes,
            companions: &self.companions,
            notes: &self.notes,
        };
        info_of(name, &file)
    }
}

impl Input {
    /// Reads the companions.
    pub(super) fn new(args: &InputArgs) -> anyhow::Result<Self> {
        let options = ReadOptions {
            format: args.format.clone(),
            fps: args.fps,
            up: args.up.map(UpAxis::from),
            ..ReadOptions::default()
        };
        let limit_bytes = options.limits.max_file_bytes;
        let along = RelatedFiles::read(&args.with, limit_bytes, Pipes::Allowed, |_| Ok(()))
            .map_err(|(path, error)| at_path(error, &path))?
            .without(&args.excluded());
        Ok(Self { along, options })
    }

    /// Also reads the pixels of textures, for commands that draw or copy them.
    pub(super) fn with_images(mut self) -> Self {
        self.options.images = true;
        self
    }

    /// All files that the command reads, as far as they are known so far.
    pub(super) fn inputs(&self) -> &Inputs {
        self.along.inputs()
    }

    /// Adds `paths`, which the command reads now or later.
    pub(super) fn with_inputs<'a>(self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.along.inputs().clone().extend(paths);
        self
    }

    /// Records which related files were read, for the result cache.
    pub(super) fn recording(self) -> Self {
        Self { along: self.along.recording(), ..self }
    }

    /// Hash of the settings that affect reading, without the file and its related files.
    pub(super) fn hash(&self) -> String {
        let ReadOptions { format, limits: _, fps, up, images } = &self.options;
        hash(format!("{format:?} {fps:?} {up:?} {images} {}", self.along.hash()).as_bytes())
    }

    /// Reads and checks one file. The findings are in the document, or in `report` after an error.
    pub(super) fn open(&self, path: &Path, report: &Report) -> Result<Document, InputError> {
        let _work = timings::begin("reading");
        self.read(&self.file(path, report)?, report)
    }

    /// Opens one file and looks up its related files.
    pub(super) fn file(&self, path: &Path, report: &Report) -> Result<FileSource, FileError> {
        let limit_bytes = self.options.limits.max_file_bytes;
        let path = &*model_file(path);
        let content = read_content(path, limit_bytes, Pipes::Allowed, |share| {
            report.progress("reading", 0.2 * share)
        })?;
        tracing::debug!(bytes = content.len(), path = %path.display(), "reading");
        Ok(self.along.source(path, content, limit_bytes))
    }

    /// Parses and checks one file.
    pub(super) fn read(&self, file: &FileSource, report: &Report) -> Result<Document, InputError> {
        let source = &file.source;
        let opened = open(source, &self.options, report);
        self.along.remember(file);
        let opened = opened?;
        tracing::debug!(format = opened.format.info.id, "read");
        Ok(Document {
            model: opened.model,
            format: opened.format,
            num_bytes: source.content.len(),
            companions: report.companions(),
            notes: report.notes(),
        })
    }

    /// Reads one file, and prints warnings and errors about the content to stderr.
    pub(super) fn open_and_report(&self, path: &Path, output: &Output) -> anyhow::Result<Document> {
        let document = self.open(path, &timings::report()).map_err(|error| at_path(error, path))?;
        report_notes(&document.notes, path, output);
        Ok(document)
    }
}

/// Prints the warnings and errors among the `notes` about the file at `path` to stderr.
pub(super) fn report_notes(notes: &[Note], path: &Path, output: &Output) {
    for note in notes {
        if note.severity() > Severity::Info {
            let (code, message) = (note.kind.code(), &note.message);
            let text = format!("{code}: {message} at {}: {}", note.place, path.display());
            output.note(note.severity(), &text);
        }
    }
}
