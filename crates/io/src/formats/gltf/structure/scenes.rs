//! Meshes outside the shown scene: levels of detail, other scenes, or nodes in no scene.

use crate::formats::gltf::asset::Asset;
use rigscope_core::model::{FindingKind, Place, counted, singular_or_plural};

const LOD: &str = "MSFT_lod";

/// Reports nodes with a mesh that aren't shown, with the reason.
pub(super) fn check(asset: &Asset<'_>, shown: &[bool]) {
    let nodes = &asset.root.nodes;
    let is_hidden = |node: usize| shown.get(node) == Some(&false);
    let mut is_level = vec![false; nodes.len()];
    let mut open: Vec<usize> = nodes.iter().flat_map(levels).collect();
    while let Some(node) = open.pop() {
        let Some(flag) = is_level.get_mut(node) else { continue };
        if !std::mem::replace(flag, true) {
            let children = nodes.get(node).and_then(|node| node.children.as_ref());
            open.extend(children.into_iter().flatten().map(|child| child.value()));
        }
    }
    let mut hidden = Vec::new();
    let mut num_levels = 0;
    for (at, _) in nodes.iter().enumerate().filter(|(_, node)| node.mesh.is_some()) {
        if is_hidden(at) {
            match is_level.get(at) {
                Some(true) => num_levels += 1,
                _ => hidden.push(at),
            }
        }
    }
    asset.report.add_many(FindingKind::PartShown, Place::File, num_levels, || {
        let meshes = counted(num_levels, "mesh");
        let are = singular_or_plural(num_levels, "is a lower level", "are lower levels");
        format!("{meshes} {are} of detail ({LOD}); the highest level is shown")
    });
    let num = hidden.len() as u64;
    let Some(&first) = hidden.first() else { return };
    asset.report.add_many(FindingKind::MeshesOutsideScene, Place::File, num, || {
        let (meshes, are) = (counted(num, "mesh"), singular_or_plural(num, "is", "are"));
        let place = match asset.root.scenes.len() {
            1 => "not part of the file's scene",
            _ => "part of other scenes or of none",
        };
        format!("{meshes} {are} {place}; the first is at {}", asset.node_name(first))
    });
}

/// The nodes that are lower levels of detail of a node.
fn levels(node: &gltf_json::Node) -> impl Iterator<Item = usize> {
    let stored = node.extensions.as_ref().and_then(|all| all.others.get(LOD));
    let ids = stored.and_then(|lod| lod.get("ids")).and_then(|ids| ids.as_array());
    let ids = ids.into_iter().flatten().filter_map(|id| id.as_u64());
    ids.filter_map(|id| usize::try_from(id).ok())
}
