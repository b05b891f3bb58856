//! Colours of vertices that somebody has worked out, and what they mean.

use crate::state::AppState;
use crate::visual::{Coloring, VertexPaint};

/// One row of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendRow {
    /// Linear RGB.
    pub color: [f32; 3],
    /// What it means.
    pub text: String,
}

/// Paint on the vertices of the open document.
#[derive(Clone, Debug, PartialEq)]
pub struct Painting {
    /// Who has made it: one area takes its paint away and leaves that of others.
    pub owner: &'static str,
    /// What is shown, as the legend says.
    pub title: String,
    /// The colours, or the values with their scale.
    pub paint: VertexPaint,
    /// What comes after the numbers of a scale, like "mm".
    pub unit: &'static str,
    /// What colours mean, where there is no scale.
    pub rows: Vec<LegendRow>,
}

impl AppState {
    /// Shows `painting` in place of all looks.
    pub(in crate::state) fn paint(&mut self, painting: Painting) {
        self.tab.view.painting = Some(painting);
        self.tab.view.overlays.coloring = Some(Coloring::Paint);
    }

    /// Takes the paint of `owner` away.
    pub(in crate::state) fn unpaint(&mut self, owner: &'static str) {
        if self.painting_of(owner).is_some() {
            self.tab.view.painting = None;
            if self.tab.view.overlays.coloring == Some(Coloring::Paint) {
                self.tab.view.overlays.coloring = None;
            }
        }
    }

    /// Takes all paint away: its vertices have gone.
    pub(in crate::state) fn forget_painting(&mut self) {
        if let Some(owner) = self.tab.view.painting.as_ref().map(|p| p.owner) {
            self.unpaint(owner);
        }
    }

    /// The paint of `owner`, if that is what is there.
    pub fn painting_of(&self, owner: &'static str) -> Option<&Painting> {
        let painting = self.tab.view.painting.as_ref();
        painting.filter(|painting| painting.owner == owner)
    }

    /// The paint that is seen.
    pub fn shown_painting(&self) -> Option<&Painting> {
        let is_shown = self.tab.view.overlays.coloring == Some(Coloring::Paint);
        self.tab.view.painting.as_ref().filter(|_| is_shown)
    }
}
