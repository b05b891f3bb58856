//! Rotations of nodes that aren't quaternions of length 1 (section 3.5.2).

use glam::Quat;

use crate::formats::gltf::asset::Asset;
use rigscope_core::model::{FindingKind, Place, as_u32, numbers};

/// Allowed difference of a length from 1; rounding to three decimals causes less.
const TOLERANCE: f32 = 2e-3;

/// Reports rotations whose length isn't 1: the first, and their number.
pub(super) fn check(asset: &Asset<'_>) {
    let (mut num, mut first) = (0, None);
    for (at, node) in asset.root.nodes.iter().enumerate() {
        let Some(rotation) = node.rotation else { continue };
        let length = Quat::from_array(rotation.0).length();
        // JSON can't represent non-finite numbers.
        if (length - 1.0).abs() > TOLERANCE {
            num += 1;
            first.get_or_insert((at, length));
        }
    }
    let Some((at, length)) = first else { return };
    let place = Place::Bone(as_u32(at));
    asset.report.add_many(FindingKind::RestRotationNotUnit, place, num, || {
        let node = asset.node_name(at);
        if length > 0.0 {
            let length = numbers::number(length);
            format!("the rotation of {node} has a length of {length} and is normalized")
        } else {
            format!("the rotation of {node} has a length of 0, so the node isn't rotated")
        }
    });
}
