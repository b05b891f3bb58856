//! The geometry of primitives that become one mesh.

use super::primitive::PrimitiveVertices;
use rigscope_core::model::{LooseGeometry, Subset};

/// Geometry of primitives with the same attributes.
#[derive(Default)]
pub(super) struct GroupGeometry {
    pub(super) vertices: PrimitiveVertices,
    pub(super) indices: Vec<u32>,
    pub(super) subsets: Vec<Subset>,
    pub(super) loose: Vec<LooseGeometry>,
}
