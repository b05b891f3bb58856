//! Files around the one that was read: what was taken, what was left, and why.

/// What a file around the model is to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompanionRole {
    /// Bones.
    Skeleton,
    /// Clips.
    Animation,
    /// Meshes on the skeleton.
    Skin,
    /// Meshes, or faces for points.
    Mesh,
    /// Material definitions.
    Material,
    /// An image.
    Texture,
    /// Bytes of vertices, keys and images.
    Buffer,
    /// Nothing that is known.
    Other,
}

impl CompanionRole {
    /// Lower-case word, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skeleton => "skeleton",
            Self::Animation => "animation",
            Self::Skin => "skin",
            Self::Mesh => "mesh",
            Self::Material => "material",
            Self::Texture => "texture",
            Self::Buffer => "buffer",
            Self::Other => "other",
        }
    }
}

/// One file around the model.
#[derive(Clone, Debug, PartialEq)]
pub struct CompanionFile {
    /// Name of a file that the user gave, or path below a folder.
    pub file: String,
    /// What it is, or would be.
    pub role: CompanionRole,
    /// Whether the model has something of it.
    pub is_taken: bool,
    /// Whether the model names it and it is not there.
    pub is_missing: bool,
    /// How well it fits, 0 to 1; `None` where nothing can be measured.
    pub fit: Option<f32>,
    /// Why it was taken or left, as one phrase.
    pub why: String,
}

impl CompanionFile {
    /// A file that the model names or that somebody chose, so that nothing is measured.
    pub fn taken(file: &str, role: CompanionRole, why: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            role,
            is_taken: true,
            is_missing: false,
            fit: None,
            why: why.into(),
        }
    }

    /// A file that the model names and that was not found. `named` says by what it is named.
    pub fn missing(file: &str, role: CompanionRole, named: &str) -> Self {
        Self { is_missing: true, ..Self::left(file, role, format!("{named}, and not found")) }
    }

    /// A file that lies there and is of no use as it is.
    pub fn left(file: &str, role: CompanionRole, why: impl Into<String>) -> Self {
        Self { is_taken: false, ..Self::taken(file, role, why) }
    }
}
