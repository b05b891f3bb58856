//! The parts of a model that files store as arrays.

/// A part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Vertex positions.
    Positions,
    /// Vertex normals.
    Normals,
    /// Vertex tangents, with bitangent signs.
    Tangents,
    /// UVs.
    Uvs,
    /// Joint indices and weights.
    Influences,
    /// Triangle indices.
    Indices,
    /// Morph target offsets.
    Morphs,
    /// Inverse bind matrices.
    InverseBinds,
    /// Key times.
    KeyTimes,
    /// Key values.
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
