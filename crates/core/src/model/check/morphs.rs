//! Checks morph targets: shapes in order, vertices that exist, finite offsets.

use glam::Vec3;

use super::Tally;
use crate::model::{FindingKind, Mesh, MorphShape, Place, Report, counted};

/// Checks all morph targets of one mesh.
pub(super) fn check(mesh: &mut Mesh, number: u32, report: &Report) {
    let num_vertices = mesh.num_vertices();
    let (mut out_of_range, mut not_finite) = (Tally::default(), Tally::default());
    for (at, target) in mesh.morph_targets.iter_mut().enumerate() {
        if !target.default_weight.is_finite() {
            target.default_weight = 0.0;
            not_finite.add(true, at);
        }
        let num_shapes = target.shapes.len();
        target.shapes.retain(|shape| shape.full_weight.is_finite());
        not_finite.add(target.shapes.len() < num_shapes, at);
        target.shapes.sort_by(|a, b| a.full_weight.total_cmp(&b.full_weight));
        for shape in &mut target.shapes {
            out_of_range.add(fix_shape(shape, num_vertices), at);
            for offset in shape.position_offsets.iter_mut().chain(&mut shape.normal_offsets) {
                if !offset.is_finite() {
                    *offset = Vec3::ZERO;
                    not_finite.add(true, at);
                }
            }
        }
    }
    let place = Place::Mesh(number);
    report.add_many(FindingKind::MorphOutOfRange, place, out_of_range.count, || {
        format!(
            "morph target {} moves vertices that don't exist; the mesh has {}",
            out_of_range.first,
            counted(num_vertices as u64, "vertex")
        )
    });
    report.add_many(FindingKind::NotFinite, place, not_finite.count, || {
        format!("a weight or offset of morph target {} isn't finite", not_finite.first)
    });
}

/// Sorts vertices and removes those that don't exist; returns whether there were any.
fn fix_shape(shape: &mut MorphShape, num_vertices: usize) -> bool {
    let num = shape.vertices.len().min(shape.position_offsets.len());
    let has_normals = shape.normal_offsets.len() == shape.vertices.len();
    let is_sound = num == shape.vertices.len()
        && num == shape.position_offsets.len()
        && shape.vertices.is_sorted()
        && shape.vertices.last().is_none_or(|last| last.index() < num_vertices);
    if !has_normals {
        shape.normal_offsets.clear();
    }
    if is_sound {
        return false;
    }
    let mut order: Vec<usize> =
        (0..num).filter(|&at| shape.vertices[at].index() < num_vertices).collect();
    order.sort_by_key(|&at| shape.vertices[at]);
    let was_longer = order.len() < shape.vertices.len();
    *shape = MorphShape {
        full_weight: shape.full_weight,
        vertices: order.iter().map(|&at| shape.vertices[at]).collect(),
        position_offsets: order.iter().map(|&at| shape.position_offsets[at]).collect(),
        normal_offsets: if has_normals {
            order.iter().map(|&at| shape.normal_offsets[at]).collect()
        } else {
            Vec::new()
        },
    };
    was_longer
}
