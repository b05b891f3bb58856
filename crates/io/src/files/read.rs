//! The bytes of one file, in pieces so that reading can be stopped.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::disk::{self, Metadata};
use crate::formats::Content;
use rigscope_core::model::Cancelled;

/// Read at a time, between two looks at whether anybody still waits.
const CHUNK_BYTES: u64 = 4 << 20;

/// A file of settings holds no more: what is made of it takes fifty times as much.
const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// Whether a pipe may be read: it ends only when its writer says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipes {
    /// Read to their end: the command line, as `<(…)` of a shell.
    Allowed,
    /// Refused, as devices are.
    Refused,
}

/// Why the bytes of a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system says so.
    #[error("{}", io_message(.0))]
    Io(#[from] std::io::Error),
    /// It is a folder.
    #[error("is a folder, not a file")]
    Folder,
    /// It is a device or another thing that may never end.
    #[error("is not a file")]
    NotAFile,
    /// It holds too much.
    #[error("holds more than the {limit_bytes} bytes allowed")]
    TooLarge {
        /// What is allowed.
        limit_bytes: u64,
    },
    /// Nobody waits for it any more.
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for FileError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// An error of the system as one lower-case phrase, without its number.
#[must_use]
pub fn io_message(error: &std::io::Error) -> String {
    let text = error.to_string();
    let phrase = text.split(" (os error").next().unwrap_or_default();
    let mut chars = phrase.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => "unknown error".to_owned(),
    }
}

/// The last part of a path, as it can be shown.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The content of a model file: read as it is asked for where its format does so, else all at once, when
/// `on_progress` is given the share read so far and may stop it.
///
/// # Errors
/// When it is no file, cannot be read, or holds more than `limit_bytes`.
pub fn read_content(
    path: &Path,
    limit_bytes: u64,
    pipes: Pipes,
    on_progress: impl FnMut(f32) -> Result<(), Cancelled>,
) -> Result<Content, FileError> {
    // A page of a browser has all files in its memory.
    #[cfg(not(target_arch = "wasm32"))]
    if readable(path, pipes)?.is_file()
        && let Some(content) = super::disk_file::in_parts(path, limit_bytes)?
    {
        return Ok(content);
    }
    Ok(read_file(path, limit_bytes, pipes, on_progress)?.into())
}

/// All bytes of a file; `on_progress` is given the share read so far and may stop it.
///
/// # Errors
/// When it is no file, cannot be read, or holds more than `limit_bytes`.
pub fn read_file(
    path: &Path,
    limit_bytes: u64,
    pipes: Pipes,
    mut on_progress: impl FnMut(f32) -> Result<(), Cancelled>,
) -> Result<Vec<u8>, FileError> {
    let metadata = readable(path, pipes)?;
    let too_large = || FileError::TooLarge { limit_bytes };
    if metadata.len() > limit_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // One more than the file has now, so that reading to the end needs no second allocation.
    let expected = usize::try_from(metadata.len().saturating_add(1)).map_err(|_| too_large())?;
    bytes.try_reserve_exact(expected).map_err(std::io::Error::from)?;
    let mut file = disk::open(path)?.take(limit_bytes.saturating_add(1));
    loop {
        on_progress((bytes.len() as f32 / metadata.len().max(1) as f32).min(1.0))?;
        let mut chunk = (&mut file).take(CHUNK_BYTES);
        if chunk.read_to_end(&mut bytes)? == 0 {
            break;
        }
    }
    if bytes.len() as u64 > limit_bytes {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The text of a file of settings, which people write by hand: a whole file, and not a large one.
///
/// # Errors
/// When it is no file, cannot be read, is no text or too large.
pub fn read_settings(path: &Path) -> Result<String, FileError> {
    let bytes = read_file(path, MAX_SETTINGS_BYTES, Pipes::Refused, |_| Ok(()))?;
    let text = String::from_utf8(bytes);
    text.map_err(|_| FileError::Io(std::io::Error::other("stream did not contain valid UTF-8")))
}

/// The bytes of `range` of a file, fewer where it ends before, and how many it has in all.
///
/// # Errors
/// When it is no file, cannot be read, or the part of it holds more than `limit_bytes`.
pub fn read_file_range(
    path: &Path,
    range: Range<u64>,
    limit_bytes: u64,
) -> Result<(Vec<u8>, u64), FileError> {
    let file_bytes = readable(path, Pipes::Refused)?.len();
    let end = range.end.min(file_bytes);
    let len = end.saturating_sub(range.start);
    let too_large = || FileError::TooLarge { limit_bytes };
    if len > limit_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let expected = usize::try_from(len).map_err(|_| too_large())?;
    bytes.try_reserve_exact(expected).map_err(std::io::Error::from)?;
    let mut file = disk::open(path)?;
    file.seek(SeekFrom::Start(range.start))?;
    file.take(len).read_to_end(&mut bytes)?;
    Ok((bytes, file_bytes))
}

/// What the system says about a file that may be read. Asked before it is opened: opening a pipe
/// waits for its other end.
fn readable(path: &Path, pipes: Pipes) -> Result<Metadata, FileError> {
    let metadata = disk::metadata(path)?;
    if metadata.is_dir() {
        return Err(FileError::Folder);
    }
    let ends = metadata.is_file() || (pipes == Pipes::Allowed && is_pipe(&metadata));
    match ends {
        true => Ok(metadata),
        false => Err(FileError::NotAFile),
    }
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
        let read = |path: &Path, limit| read_file(path, limit, Pipes::Allowed, |_| Ok(()));
        assert_eq!(read(&path, 4).unwrap(), b"1234");
        assert!(matches!(read(&path, 3), Err(FileError::TooLarge { .. })));
        assert!(matches!(read(folder.path(), 99), Err(FileError::Folder)));
        #[cfg(unix)]
        assert!(matches!(read(Path::new("/dev/zero"), 99), Err(FileError::NotAFile)));
        let stopped = read_file(&path, 4, Pipes::Refused, |_| Err(Cancelled));
        assert!(matches!(stopped, Err(FileError::Cancelled)));
    }

    #[test]
    fn settings_are_files_of_a_size_that_people_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings");
        std::fs::write(&path, "ä".repeat(1 << 19)).unwrap();
        assert_eq!(read_settings(&path).unwrap().len(), 1 << 20);
        std::fs::write(&path, " ".repeat((1 << 20) + 1)).unwrap();
        assert!(matches!(read_settings(&path), Err(FileError::TooLarge { .. })));
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_settings(&path).unwrap_err().to_string().contains("UTF-8"));
        std::fs::remove_file(&path).unwrap();
        #[cfg(unix)]
        {
            let made = std::process::Command::new("mkfifo").arg(&path).status();
            assert!(made.unwrap().success());
            assert!(matches!(read_settings(&path), Err(FileError::NotAFile)));
        }
    }

    #[test]
    fn system_errors_are_lower_case_without_number() {
        let error = std::fs::read("does/not/exist").unwrap_err();
        let message = FileError::from(error).to_string();
        assert!(!message.contains("os error") && !message.contains('('));
        assert!(message.starts_with(char::is_lowercase), "{message}");
    }
}
