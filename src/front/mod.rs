//! The front door: what the command line does, as functions from paths to values.
//!
//! For: users of the library; all of this is at the crate's root.
//! Not for: the program itself, which goes to the rooms behind it.
//!
//! | file | is for |
//! |---|---|
//! | `document` | files, and the documents made of them |
//! | `catalog` | rows of tables of many files |
//! | `look` | posing, judging, comparing |
//! | `conversion` | other formats, with losses and errors |
//! | `drawing` | pictures without a window |
//! | `error` | what goes wrong, by whose fault it is |
//!
//! Invariant: at most 25 names; `tests/core/front.rs` counts them.

mod catalog;
mod conversion;
mod document;
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
mod drawing;
mod error;
mod look;

pub use conversion::{Conversion, ConvertOptions, convert};
pub use document::{Document, OpenOptions, formats, open};
#[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
pub use drawing::{Picture, PictureOptions, picture};
pub use error::Error;
pub use look::{DiffOptions, diff, pose, validate};
