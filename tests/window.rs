//! Whole sessions through the real panels, without a window.
#![cfg(feature = "gui")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may fail and speak, and has no outside"
)]

#[path = "window/collision.rs"]
mod collision;
#[path = "window/docs.rs"]
mod docs;
#[path = "window/export.rs"]
mod export;
#[path = "window/flows.rs"]
mod flows;
#[path = "window/host.rs"]
mod host;
#[path = "window/program.rs"]
mod program;
mod support;
#[path = "window/surface.rs"]
mod surface;
#[path = "window/uv.rs"]
mod uv;
