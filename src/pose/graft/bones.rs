//! Which bone of one skeleton stands for which of another.

use std::collections::{HashMap, VecDeque};

use crate::model::{BoneId, Skeleton};

/// The bone of `model` that each bone of `animation` stands for; no two stand for the same.
///
/// By name; then by name without case and name space (what is before the last `:` or `|`); then,
/// where no name fits at all and both have as many bones, by order. Of several bones of one name
/// the first stands for the first, the second for the second, and so on.
#[must_use]
pub fn match_bones(animation: &Skeleton, model: &Skeleton) -> Vec<Option<BoneId>> {
    let exact = |name: &str| name.to_owned();
    let plain = |name: &str| {
        let own = name.rsplit([':', '|']).next().unwrap_or(name);
        own.to_lowercase()
    };
    let mut matched = vec![None; animation.len()];
    let mut is_taken = vec![false; model.len()];
    let mut match_by = |key: &dyn Fn(&str) -> String| {
        let mut free: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (at, bone) in model.bones().iter().enumerate() {
            if !bone.name.is_empty() && !is_taken[at] {
                free.entry(key(&bone.name)).or_default().push_back(at);
            }
        }
        for (bone, own) in animation.bones().iter().zip(&mut matched) {
            if own.is_none()
                && let Some(at) = free.get_mut(&key(&bone.name)).and_then(VecDeque::pop_front)
            {
                is_taken[at] = true;
                *own = Some(BoneId::from_index(at));
            }
        }
    };
    match_by(&exact);
    match_by(&plain);
    if matched.iter().all(Option::is_none) && animation.len() == model.len() {
        matched = (0..model.len())
            .map(|at| Some(BoneId::from_index(at)))
            .collect();
    }
    matched
}
