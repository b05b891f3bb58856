//! Whole sessions through the real panels, without a window.
#![cfg(feature = "gui")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may fail and speak, and has no outside"
)]

#[path = "window/animation.rs"]
mod animation;
#[path = "window/as_bsm2.rs"]
mod as_bsm2;
#[path = "window/bytes.rs"]
mod bytes;
#[path = "window/collision.rs"]
mod collision;
#[path = "window/comfort.rs"]
mod comfort;
#[path = "window/companions.rs"]
mod companions;
#[path = "window/compare.rs"]
mod compare;
#[path = "window/endless.rs"]
mod endless;
#[path = "window/export.rs"]
mod export;
#[path = "window/flows.rs"]
mod flows;
#[path = "window/host.rs"]
mod host;
#[path = "window/lists.rs"]
mod lists;
#[path = "window/morphs.rs"]
mod morphs;
#[path = "window/out.rs"]
mod out;
#[path = "window/pick.rs"]
mod pick;
#[path = "window/program.rs"]
mod program;
#[path = "window/skeleton.rs"]
mod skeleton;
mod support;
#[path = "window/surface.rs"]
mod surface;
#[path = "window/tabs.rs"]
mod tabs;
#[path = "window/timeline.rs"]
mod timeline;
#[path = "window/truth.rs"]
mod truth;
#[path = "window/undo.rs"]
mod undo;
#[path = "window/uv.rs"]
mod uv;
#[path = "window/weights.rs"]
mod weights;
