//! How much of a model the files store.

use super::{BMF_ID, SKN_ID, cfp};
use crate::formats::WriteOptions;
use crate::formats::losses::{Aspect, Held};

/// Influences per vertex: a raw and a blended one.
const INFLUENCES: Held = Held::UpTo(2);

/// How much of `aspect` files of `format` store.
pub(super) fn holds(format: &str, aspect: Aspect, options: &WriteOptions) -> Held {
    match format {
        SKN_ID | BMF_ID => of_skins(aspect),
        _ if options.part.as_deref() == Some(cfp::ID) => of_values(aspect),
        _ => of_characters(aspect),
    }
}

/// The values of one clip only have a meaning together with the skill.
fn of_values(aspect: Aspect) -> Held {
    match aspect {
        Aspect::Clips => Held::UpTo(1),
        _ => Held::No,
    }
}

/// A character file with its skins and values.
fn of_characters(aspect: Aspect) -> Held {
    use Aspect as A;
    match aspect {
        A::Vertices | A::Triangles | A::Normals => Held::Whole,
        A::Meshes | A::MeshNames => Held::Whole,
        // A material has the name of its skin.
        A::MaterialNames => Held::Whole,
        A::Textures => Held::UpTo(1),
        // In the same folder, one per skin.
        A::Images => Held::Whole,
        A::UvSets => Held::UpTo(1),
        A::Skins | A::BoneLocal => Held::Whole,
        A::Influences => INFLUENCES,
        A::UsedBones | A::UnusedBones | A::BoneNames | A::Parents | A::Rest => Held::Whole,
        A::Clips | A::ClipNames | A::Events => Held::Whole,
        A::Lines | A::Points => Held::No,
        A::TextureTransforms | A::Tangents | A::Colors | A::Looks => Held::No,
        A::DualQuaternions | A::Scales | A::Shears => Held::No,
        A::Curves | A::UnevenKeys | A::Interpolations | A::StartTimes => Held::No,
        A::MorphTargets | A::VertexCaches | A::Hulls | A::Occluders => Held::No,
        A::ValueTracks => Held::No,
    }
}

/// One mesh with one texture per file, and the skeleton in another file.
fn of_skins(aspect: Aspect) -> Held {
    match aspect {
        Aspect::Meshes | Aspect::Textures => Held::UpTo(1),
        Aspect::Clips | Aspect::ClipNames | Aspect::Events => Held::No,
        _ => of_characters(aspect),
    }
}
