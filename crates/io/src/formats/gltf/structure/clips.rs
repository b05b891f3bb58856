//! Channels that animate a node whose rest transform is a matrix (section 3.5.3 forbids it).

use gltf_json::animation::Property;
use gltf_json::validation::Checked;

use crate::formats::gltf::asset::Asset;
use rigscope_core::model::{FindingKind, Place, as_u32, numbered};

/// Reports channels of translation, rotation or scale whose node has a matrix.
pub(super) fn check(asset: &Asset<'_>) {
    let (mut num, mut first) = (0, None);
    for (clip, animation) in asset.root.animations.iter().enumerate() {
        for channel in &animation.channels {
            let node = channel.target.node.value();
            let has_matrix = asset.root.nodes.get(node).is_some_and(|node| node.matrix.is_some());
            let moves_node = channel.target.path != Checked::Valid(Property::MorphTargetWeights);
            if has_matrix && moves_node {
                num += 1;
                first.get_or_insert((clip, animation.name.as_deref().unwrap_or_default(), node));
            }
        }
    }
    let Some((clip, name, node)) = first else { return };
    let place = Place::Clip(as_u32(clip));
    asset.report.add_many(FindingKind::AnimatedMatrixNode, place, num, || {
        format!(
            "{} moves {}, whose rest transform is a matrix; the parts that the clip doesn't move are \
             those of the matrix",
            numbered("clip", clip, name),
            asset.node_name(node)
        )
    });
}
