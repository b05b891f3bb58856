//! The losses of a conversion in few sentences.
//!
//! For: text that people read. Not for: JSON and Python, which list every loss.

use super::loss_list::Loss;
use super::losses::Aspect;

/// Aspects that only exist together with the bones that move vertices.
const OF_SKELETONS: &[Aspect] = &[
    Aspect::Skins,
    Aspect::Influences,
    Aspect::BoneLocal,
    Aspect::DualQuaternions,
    Aspect::UsedBones,
    Aspect::UnusedBones,
    Aspect::BoneNames,
    Aspect::Parents,
    Aspect::Rest,
    Aspect::Clips,
    Aspect::ClipNames,
    Aspect::Curves,
    Aspect::UnevenKeys,
    Aspect::Interpolations,
    Aspect::StartTimes,
    Aspect::Events,
    Aspect::Scales,
    Aspect::Shears,
];
/// Aspects that only exist together with vertices. Of expressions, animations have the names.
const OF_MESHES: &[Aspect] = &[
    Aspect::Vertices,
    Aspect::Triangles,
    Aspect::Lines,
    Aspect::Points,
    Aspect::Normals,
    Aspect::Tangents,
    Aspect::Colors,
    Aspect::UvSets,
    Aspect::Meshes,
    Aspect::MeshNames,
    Aspect::MaterialNames,
    Aspect::Textures,
    Aspect::TextureTransforms,
    Aspect::Looks,
    Aspect::Images,
    Aspect::Skins,
    Aspect::Influences,
    Aspect::BoneLocal,
    Aspect::DualQuaternions,
    Aspect::UsedBones,
    Aspect::MorphTargets,
    Aspect::MaterialTracks,
    Aspect::Expressions,
];
/// Aspects that baked skinning matrices replace.
const OF_HIERARCHY: &[Aspect] = &[Aspect::BoneNames, Aspect::Parents, Aspect::Rest];

/// One sentence about meshes or the skeleton if they aren't stored, one that enumerates all aspects without further consequences,
/// and one for each other loss.
#[must_use]
pub fn summary(losses: &[Loss]) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut rest: Vec<&Loss> = losses.iter().collect();
    let lost = |aspect| losses.iter().find(|loss| loss.aspect == aspect && loss.is_complete());
    if lost(Aspect::Vertices).is_some() && lost(Aspect::BoneNames).is_none() {
        let sentence = "meshes and materials left out: only bones and clips are written";
        sentences.push(sentence.to_owned());
        rest.retain(|loss| !OF_MESHES.contains(&loss.aspect) || !loss.is_complete());
    } else if lost(Aspect::UsedBones).is_some() {
        let skin = lost(Aspect::Skins).map(|_| "skin".to_owned());
        let clips = lost(Aspect::Clips).map(Loss::subject);
        let parts = ["skeleton".to_owned()].into_iter().chain(skin).chain(clips);
        let parts: Vec<String> = parts.collect();
        let sentence = "left out: the meshes are written in their default pose";
        sentences.push(format!("{} {sentence}", enumeration(&parts)));
        rest.retain(|loss| !OF_SKELETONS.contains(&loss.aspect) || !loss.is_complete());
    } else if lost(Aspect::Parents).is_some() {
        let parts = OF_HIERARCHY.iter().filter_map(|aspect| lost(*aspect).map(Loss::subject));
        let parts: Vec<String> = parts.collect();
        let sentence = "left out: bones get baked skinning matrices";
        sentences.push(format!("{} {sentence}", enumeration(&parts)));
        rest.retain(|loss| !OF_HIERARCHY.contains(&loss.aspect));
    }
    let is_simple = |loss: &&&Loss| loss.is_complete() && loss.aspect.info().lost_all.is_empty();
    let simple: Vec<String> = rest.iter().filter(is_simple).map(|loss| loss.subject()).collect();
    if !simple.is_empty() {
        sentences.push(format!("{} left out", enumeration(&simple)));
    }
    sentences.extend(rest.iter().filter(|loss| !is_simple(loss)).map(|loss| loss.to_string()));
    sentences
}

/// The word before a sentence of [`summary`]: `lost`, or `changed` for data that is stored in another way.
#[must_use]
pub fn label(sentence: &str, losses: &[Loss]) -> &'static str {
    let mut changes = losses.iter().filter(|loss| loss.is_change());
    if changes.any(|loss| loss.to_string() == sentence) { "changed" } else { "lost" }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn enumeration(parts: &[impl AsRef<str>]) -> String {
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    match &parts[..] {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(list: &[(Aspect, u64, u64)]) -> Vec<Loss> {
        list.iter().map(|&(aspect, before, after)| Loss { aspect, before, after }).collect()
    }

    #[test]
    fn a_static_format_has_one_sentence_about_skeleton_and_animation() {
        let lost = losses(&[
            (Aspect::Tangents, 1, 0),
            (Aspect::Skins, 1, 0),
            (Aspect::Influences, 3, 0),
            (Aspect::UsedBones, 1, 0),
            (Aspect::UnusedBones, 1, 0),
            (Aspect::BoneNames, 1, 0),
            (Aspect::Parents, 1, 0),
            (Aspect::Rest, 1, 0),
            (Aspect::Clips, 2, 0),
            (Aspect::ClipNames, 1, 0),
        ]);
        assert_eq!(
            summary(&lost),
            [
                "skeleton, skin and 2 clips left out: the meshes are written in their default pose",
                "tangents left out"
            ]
        );
    }

    #[test]
    fn an_animation_file_has_one_sentence_about_meshes() {
        let lost = losses(&[
            (Aspect::Vertices, 1, 0),
            (Aspect::Triangles, 1, 0),
            (Aspect::Skins, 1, 0),
            (Aspect::UsedBones, 1, 0),
            (Aspect::Scales, 1, 0),
        ]);
        assert_eq!(
            summary(&lost),
            [
                "meshes and materials left out: only bones and clips are written",
                "scaled bones: only rotation and translation are kept"
            ]
        );
    }

    #[test]
    fn baked_matrices_replace_names_parents_and_rest_transforms() {
        let lost = losses(&[
            (Aspect::Looks, 1, 0),
            (Aspect::Influences, 6, 4),
            (Aspect::UnusedBones, 2, 0),
            (Aspect::BoneNames, 1, 0),
            (Aspect::Parents, 1, 0),
            (Aspect::Rest, 1, 0),
        ]);
        assert_eq!(
            summary(&lost),
            [
                "bone names, bone parents and rest transforms left out: bones get baked skinning matrices",
                "material parameters and 2 bones that move nothing left out",
                "influences per vertex reduced from 6 to 4: the largest are kept and rescaled"
            ]
        );
        assert!(summary(&[]).is_empty());
    }
}
