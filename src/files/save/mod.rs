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
//! | `output` | one file to write |
//! | `set` | files that belong together, in order |
//! | `stale` | files that nothing names any more |
//!
//! Invariant: nothing that is no regular file is replaced. Devices and pipes are written into.
//! Invariant: a file that another names comes before it. Where one has to be replaced under its name,
//! the whole old set steps aside first: a process that is killed in between leaves a part of one set,
//! never a mixture of two.

mod error;
mod lock;
mod output;
mod set;
mod signals;
mod stale;
mod target;
mod temporary;

use std::fs::File;
use std::io::Seek as _;
use std::path::Path;

pub use error::{Refusal, SaveError};
pub use output::Output;
pub(crate) use set::outputs_of;
pub use set::save_set;
pub use target::check_target;

use super::{Inputs, folder_of};
use lock::FolderLock;
use target::{Target, write_into};
use temporary::{Renaming, Temporary};

/// Writes one file.
///
/// # Errors
/// When it may not be written, or the system fails; what was there before is still there.
pub fn save(path: &Path, bytes: &[u8], force: bool, inputs: &Inputs) -> Result<(), SaveError> {
    let output = Output { path: path.to_owned(), bytes, may_replace: force };
    save_set(&[output], inputs).map(|_| ())
}

/// Writes one file whose bytes lie in another, from its beginning.
///
/// # Errors
/// As [`save`].
pub fn save_copy(
    path: &Path,
    from: &mut File,
    force: bool,
    inputs: &Inputs,
) -> Result<(), SaveError> {
    let failed = |error| SaveError::io(path, error);
    from.rewind().map_err(failed)?;
    match Target::of(path, force, inputs)? {
        Target::Stream(path) => write_into(&path, from).map_err(failed),
        Target::File { path: target, old } => {
            let folder = folder_of(path);
            let _lock = FolderLock::of(folder).map_err(|_| SaveError::new(path, Refusal::Busy))?;
            let temporary = Temporary::beside(&target, from, old.as_ref()).map_err(failed)?;
            temporary.rename(&target, force, &mut Renaming::begin()).map_err(failed)
        }
    }
}

/// A file without a name in the folder of `path`, gone with the process: for what becomes too large to be
/// held until it is saved there.
///
/// # Errors
/// When the folder cannot be written to.
pub fn scratch_beside(path: &Path) -> std::io::Result<File> {
    tempfile::tempfile_in(folder_of(path))
}

#[cfg(test)]
mod tests;
