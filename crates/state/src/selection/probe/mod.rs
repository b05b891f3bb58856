//! Details of the selected vertex, triangle or hull, and facts for the inspector and for copying.
//!
//! Not for: the presentation of facts, which is in `ui`.

mod facts;
mod hull;
mod inspector;
mod quantised;
mod triangle;
mod vertex;

pub use facts::{Fact, FactSection, FactValue};
pub(crate) use facts::{to_json, to_text};
pub use hull::HullProbe;
pub use quantised::Quantised;
pub use triangle::{FacesVertexNormals, TriangleProbe};
pub use vertex::{Influence, VertexProbe};

#[cfg(test)]
mod tests;
