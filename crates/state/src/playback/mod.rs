//! The clock of the clip shown, and what moves it.
//!
//! Not for: what is shown of motion beside the pose: that is `animation`.

mod apply;
mod clock;
mod layer;
mod shown_pose;
mod time_range;
mod timeline;

pub use clock::{LoopMode, Playback};
pub use layer::LayerChoice;
pub use shown_pose::ShownPose;
pub use time_range::TimeRange;
pub use timeline::{KeyRow, TimelineAction, TimelineView};
