//! Morph targets: one per shape, since glTF has no in-betweens, with offsets that may be sparse.

use glam::Vec3;
use gltf_json::mesh::MorphTarget;

use super::data::{FileData, index};
use rigscope_core::model::{Mesh, MorphShape};

/// A morph target of the file.
pub(super) struct TargetShape<'a> {
    /// Index of its target in the mesh.
    pub(super) target: usize,
    /// Index in the target's shapes.
    pub(super) shape: usize,
    /// Its name in the file.
    pub(super) name: String,
    /// Its weight outside any clip.
    pub(super) default_weight: f32,
    offsets: Option<&'a MorphShape>,
}

/// The shapes of a mesh, in order; the name of an in-between includes the weight at which it is
/// fully visible.
pub(super) fn shapes(mesh: &Mesh) -> Vec<TargetShape<'_>> {
    let mut shapes = Vec::new();
    for (number, target) in mesh.morph_targets.iter().enumerate() {
        let has_one = target.shapes.len() < 2;
        let weights: Vec<f32> = target.shape_weights(target.default_weight).collect();
        for (at, shape) in target.shapes.iter().enumerate() {
            let is_main = has_one || shape.full_weight == 1.0;
            shapes.push(TargetShape {
                target: number,
                shape: at,
                name: if is_main {
                    target.name.clone()
                } else {
                    format!("{} {}", target.name, shape.full_weight)
                },
                default_weight: weights.get(at).copied().unwrap_or_default(),
                offsets: Some(shape),
            });
        }
        if target.shapes.is_empty() {
            shapes.push(TargetShape {
                target: number,
                shape: 0,
                name: target.name.clone(),
                default_weight: target.default_weight,
                offsets: None,
            });
        }
    }
    shapes
}

/// Writes the offsets of all shapes.
pub(super) fn targets(
    shapes: &[TargetShape<'_>],
    num_vertices: usize,
    data: &mut FileData,
) -> Vec<MorphTarget> {
    let has_normals =
        (shapes.iter().filter_map(|s| s.offsets)).any(|s| !s.normal_offsets.is_empty());
    let target = |shape: &TargetShape<'_>| {
        let dense = |pick: fn(&MorphShape) -> &[Vec3]| {
            let mut all = vec![[0.0; 3]; num_vertices];
            if let Some(offsets) = shape.offsets {
                for (vertex, offset) in offsets.vertices.iter().zip(pick(offsets)) {
                    if let Some(slot) = all.get_mut(vertex.index()) {
                        *slot = (Vec3::from(*slot) + *offset).to_array();
                    }
                }
            }
            all
        };
        let positions = data.offsets(&dense(|s| &s.position_offsets), true);
        let normals = has_normals.then(|| data.offsets(&dense(|s| &s.normal_offsets), false));
        MorphTarget {
            positions: Some(index(positions)),
            normals: normals.map(index),
            tangents: None,
        }
    };
    shapes.iter().map(target).collect()
}
