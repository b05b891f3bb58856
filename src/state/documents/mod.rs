//! What is open: documents, one a tab, files that come and go, and undo of each.
//!
//! Not for: what is read from a file is `formats`; here is what the window keeps of it.

mod companions;
mod document;
mod history;
mod job;
mod load;
mod tab;
mod tabs;

pub use companions::{CompanionAction, CompanionRow, Dropped, DroppedKind};
pub use document::{Document, Origin, SubsetRow};
pub(super) use history::History;
pub use job::{Job, Problem};
pub use tab::Tab;
pub(super) use tabs::Tabs;
pub use tabs::{TabAction, TabRow};
