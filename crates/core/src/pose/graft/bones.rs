//! Matches the bones of two skeletons.

use std::collections::{HashMap, VecDeque};

use glam::Vec3;

use super::axes_change::AxesChange;
use crate::model::{BoneId, IdVec, Model, Skeleton};
use crate::pose::fit_of_offsets;

/// The bone of `model` that corresponds to each bone of `animation`; each is used at most once.
///
/// Matches by name; then by name without case and namespace (the part before the last `:` or `|`);
/// then, if no name matches and both have the same number of bones, by index. Bones with the same
/// name are matched in order: the first with the first, the second with the second, and so on.
#[must_use]
pub fn match_bones(animation: &Skeleton, model: &Skeleton) -> IdVec<BoneId, Option<BoneId>> {
    let exact = |name: &str| name.to_owned();
    let plain = |name: &str| {
        let own = name.rsplit([':', '|']).next().unwrap_or(name);
        own.to_lowercase()
    };
    let mut matched = IdVec::filled(None, animation.bones());
    let mut is_used = IdVec::filled(false, model.bones());
    let mut match_by = |key: &dyn Fn(&str) -> String| {
        let mut free: HashMap<String, VecDeque<BoneId>> = HashMap::new();
        for (at, bone) in model.bones().iter_enumerated() {
            if !bone.name.is_empty() && !is_used[at] {
                free.entry(key(&bone.name)).or_default().push_back(at);
            }
        }
        for (bone, own) in animation.bones().iter().zip(&mut matched) {
            if own.is_none()
                && let Some(at) = free.get_mut(&key(&bone.name)).and_then(VecDeque::pop_front)
            {
                is_used[at] = true;
                *own = Some(at);
            }
        }
    };
    match_by(&exact);
    match_by(&plain);
    if matched.iter().all(Option::is_none) && animation.len() == model.len() {
        matched = model.bones().ids().map(Some).collect();
    }
    matched
}

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
    let scale = AxesChange::between(animation, model).scale;
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
    let plain = |name: &str| name.rsplit([':', '|']).next().unwrap_or(name).to_lowercase();
    let has_namesake = bones.iter().zip(from.bones()).any(|(own, from)| {
        own.map(|own| &to.bones()[own])
            .is_some_and(|own| !own.name.is_empty() && plain(&own.name) == plain(&from.name))
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
