//! How much of each aspect a written file holds.

use crate::bake::MAX_PACKED_INFLUENCES;
use crate::formats::WriteOptions;
use crate::formats::losses::{Aspect, Held};

/// How much of `aspect` a file holds.
pub(super) fn holds(aspect: Aspect, options: &WriteOptions) -> Held {
    match aspect {
        Aspect::Vertices
        | Aspect::Triangles
        | Aspect::Normals
        | Aspect::Tangents
        | Aspect::MaterialNames
        | Aspect::Skins
        | Aspect::UsedBones
        | Aspect::Clips
        | Aspect::ClipNames
        | Aspect::Scales
        | Aspect::Shears => Held::Whole,
        Aspect::UvSets | Aspect::Meshes => Held::UpTo(1),
        Aspect::Influences => Held::UpTo(MAX_PACKED_INFLUENCES as u64),
        Aspect::BoneNames | Aspect::Parents | Aspect::Rest => Held::when(options.hierarchy),
        // With a hierarchy and without last bones the ancestors of bones that move something stay.
        Aspect::UnusedBones => Held::when(options.hierarchy && options.last_bones),
        Aspect::Colors
        | Aspect::MeshNames
        | Aspect::Textures
        | Aspect::TextureTransforms
        | Aspect::Looks
        | Aspect::Images
        | Aspect::BoneLocal
        | Aspect::DualQuaternions
        | Aspect::Curves
        | Aspect::UnevenKeys
        | Aspect::Interpolations
        | Aspect::StartTimes
        | Aspect::Events
        | Aspect::MorphTargets
        | Aspect::VertexCaches
        | Aspect::Hulls
        | Aspect::Occluders => Held::No,
    }
}
