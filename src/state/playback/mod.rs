//! The clock of the clip shown, and what moves it.
//!
//! Not for: what is shown of motion beside the pose: that is `animation`.

mod apply;
mod clock;
mod key_times;
mod timeline;

pub use clock::{LoopMode, Playback, TimeRange};
pub use key_times::KeyTimes;
pub use timeline::{KeyRow, TimelineAction, TimelineView};
