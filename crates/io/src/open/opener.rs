//! Opens files in the same way: related files are read once, for any number of files.

use std::path::{Path, PathBuf};

use super::bone_map_files::read_bone_map;
use super::{Document, OpenOptions, external};
use crate::error::Error;
use crate::files::{
    ExternalReaders, FileError, FileSource, FolderCallbacks, Inputs, Pipes, RelatedFiles, hash,
    is_standard_stream, model_file, name_of, read_content, read_stdin,
};
use crate::formats::{
    NamedBoneMap, Opened, ProbeInput, ReadError, ReadOptions, extension_of, may_be_model,
    may_begin_model, open, reads_parts,
};
use rigscope_core::model::Report;

/// Share of opening that reading the bytes takes, for the progress.
const READING: f32 = 0.2;

/// Opens files as [`OpenOptions`] describe.
pub struct Opener {
    with: Vec<PathBuf>,
    related: RelatedFiles,
    options: ReadOptions,
    readers: ExternalReaders,
    pipes: Pipes,
    /// Whether `-` means standard input.
    reads_stdin: bool,
    provider: Option<Provider>,
}

/// Returns the file at a path that isn't read from disk.
type Provider = Box<dyn Fn(&Opener, &Path) -> Result<FileSource, FileError> + Send + Sync>;

/// Why a file could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be opened or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content is malformed or unsupported.
    #[error(transparent)]
    Read(ReadError),
}

impl From<ReadError> for OpenError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => Self::File(FileError::Io(error)),
            other => Self::Read(other),
        }
    }
}

impl OpenError {
    /// The error by its cause, for a program that opened the file at `path`.
    pub(super) fn at(&self, path: &Path) -> Error {
        match self {
            Self::File(error) => Error::of_file(error, path),
            Self::Read(error) => Error::of_read(error, path),
        }
    }
}

impl Opener {
    /// Reads the related files among the options.
    ///
    /// # Errors
    /// The path that can't be read, and why.
    pub fn new(
        options: &OpenOptions,
        pipes: Pipes,
        report: &Report,
    ) -> Result<Self, (PathBuf, FileError)> {
        let OpenOptions {
            with,
            with_bytes,
            without,
            format,
            fps,
            up,
            bones_by_order,
            bone_map,
            bone_pairs,
            readers,
            cancel: _,
        } = options;
        let mut options = ReadOptions {
            bone_pairs: bone_pairs.clone(),
            format: format.clone(),
            fps: *fps,
            up: *up,
            bones_by_order: *bones_by_order,
            ..ReadOptions::default()
        };
        let limit_bytes = options.limits.max_file_bytes;
        let related = RelatedFiles::read(with, limit_bytes, pipes, readers, report)?;
        related.inputs().clone().extend(readers.settings_file());
        for path in bone_map {
            let map =
                read_bone_map(path, related.inputs()).map_err(|error| (path.clone(), error))?;
            options.bone_maps.push(NamedBoneMap { name: name_of(path), map });
        }
        let related = related.with_bytes(with_bytes).without(without);
        Ok(Self {
            with: with.clone(),
            related,
            options,
            readers: readers.clone(),
            pipes,
            reads_stdin: false,
            provider: None,
        })
    }

    /// Also keeps the bytes of related files with spans, for showing them.
    #[must_use]
    pub fn with_related_bytes(mut self) -> Self {
        self.options.related_bytes = true;
        self
    }

    /// Also reads the pixels of textures, for drawing or copying them.
    #[must_use]
    pub fn with_images(mut self) -> Self {
        self.options.images = true;
        self
    }

    /// Adds `paths`, which are read now or later, to the inputs.
    #[must_use]
    pub fn with_inputs<'a>(self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.related.inputs().clone().extend(paths);
        self
    }

    /// Reads standard input if the path of a file is `-`, for command lines. Its only related files are the supplied
    /// ones.
    #[must_use]
    pub fn with_stdin(mut self) -> Self {
        self.reads_stdin = true;
        self
    }

    /// Takes files from `provider` instead of the disk, such as those of another revision.
    #[must_use]
    pub fn with_provider(
        self,
        provider: impl Fn(&Self, &Path) -> Result<FileSource, FileError> + Send + Sync + 'static,
    ) -> Self {
        Self { provider: Some(Box::new(provider)), ..self }
    }

    /// Records which related files were read, for a cache of results.
    #[must_use]
    pub fn recording(self) -> Self {
        Self { related: self.related.recording(), ..self }
    }

    /// All files that this value reads, as far as they are known so far.
    pub fn inputs(&self) -> &Inputs {
        self.related.inputs()
    }

    /// Adds the related files that were used for `file` to the inputs, for a result that was made earlier.
    pub fn remember(&self, file: &FileSource) {
        self.related.remember(file);
    }

    /// Supplied related files, for a file that isn't on disk.
    pub(super) fn related(&self) -> &RelatedFiles {
        &self.related
    }

    /// Files above this size aren't read.
    pub fn limit_bytes(&self) -> u64 {
        self.options.limits.max_file_bytes
    }

    /// Hash of the settings that affect reading, without the file and its related files.
    pub fn hash(&self) -> String {
        let ReadOptions {
            format,
            limits: _,
            fps,
            up,
            images,
            bones_by_order,
            bone_pairs,
            bone_maps,
            related_bytes: _,
        } = &self.options;
        // Programs aren't part of it, because their output is the content that is hashed.
        let settings = format!(
            "{format:?} {fps:?} {up:?} {images} {bones_by_order} {bone_pairs:?} {bone_maps:?}"
        );
        hash(format!("{settings} {}", self.related.hash()).as_bytes())
    }

    /// Opens the bytes of one file and looks up its related files.
    ///
    /// # Errors
    /// If the bytes can't be read.
    pub fn file(&self, path: &Path, report: &Report) -> Result<FileSource, FileError> {
        let is_named = self.options.format.is_some();
        if self.reads_stdin && is_standard_stream(path) {
            let is_plausible = |head: &[u8]| is_named || may_begin_model(head);
            let bytes = read_stdin(self.limit_bytes(), is_plausible)?;
            return Ok(self.related.source_in_memory(&name_of(path), bytes));
        }
        if let Some(provider) = &self.provider {
            return provider(self, path);
        }
        let path = &*model_file(path);
        self.inputs().add(path);
        // A format that the user names is one of the built-in ones.
        let reader = if !is_named { self.readers.read(path, report) } else { None };
        if let Some(output) = reader {
            let output = output?;
            let facts = output.without_bytes();
            let bytes = output.into_model_bytes()?;
            return Ok(self.related.source(path, bytes, self.limit_bytes()).of_reader(facts));
        }
        // A file that no format recognizes isn't read only to be refused.
        let on_demand = |input: &ProbeInput<'_>| {
            let extension = extension_of(&name_of(path));
            reads_parts(input.head) || (!is_named && !may_be_model(input, &extension))
        };
        let on_progress = |share| report.progress("reading", READING * share);
        let content = read_content(path, self.limit_bytes(), self.pipes, on_demand, on_progress)?;
        tracing::debug!(bytes = content.len(), path = %path.display(), "reading");
        Ok(self.related.source(path, content, self.limit_bytes()))
    }

    /// A file in memory, whose only related files are the supplied ones.
    pub fn file_in_memory(&self, name: &str, bytes: Vec<u8>) -> FileSource {
        self.related.source_in_memory(name, bytes)
    }

    /// A file in memory, with folders around it that `around` lists and reads.
    pub fn file_in_folders(
        &self,
        name: &str,
        bytes: Vec<u8>,
        around: FolderCallbacks,
    ) -> FileSource {
        self.related.source_in_folders(name, bytes, around, self.limit_bytes())
    }

    /// Parses and checks one file.
    ///
    /// # Errors
    /// If no format recognizes the bytes or the file can't be read.
    pub fn parse(&self, file: &FileSource, report: &Report) -> Result<Opened, ReadError> {
        // Also if a reader panics.
        let _remember = self.related.remember_at_end(file);
        let opened = open(&file.source, &self.options, report);
        match &file.reader {
            None => opened,
            Some(reader) => external::finish(opened, reader, report),
        }
    }

    /// The same, as a document. The findings are in the document, or in `report` after an error.
    ///
    /// # Errors
    /// If no format recognizes the bytes or the file can't be read.
    pub fn read(&self, file: &FileSource, report: &Report) -> Result<Document, OpenError> {
        let Opened { model, format } = self.parse(file, report)?;
        tracing::debug!(format = format.info.id, "read");
        Ok(Document {
            model,
            format: Some(&format.info),
            num_bytes: (file.reader.as_ref())
                .map_or(file.source.content.len(), |reader| reader.file_bytes),
            findings: report.findings(),
            related_files: report.related_files(),
            path: file.path.clone(),
            with: self.with.clone(),
            inputs: self.inputs().clone(),
        })
    }

    /// Reads and checks one file.
    ///
    /// # Errors
    /// If the file can't be read, or its contents aren't a model.
    pub fn open(&self, path: &Path, report: &Report) -> Result<Document, OpenError> {
        self.read(&self.file(path, report)?, report)
    }
}

impl OpenOptions {
    /// Opens a file.
    ///
    /// # Errors
    /// If it or an additional file can't be read, or its contents aren't a model.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Document, Error> {
        let (path, report) = (&*model_file(path.as_ref()), self.report());
        let opened = self.opener(&report)?.with_images().open(path, &report);
        opened.map_err(|error| error.at(path))
    }

    /// Opens a file in memory. `name` is its file name and may be empty; its only related files are the
    /// additional ones.
    ///
    /// # Errors
    /// If an additional file can't be read, or the contents aren't a model.
    ///
    /// # Examples
    /// ```
    /// # use rigscope_io as rigscope;
    /// # std::env::set_current_dir("../..").unwrap();
    /// let bytes = std::fs::read("assets/sample.bsm2").unwrap();
    /// let document = rigscope::OpenOptions::default().open_bytes("sample.bsm2", bytes)?;
    /// assert_eq!(document.format.unwrap().id, "bsm2");
    /// # Ok::<(), rigscope::Error>(())
    /// ```
    pub fn open_bytes(&self, name: &str, bytes: Vec<u8>) -> Result<Document, Error> {
        let report = self.report();
        let opener = self.opener(&report)?.with_images();
        // Errors name their subject.
        let path = Path::new(if name.is_empty() { "bytes in memory" } else { name });
        let opened = opener.read(&opener.file_in_memory(name, bytes), &report);
        opened.map_err(|error| error.at(path))
    }

    pub(super) fn report(&self) -> Report {
        Report::with_progress(|_| {}, self.cancel.clone())
    }

    pub(super) fn opener(&self, report: &Report) -> Result<Opener, Error> {
        Opener::new(self, Pipes::Allowed, report)
            .map_err(|(path, error)| Error::of_file(&error, &path))
    }
}
