//! Files to models and back: opening, formats, conversion, and reading and writing on disk.
//!
//! Invariant: readers do no I/O; `files` fills a [`formats::Source`].
//! Invariant: an input of a run is never overwritten, and all output goes through [`files`].

pub mod baseline;
pub mod convert;
mod error;
pub mod files;
pub mod fix;
pub mod formats;
pub mod history;
pub mod nearest;
pub mod open;
pub mod share;

/// As [`rigscope_core::SOURCE_HASH`], for the readers.
const SOURCE_HASH: &str = match option_env!("RIGSCOPE_SOURCE_HASH") {
    Some(hash) => hash,
    None => env!("CARGO_PKG_VERSION"),
};

pub use error::Error;
pub use open::OpenOptions;

/// The `tracing` target of the steps of a program, which `--timings` adds up; `timings` of the command line lists
/// their fields.
pub const STEP_TARGET: &str = "rigscope::step";
