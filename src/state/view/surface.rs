//! Directions of vertices as lines, and triangles that are bad.
//!
//! Not for: colourings (`visual::Coloring`), which the table of commands switches.

use std::sync::Arc;

use crate::model::MeshId;
use crate::pose::{sample, skin_vertex};
use crate::state::{Action, AppState, Effect, TaskSlot};
use crate::validate::{BadTriangles, TriangleAt, bad_triangles};
use crate::visual::{Face, Line, Marks};

/// Looking for bad triangles.
pub const BAD_TRIANGLES_TASK: TaskSlot = TaskSlot("bad triangles");

/// Length of lines, in thousandths of the model's extent.
pub const GLYPH_PERMILLE: std::ops::RangeInclusive<u16> = 1..=250;
/// Bad triangles of a kind that are marked; the count says how many there are.
const MAX_MARKED: usize = 2000;

/// Linear RGB of flipped triangles.
pub const FLIPPED_COLOR: [f32; 3] = [0.90, 0.02, 0.60];
/// Linear RGB of triangles without area.
pub const DEGENERATE_COLOR: [f32; 3] = [1.0, 0.05, 0.02];

/// What is shown of the surface beside its colours, in one document's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceView {
    /// Bad triangles are marked.
    pub marks_bad: bool,
    /// Which they are, once that is known.
    pub bad: Option<Arc<BadTriangles>>,
}

/// What changes it.
#[derive(Clone, Debug)]
pub enum SurfaceAction {
    /// Sets the length of lines, in thousandths of the model's extent.
    SetGlyphLength(u16),
    /// The bad triangles are known.
    Found(Arc<BadTriangles>),
}

impl SurfaceView {
    /// Forgets what was about one document.
    pub(in crate::state) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl AppState {
    pub(in crate::state) fn apply_surface(&mut self, action: SurfaceAction) -> Vec<Effect> {
        match action {
            SurfaceAction::SetGlyphLength(permille) => {
                let (least, most) = (*GLYPH_PERMILLE.start(), *GLYPH_PERMILLE.end());
                self.tab.view.overlays.glyph_permille = permille.clamp(least, most);
                self.settings.overlays.glyph_permille = self.tab.view.overlays.glyph_permille;
                vec![Effect::SaveSettings]
            }
            SurfaceAction::Found(bad) => {
                self.tab.view.surface.bad = Some(bad);
                Vec::new()
            }
        }
    }

    /// Makes lines of directions longer or shorter by a half.
    pub(in crate::state) fn scale_glyphs(&mut self, is_longer: bool) -> Vec<Effect> {
        let now = self.tab.view.overlays.glyph_permille;
        let next = match is_longer {
            true => now.saturating_add((now / 2).max(1)),
            false => now - now / 3,
        };
        self.apply_surface(SurfaceAction::SetGlyphLength(next))
    }

    /// Marks bad triangles, or no longer.
    pub(in crate::state) fn toggle_bad_triangles(&mut self) -> Vec<Effect> {
        self.tab.view.surface.marks_bad ^= true;
        let is_known = self.tab.view.surface.bad.is_some();
        let Some(document) = &self.tab.document else {
            return Vec::new();
        };
        if is_known || !self.tab.view.surface.marks_bad {
            return Vec::new();
        }
        let model = Arc::clone(&document.model);
        let what = "looking for bad triangles";
        self.start_task(BAD_TRIANGLES_TASK, what, move |report| {
            let bad = Arc::new(bad_triangles(&model, report)?);
            Ok(Action::Surface(SurfaceAction::Found(bad)))
        })
    }

    /// The bad triangles, where they are marked and known.
    pub fn marked_triangles(&self) -> Option<&BadTriangles> {
        let surface = &self.tab.view.surface;
        surface.bad.as_deref().filter(|_| surface.marks_bad)
    }

    /// Adds bad triangles in the pose shown. Only their own corners are moved.
    pub(in crate::state) fn add_bad_triangle_marks(&self, marks: &mut Marks) {
        let Some(bad) = self.marked_triangles().filter(|bad| !bad.is_empty()) else {
            return;
        };
        self.add_triangles(marks, &bad.flipped, FLIPPED_COLOR);
        self.add_triangles(marks, &bad.degenerate, DEGENERATE_COLOR);
    }

    fn add_triangles(&self, marks: &mut Marks, triangles: &[TriangleAt], [r, g, b]: [f32; 3]) {
        let Some(document) = &self.tab.document else {
            return;
        };
        let model = &document.model;
        let display_from_file = model.axes.display_from_file();
        let pose = sample(model, &self.tab.playback.pose_spec());
        let mut bound: Option<(MeshId, crate::pose::MeshPose)> = None;
        for at in triangles.iter().take(MAX_MARKED) {
            let Some(mesh) = model.meshes.get(at.mesh.index()) else {
                continue;
            };
            if bound.as_ref().is_none_or(|(id, _)| *id != at.mesh) {
                bound = Some((at.mesh, pose.of_mesh(at.mesh, mesh)));
            }
            let Some((_, pose)) = &bound else {
                continue;
            };
            let place = |corner: u32| {
                let position = skin_vertex(mesh, corner as usize, pose)?;
                Some(display_from_file.transform_point3(position))
            };
            let [Some(a), Some(b_), Some(c)] = at.corners.map(place) else {
                continue;
            };
            marks.faces.push(Face { corners: [a, b_, c], color: [r, g, b, 0.7] });
            for (from, to) in [(a, b_), (b_, c), (c, a)] {
                marks.lines_on_top.push(Line {
                    from,
                    to,
                    color: [r, g, b, 1.0],
                    width_points: 1.6,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_and_shrink_within_limits() {
        let mut state = AppState::default();
        let first = state.tab.view.overlays.glyph_permille;
        state.scale_glyphs(true);
        assert!(state.tab.view.overlays.glyph_permille > first);
        for _ in 0..40 {
            state.scale_glyphs(true);
        }
        assert_eq!(state.tab.view.overlays.glyph_permille, *GLYPH_PERMILLE.end());
        for _ in 0..40 {
            state.scale_glyphs(false);
        }
        let least = state.settings.overlays.glyph_permille;
        assert!(least <= 2 && least >= *GLYPH_PERMILLE.start());
        assert!(matches!(state.scale_glyphs(true).as_slice(), [Effect::SaveSettings]));
        assert!(state.tab.view.overlays.glyph_permille > least);
    }
}
