//! Files on disk, for the window and the command line.
//!
//! For: whole files with a limit and a way to stop, the folder beside a model as a
//! [`Folder`](crate::formats::Folder), and files that are written whole or not at all.
//! Not for: understanding bytes, or making them (`formats`).
//!
//! Invariant: nothing outside a model's folder and what the user names is read.
//! Invariant: nothing is written over that a run reads ([`Inputs`]).

mod along;
mod disk_folder;
mod inputs;
mod read;
mod save;

use std::path::Path;

pub use along::{Along, FileSource};
pub use disk_folder::DiskFolder;
pub use inputs::Inputs;
pub(crate) use inputs::place;
pub use read::{FileError, Pipes, io_message, name_of, read_file, read_file_range, read_settings};
pub(crate) use save::outputs_of;
pub use save::{Output, Refusal, SaveError, check_target, save, save_set};

/// The folder that a file lies in; the present one where its path names none.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
