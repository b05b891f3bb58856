//! The browser's implementation of the window's platform services.
//!
//! For: background work, dropped, chosen or fetched files, downloads, clipboard, settings in local storage.
//! Not for: the desktop's implementation (`native`, with the same names), or shared code.
//!
//! Code that needs browser objects is in the scripts of `web`; `page` calls it and receives its callbacks.

pub(super) mod clipboard;
pub(super) mod clock;
pub(super) mod deferred;
mod describe;
pub(super) mod dialogs;
pub(super) mod downloads;
pub(super) mod embedding;
pub(super) mod events;
mod files;
pub(super) mod jobs;
mod page;
mod page_args;
pub(super) mod settings;
pub(super) mod window;

pub use describe::describe;
pub use jobs::{fail_job, work};
pub use page_args::open;
