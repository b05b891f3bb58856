//! What is selected, looked at closely: a vertex, a triangle, a hull, and all of it as facts that
//! the inspector shows and that can be copied.
//!
//! Not for: how facts look (`ui`).

mod facts;
mod hull;
mod inspected;
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
