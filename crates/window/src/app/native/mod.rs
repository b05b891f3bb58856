//! The desktop's implementation of the window's platform services.
//!
//! For: threads, dialogs, clipboard, settings on disk, the event loop.
//! Not for: the browser's implementation (`web`, with the same names), or shared code.

pub(super) mod clipboard;
pub(super) mod clock;
pub(super) mod deferred;
pub(super) mod dialogs;
mod display;
pub(super) mod downloads;
pub(super) mod events;
pub(super) mod jobs;
pub(super) mod settings;
mod settings_file;
mod settings_writer;
pub(super) mod window;
