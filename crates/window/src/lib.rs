//! The window: panes in `ui`, everything around them in `app`.
//!
//! Invariant: `ui` changes only widget state; only `app` starts threads.

pub mod app;
pub mod ui;
