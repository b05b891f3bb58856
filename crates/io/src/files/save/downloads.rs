//! Outputs of a web page: queued as downloads, which the page passes to the browser.
//!
//! Not for: starting the downloads (`app::web`).

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use super::{Output, Refusal, SaveError};
use crate::files::Inputs;
use crate::files::spin_lock;

/// A file to be downloaded by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The last component is the download's name.
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

static WAITING: Mutex<Vec<Download>> = Mutex::new(Vec::new());

fn waiting() -> MutexGuard<'static, Vec<Download>> {
    spin_lock(&WAITING)
}

/// Takes the files that were written since the last call.
pub fn take_downloads() -> Vec<Download> {
    std::mem::take(&mut *waiting())
}

/// Always succeeds, because browsers choose free names.
///
/// # Errors
/// Never.
pub fn check_target(_: &Path, _: bool, _: &Inputs) -> Result<(), SaveError> {
    Ok(())
}

/// Queues files that belong together. Returns whether each was written: always true.
///
/// # Errors
/// Never.
pub fn save_set(outputs: &[Output<'_>], _: &Inputs) -> Result<Vec<bool>, SaveError> {
    let download =
        |output: &Output<'_>| Download { path: output.path.clone(), bytes: output.bytes.to_vec() };
    waiting().extend(outputs.iter().map(download));
    Ok(vec![true; outputs.len()])
}

/// Queues one file with the bytes that `bytes` writes.
///
/// # Errors
/// If `bytes` fails.
pub fn save_with(
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

/// Not available in a browser.
///
/// # Errors
/// Always: there are no files to copy from.
pub fn save_copy(path: &Path, _: &mut File, _: bool, _: &Inputs) -> Result<(), SaveError> {
    Err(SaveError::new(path, Refusal::NotAFile))
}

/// Not available in a browser.
///
/// # Errors
/// Always: there is no folder.
pub fn scratch_file(_: &Path) -> std::io::Result<File> {
    Err(std::io::ErrorKind::Unsupported.into())
}
