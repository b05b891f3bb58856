//! Numbers of morph targets and of their weights (section 3.7.2.2).

use std::collections::BTreeSet;

use super::shown_nodes;
use crate::formats::gltf::asset::Asset;
use crate::formats::gltf::mesh::Meshes;
use rigscope_core::model::{FindingKind, Place, counted};

/// Reports meshes whose primitives have different numbers of morph targets, and lists of weights
/// whose length differs from the number of targets.
pub(super) fn check(asset: &Asset<'_>, meshes: &Meshes) {
    let mut known = BTreeSet::new();
    for (node, number) in shown_nodes(meshes) {
        let Some(stored_node) = asset.root.nodes.get(node) else { continue };
        let Some(mesh) = stored_node.mesh.map(|mesh| mesh.value()) else { continue };
        let Some(stored) = asset.root.meshes.get(mesh) else { continue };
        let counts = stored.primitives.iter().map(|p| p.targets.as_ref().map_or(0, Vec::len));
        let most = counts.clone().max().unwrap_or(0);
        let place = Place::Mesh(number);
        let report_weights = |subject: String, weights: &Option<Vec<f32>>| {
            let num = weights.as_ref().map_or(most, Vec::len);
            let is_off = u64::from(num != most);
            asset.report.add_many(FindingKind::MorphWeightCount, place, is_off, || {
                let weights = counted(num as u64, "weight");
                format!("{subject} has {weights} for {}", counted(most as u64, "morph target"))
            });
        };
        report_weights(asset.node_name(node), &stored_node.weights);
        if !known.insert(mesh) {
            continue;
        }
        report_weights(asset.mesh_name(mesh), &stored.weights);
        let least = counts.clone().min().unwrap_or(0);
        let is_mixed = u64::from(least != most);
        asset.report.add_many(FindingKind::MorphTargetCounts, place, is_mixed, || {
            let name = asset.mesh_name(mesh);
            let counts: Vec<_> = counts.clone().take(4).map(|count| count.to_string()).collect();
            let more = if stored.primitives.len() > counts.len() { " …" } else { "" };
            let counts = counts.join(", ");
            format!(
                "the primitives of {name} have different numbers of morph targets: {counts}{more}"
            )
        });
        let num_tangents = stored.primitives.iter().flat_map(|p| p.targets.iter().flatten());
        let num_tangents = num_tangents.filter(|target| target.tangents.is_some()).count() as u64;
        asset.report.add_many(FindingKind::MorphTangentsLeftOut, place, num_tangents, || {
            format!("a morph target of {} moves tangents", asset.mesh_name(mesh))
        });
    }
}
