//! The parts of a model that files store as arrays.

/// A part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Positions of vertices.
    Positions,
    /// Normals of vertices.
    Normals,
    /// Tangents of vertices, with bitangent signs.
    Tangents,
    /// UVs of vertices.
    Uvs,
    /// Joint indices and weights of vertices.
    Influences,
    /// Vertex numbers of triangles.
    Indices,
    /// Offsets of morph targets.
    Morphs,
    /// Inverse bind matrices.
    InverseBinds,
    /// Times of keys.
    KeyTimes,
    /// Values of keys.
    KeyValues,
    /// Rest transforms of bones.
    Rest,
    /// Names of bones and clips.
    Names,
}

impl Part {
    /// All parts.
    pub const ALL: &[Self] = &[
        Self::Positions,
        Self::Normals,
        Self::Tangents,
        Self::Uvs,
        Self::Influences,
        Self::Indices,
        Self::Morphs,
        Self::InverseBinds,
        Self::KeyTimes,
        Self::KeyValues,
        Self::Rest,
        Self::Names,
    ];
}
