//! Whole sessions through the real panels, without a window.
#![cfg(feature = "gui")]

#[path = "window/flows.rs"]
mod flows;
#[path = "window/host.rs"]
mod host;
mod support;
