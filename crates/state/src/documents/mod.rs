//! What is open: a document in each tab, files that come and go, and undo of each.
//!
//! Not for: what the window keeps of a file: that is `opened`.

mod companions;
mod failure;
mod history;
mod job;
mod load;
mod start;
mod tabs;

pub use companions::{CompanionAction, Dropped, DroppedKind};
pub(super) use history::History;
pub use job::{Job, Problem};
pub use start::{RecentAction, RecentLook, StartPage};
pub(super) use tabs::Tabs;
pub use tabs::{TabAction, TabRow};
