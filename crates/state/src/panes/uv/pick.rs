//! Picking in the UV pane, in a task because it tests all triangles.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec2;

use super::layout::{UvLayout, uv_of};
use crate::{Action, AppState, Request, Selection, TaskSlot};
use rigscope_core::model::{Cancelled, MeshId, Model, Report, VertexId};

/// Finds the item under a click.
const PICK_TASK: TaskSlot = TaskSlot("picking");
/// Triangles between calls to the report.
const TRIANGLES_PER_LOOK: usize = 65_536;

/// A visible subset.
struct Drawn {
    row: usize,
    mesh: MeshId,
    indices: Range<usize>,
}

impl AppState {
    /// Selects the vertex within `reach` of `at`, else the triangle, else nothing.
    pub(super) fn pick_uv(&mut self, at: Vec2, reach: f32) -> Vec<Request> {
        let (Some(document), Some(layout)) = (&self.tab.document, self.tab.view.uv.layout.get())
        else {
            return Vec::new();
        };
        let rows = document.subsets.iter().enumerate();
        let drawn = rows.filter(|(row, _)| self.shows_uv_subset(*row)).map(|(row, subset)| Drawn {
            row,
            mesh: subset.mesh,
            indices: subset.subset.range(),
        });
        let drawn: Vec<Drawn> = drawn.collect();
        let (model, layout) = (Arc::clone(&document.model), Arc::clone(layout));
        self.start_task(PICK_TASK, move |report| {
            let selection = at_place(&model, &layout, &drawn, at, reach, report)?;
            Ok(Action::Select(selection.unwrap_or_default()))
        })
    }
}

fn at_place(
    model: &Model,
    layout: &UvLayout,
    drawn: &[Drawn],
    at: Vec2,
    reach: f32,
    report: &Report,
) -> Result<Option<Selection>, Cancelled> {
    let mut nearest: Option<(f32, Selection)> = None;
    let mut inside = None;
    for subset in drawn {
        let mesh = model.mesh(subset.mesh);
        let uvs = layout.uvs(subset.mesh);
        let triangles = mesh.triangles(subset.indices.clone());
        for (number, corners) in (subset.indices.start / 3..).zip(triangles) {
            if number % TRIANGLES_PER_LOOK == 0 {
                report.progress(PICK_TASK.0, 0.5)?;
            }
            let [Some(a), Some(b), Some(c)] =
                corners.map(|corner| uvs.get(corner as usize).map(|&place| uv_of(place)))
            else {
                continue;
            };
            for (vertex, place) in corners.into_iter().zip([a, b, c]) {
                let distance = place.distance(at);
                if distance <= reach && nearest.is_none_or(|(least, _)| distance < least) {
                    let selection = Selection::Vertex {
                        mesh: subset.mesh,
                        vertex: VertexId(vertex),
                        subset: Some(subset.row),
                    };
                    nearest = Some((distance, selection));
                }
            }
            if inside.is_none()
                && contains([a, b, c], at)
                && let Ok(triangle) = u32::try_from(number)
            {
                inside = Some(Selection::Triangle {
                    mesh: subset.mesh,
                    triangle,
                    subset: Some(subset.row),
                });
            }
        }
    }
    Ok(nearest.map(|(_, selection)| selection).or(inside))
}

fn contains([a, b, c]: [Vec2; 3], at: Vec2) -> bool {
    let side = |from: Vec2, to: Vec2| (to - from).perp_dot(at - from);
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn point_in_triangle_test_works_for_both_windings() {
        let [a, b, c] = [Vec2::ZERO, Vec2::X, Vec2::Y];
        let at = Vec2::splat(0.2);
        assert!(contains([a, b, c], at) && contains([a, c, b], at));
        assert!(!contains([a, b, c], Vec2::splat(0.6)));
    }
}
