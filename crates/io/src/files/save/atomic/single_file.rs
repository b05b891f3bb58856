//! Single files whose bytes are not in memory: streamed, or copied from another file.

use std::fs::File;
use std::io::{Seek as _, Write};
use std::path::Path;

use super::lock::FolderLock;
use super::target::{Target, write_into};
use super::temporary::{Renaming, Temporary};
use super::{Refusal, SaveError};
use crate::files::{Inputs, folder_of};

/// Writes one file with the bytes that `bytes` writes; it's called once.
///
/// # Errors
/// As [`save`](super::super::save()), and if `bytes` fails.
pub fn save_with(
    path: &Path,
    force: bool,
    inputs: &Inputs,
    mut bytes: impl FnMut(&mut (dyn Write + Send)) -> std::io::Result<()>,
) -> Result<(), SaveError> {
    let failed = |error| SaveError::io(path, error);
    match Target::of(path, force, inputs)? {
        Target::Stream(path) => write_into(&path, &mut bytes).map_err(failed),
        Target::File { path: target, old } => {
            let folder = folder_of(path);
            let _lock = FolderLock::of(folder).map_err(|_| SaveError::new(path, Refusal::Busy))?;
            let temporary = Temporary::beside(&target, &mut bytes, old.as_ref()).map_err(failed)?;
            temporary.rename(&target, force, &mut Renaming::begin()).map_err(failed)
        }
    }
}

/// Copies the contents of `from`, from its beginning, to one file.
///
/// # Errors
/// As [`save`](super::super::save()).
pub fn save_copy(
    path: &Path,
    from: &mut File,
    force: bool,
    inputs: &Inputs,
) -> Result<(), SaveError> {
    save_with(path, force, inputs, |out| {
        from.rewind()?;
        std::io::copy(from, out).map(|_| ())
    })
}

/// An unnamed temporary file in the folder of `path`, for data too large to keep in memory until it's saved
/// there. It's deleted when the process ends.
///
/// # Errors
/// If the folder can't be written to.
/// When the folder cannot be written to.
pub fn scratch_file(path: &Path) -> std::io::Result<File> {
    tempfile::tempfile_in(folder_of(path))
}
