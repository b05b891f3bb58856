//! From paths to a checked model: files and companions are read here and nowhere below.

use std::fs::Metadata;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::InputArgs;
use super::exit::{at_path, io_message};
use super::output::Output;
use crate::formats::{Companion, Format, ReadError, ReadOptions, Source, open};
use crate::model::{Model, Note, Report, Severity};

/// How all inputs of a command are read.
pub(super) struct Input {
    companions: Vec<Companion>,
    options: ReadOptions,
}

/// A file that was read.
pub(super) struct Document {
    /// What it holds.
    pub(super) model: Model,
    /// The format that read it.
    pub(super) format: &'static dyn Format,
    /// The file's length.
    pub(super) num_bytes: usize,
    /// What was found, worst first.
    pub(super) notes: Vec<Note>,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    /// Its bytes cannot be had.
    #[error("{}", io_message(.0))]
    Io(#[from] std::io::Error),
    /// Its bytes cannot be understood.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Input {
    /// Reads the companions.
    pub(super) fn new(args: &InputArgs) -> anyhow::Result<Self> {
        let options = ReadOptions {
            format: args.format.clone(),
            ..ReadOptions::default()
        };
        let mut companions = Vec::new();
        for path in &args.with {
            for file in files_meant(path).map_err(|e| at_path(io_message(&e), path))? {
                let bytes = read_bytes(&file, options.limits.max_alloc_bytes)
                    .map_err(|error| at_path(io_message(&error), &file))?;
                companions.push(Companion {
                    name: name_of(&file),
                    bytes: Arc::new(bytes),
                });
            }
        }
        Ok(Self {
            companions,
            options,
        })
    }

    /// Reads and checks one file; what was found is in the document, or left in `report` where
    /// there is none.
    pub(super) fn open(&self, path: &Path, report: &Report) -> Result<Document, InputError> {
        let bytes = read_bytes(path, self.options.limits.max_alloc_bytes)?;
        let source = Source {
            companions: self.companions.clone(),
            ..Source::new(name_of(path), bytes)
        };
        tracing::debug!(bytes = source.bytes.len(), path = %path.display(), "reading");
        let opened = open(&source, &self.options, report)?;
        tracing::debug!(format = opened.format.info().id, "read");
        Ok(Document {
            model: opened.model,
            format: opened.format,
            num_bytes: source.bytes.len(),
            notes: report.notes(),
        })
    }

    /// Reads one file for a command that shows no notes itself: warnings and errors about the
    /// content are told on stderr.
    pub(super) fn open_and_tell(&self, path: &Path, output: &Output) -> anyhow::Result<Document> {
        let document = self
            .open(path, &Report::new())
            .map_err(|error| at_path(error, path))?;
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

/// The file itself, or the files right inside a folder.
fn files_meant(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// All bytes of a file or pipe, unless there are more than `limit`.
fn read_bytes(path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(std::io::Error::other("is a folder, not a file"));
    }
    // Devices may never end.
    if !metadata.is_file() && !is_pipe(&metadata) {
        return Err(std::io::Error::other("is not a file"));
    }
    let too_large = || std::io::Error::other(format!("holds more than the {limit} bytes allowed"));
    if metadata.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // One more than the file has now, so that reading to the end needs no second allocation.
    let expected = usize::try_from(metadata.len().saturating_add(1)).map_err(|_| too_large())?;
    bytes.try_reserve_exact(expected)?;
    std::fs::File::open(path)?
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_devices_and_files_over_the_limit_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("four");
        std::fs::write(&path, b"1234").unwrap();
        assert_eq!(read_bytes(&path, 4).unwrap(), b"1234");
        assert!(read_bytes(&path, 3).is_err());
        assert!(read_bytes(folder.path(), 99).is_err());
        #[cfg(unix)]
        assert!(read_bytes(Path::new("/dev/zero"), 99).is_err());
    }

    #[test]
    fn a_folder_stands_for_the_files_right_inside() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.png", "a.png"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        std::fs::create_dir(folder.path().join("deeper")).unwrap();
        let args = InputArgs {
            with: vec![folder.path().to_owned()],
            format: None,
        };
        let input = Input::new(&args).unwrap();
        let names: Vec<_> = input.companions.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a.png", "b.png"]);
        assert_eq!(*input.companions[1].bytes, b"b.png");
    }
}
