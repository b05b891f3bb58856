//! Skins: joints listed twice, joints outside the scene, and skeleton nodes that aren't above the
//! joints (section 3.7.3.1).

use std::collections::{BTreeMap, HashSet};

use super::{MAX_STEPS, parent_of, shown_nodes};
use crate::formats::gltf::asset::Asset;
use crate::formats::gltf::mesh::Meshes;
use rigscope_core::model::{FindingKind, Place, Skeleton, counted, numbered, singular_or_plural};

/// Checks the skins of all shown meshes, each once.
pub(super) fn check(asset: &Asset<'_>, skeleton: &Skeleton, shown: &[bool], meshes: &Meshes) {
    let mut used: BTreeMap<usize, u32> = BTreeMap::new();
    for (node, mesh) in shown_nodes(meshes) {
        if let Some(skin) = asset.root.nodes.get(node).and_then(|node| node.skin) {
            used.entry(skin.value()).or_insert(mesh);
        }
    }
    let mut num_steps = 0;
    for (skin, mesh) in used {
        let Some(stored) = asset.root.skins.get(skin) else { continue };
        let name = || numbered("skin", skin, stored.name.as_deref().unwrap_or_default());
        let place = Place::Mesh(mesh);
        let joints = || stored.joints.iter().map(|joint| joint.value());

        let mut known = HashSet::new();
        let mut twice = joints().filter(|joint| !known.insert(*joint));
        if let Some(first) = twice.next() {
            let num = 1 + twice.count() as u64;
            asset.report.add_many(FindingKind::JointListedTwice, place, num, || {
                format!("{} lists {} more than once", name(), asset.node_name(first))
            });
        }

        let mut outside = joints().filter(|joint| shown.get(*joint) == Some(&false));
        if let Some(first) = outside.next() {
            let num = 1 + outside.count() as u64;
            asset.report.add_many(FindingKind::JointsOutsideScene, place, num, || {
                let all = counted(stored.joints.len() as u64, "joint");
                let first = asset.node_name(first);
                let are = singular_or_plural(num, "isn't", "aren't");
                format!(
                    "{num} of {all} of {} {are} part of the scene; the first is {first}",
                    name()
                )
            });
        }

        let Some(root) = stored.skeleton.map(|root| root.value()) else { continue };
        let mut below = HashSet::from([root]);
        let mut is_below = |joint: usize| {
            let mut path = Vec::new();
            let mut at = Some(joint);
            while let Some(node) = at {
                num_steps += 1;
                if below.contains(&node) || num_steps > MAX_STEPS {
                    below.extend(path);
                    return true;
                }
                path.push(node);
                at = parent_of(skeleton, node);
            }
            false
        };
        let mut stray = joints().filter(|joint| !is_below(*joint));
        if let Some(first) = stray.next() {
            let num = 1 + stray.count() as u64;
            asset.report.add_many(FindingKind::SkeletonNotAncestor, place, num, || {
                format!(
                    "{}: its skeleton, {}, isn't above {}",
                    name(),
                    asset.node_name(root),
                    asset.node_name(first)
                )
            });
        }
    }
}
