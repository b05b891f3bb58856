//! Morph targets on the GPU: offsets by vertex, and how much of each shape is seen.
//!
//! The Model keeps offsets shape by shape, as files do. A vertex that is moved alone wants its own
//! together: they are turned round once, at upload.

use crate::buffers::count;
use glam::Vec3;
use rigscope_core::model::{Mesh, Model, MorphShape};

/// Words of an entry: shape and position offset, and with a normal offset.
const STRIDE: u32 = 4;
pub(super) const STRIDE_WITH_NORMALS: u32 = 7;

/// The offsets of one mesh as compressed rows.
#[derive(Debug, Default)]
pub(super) struct MorphRows {
    /// One more first entry than vertices, then the entries.
    pub(super) words: Vec<u32>,
    /// Words of an entry; 0 where nothing morphs.
    pub(super) stride: u32,
    /// Where the entries begin in `words`.
    pub(super) first_entry: u32,
}

/// Number of shapes of all targets of a mesh.
pub(super) fn num_shapes(mesh: &Mesh) -> usize {
    let targets = mesh.morph_targets.iter();
    targets.map(|target| target.shapes.len()).sum()
}

fn shapes(mesh: &Mesh) -> impl Iterator<Item = &MorphShape> {
    let targets = mesh.morph_targets.iter();
    targets.flat_map(|target| target.shapes.iter())
}

/// The offsets of a shape that move something: vertex, position offset, normal offset.
fn offsets(shape: &MorphShape) -> impl Iterator<Item = (usize, Vec3, Vec3)> + '_ {
    let pairs = shape.vertices.iter().zip(&shape.position_offsets);
    pairs.enumerate().filter_map(|(at, (vertex, &position))| {
        let normal = shape.normal_offsets.get(at).copied().unwrap_or_default();
        // Formats that store a shape for all vertices have nothing to say for most of them.
        let moves = position != Vec3::ZERO || normal != Vec3::ZERO;
        moves.then_some((vertex.index(), position, normal))
    })
}

/// The vertices that shapes of `mesh` move, once for each shape.
pub(super) fn moved(mesh: &Mesh) -> impl Iterator<Item = usize> + '_ {
    shapes(mesh).flat_map(offsets).map(|(vertex, ..)| vertex)
}

/// Turns the shapes of `mesh` into rows by vertex; the first has number `first_shape`.
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
    let stride = match has_normals {
        true => STRIDE_WITH_NORMALS,
        false => STRIDE,
    };
    let first_entry = firsts.len();
    let mut next = firsts.clone();
    let mut words = firsts;
    words.resize(first_entry + sum as usize * stride as usize, 0);
    for (shape, number) in shapes(mesh).zip(first_shape..) {
        for (vertex, position, normal) in offsets(shape) {
            // The last first belongs to no vertex.
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

/// How much of each shape of all meshes is seen, for the weights of all targets of all meshes.
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
    fn offsets_lie_by_vertex_and_shapes_keep_their_order() {
        let rows = rows(&mesh(vec![shape(&[0, 2], 1.0), shape(&[2], 2.0)]), 5);
        assert_eq!((rows.stride, rows.first_entry), (STRIDE, 4));
        assert_eq!(rows.words[..4], [0, 1, 1, 3]);
        let entry = |at: usize| (rows.words[4 + at * 4], f32::from_bits(rows.words[5 + at * 4]));
        assert_eq!([entry(0), entry(1), entry(2)], [(5, 1.0), (5, 1.0), (6, 2.0)]);
    }

    #[test]
    fn offsets_of_nothing_and_of_no_vertex_take_no_room() {
        let rows = rows(&mesh(vec![shape(&[0, 1, 2], 0.0), shape(&[3, 900], 1.0)]), 0);
        assert_eq!((rows.words.len(), rows.stride), (0, 0));
    }
}
