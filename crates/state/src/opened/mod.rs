//! One loaded document, with data derived from it during loading.
//!
//! Not for: opening, reloading and closing files, which is in `documents`.

mod companion_row;
mod document;
mod key_times;
mod subset_row;

pub use companion_row::CompanionRow;
pub use document::{Document, Origin, file_label};
pub use key_times::KeyTimes;
pub use subset_row::SubsetRow;
