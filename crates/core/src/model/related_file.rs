//! Related files of a model: which were loaded, which weren't, and why.

/// The role of a related file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelatedFileRole {
    /// Skeleton.
    Skeleton,
    /// Animation clips.
    Animation,
    /// Meshes bound to the skeleton.
    Skin,
    /// Meshes, or faces for a point cloud.
    Mesh,
    /// Material definitions.
    Material,
    /// A texture image.
    Texture,
    /// Vertex, key and image bytes.
    Buffer,
    /// A file of unknown content.
    Other,
}

impl RelatedFileRole {
    /// Lower-case identifier, as in JSON.
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

/// A related file.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedFileUse {
    /// Name of a file given by the user, or path within a folder.
    pub file: String,
    /// The role it has, or would have if it were loaded.
    pub role: RelatedFileRole,
    /// Whether the model contains data from this file.
    pub is_used: bool,
    /// Whether the model names this file and it doesn't exist.
    pub is_missing: bool,
    /// Whether it was found by searching the folder, and is neither named by the model nor given by the user.
    pub is_found: bool,
    /// How well it fits, 0 to 1; `None` if that can't be measured.
    pub fit: Option<f32>,
    /// Why it was or wasn't loaded, as one phrase.
    pub why: String,
}

impl RelatedFileUse {
    /// A loaded file that the model names or that the user chose, so its fit isn't measured.
    pub fn used(file: &str, role: RelatedFileRole, why: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            role,
            is_used: true,
            is_missing: false,
            is_found: false,
            fit: None,
            why: why.into(),
        }
    }

    /// A file that the model names and that wasn't found. `named` describes the reference to it.
    pub fn missing(file: &str, role: RelatedFileRole, named: &str) -> Self {
        Self { is_missing: true, ..Self::unused(file, role, format!("{named}, and not found")) }
    }

    /// A file that exists but wasn't loaded.
    pub fn unused(file: &str, role: RelatedFileRole, why: impl Into<String>) -> Self {
        Self { is_used: false, ..Self::used(file, role, why) }
    }
}
