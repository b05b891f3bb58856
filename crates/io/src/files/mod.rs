//! Files on disk, for the window and the command line; in a browser, those that were given to the page.
//!
//! For: whole files with a limit and a way to stop, the folder beside a model as a
//! [`Folder`](crate::formats::Folder), and files that are written whole or not at all.
//! Not for: understanding bytes, or making them (`formats`).
//!
//! Invariant: nothing outside a model's folder and what the user names is read; a mesh in an effect may
//! take the effect's folder ([`model_file`] and `Along` say where that is).
//! Invariant: nothing is written over that a run reads ([`Inputs`]).

mod along;
mod cache;
pub mod disk;
#[cfg(not(target_arch = "wasm32"))]
mod disk_file;
mod disk_folder;
mod hash;
mod image_places;
mod inputs;
mod lent_folder;
mod names;
mod panics;
mod read;
mod recorded;
mod save;

pub use along::{Along, FileSource, model_file};
pub use cache::{Cache, Key};
pub use disk_folder::DiskFolder;
pub use hash::{hash, hash_of_content, hash_of_file};
pub use image_places::{Claims, Disk, image_places};
pub use inputs::Inputs;
pub use inputs::place;
pub use lent_folder::Around;
pub use names::folder_of;
pub use names::numbered;
pub use panics::Panicked;
pub use panics::guarded;
pub use read::{
    FileError, Pipes, io_message, name_of, read_content, read_file, read_file_range, read_settings,
};
pub use recorded::{Seen, SeenPart};
pub use save::outputs_of;
#[cfg(target_arch = "wasm32")]
pub use save::{Download, take_downloads};
pub use save::{
    Output, Refusal, SaveError, check_target, save, save_copy, save_made, save_set, scratch_beside,
};
