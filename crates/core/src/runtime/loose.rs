//! Points and lines with a skin.

use std::collections::HashSet;

use glam::Mat4;

use super::Rules;
use super::playback_difference::PlaybackDifference;
use crate::model::{Influences, Mesh, Model, Place, Skin, as_u32, counted};

/// Attaches the vertices of skinned points and lines to the node of their mesh.
pub(super) fn unskin(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if rules.skins_loose {
        return;
    }
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let Some(node) = mesh.stored.as_ref().and_then(|stored| stored.node) else { continue };
        if mesh.loose.is_empty() || !model.skeleton.bones().contains_id(node) {
            continue;
        }
        let vertices = loose_vertices(mesh);
        let Skin::InverseBind(skin) = &mut mesh.skin else { continue };
        if vertices.is_empty() || !matches!(skin.influences, Influences::Rows { .. }) {
            continue;
        }
        let slot = as_u32(skin.bones.len());
        skin.bones.push(node);
        skin.bone_from_mesh.push(Mat4::IDENTITY);
        skin.influences.map_rows(|vertex, row| {
            if vertices.contains(&as_u32(vertex)) {
                *row = vec![(slot, 1.0)];
            }
        });
        let count = vertices.len() as u64;
        differences.push(PlaybackDifference {
            kind: "loose-unskinned",
            text: format!("{} of points and lines aren't skinned", counted(count, "vertex")),
            place: Place::Mesh(number),
            count,
        });
    }
}

/// The vertices that no triangle uses.
fn loose_vertices(mesh: &Mesh) -> HashSet<u32> {
    let of_triangles: HashSet<u32> = mesh.indices.iter().collect();
    (0..as_u32(mesh.num_vertices())).filter(|vertex| !of_triangles.contains(vertex)).collect()
}
