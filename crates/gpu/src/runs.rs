//! The drawn subsets, merged into runs.
//!
//! A *run* consists of consecutive subsets of a mesh that look the same in every pass, so that one draw
//! covers them. Picking and outlines find the subset from the triangle.

use super::draws::{DrawRange, SceneMesh};
use super::frame::FrameInput;
use super::gpu_data::Draw;
use super::textures::{Materials, Paint};

/// Consecutive subsets of a mesh that look the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawRun {
    /// Index of the chunk.
    pub(super) mesh: usize,
    /// All its indices, with the draw of the first subset.
    pub(super) range: DrawRange,
    pub(super) paint: Paint,
}

/// The runs of all visible subsets, in the order of the model. `draws` are those of all subsets.
pub(super) fn runs(
    meshes: &[SceneMesh],
    materials: &Materials,
    input: &FrameInput<'_>,
    draws: &[Draw],
) -> Vec<DrawRun> {
    let mut runs: Vec<DrawRun> = Vec::new();
    for (number, mesh) in meshes.iter().enumerate() {
        for range in mesh.ranges(input) {
            let (paint, _) = materials.of(range.material, &input.show);
            let next = DrawRun { mesh: number, range, paint };
            match runs.last_mut().filter(|last| is_followed_by(last, &next, draws)) {
                Some(last) => {
                    last.range.num_indices += range.num_indices;
                    last.range.num_subsets += range.num_subsets;
                }
                None => runs.push(next),
            }
        }
    }
    runs
}

/// Whether one draw can cover both.
fn is_followed_by(run: &DrawRun, next: &DrawRun, draws: &[Draw]) -> bool {
    let look =
        |run: &DrawRun| draws.get(run.range.draw as usize).map(|draw| (draw.color, draw.flags));
    run.mesh == next.mesh
        && run.range.indices().end == next.range.first_index
        && run.range.subset + run.range.num_subsets == next.range.subset
        // The next subset starts at a triangle boundary.
        && run.range.num_indices.is_multiple_of(3)
        && run.paint == next.paint
        // Blended runs are sorted separately.
        && !matches!(run.paint, Paint::Blended(_))
        && look(run) == look(next)
}
