//! Reading files from disk for the window and the command line.
//!
//! For: whole files with a limit and a way to stop, and the folder beside a model as a
//! [`Folder`](crate::formats::Folder).
//! Not for: understanding bytes (`formats`), writing (`cli`).
//!
//! Invariant: nothing outside a model's folder and what the user names is read.

mod along;
mod disk_folder;
mod read;

pub use along::{Along, FileSource};
pub use disk_folder::DiskFolder;
pub use read::{FileError, Pipes, io_message, name_of, read_file};
