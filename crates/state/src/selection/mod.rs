//! The selection, the item under the pointer, and details of both.
//!
//! Not for: picking on the GPU, which the application does; [`pick()`] is its reference.

mod asked;
mod bounds;
mod focus;
mod hover;
mod neighbour;
mod on_screen;
mod pick;
mod pick_hull;
mod pick_loose;
pub(super) mod probe;
mod selected;
mod vertex_walk;

pub use asked::Asked;
pub use bounds::ToPose;
pub use hover::Hover;
pub use pick::{BONE_REACH_POINTS, PickAt, PickFor, PickWhat, pick};
pub use probe::{
    FacesVertexNormals, Fact, FactSection, FactValue, HullProbe, Influence, Quantised,
    TriangleProbe, VertexProbe,
};
pub use selected::Selection;
pub use vertex_walk::InspectAction;
