//! Files that appear whole or not at all, alone or as a set, and never in an input's place.
//!
//! For: everything that this program writes: onto disks (`whole`), or, in a browser, as `downloads`.
//! Not for: what is written, or what it is called.

#[cfg(target_arch = "wasm32")]
mod downloads;
mod error;
mod output;
#[cfg(not(target_arch = "wasm32"))]
mod whole;

use std::path::Path;

#[cfg(target_arch = "wasm32")]
pub use downloads::{
    Download, check_target, save_copy, save_made, save_set, scratch_beside, take_downloads,
};
pub use error::{Refusal, SaveError};
pub use output::Output;
pub use output::outputs_of;
#[cfg(not(target_arch = "wasm32"))]
pub use whole::{check_target, save_copy, save_made, save_set, scratch_beside};

use super::Inputs;

/// Writes one file.
///
/// # Errors
/// When it may not be written, or the system fails; what was there before is still there.
pub fn save(path: &Path, bytes: &[u8], force: bool, inputs: &Inputs) -> Result<(), SaveError> {
    let output = Output { path: path.to_owned(), bytes, may_replace: force };
    save_set(&[output], inputs).map(|_| ())
}
