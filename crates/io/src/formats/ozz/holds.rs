//! How much of a model archives store.

use super::write::{ANIMATION, MESH, SKELETON};
use crate::formats::WriteOptions;
use crate::formats::losses::{Aspect, Held};

pub(super) fn holds(aspect: Aspect, options: &WriteOptions) -> Held {
    let is_asked = |id: &str| options.part.as_deref().is_none_or(|part| part == id);
    match aspect {
        Aspect::Vertices
        | Aspect::Triangles
        | Aspect::Normals
        | Aspect::Tangents
        | Aspect::Colors
        | Aspect::Meshes
        | Aspect::Skins
        | Aspect::Influences
        | Aspect::UsedBones => Held::when(is_asked(MESH)),
        Aspect::UvSets => {
            if is_asked(MESH) {
                Held::UpTo(1)
            } else {
                Held::No
            }
        }
        Aspect::BoneNames | Aspect::Parents | Aspect::Rest => Held::when(is_asked(SKELETON)),
        // An animation has a track for every bone.
        Aspect::UnusedBones | Aspect::Scales => {
            Held::when(is_asked(SKELETON) || is_asked(ANIMATION))
        }
        Aspect::Clips | Aspect::ClipNames => Held::when(is_asked(ANIMATION)),
        // A requested rate replaces the keys.
        Aspect::UnevenKeys => Held::when(is_asked(ANIMATION) && options.rate.is_none()),
        Aspect::Lines
        | Aspect::Points
        | Aspect::MeshNames
        | Aspect::MaterialNames
        | Aspect::Textures
        | Aspect::TextureTransforms
        | Aspect::Looks
        | Aspect::Images
        | Aspect::BoneLocal
        | Aspect::DualQuaternions
        | Aspect::Curves
        | Aspect::Interpolations
        | Aspect::StartTimes
        | Aspect::Events
        | Aspect::ValueTracks
        | Aspect::Shears
        | Aspect::MorphTargets
        | Aspect::VertexCaches
        | Aspect::Hulls
        | Aspect::Occluders => Held::No,
    }
}
