//! One open file as the window keeps it: the document and what is worked out of it at loading.
//!
//! Not for: which files are open, and how they come and go: that is `documents`.

mod companion_row;
mod document;
mod key_times;
mod subset_row;

pub use companion_row::CompanionRow;
pub use document::{Document, Origin, file_label};
pub use key_times::KeyTimes;
pub use subset_row::SubsetRow;
