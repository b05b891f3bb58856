//! Related files of a model: which were loaded, which weren't, and why.

use std::sync::Arc;

use super::{BoneId, ClipId, Model};

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
    /// Pairs of bones that the user states.
    BoneMap,
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
            Self::BoneMap => "bone map",
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
    /// For an animation: how its bones are paired with those of the model.
    pub bones: Option<Arc<PairedBones>>,
}

/// How the bones of an animation are paired with those of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedBones {
    /// In the animation's order.
    pub bones: Vec<PairedBone>,
    /// Whether the clips are retargeted; otherwise their keys are copied.
    pub is_retargeted: bool,
    /// The animation itself, without meshes.
    pub source: ClipSource,
}

/// The skeleton and clips that clips of the model were made from.
#[derive(Clone, Debug)]
pub struct ClipSource {
    /// Without vertices.
    pub animation: Arc<Model>,
    /// Clips of the model, each with the clip of the animation.
    pub clips: Vec<(ClipId, ClipId)>,
    /// The factor for positions, after the change of axes and unit.
    pub length_ratio: f32,
}

impl PartialEq for ClipSource {
    /// Whether both are the same animation in memory.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.animation, &other.animation) && self.clips == other.clips
    }
}

impl ClipSource {
    /// The source of the clips that were added to a model: its clips from `first` on. Clips that can't be added are left
    /// out, so that the others are found by name.
    #[must_use]
    pub fn new(animation: &Model, model: &Model, first: usize, length_ratio: f32) -> Self {
        let added = model.clips.iter_enumerated().skip(first).enumerate();
        let clips = added.filter_map(|(at, (own, clip))| {
            let by_name = animation.clips.iter().position(|other| other.name == clip.name);
            let source = by_name.unwrap_or(at);
            (source < animation.clips.len()).then(|| (own, ClipId::from_index(source)))
        });
        let clips = clips.collect();
        Self { animation: Arc::new(animation.without_vertices()), clips, length_ratio }
    }

    /// The clip of the animation from which a clip of the model was made.
    #[must_use]
    pub fn of(&self, clip: ClipId) -> Option<ClipId> {
        self.clips.iter().find(|(own, _)| *own == clip).map(|(_, source)| *source)
    }
}

/// A bone of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedBone {
    /// Its name.
    pub name: String,
    /// Its parent in the animation.
    pub parent: Option<BoneId>,
    /// Whether it is a camera, a light or another node that moves no vertices.
    pub is_helper: bool,
    /// The bone of the model.
    pub to: Option<BoneId>,
    /// Why they are a pair, as a phrase; empty without one.
    pub reason: &'static str,
    /// How sure the pair is, from 0 to 1.
    pub certainty: f32,
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
            bones: None,
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
