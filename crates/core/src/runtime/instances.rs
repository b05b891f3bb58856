//! Instanced meshes that are drawn once.

use super::Rules;
use super::playback_difference::PlaybackDifference;
use crate::model::{Indices, Mesh, Model, MorphShape, Place, Subset, VertexData, VertexId, as_u32};

/// Reduces the instances of a node's mesh to the mesh itself.
pub(super) fn draw_once(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    if rules.draws_instances {
        return;
    }
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let stored = mesh.stored.as_ref().and_then(|stored| stored.instances);
        let Some((num, first)) = stored.filter(|(num, _)| *num > 0) else { continue };
        if !mesh.num_vertices().is_multiple_of(num) || first.matrix3.determinant() == 0.0 {
            continue;
        }
        keep_first(mesh, mesh.num_vertices() / num, &first);
        differences.push(PlaybackDifference {
            kind: "instances-ignored",
            text: "instanced meshes are drawn once, at their node".to_owned(),
            place: Place::Mesh(number),
            count: num as u64,
        });
    }
}

/// Keeps the first vertices, and removes the transform of the first instance from them.
fn keep_first(mesh: &mut Mesh, num: usize, placed: &glam::Affine3A) {
    let back = placed.inverse();
    let VertexData::Streams(streams) = &mut mesh.vertices else { return };
    streams.positions.truncate(num);
    streams.normals.truncate(num);
    streams.tangents.truncate(num);
    streams.colors.truncate(num);
    streams.uv_sets.iter_mut().for_each(|set| set.coords.truncate(num));
    streams.positions.iter_mut().for_each(|position| *position = back.transform_point3(*position));
    let normal_matrix = placed.matrix3.transpose();
    for normal in &mut streams.normals {
        *normal = (normal_matrix * *normal).normalize_or_zero();
    }
    for shape in mesh.morph_targets.iter_mut().flat_map(|target| &mut target.shapes) {
        keep_first_offsets(shape, num, &back);
    }
    let is_kept = |corners: &[u32]| corners.iter().all(|vertex| (*vertex as usize) < num);
    let mut indices: Vec<u32> = Vec::new();
    let all: Vec<u32> = mesh.indices.iter().collect();
    for subset in &mut mesh.subsets {
        let first_index = as_u32(indices.len());
        let own = all.get(subset.range()).unwrap_or_default();
        indices.extend(own.chunks(3).filter(|corners| is_kept(corners)).flatten());
        let index_count = as_u32(indices.len()) - first_index;
        *subset = Subset { first_index, index_count, ..*subset };
    }
    mesh.indices = Indices::U32(indices);
    for loose in &mut mesh.loose {
        let corners = loose.kind.num_corners();
        loose.indices =
            loose.indices.chunks(corners).filter(|own| is_kept(own)).flatten().copied().collect();
    }
}

fn keep_first_offsets(shape: &mut MorphShape, num: usize, back: &glam::Affine3A) {
    let kept = shape.vertices.partition_point(|vertex: &VertexId| vertex.index() < num);
    shape.vertices.truncate(kept);
    shape.position_offsets.truncate(kept);
    shape.normal_offsets.truncate(kept);
    for offset in &mut shape.position_offsets {
        *offset = back.transform_vector3(*offset);
    }
}
