//! The program as other programs see it: arguments in; files, stdout, stderr and an exit code out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test may fail and speak"
)]

mod baseline;
mod bench;
#[cfg(feature = "catalog")]
mod catalog;
mod conversion_losses;
mod convert;
mod convert_report;
mod diagnose;
mod diff;
mod documented_commands;
#[path = "../../crates/io/tests/injected/edits.rs"]
mod edits;
mod effect;
#[path = "../../crates/io/tests/injected/faults.rs"]
#[expect(dead_code, reason = "the tests of rigscope-io use the rest")]
mod faults;
mod fbx_bsm2;
#[cfg(target_os = "linux")]
mod file_names;
mod files;
mod fix;
mod history;
#[cfg(unix)]
mod history_files;
#[cfg(unix)]
mod history_scene;
#[cfg(unix)]
mod hostile_history;
mod info;
mod many;
mod messages;
mod one_story;
mod pose;
mod program;
#[cfg(unix)]
mod readers;
mod related_files;
mod render;
mod retarget;
#[path = "../../crates/io/tests/injected/rigs.rs"]
mod rigs;
mod rules;
mod runner;
mod runtimes;
mod saving;
#[cfg(unix)]
mod shown;
#[cfg(unix)]
mod special_files;
mod standard_streams;
#[cfg(unix)]
mod suggestions;
#[path = "../support/mod.rs"]
mod support;
mod textures;
#[cfg(feature = "gpu")]
mod thumbnail;
mod validate;
#[cfg(windows)]
mod windows;
