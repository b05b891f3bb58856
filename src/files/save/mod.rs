//! Files that appear whole or not at all, alone or as a set, and never in an input's place.
//!
//! For: everything that this program writes. Bytes go to a temporary file beside their target, are
//! waited for until they are on disk, and get their name by one rename.
//! Not for: what is written, or what it is called.
//!
//! | file | is for |
//! |---|---|
//! | `target` | what a path leads to, and whether that may be written to |
//! | `temporary` | files that go with their process, also when a signal ends it |
//! | `lock` | one process at a time in a folder |
//! | `signals` | what is done before a signal ends the process |
//! | `set` | files that belong together, in order |
//! | `stale` | files that nothing names any more |
//!
//! Invariant: nothing that is no regular file is replaced. Devices and pipes are written into.
//! Invariant: a file that another names comes before it. Where one has to be replaced under its name,
//! the whole old set steps aside first: a process that is killed in between leaves a part of one set,
//! never a mixture of two.

mod lock;
mod set;
mod signals;
mod stale;
mod target;
mod temporary;

use std::path::{Path, PathBuf};

pub(crate) use set::outputs_of;
pub use set::{Output, save_set};
pub use target::check_target;

use super::{Inputs, io_message};

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
    fn new(path: &Path, refusal: Refusal) -> Self {
        Self { path: path.to_owned(), refusal }
    }

    fn io(path: &Path, error: std::io::Error) -> Self {
        let refusal = match error.kind() {
            std::io::ErrorKind::AlreadyExists => Refusal::Exists,
            _ => Refusal::Io(error),
        };
        Self::new(path, refusal)
    }
}

/// Writes one file.
///
/// # Errors
/// When it may not be written, or the system fails; what was there before is still there.
pub fn save(path: &Path, bytes: &[u8], force: bool, inputs: &Inputs) -> Result<(), SaveError> {
    let output = Output { path: path.to_owned(), bytes, may_replace: force };
    save_set(&[output], inputs).map(|_| ())
}

#[cfg(test)]
mod tests;
