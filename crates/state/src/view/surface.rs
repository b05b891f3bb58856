//! Length of direction lines, and bad triangles.
//!
//! Not for: colourings (`visual::Coloring`), which are switched by commands.

use std::sync::Arc;

use crate::{Action, AppState, Derived, DerivedIn, ModelKey, Request, TaskSlot};
use rigscope_core::model::Report;
use rigscope_core::validate::{BadTriangles, bad_triangles};

/// Finds bad triangles.
pub const BAD_TRIANGLES_TASK: TaskSlot = TaskSlot("finding bad triangles");

/// Length of lines, in thousandths of the model's size.
pub const GLYPH_PERMILLE: std::ops::RangeInclusive<u16> = 1..=250;
/// Surface display of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceView {
    pub bad: Derived<ModelKey, BadTriangles>,
}

/// An action on [`SurfaceView`].
#[derive(Clone, Debug)]
pub enum SurfaceAction {
    /// Sets the length of lines, in thousandths of the model's size.
    SetGlyphLength(u16),
    /// The bad triangles have been found.
    Found(Arc<BadTriangles>),
}

impl AppState {
    pub(crate) fn apply_surface(&mut self, action: SurfaceAction) -> Vec<Request> {
        match action {
            SurfaceAction::SetGlyphLength(permille) => {
                let (least, most) = (*GLYPH_PERMILLE.start(), *GLYPH_PERMILLE.end());
                self.tab.view.overlays.glyph_permille = permille.clamp(least, most);
                self.settings.overlays.glyph_permille = self.tab.view.overlays.glyph_permille;
                vec![Request::SaveSettings]
            }
            SurfaceAction::Found(bad) => {
                self.tab.view.surface.bad.set(bad);
                Vec::new()
            }
        }
    }

    /// Makes direction lines longer by a half, or shorter by a third.
    pub(crate) fn scale_glyphs(&mut self, is_longer: bool) -> Vec<Request> {
        let now = self.tab.view.overlays.glyph_permille;
        let next = if is_longer { now.saturating_add((now / 2).max(1)) } else { now - now / 3 };
        self.apply_surface(SurfaceAction::SetGlyphLength(next))
    }

    /// Finds bad triangles while they are marked.
    pub(crate) fn follow_surface(&mut self) -> Vec<Request> {
        let is_wanted = self.tab.view.overlays.bad_triangles;
        let place: DerivedIn<_, _> = |view| &mut view.surface.bad;
        self.derive(BAD_TRIANGLES_TASK, place, self.model_key(), is_wanted, |_, key| {
            move |report: &Report| {
                let bad = Arc::new(bad_triangles(&key.0, report)?);
                Ok(Action::Surface(SurfaceAction::Found(bad)))
            }
        })
    }

    /// The bad triangles, if they are marked and known.
    pub fn marked_triangles(&self) -> Option<&BadTriangles> {
        let view = &self.tab.view;
        view.surface.bad.get().map(Arc::as_ref).filter(|_| view.overlays.bad_triangles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyph_lengths_are_scaled_within_limits() {
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
        assert!(matches!(state.scale_glyphs(true).as_slice(), [Request::SaveSettings]));
        assert!(state.tab.view.overlays.glyph_permille > least);
    }
}
