//! One loaded document, with data derived from it during loading.
//!
//! Not for: opening, reloading and closing files, which is in `documents`.

mod document;
mod key_times;
mod related_file_row;
mod subset_row;

pub use document::{Document, Origin, file_label};
pub use key_times::KeyTimes;
pub use related_file_row::RelatedFileRow;
pub use subset_row::SubsetRow;
