//! Files on disk for the window and the command line; in a browser, the files that were given to the page.
//!
//! For: reading whole files with a size limit and cancellation, the folder of a model as a
//! [`Folder`](crate::formats::Folder), and atomic writes.
//! Not for: parsing or generating contents (`formats`).
//!
//! Invariant: only files in the model's folder and files that the user names are read. A mesh in an effect
//! may also read from the effect's folder (see [`model_file`] and `RelatedFiles`).
//! Invariant: a run never overwrites one of its inputs ([`Inputs`]).

mod cache;
pub mod disk;
#[cfg(not(target_arch = "wasm32"))]
mod disk_file;
mod disk_folder;
pub mod external;
mod file_error;
mod folder_listing;
mod hash;
mod image_places;
mod inputs;
mod names;
mod panics;
mod read;
mod recording_folder;
mod related_files;
mod save;
mod spin_lock;
mod stdin;
mod virtual_folder;

pub use cache::{Cache, Key};
pub use disk_folder::DiskFolder;
pub use external::ExternalReaders;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use external::MemoryMeter;
pub use file_error::{FileError, Pipes, io_message, is_lock_error};
pub use folder_listing::{FolderEntry, FolderListing, list_folder};
pub use hash::{hash, hash_of_content, hash_of_file, short_hash};
pub use image_places::{ClaimedPaths, ConversionFiles, image_places};
pub use inputs::{Inputs, resolved_path};
pub use names::{folder_of, is_below, numbered_path, path_text, slash_path};
pub use panics::{PanicError, catch_panic};
pub use read::{content_of, name_of, read_file_range, read_input, read_settings, read_unlinked};
pub(crate) use read::{has_bytes, read_content, read_file};
pub use recording_folder::{FileRead, FolderReads};
pub use related_files::{FileSource, RelatedFiles, model_file};
pub use save::outputs_of;
#[cfg(target_arch = "wasm32")]
pub use save::{Download, take_downloads};
pub use save::{
    Output, Refusal, SaveError, check_target, save, save_copy, save_set, save_with, scratch_file,
};
pub use spin_lock::spin_lock;
pub(crate) use stdin::read_stdin;
pub use stdin::{is_standard_stream, stdin};
pub use virtual_folder::FolderCallbacks;
