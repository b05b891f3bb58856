//! The tables of stored aspects, by file.

use super::{cfp, skin_images};
use crate::formats::WriteOptions;
use crate::formats::losses::{Aspect, Stored, stored};

/// Influences per vertex: a raw and a blended one.
const INFLUENCES: Stored = Stored::up_to(2);

/// Skins: one mesh with one texture per file, and the skeleton in another file.
pub(super) const SKIN: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE => Vertices Triangles Normals MeshNames Skins BoneLocal UsedBones UnusedBones BoneNames
        Parents Rest;
    // A material has the name of its skin.
    Stored::WHOLE => MaterialNames;
    // In the same folder, one per skin.
    Stored::WHOLE.counted(|model, options, _| skin_images::num_images(true, model, options)) => Images;
    Stored::up_to(1) => Meshes Textures UvSets;
    INFLUENCES => Influences;
    Stored::NO => HumanBones Expressions Springs;
    Stored::NO => Lines Points TextureTransforms Tangents Colors Looks DualQuaternions Scales Shears Clips
        ClipNames Events Curves UnevenKeys Interpolations StartTimes MorphTargets MaterialTracks VertexAnimations Hulls
        Occluders ValueTracks;
};

/// Character files with their skins and values, or only the values of one clip.
pub(super) const CHARACTER: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE.when(has_character) => Vertices Triangles Normals Meshes MeshNames Skins BoneLocal
        UsedBones UnusedBones BoneNames Parents Rest ClipNames Events;
    // A material has the name of its skin.
    Stored::WHOLE.when(has_character) => MaterialNames;
    // In the same folder, one per skin.
    Stored::WHOLE
        .when(has_character)
        .counted(|model, options, _| skin_images::num_images(false, model, options)) => Images;
    Stored::up_to(1).when(has_character) => Textures UvSets;
    INFLUENCES.when(has_character) => Influences;
    Stored::WHOLE.counted(|_, options, num| if has_character(options) { num } else { 1 }) => Clips;
    Stored::NO => HumanBones Expressions Springs;
    Stored::NO => Lines Points TextureTransforms Tangents Colors Looks DualQuaternions Scales Shears Curves
        UnevenKeys Interpolations StartTimes MorphTargets MaterialTracks VertexAnimations Hulls Occluders ValueTracks;
};

/// Values only have a meaning together with the skill of the character.
fn has_character(options: &WriteOptions) -> bool {
    options.part.as_deref() != Some(cfp::ID)
}
