//! One file whose bytes are not held: they are made as they are written, or lie in another file.

use std::fs::File;
use std::io::{Seek as _, Write};
use std::path::Path;

use super::lock::FolderLock;
use super::target::{Target, write_into};
use super::temporary::{Renaming, Temporary};
use super::{Refusal, SaveError};
use crate::files::{Inputs, folder_of};

/// Writes one file that `bytes` writes itself, once.
///
/// # Errors
/// As [`save`](super::super::save()), and where `bytes` fails.
pub fn save_made(
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

/// Writes one file whose bytes lie in another, from its beginning.
///
/// # Errors
/// As [`save`](super::super::save()).
pub fn save_copy(
    path: &Path,
    from: &mut File,
    force: bool,
    inputs: &Inputs,
) -> Result<(), SaveError> {
    save_made(path, force, inputs, |out| {
        from.rewind()?;
        std::io::copy(from, out).map(|_| ())
    })
}

/// A file without a name in the folder of `path`, gone with the process: for what becomes too large to be
/// held until it is saved there.
///
/// # Errors
/// When the folder cannot be written to.
pub fn scratch_beside(path: &Path) -> std::io::Result<File> {
    tempfile::tempfile_in(folder_of(path))
}
