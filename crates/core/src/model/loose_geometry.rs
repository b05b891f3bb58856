//! Lines and points outside triangles: Blender's loose edges and vertices, glTF primitives of lines
//! and points, and FBX faces with one or two corners.

use super::MaterialId;

/// Lines or points of one mesh with one material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LooseGeometry {
    /// Whether these are lines or points.
    pub kind: LooseKind,
    /// Vertices of the mesh: two per line, one per point.
    pub indices: Vec<u32>,
    /// Material; `None` if the file names none that exists.
    pub material: Option<MaterialId>,
}

/// The kind of loose geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LooseKind {
    /// Line segments between two vertices.
    Lines,
    /// Points at one vertex each.
    Points,
}

impl LooseKind {
    /// Number of vertices per line or point.
    pub fn num_corners(self) -> usize {
        match self {
            Self::Lines => 2,
            Self::Points => 1,
        }
    }

    /// Plural, lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Points => "points",
        }
    }
}

impl LooseGeometry {
    /// Number of lines or points.
    pub fn len(&self) -> usize {
        self.indices.len() / self.kind.num_corners()
    }

    /// Whether there are no lines or points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
