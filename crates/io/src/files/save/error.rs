//! Why a file isn't written.

use std::path::{Path, PathBuf};

use crate::files::{io_message, path_text};

/// A file that isn't written, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {refusal}", path_text(.path))]
pub struct SaveError {
    /// The intended path.
    pub path: PathBuf,
    pub refusal: Refusal,
}

/// Why a file isn't written.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The path is a folder.
    #[error("this is a folder; name a file to write")]
    Folder,
    /// A file exists and may not be replaced.
    #[error("the file already exists; --force overwrites it")]
    Exists,
    /// The target's folder doesn't exist.
    #[error("the folder of this file doesn't exist; create it first")]
    NoFolder,
    /// The file is an input of the same run.
    #[error("this file is an input, and inputs are never overwritten; choose another name")]
    Input,
    /// A file whose name the user hasn't chosen would be written through a link.
    #[error("this link leads out of the folder; remove it")]
    Outside,
    /// The path is a socket, a block device or the like.
    #[error("this isn't a file, pipe or device that can be written to")]
    NotAFile,
    /// Windows opens a device instead of a file of this name.
    #[error("this name is reserved by Windows for a device; choose another name")]
    Device,
    /// The program's messages would be mixed with the file's bytes.
    #[error("messages are written to this file; write the output to another file or pipe")]
    OwnOutput,
    /// Several files can't be written into one pipe or device.
    #[error("several files would be written, and this isn't a regular file")]
    Several,
    /// Another process holds the lock of the folder.
    #[error(
        "another process has been writing to the folder of this file for too long; try again later"
    )]
    Busy,
    /// The operating system reports an error.
    #[error("the file can't be written: {}", io_message(.0))]
    Io(std::io::Error),
}

impl SaveError {
    /// The message for the window, which has no `--force` option.
    pub fn in_window(&self) -> String {
        match self.refusal {
            Refusal::Exists => format!(
                "{}: the file already exists; choose another folder or name",
                path_text(&self.path)
            ),
            _ => self.to_string(),
        }
    }

    pub(super) fn new(path: &Path, refusal: Refusal) -> Self {
        Self { path: path.to_owned(), refusal }
    }

    pub(super) fn io(path: &Path, error: std::io::Error) -> Self {
        let refusal = match error.kind() {
            std::io::ErrorKind::AlreadyExists => Refusal::Exists,
            _ => Refusal::Io(error),
        };
        Self::new(path, refusal)
    }
}
