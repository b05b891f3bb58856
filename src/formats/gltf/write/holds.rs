//! What a file holds of a model.

use super::super::primitive::MAX_UV_SETS;
use crate::formats::WriteOptions;
use crate::formats::losses::{Aspect, Held};

/// How much of `aspect` is held.
pub(in super::super) fn holds(aspect: Aspect, options: &WriteOptions) -> Held {
    match aspect {
        Aspect::Vertices
        | Aspect::Triangles
        | Aspect::Normals
        | Aspect::Tangents
        | Aspect::Colors
        | Aspect::Meshes
        | Aspect::MeshNames
        | Aspect::MaterialNames
        | Aspect::Textures
        | Aspect::TextureTransforms
        | Aspect::Looks
        | Aspect::Images
        | Aspect::Skins
        | Aspect::Influences
        | Aspect::UsedBones
        | Aspect::UnusedBones
        | Aspect::BoneNames
        | Aspect::Parents
        | Aspect::Rest
        | Aspect::Clips
        | Aspect::ClipNames
        | Aspect::StartTimes
        | Aspect::Scales
        | Aspect::MorphTargets => Held::Whole,
        // A rate that is asked for replaces the keys.
        Aspect::UnevenKeys | Aspect::Interpolations => Held::when(options.rate.is_none()),
        // No limit of the format, but what is read back.
        Aspect::UvSets => Held::UpTo(u64::from(MAX_UV_SETS)),
        // Joints blend linearly (section 3.7.3.3), nodes have no shear (section 3.5.3), samplers
        // have keys.
        Aspect::BoneLocal
        | Aspect::DualQuaternions
        | Aspect::Shears
        | Aspect::Curves
        | Aspect::VertexCaches
        | Aspect::Events
        | Aspect::Hulls
        | Aspect::Occluders => Held::No,
    }
}
