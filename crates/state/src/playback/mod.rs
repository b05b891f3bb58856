//! The clock of the current clip and its controls.
//!
//! Not for: analysis of motion, which is in `animation`.

mod apply;
mod clock;
mod pose_choice;
mod time_range;
mod timeline;

pub use clock::{LoopMode, Playback};
pub use pose_choice::ShownPose;
pub use time_range::TimeRange;
pub use timeline::{KeyRow, TimelineAction, TimelineView};
