//! From paths to a checked model: files and companions are read here and nowhere below.

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

/// How all inputs of a command are read.
pub(super) struct Input {
    along: RelatedFiles,
    options: ReadOptions,
}

/// A file that was read.
pub(super) struct Document {
    /// What it holds.
    pub(super) model: Model,
    /// The format that read it.
    pub(super) format: &'static dyn Format,
    /// The file's length.
    pub(super) num_bytes: u64,
    /// The files around it, and what was made of them.
    pub(super) companions: Vec<CompanionFile>,
    /// What was found, worst first.
    pub(super) notes: Vec<Note>,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    /// Its bytes cannot be had.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its bytes cannot be understood.
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
    /// What there is to say of it, called `name`.
    pub(super) fn info(&self, name: &str) -> Info {
        let file = FileRead {
            model: &self.model,
            format: self.format.info().id,
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
            .without(&args.hidden());
        Ok(Self { along, options })
    }

    /// The same, for a command that draws or copies textures: their pixels are read too.
    pub(super) fn with_images(mut self) -> Self {
        self.options.images = true;
        self
    }

    /// All files that the command reads, as far as they are known by now.
    pub(super) fn inputs(&self) -> &Inputs {
        self.along.inputs()
    }

    /// The same, for a command that reads `paths` too, now or later.
    pub(super) fn with_inputs<'a>(self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.along.inputs().clone().extend(paths);
        self
    }

    /// The same, for a command that keeps what it finds: its files remember what was read around them.
    pub(super) fn recording(self) -> Self {
        Self { along: self.along.recording(), ..self }
    }

    /// Hash of all that decides how a file is read but the file and what lies around it.
    pub(super) fn hash(&self) -> String {
        let ReadOptions { format, limits: _, fps, up, images } = &self.options;
        hash(format!("{format:?} {fps:?} {up:?} {images} {}", self.along.hash()).as_bytes())
    }

    /// Reads and checks one file; what was found is in the document, or left in `report` where
    /// there is none.
    pub(super) fn open(&self, path: &Path, report: &Report) -> Result<Document, InputError> {
        let _work = timings::begin("reading");
        self.read(&self.file(path, report)?, report)
    }

    /// The bytes of one file, and what lies around it.
    pub(super) fn file(&self, path: &Path, report: &Report) -> Result<FileSource, FileError> {
        let limit_bytes = self.options.limits.max_file_bytes;
        let path = &*model_file(path);
        let content = read_content(path, limit_bytes, Pipes::Allowed, |share| {
            report.progress("reading", 0.2 * share)
        })?;
        tracing::debug!(bytes = content.len(), path = %path.display(), "reading");
        Ok(self.along.source(path, content, limit_bytes))
    }

    /// Understands and checks one file.
    pub(super) fn read(&self, file: &FileSource, report: &Report) -> Result<Document, InputError> {
        let source = &file.source;
        let opened = open(source, &self.options, report);
        self.along.remember(file);
        let opened = opened?;
        tracing::debug!(format = opened.format.info().id, "read");
        Ok(Document {
            model: opened.model,
            format: opened.format,
            num_bytes: source.content.len(),
            companions: report.companions(),
            notes: report.notes(),
        })
    }

    /// Reads one file for a command that shows no notes itself: warnings and errors about the
    /// content are reported on stderr.
    pub(super) fn open_and_tell(&self, path: &Path, output: &Output) -> anyhow::Result<Document> {
        let document = self.open(path, &timings::report()).map_err(|error| at_path(error, path))?;
        tell(&document.notes, path, output);
        Ok(document)
    }
}

/// Tells the warnings and errors among `notes` about the file at `path` on stderr.
pub(super) fn tell(notes: &[Note], path: &Path, output: &Output) {
    for note in notes {
        if note.severity() > Severity::Info {
            let (code, message) = (note.kind.code(), &note.message);
            let text = format!("{code}: {message} at {}: {}", note.place, path.display());
            output.note(note.severity(), &text);
        }
    }
}
