//! Atomic writes of a single file or a set of files, never in place of an input.
//!
//! For: all output of this program, to disk (`atomic`) or, in a browser, as `downloads`.
//! Not for: generating contents or choosing names.

#[cfg(not(target_arch = "wasm32"))]
mod atomic;
#[cfg(target_arch = "wasm32")]
mod downloads;
mod error;
mod output;

use std::path::Path;

#[cfg(not(target_arch = "wasm32"))]
pub use atomic::{check_target, save_copy, save_set, save_with, scratch_file};
#[cfg(target_arch = "wasm32")]
pub use downloads::{
    Download, check_target, save_copy, save_set, save_with, scratch_file, take_downloads,
};
pub use error::{Refusal, SaveError};
pub use output::Output;
pub use output::outputs_of;

use super::Inputs;

/// Writes one file.
///
/// # Errors
/// If the path may not be written to or the system fails. The previous file is still there then.
pub fn save(path: &Path, bytes: &[u8], force: bool, inputs: &Inputs) -> Result<(), SaveError> {
    let output = Output { path: path.to_owned(), bytes, may_replace: force };
    save_set(&[output], inputs).map(|_| ())
}
