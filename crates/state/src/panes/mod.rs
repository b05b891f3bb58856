//! State of the panes that have a list or a picture.
//!
//! Not for: the table of panes, which is in `pane`.

mod bone_pairs;
mod byte_query;
mod byte_search;
mod bytes;
mod finding_list;
mod finding_places;
mod frame_times;
mod materials;
mod poses;
mod statistics;
mod uv;

pub use bone_pairs::{BonePairsAction, BonePairsView};
pub use byte_query::{ByteKind, ByteMatches, ByteQuery};
pub use byte_search::{ByteSearch, ByteSearchAction, SearchDirection, SearchKey};
pub use bytes::{BrokenFile, BytesAction, BytesView, FileBytes};
pub use finding_list::{FindingFilter, FindingList, FindingOrder, FindingsAction};
pub use finding_places::PlaceShape;
pub use frame_times::{
    FRAME_BUDGET_MS, FrameLog, FrameTimes, MAX_FRAMES, PartsMs, Processor, TimeRow,
};
pub use materials::{MATERIALS_TASK, MaterialFacts, MaterialsAction, MaterialsView, ShownChannel};
pub use poses::{ClipPoses, MAX_STRIPS, NUM_POSES, POSES_TASK, PosesAction, PosesView, Strip};
pub use statistics::{Statistics, StatisticsAction, StatisticsRow, StatisticsSubject, TextureRow};
pub use uv::{UV_TASK, UvAction, UvImage, UvLayers, UvLayout, UvTextureChoice, UvView};
