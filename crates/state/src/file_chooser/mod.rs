//! File dialogs, and the built-in one for systems without file dialogs.
//!
//! Not for: the system's dialogs and reading folders (`app`).

mod chooser;
mod dialog;
#[cfg(test)]
mod tests;

pub use chooser::{ChooserAction, ChosenRows, FileChooser};
pub use dialog::{FileDialog, FileFilter, FilePurpose};
