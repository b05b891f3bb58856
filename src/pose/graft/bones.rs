//! Which bone of one skeleton stands for which of another.

use std::collections::HashMap;

use crate::model::{BoneId, Skeleton};

/// The bone of `model` that each bone of `animation` stands for.
///
/// By name; then by name without case and name space (what is before the last `:` or `|`); then,
/// where no name fits at all and both have as many bones, by order.
#[must_use]
pub fn match_bones(animation: &Skeleton, model: &Skeleton) -> Vec<Option<BoneId>> {
    let exact = |name: &str| name.to_owned();
    let plain = |name: &str| {
        let own = name.rsplit([':', '|']).next().unwrap_or(name);
        own.to_lowercase()
    };
    let by = |key: &dyn Fn(&str) -> String| -> Vec<Option<BoneId>> {
        let mut known = HashMap::new();
        for (at, bone) in model.bones().iter().enumerate() {
            if !bone.name.is_empty() {
                known
                    .entry(key(&bone.name))
                    .or_insert(BoneId::from_index(at));
            }
        }
        let bones = animation.bones().iter();
        bones
            .map(|bone| known.get(&key(&bone.name)).copied())
            .collect()
    };
    let mut matched: Vec<_> = by(&exact)
        .into_iter()
        .zip(by(&plain))
        .map(|(exact, plain)| exact.or(plain))
        .collect();
    if matched.iter().all(Option::is_none) && animation.len() == model.len() {
        matched = (0..model.len())
            .map(|at| Some(BoneId::from_index(at)))
            .collect();
    }
    matched
}
