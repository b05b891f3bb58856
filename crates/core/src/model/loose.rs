//! Lines and points that belong to no triangle: what Blender calls loose edges and vertices, glTF
//! primitives of lines and points, and FBX faces of two corners and of one.

use super::MaterialId;

/// Lines or points of one mesh with one material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose {
    /// What they are.
    pub kind: LooseKind,
    /// Vertices of the mesh: two a line, one a point.
    pub indices: Vec<u32>,
    /// Material, or none where the file names none that exists.
    pub material: Option<MaterialId>,
}

/// What loose things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LooseKind {
    /// Each from one vertex straight to another.
    Lines,
    /// Each at one vertex.
    Points,
}

impl LooseKind {
    /// Vertices of one of them.
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

impl Loose {
    /// Number of lines or points.
    pub fn len(&self) -> usize {
        self.indices.len() / self.kind.num_corners()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
