//! The deviation of each vertex, to be shown as colours.

use super::Comparison;

/// The deviation of each vertex of B, in the pose of the matching or at any time of a clip,
/// the larger of the two. Display units; infinite for vertices without a match.
#[must_use]
pub fn heat(comparison: &Comparison) -> Vec<f32> {
    let mut heat = comparison.per_vertex_position.clone();
    if let Some(in_clips) = &comparison.in_clips {
        for (heat, &moved) in heat.iter_mut().zip(&in_clips.per_vertex) {
            *heat = heat.max(moved);
        }
    }
    heat
}
