//! How well the bones of two skeletons match.

use glam::Vec3;

use crate::model::{BoneId, IdVec, Model, Skeleton, SpaceChange, match_bones, plain_name};
use crate::pose::fit_of_offsets;

/// Whether the parents of matched bones match too.
pub(super) fn has_same_parents(
    bones: &IdVec<BoneId, Option<BoneId>>,
    animation: &Skeleton,
    model: &Skeleton,
) -> bool {
    let mut matched =
        animation.bones().iter().zip(bones).filter_map(|(bone, own)| Some((bone, (*own)?)));
    matched.all(|(bone, own)| {
        let parent = bone.parent.map(|parent| bones[parent]);
        match (parent, model.bones()[own].parent) {
            (None, None) => true,
            (Some(Some(parent)), Some(own_parent)) => parent == own_parent,
            _ => false,
        }
    })
}

/// How two skeletons match.
pub struct BoneMatching {
    /// As in [`match_bones`].
    pub bones: IdVec<BoneId, Option<BoneId>>,
    /// No name matched: bones are matched by index.
    pub is_by_order: bool,
    /// Whether the parents of matched bones match too; `None` if one of the skeletons has no hierarchy to
    /// compare.
    pub has_same_parents: Option<bool>,
    /// How closely bone lengths agree, 0 to 1; `None` if one of the skeletons has no lengths.
    pub fit: Option<f32>,
}

/// Matches the bones of `animation` with those of `model`, and measures how well they fit. Only
/// lengths are compared, because exporters of different formats orient bones differently.
#[must_use]
pub fn matching(animation: &Model, model: &Model) -> BoneMatching {
    let (from, to) = (&animation.skeleton, &model.skeleton);
    let bones = match_bones(from, to);
    let scale = SpaceChange::between(&animation.axes, &model.axes).factor();
    let length = |skeleton: &Skeleton, bone: BoneId| {
        let bone = &skeleton.bones()[bone];
        let parent = bone.parent?;
        Some((parent, bone.rest_local.to_affine().translation.length()))
    };
    let pairs = bones.iter_enumerated().filter_map(|(at, own)| {
        let (parent, a) = length(from, at)?;
        let (own_parent, b) = length(to, (*own)?)?;
        let is_same = bones[parent] == Some(own_parent);
        is_same.then_some((Vec3::X * a * scale, Vec3::X * b))
    });
    let pairs: Vec<(Vec3, Vec3)> = pairs.collect();
    let has_lengths = |of: fn(&(Vec3, Vec3)) -> Vec3| pairs.iter().any(|pair| of(pair).x > 0.0);
    let is_comparable = has_lengths(|pair| pair.0) && has_lengths(|pair| pair.1);
    let has_namesake = bones.iter().zip(from.bones()).any(|(own, from)| {
        own.map(|own| &to.bones()[own]).is_some_and(|own| {
            !own.name.is_empty() && plain_name(&own.name) == plain_name(&from.name)
        })
    });
    let has_hierarchy = |skeleton: &Skeleton| skeleton.bones().iter().any(|b| b.parent.is_some());
    BoneMatching {
        is_by_order: !has_namesake,
        has_same_parents: (has_hierarchy(from) && has_hierarchy(to))
            .then(|| has_same_parents(&bones, from, to)),
        fit: is_comparable.then(|| fit_of_offsets(&pairs)).flatten(),
        bones,
    }
}
