//! The system's disk.
//!
//! Invariant: [`open`] and [`open_unlinked`] check the type of a file before it is opened, because opening a device can
//! have effects, and again after, because another file may be there by then. Neither waits for the other end of a pipe
//! unless pipes are allowed.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use std::fs::{Metadata, metadata};

use super::Entry;
use crate::files::{FileError, Pipes};

/// Opens a regular file for reading, or a pipe if `pipes` allows it. The metadata belongs to the open file.
///
/// # Errors
/// If it is another kind of file, or can't be opened.
pub fn open(path: &Path, pipes: Pipes) -> Result<(File, Metadata), FileError> {
    let is_pipe = check_kind(&metadata(path)?, pipes)?;
    let mut options = OpenOptions::new();
    options.read(true);
    set_flags(&mut options, !is_pipe, true);
    checked(options.open(path)?, pipes)
}

/// Opens a regular file that isn't reached through a link.
///
/// # Errors
/// If it is another kind of file, or can't be opened.
pub fn open_unlinked(path: &Path) -> Result<(File, Metadata), FileError> {
    check_kind(&path.symlink_metadata()?, Pipes::Refused)?;
    let mut options = OpenOptions::new();
    options.read(true);
    set_flags(&mut options, true, false);
    checked(options.open(path)?, Pipes::Refused)
}

/// The metadata of a file that another program is going to read.
///
/// # Errors
/// As [`open`].
pub fn readable(path: &Path, pipes: Pipes) -> Result<Metadata, FileError> {
    let found = metadata(path)?;
    check_kind(&found, pipes).map(|_| found)
}

/// Whether the file is a pipe.
///
/// # Errors
/// If it may not be read.
fn check_kind(metadata: &Metadata, pipes: Pipes) -> Result<bool, FileError> {
    if metadata.is_dir() {
        return Err(FileError::Folder);
    }
    let is_pipe = pipes == Pipes::Allowed && is_pipe(metadata);
    if metadata.is_file() || is_pipe { Ok(is_pipe) } else { Err(FileError::NotAFile) }
}

fn checked(file: File, pipes: Pipes) -> Result<(File, Metadata), FileError> {
    let metadata = file.metadata()?;
    check_kind(&metadata, pipes)?;
    if is_on_disk(&file, pipes)? { Ok((file, metadata)) } else { Err(FileError::NotAFile) }
}

/// `O_NONBLOCK` has no effect on regular files; a pipe without a writer is opened at once and then refused.
#[cfg(unix)]
fn set_flags(options: &mut OpenOptions, never_waits: bool, follows_links: bool) {
    use std::os::unix::fs::OpenOptionsExt;
    let wait = if never_waits { libc::O_NONBLOCK } else { 0 };
    let link = if follows_links { 0 } else { libc::O_NOFOLLOW };
    options.custom_flags(libc::O_NOCTTY | wait | link);
}

#[cfg(windows)]
fn set_flags(options: &mut OpenOptions, _: bool, follows_links: bool) {
    use std::os::windows::fs::OpenOptionsExt;
    /// Source: `CreateFileW`, `FILE_FLAG_OPEN_REPARSE_POINT`: a link is opened itself, and then isn't a regular file.
    const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    if !follows_links {
        options.custom_flags(OPEN_REPARSE_POINT);
    }
}

#[cfg(not(any(unix, windows)))]
fn set_flags(_: &mut OpenOptions, _: bool, _: bool) {}

#[cfg(unix)]
fn is_pipe(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Devices have paths like those of files on Windows, also with a folder and an extension.
#[cfg(windows)]
fn is_on_disk(file: &File, _: Pipes) -> std::io::Result<bool> {
    Ok(winapi_util::file::typ(file)?.is_disk())
}

#[cfg(not(windows))]
fn is_on_disk(_: &File, _: Pipes) -> std::io::Result<bool> {
    Ok(true)
}

/// Sets the modification time of a regular file.
///
/// # Errors
/// If it's another kind of file, or belongs to another user.
pub fn set_modified(path: &Path, time: SystemTime) -> Result<(), FileError> {
    #[cfg(not(windows))]
    let file = open(path, Pipes::Refused)?.0;
    #[cfg(windows)]
    let file = {
        use std::os::windows::fs::OpenOptionsExt;
        /// Source: File Access Rights Constants, `FILE_WRITE_ATTRIBUTES`.
        const WRITE_ATTRIBUTES: u32 = 0x0100;
        OpenOptions::new().access_mode(WRITE_ATTRIBUTES).open(path)?
    };
    Ok(file.set_modified(time)?)
}

/// At most `max_entries` entries of a folder, ordered by name.
pub fn list(folder: &Path, max_entries: usize) -> std::io::Result<Vec<Entry>> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.flatten().take(max_entries).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let entry = |entry: std::fs::DirEntry| {
        Some(Entry { name: entry.file_name(), is_dir: entry.file_type().ok()?.is_dir() })
    };
    Ok(entries.into_iter().filter_map(entry).collect())
}

/// Whether the path is a link itself. On Windows also a junction.
pub fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_symlink())
}

/// The canonical path of a file that exists.
pub fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    path.canonicalize()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn pipe(path: &Path) {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn pipes_devices_and_links_to_them_are_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        pipe(&at("pipe"));
        symlink("pipe", at("to-pipe")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        std::fs::write(at("file"), "1234").unwrap();
        symlink("file", at("to-file")).unwrap();
        for name in ["pipe", "to-pipe", "zero"] {
            assert!(matches!(open(&at(name), Pipes::Refused), Err(FileError::NotAFile)), "{name}");
            assert!(open_unlinked(&at(name)).is_err(), "{name}");
        }
        assert!(matches!(open(&at("zero"), Pipes::Allowed), Err(FileError::NotAFile)));
        assert_eq!(open(&at("to-file"), Pipes::Refused).unwrap().1.len(), 4);
        assert_eq!(open_unlinked(&at("file")).unwrap().1.len(), 4);
        assert!(matches!(open_unlinked(&at("to-file")), Err(FileError::NotAFile)));
        assert!(matches!(open(folder.path(), Pipes::Allowed), Err(FileError::Folder)));
    }

    #[test]
    fn a_pipe_that_takes_the_place_of_a_checked_file_is_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        pipe(&path);
        let mut options = OpenOptions::new();
        set_flags(options.read(true), true, true);
        // As after a check that found a regular file.
        let refused = checked(options.open(&path).unwrap(), Pipes::Refused);
        assert!(matches!(refused, Err(FileError::NotAFile)));
    }
}
