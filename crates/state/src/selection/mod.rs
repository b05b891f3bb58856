//! The selection, the item under the pointer, and details of both.
//!
//! Not for: picking on the GPU, which the application does; [`pick()`] is its reference.

mod bounds;
mod focus;
mod hover;
mod item;
mod neighbour;
mod on_screen;
mod pending_picks;
mod pick;
mod pick_hull;
mod pick_loose;
pub(super) mod probe;
mod subject_bone;
mod vertex_walk;

pub use bounds::PendingFrame;
pub use hover::Hover;
pub use item::Selection;
pub use pending_picks::PendingPick;
pub use pick::{BONE_REACH_POINTS, PickAt, PickFor, PickWhat, pick};
pub use probe::{
    FacesVertexNormals, Fact, FactSection, FactValue, HullProbe, Influence, Quantised,
    TriangleProbe, VertexProbe,
};
pub use vertex_walk::InspectAction;
