//! Morph targets on the GPU: offsets per vertex, and the weight of each shape.
//!
//! The model stores offsets by shape, as files do. The shader needs those of a single vertex together, so
//! they are transposed once, at upload.

use crate::buffers::count;
use glam::Vec3;
use rigscope_core::model::{Mesh, Model, MorphShape};

/// Words per entry: shape and position offset, optionally a normal offset.
const STRIDE: u32 = 4;
pub(super) const STRIDE_WITH_NORMALS: u32 = 7;

#[derive(Debug, Default)]
pub(super) struct MorphRows {
    /// First entry of each vertex and the end, then the entries.
    pub(super) words: Vec<u32>,
    /// Words per entry; 0 if nothing morphs.
    pub(super) stride: u32,
    /// Index in `words` at which the entries begin.
    pub(super) first_entry: u32,
}

/// Number of shapes in a mesh's morph targets.
pub(super) fn num_shapes(mesh: &Mesh) -> usize {
    let targets = mesh.morph_targets.iter();
    targets.map(|target| target.shapes.len()).sum()
}

fn shapes(mesh: &Mesh) -> impl Iterator<Item = &MorphShape> {
    let targets = mesh.morph_targets.iter();
    targets.flat_map(|target| target.shapes.iter())
}

/// The nonzero offsets of a shape: vertex, position offset, normal offset.
fn offsets(shape: &MorphShape) -> impl Iterator<Item = (usize, Vec3, Vec3)> + '_ {
    let pairs = shape.vertices.iter().zip(&shape.position_offsets);
    pairs.enumerate().filter_map(|(at, (vertex, &position))| {
        let normal = shape.normal_offsets.get(at).copied().unwrap_or_default();
        // Formats that store every shape for all vertices have zero offsets for most of them.
        let moves = position != Vec3::ZERO || normal != Vec3::ZERO;
        moves.then_some((vertex.index(), position, normal))
    })
}

/// The vertices that the shapes of `mesh` move, once per shape.
pub(super) fn moved(mesh: &Mesh) -> impl Iterator<Item = usize> + '_ {
    shapes(mesh).flat_map(offsets).map(|(vertex, ..)| vertex)
}

/// Transposes the shapes of `mesh` into rows per vertex. `first_shape` is the number of its first shape.
pub(super) fn rows(mesh: &Mesh, first_shape: u32) -> MorphRows {
    let num_vertices = mesh.num_vertices();
    let mut firsts = vec![0u32; num_vertices + 1];
    for vertex in moved(mesh) {
        if let Some(num) = firsts.get_mut(vertex + 1) {
            *num = num.saturating_add(1);
        }
    }
    let mut sum = 0u32;
    for first in &mut firsts {
        sum = sum.saturating_add(*first);
        *first = sum;
    }
    if sum == 0 {
        return MorphRows::default();
    }
    let has_normals = shapes(mesh).any(|shape| !shape.normal_offsets.is_empty());
    let stride = if has_normals { STRIDE_WITH_NORMALS } else { STRIDE };
    let first_entry = firsts.len();
    let mut next = firsts.clone();
    let mut words = firsts;
    words.resize(first_entry + sum as usize * stride as usize, 0);
    for (shape, number) in shapes(mesh).zip(first_shape..) {
        for (vertex, position, normal) in offsets(shape) {
            // The last element of `firsts` is the end.
            let Some(entry) = next.get_mut(vertex).filter(|_| vertex < num_vertices) else {
                continue;
            };
            let at = first_entry + *entry as usize * stride as usize;
            *entry += 1;
            let numbers = position.to_array().into_iter().chain(normal.to_array());
            let values = std::iter::once(number).chain(numbers.map(f32::to_bits));
            if let Some(slots) = words.get_mut(at..at + stride as usize) {
                slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
            }
        }
    }
    MorphRows { words, stride, first_entry: count(first_entry) }
}

/// The weight of each shape of all meshes, from the weights of all morph targets.
pub(super) fn shape_weights(motion: &Model, weights: &[Vec<f32>]) -> Vec<f32> {
    let mut all = Vec::new();
    for (number, mesh) in motion.meshes.iter().enumerate() {
        for (at, target) in mesh.morph_targets.iter().enumerate() {
            let weight = weights.get(number).and_then(|of_mesh| of_mesh.get(at));
            all.extend(target.shape_weights(weight.copied().unwrap_or_default()));
        }
    }
    all
}

/// [`shape_weights`] outside any clip.
pub(super) fn default_shape_weights(motion: &Model) -> Vec<f32> {
    let targets = motion.meshes.iter().flat_map(|mesh| &mesh.morph_targets);
    let seen = targets.flat_map(|target| target.shape_weights(target.default_weight));
    seen.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_testing::*;

    fn mesh(shapes: Vec<MorphShape>) -> Mesh {
        let mesh = ModelBuilder::new().mesh([Vec3::ZERO; 3]).morph("", &[]);
        mesh.edit(|mesh| mesh.morph_targets[0].shapes = shapes).into_mesh()
    }

    fn shape(vertices: &[u32], x: f32) -> MorphShape {
        let offsets: Vec<_> = vertices.iter().map(|&v| (v, Vec3::X * x)).collect();
        morph("", &offsets).shapes.remove(0)
    }

    #[test]
    fn offsets_are_grouped_by_vertex_in_shape_order() {
        let rows = rows(&mesh(vec![shape(&[0, 2], 1.0), shape(&[2], 2.0)]), 5);
        assert_eq!((rows.stride, rows.first_entry), (STRIDE, 4));
        assert_eq!(rows.words[..4], [0, 1, 1, 3]);
        let entry = |at: usize| (rows.words[4 + at * 4], f32::from_bits(rows.words[5 + at * 4]));
        assert_eq!([entry(0), entry(1), entry(2)], [(5, 1.0), (5, 1.0), (6, 2.0)]);
    }

    #[test]
    fn zero_offsets_and_missing_vertices_are_dropped() {
        let rows = rows(&mesh(vec![shape(&[0, 1, 2], 0.0), shape(&[3, 900], 1.0)]), 0);
        assert_eq!((rows.words.len(), rows.stride), (0, 0));
    }
}
