//! Open documents: tabs, loading and reloading, undo.
//!
//! Not for: the contents of a loaded document, which are in `opened`.

mod failure;
mod files;
mod history;
mod job;
mod load;
mod related_files;
mod start;
mod tabs;

pub use files::{ChosenFile, ChosenKind, FileGroup};
pub(super) use history::History;
pub use job::{Job, Problem};
pub use related_files::RelatedFileAction;
pub use start::{RecentAction, RecentInfo, StartPage};
pub(super) use tabs::Tabs;
pub use tabs::{TabAction, TabRow};
