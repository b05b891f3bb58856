//! Runtimes that find animated nodes by their names, from the top of the scene on.

use std::collections::BTreeMap;

use super::playback_difference::PlaybackDifference;
use super::{Binding, Rules};
use crate::model::{BoneId, BoneTrack, Model, Motion, Place, Skeleton, as_u32};

/// Gives nodes with the same path of names the motion of the last of them (Bevy 0.19.1,
/// bevy_gltf/src/loader/mod.rs: paths_recur; bevy_animation: AnimationTargetId::from_names).
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if rules.binding != Binding::ByPath {
        return;
    }
    let mut nodes_of_path: BTreeMap<Vec<String>, Vec<BoneId>> = BTreeMap::new();
    for node in model.skeleton.bones().ids() {
        nodes_of_path.entry(path(&model.skeleton, node)).or_default().push(node);
    }
    let groups: Vec<Vec<BoneId>> =
        nodes_of_path.into_values().filter(|nodes| nodes.len() > 1).collect();
    let (mut first, mut num) = (None, 0);
    for (number, clip) in model.clips.iter_mut().enumerate() {
        let Motion::Tracks(tracks) = &mut clip.motion else { continue };
        for group in &groups {
            let own: Vec<&BoneTrack> =
                tracks.iter().filter(|track| group.contains(&track.bone)).collect();
            if own.is_empty() {
                continue;
            }
            let last = |has: fn(&BoneTrack) -> bool| own.iter().rev().find(|track| has(track));
            let shared = BoneTrack {
                bone: BoneId(0),
                translation: last(|own| own.translation.is_some())
                    .and_then(|own| own.translation.clone()),
                rotation: last(|own| own.rotation.is_some()).and_then(|own| own.rotation.clone()),
                scale: last(|own| own.scale.is_some()).and_then(|own| own.scale.clone()),
            };
            tracks.retain(|track| !group.contains(&track.bone));
            tracks.extend(group.iter().map(|bone| BoneTrack { bone: *bone, ..shared.clone() }));
            first.get_or_insert(number);
            num += group.len() as u64;
        }
        tracks.sort_by_key(|track| track.bone);
    }
    let Some(first) = first else { return };
    differences.push(PlaybackDifference {
        kind: "nodes-share-motion",
        text: "nodes with the same path of names share the motion of the last one".to_owned(),
        place: Place::Clip(as_u32(first)),
        count: num,
    });
}

/// The names from the top of the scene down to a node. Nodes without a name are named by their number.
fn path(skeleton: &Skeleton, node: BoneId) -> Vec<String> {
    let bones = skeleton.bones();
    let parent = |node: &BoneId| bones.get(*node)?.parent;
    let name = |node: BoneId| match bones[node].name.as_str() {
        "" => format!("GltfNode{}", node.0),
        name => name.to_owned(),
    };
    let mut names: Vec<String> = std::iter::successors(Some(node), parent).map(name).collect();
    names.reverse();
    names
}
