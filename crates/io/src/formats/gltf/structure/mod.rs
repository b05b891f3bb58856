//! Contradictions between objects of a file: other programs show such a file differently, or not at
//! all.
//!
//! Covers nodes, skins, attributes and channels as stated in the JSON. Values of accessors are
//! checked as they are read (`stored_bounds`, `influence_sets`), and damage that makes an object
//! unreadable is an error.
//!
//! Invariant: these checks only add findings; they never change the model.

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

/// Limit on the steps from node to node that a rule takes, so that the time stays bounded. A file
/// with thousands of skins over deep hierarchies that needs more is checked in part.
const MAX_STEPS: usize = 1 << 24;

/// Reports contradictions between the objects of a file whose nodes are `skeleton`.
pub(super) fn check(asset: &Asset<'_>, skeleton: &Skeleton, shown: &[bool], meshes: &Meshes) {
    scenes::check(asset, shown);
    attributes::check(asset, meshes);
    morphs::check(asset, meshes);
    rotations::check(asset);
    clips::check(asset);
    skins::check(asset, skeleton, shown, meshes);
    skinned_nodes::check(asset, skeleton, meshes);
}

/// The shown nodes with meshes, each with the number of its first model mesh, in file order.
fn shown_nodes(meshes: &Meshes) -> Vec<(usize, u32)> {
    let first = |(node, list): (&usize, &Vec<_>)| {
        let first: &rigscope_core::model::MeshId = list.first()?;
        Some((*node, first.0))
    };
    let mut nodes: Vec<_> = meshes.of_node.iter().filter_map(first).collect();
    nodes.sort_unstable();
    nodes
}

/// Each node's parent, using the skeleton that has all nodes as bones.
fn parent_of(skeleton: &Skeleton, node: usize) -> Option<usize> {
    skeleton.bones().get(BoneId::from_index(node))?.parent.map(BoneId::index)
}
