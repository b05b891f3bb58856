//! Whole sessions through the real panels, without a window.
#![cfg(feature = "gui")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    unreachable_pub,
    reason = "a test may fail and speak, and has no outside"
)]

mod animation;
mod as_bsm2;
mod bytes;
mod clip_list;
mod collision;
mod comfort;
mod compare;
mod compass;
mod context_menus;
mod crowded;
mod endless;
mod export;
mod file_chooser;
mod findings;
mod fits;
mod flows;
mod frame_times;
mod gpu_check;
mod host;
mod image_output;
mod keyboard;
mod light;
mod list_navigation;
mod materials;
mod measure;
mod morphs;
mod navigation;
mod outline;
mod palette;
mod panels;
mod pick;
mod poses;
mod program;
mod related_files;
#[path = "../../crates/io/tests/injected/rigs.rs"]
mod rigs;
mod side_panes;
mod skeleton;
mod start;
#[path = "../support/mod.rs"]
mod support;
mod surface;
mod tabs;
mod timeline;
mod toolbar;
mod undo;
mod uv;
mod weights;
