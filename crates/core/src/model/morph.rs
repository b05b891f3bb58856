//! Morph targets: sparse offsets added before skinning.

use glam::Vec3;

use super::{MeshId, Track, VertexId};

/// A morph target: a shape controlled by one weight, with optional in-between shapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Name in the file.
    pub name: String,
    /// Weight without any clip.
    pub default_weight: f32,
    /// The shapes by ascending weight; more than one if the file has in-betweens.
    pub shapes: Vec<MorphShape>,
}

/// Vertex offsets of one shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphShape {
    /// The target's weight at which this shape is fully applied and the others aren't.
    pub full_weight: f32,
    /// The affected vertices, ascending.
    pub vertices: Vec<VertexId>,
    /// Position offset of each affected vertex.
    pub position_offsets: Vec<Vec3>,
    /// Normal offset of each affected vertex; may be empty.
    pub normal_offsets: Vec<Vec3>,
}

impl MorphTarget {
    /// A target with one shape, fully applied at weight 1.
    #[must_use]
    pub fn single(name: String, shape: MorphShape) -> Self {
        Self { name, default_weight: 0.0, shapes: vec![MorphShape { full_weight: 1.0, ..shape }] }
    }

    /// The weight of each shape at target weight `weight`, in the order of [`Self::shapes`].
    ///
    /// Weights are interpolated linearly between two shapes, and between a shape and the mesh
    /// itself at weight 0. They are extrapolated beyond the last shape. If there is no shape on the
    /// weight's side of 0, the nearest shape on the other side is extrapolated: a single shape is
    /// applied in proportion to the weight, whatever its sign (ufbx 0.23,
    /// `ufbxi_update_blend_channel`; glTF 2.0, 3.7.2.2). Two shapes at the same weight have nothing
    /// between or beyond them.
    pub fn shape_weights(&self, weight: f32) -> impl Iterator<Item = f32> + '_ {
        let (from, to) = self.span(weight);
        let full = |at: Option<usize>| at.map_or(0.0, |at| self.shapes[at].full_weight);
        let (low, high) = (full(from), full(to));
        let share = (high != low).then(|| (weight - low) / (high - low));
        (0..self.shapes.len()).map(move |at| match share {
            Some(share) if Some(at) == to => share,
            Some(share) if Some(at) == from => 1.0 - share,
            _ => 0.0,
        })
    }

    /// The shapes before and after `weight`, going away from 0; `None` is the mesh itself.
    fn span(&self, weight: f32) -> (Option<usize>, Option<usize>) {
        let num = self.shapes.len();
        let num_negative = self.shapes.partition_point(|s| s.full_weight < 0.0);
        let above = num_negative..num;
        match weight > 0.0 {
            true if above.is_empty() => (None, num_negative.checked_sub(1)),
            true => outward(above, |at| self.shapes[at].full_weight > weight),
            false if num_negative == 0 => (None, (num > 0).then_some(0)),
            false => outward((0..num_negative).rev(), |at| self.shapes[at].full_weight < weight),
        }
    }
}

/// The last two of `shapes`, preceded by the mesh itself, up to the first that `is_beyond`.
fn outward(
    shapes: impl Iterator<Item = usize>,
    is_beyond: impl Fn(usize) -> bool,
) -> (Option<usize>, Option<usize>) {
    let (mut from, mut to) = (None, None);
    for at in shapes {
        (from, to) = (to, Some(at));
        if is_beyond(at) {
            break;
        }
    }
    (from, to)
}

/// The weight of one morph target over time.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTrack {
    /// The mesh with the target.
    pub mesh: MeshId,
    /// Position in the mesh's list of targets.
    pub target: usize,
    /// The weights over time.
    pub weights: Track<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(full: &[f32], weight: f32) -> Vec<f32> {
        let shape = |&full_weight: &f32| MorphShape { full_weight, ..MorphShape::default() };
        let target =
            MorphTarget { shapes: full.iter().map(shape).collect(), ..MorphTarget::default() };
        target.shape_weights(weight).collect()
    }

    #[test]
    fn a_single_shape_is_proportional_to_its_weight() {
        assert_eq!(weights(&[1.0], 0.25), [0.25]);
        assert_eq!(weights(&[1.0], 1.5), [1.5]);
        assert_eq!(weights(&[1.0], -0.5), [-0.5]);
        assert_eq!(weights(&[-1.0], 0.5), [-0.5]);
        assert_eq!(weights(&[2.0], 1.0), [0.5]);
        assert_eq!(weights(&[], 0.5), [0.0; 0]);
    }

    #[test]
    fn in_betweens_are_applied_in_sequence() {
        assert_eq!(weights(&[0.5, 1.0], 0.25), [0.5, 0.0]);
        assert_eq!(weights(&[0.5, 1.0], 0.5), [1.0, 0.0]);
        assert_eq!(weights(&[0.5, 1.0], 0.75), [0.5, 0.5]);
        assert_eq!(weights(&[0.5, 1.0], 1.0), [0.0, 1.0]);
        assert_eq!(weights(&[0.5, 1.0], 1.5), [-1.0, 2.0]);
        assert_eq!(weights(&[-1.0, 1.0], -0.25), [0.25, 0.0]);
        assert_eq!(weights(&[-1.0, -0.5, 1.0], -0.75), [0.5, 0.5, 0.0]);
        assert_eq!(weights(&[-1.0, -0.5, 1.0], -2.0), [3.0, -2.0, 0.0]);
    }

    #[test]
    fn weight_without_a_shape_of_its_sign_extrapolates_the_nearest_shape() {
        assert_eq!(weights(&[0.5, 1.0], -0.25), [-0.5, 0.0]);
        assert_eq!(weights(&[-1.0, -0.5], 0.25), [0.0, -0.5]);
        assert_eq!(weights(&[0.5, 1.0], 0.0), [0.0, 0.0]);
    }

    #[test]
    fn shapes_at_0_or_at_equal_weights_follow_ufbx() {
        assert_eq!(weights(&[0.0, 1.0], 0.25), [0.75, 0.25]);
        assert_eq!(weights(&[0.0], 0.25), [0.0]);
        assert_eq!(weights(&[1.0, 1.0], 0.5), [0.5, 0.0]);
        assert_eq!(weights(&[1.0, 1.0], 1.5), [0.0, 0.0]);
    }
}
