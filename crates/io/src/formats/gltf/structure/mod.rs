//! What a file's objects say about each other, where they contradict the specification: other programs
//! show such a file differently, or not at all.
//!
//! For: findings about nodes, skins, attributes and channels as the JSON states them.
//! Not for: values of accessors, which are judged as they are read (`stored_bounds`, `influence_sets`),
//! and for damage that makes an object unreadable.
//!
//! Invariant: these checks only add notes; they never change the model.

mod attributes;
mod clips;
mod morphs;
mod rotations;
mod scenes;
mod skinned_nodes;
mod skins;

use super::asset::Asset;
use super::mesh::Meshes;
use rigscope_core::model::{BoneId, Skeleton};

/// Most steps from node to node that a rule takes: a file that needs more, of thousands of skins over
/// deep hierarchies, is judged in part, so that the time stays bounded.
const MAX_STEPS: usize = 1 << 24;

/// Notes contradictions between the objects of a file whose nodes are `skeleton`.
pub(super) fn check(asset: &Asset<'_>, skeleton: &Skeleton, shown: &[bool], meshes: &Meshes) {
    scenes::check(asset, shown);
    attributes::check(asset, meshes);
    morphs::check(asset, meshes);
    rotations::check(asset);
    clips::check(asset);
    skins::check(asset, skeleton, shown, meshes);
    skinned_nodes::check(asset, skeleton, meshes);
}

/// The nodes with meshes that are shown, with the number of the first model mesh of each, in file order.
fn shown_nodes(meshes: &Meshes) -> Vec<(usize, u32)> {
    let first = |(node, list): (&usize, &Vec<_>)| {
        let first: &rigscope_core::model::MeshId = list.first()?;
        Some((*node, first.0))
    };
    let mut nodes: Vec<_> = meshes.of_node.iter().filter_map(first).collect();
    nodes.sort_unstable();
    nodes
}

/// Each node's parent, through the skeleton that has all nodes as bones.
fn parent_of(skeleton: &Skeleton, node: usize) -> Option<usize> {
    skeleton.bones().get(node)?.parent.map(BoneId::index)
}
