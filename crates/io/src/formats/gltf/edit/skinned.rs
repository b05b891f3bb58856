//! Joints, and nodes with a skin.

use std::collections::BTreeSet;

use super::json_text::{JsonText, place};

/// The joints of a skin.
pub(super) fn joints_of(json: &JsonText, skin: usize) -> Vec<usize> {
    let num = json.len(place!("skins", skin, "joints"));
    (0..num).filter_map(|joint| json.index(place!("skins", skin, "joints", joint))).collect()
}

/// The joints of all skins.
pub(super) fn joints(json: &JsonText) -> BTreeSet<usize> {
    (0..json.len(place!("skins"))).flat_map(|skin| joints_of(json, skin)).collect()
}

/// The nodes with a skin whose transform has no effect: they have no children and aren't joints.
pub(super) fn nodes_without_effect(json: &JsonText) -> BTreeSet<usize> {
    let joints = joints(json);
    let has_no_effect = |node: &usize| {
        json.get(place!("nodes", *node, "skin")).is_some()
            && json.len(place!("nodes", *node, "children")) == 0
            && !joints.contains(node)
    };
    (0..json.len(place!("nodes"))).filter(has_no_effect).collect()
}
