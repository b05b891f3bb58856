//! `log`, `bisect`, `diff --git` and `check --staged`: files in the revisions and the index of a Git repository.

mod before;
mod bisect;
mod diff;
mod log;
mod staged;
mod version;

pub(super) use before::{EarlierFiles, Pair};
pub use bisect::BisectArgs;
pub(super) use bisect::run as bisect;
pub(super) use diff::diff_or_git;
pub use log::LogArgs;
pub(super) use log::run as log;
pub(super) use staged::Staged;
