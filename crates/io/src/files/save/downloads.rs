//! What a page writes: a browser takes it as downloads, which the page hands over.
//!
//! Not for: handing them over (`app::web`).

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, TryLockError};

use super::{Output, Refusal, SaveError};
use crate::files::Inputs;

/// A file on its way to whoever looks at the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// Its name is the last part.
    pub path: PathBuf,
    /// What it holds.
    pub bytes: Vec<u8>,
}

static WAITING: Mutex<Vec<Download>> = Mutex::new(Vec::new());

fn waiting() -> MutexGuard<'static, Vec<Download>> {
    loop {
        match WAITING.try_lock() {
            Ok(waiting) => return waiting,
            Err(TryLockError::Poisoned(waiting)) => return waiting.into_inner(),
            // The thread of a page may not wait.
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
}

/// What was written since the last call.
pub fn take_downloads() -> Vec<Download> {
    std::mem::take(&mut *waiting())
}

/// Nothing is in the way: browsers find names that are free.
///
/// # Errors
/// None.
pub fn check_target(_: &Path, _: bool, _: &Inputs) -> Result<(), SaveError> {
    Ok(())
}

/// Writes files that belong together; whether each was written is returned.
///
/// # Errors
/// None.
pub fn save_set(outputs: &[Output<'_>], _: &Inputs) -> Result<Vec<bool>, SaveError> {
    let download =
        |output: &Output<'_>| Download { path: output.path.clone(), bytes: output.bytes.to_vec() };
    waiting().extend(outputs.iter().map(download));
    Ok(vec![true; outputs.len()])
}

/// Writes one file that `bytes` writes itself.
///
/// # Errors
/// Where `bytes` fails.
pub fn save_made(
    path: &Path,
    _: bool,
    _: &Inputs,
    mut bytes: impl FnMut(&mut (dyn Write + Send)) -> std::io::Result<()>,
) -> Result<(), SaveError> {
    let mut made = Vec::new();
    bytes(&mut made).map_err(|error| SaveError::io(path, error))?;
    waiting().push(Download { path: path.to_owned(), bytes: made });
    Ok(())
}

/// Not in a page.
///
/// # Errors
/// Always: there are no files to copy from.
pub fn save_copy(path: &Path, _: &mut File, _: bool, _: &Inputs) -> Result<(), SaveError> {
    Err(SaveError::new(path, Refusal::NotAFile))
}

/// Not in a page.
///
/// # Errors
/// Always: there is no folder.
pub fn scratch_beside(_: &Path) -> std::io::Result<File> {
    Err(std::io::ErrorKind::Unsupported.into())
}
