//! The window in a page of a browser: what the browser does for it.
//!
//! For: work beside the page, files that are dropped, chosen or fetched, downloads, clipboard, settings in local
//! storage.
//! Not for: what a desktop does otherwise (`native`, under the same names), or anything that both share.
//!
//! What needs the browser's own objects is in `web/page.js`; `page` calls it and is called by it.

mod asked;
pub(super) mod clipboard;
pub(super) mod clock;
pub(super) mod dialogs;
pub(super) mod events;
mod files;
pub(super) mod jobs;
pub(super) mod opening;
pub(super) mod outputs;
mod page;
pub(super) mod settings;
pub(super) mod window;

pub use asked::open;
pub use jobs::{lost, work};
