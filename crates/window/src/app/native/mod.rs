//! The window on a desktop: what the system does for it.
//!
//! For: threads, dialogs, clipboard, settings on disk, the event loop.
//! Not for: what a browser does otherwise (`web`, under the same names), or anything that both share.

pub(super) mod clipboard;
pub(super) mod clock;
pub(super) mod dialogs;
mod display;
pub(super) mod events;
pub(super) mod jobs;
pub(super) mod opening;
pub(super) mod outputs;
pub(super) mod settings;
mod settings_file;
mod settings_writer;
pub(super) mod window;
