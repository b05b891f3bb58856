//! Why a file is not written.

use std::path::{Path, PathBuf};

use crate::files::io_message;

/// Why a file is not written.
#[derive(Debug, thiserror::Error)]
#[error("{refusal}: {}", .path.display())]
pub struct SaveError {
    /// Where it was to go.
    pub path: PathBuf,
    /// What is in the way.
    pub refusal: Refusal,
}

/// What is in the way of a file.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The path is that of a folder.
    #[error("is a folder")]
    Folder,
    /// Something is there, and may not be replaced.
    #[error("exists already, --force overwrites it")]
    Exists,
    /// There is no folder for it.
    #[error("the folder to write to does not exist")]
    NoFolder,
    /// It is read in the same run.
    #[error("is an input, which is never written over")]
    Input,
    /// It is a socket, a disk or the like.
    #[error("is neither a file nor something that can be written into")]
    NotAFile,
    /// What is reported about the work would go between its bytes.
    #[error("is where this program writes its messages; give it a file or a pipe of its own")]
    OwnOutput,
    /// Several files cannot go into one pipe or device.
    #[error("is no file, and what is written is several")]
    Several,
    /// Another process does not come to its end.
    #[error("another process has been writing to its folder for too long")]
    Busy,
    /// The system says so.
    #[error("cannot be written, {}", io_message(.0))]
    Io(std::io::Error),
}

impl SaveError {
    /// The message for the window, where no option can be given.
    pub fn in_window(&self) -> String {
        match self.refusal {
            Refusal::Exists => format!(
                "exists already and is not overwritten; choose another folder or name: {}",
                self.path.display()
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
