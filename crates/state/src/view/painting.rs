//! Colours of vertices that somebody has worked out, and what they mean.

use crate::{AppState, Pane};
use rigscope_core::visual::{Coloring, VertexPaint};

/// One row of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendRow {
    /// Linear RGB.
    pub color: [f32; 3],
    /// What it means.
    pub text: String,
}

/// The unit of lengths in the model's display space, which are shown in millimetres to metres if the file
/// states its unit.
pub const DISPLAY_UNITS: &str = "display units";

/// Paint on the vertices of the open document.
#[derive(Clone, Debug, PartialEq)]
pub struct Painting {
    /// Who has made it: one area takes its paint away and leaves that of others.
    pub owner: &'static str,
    /// The pane that brought it, with which it goes.
    pub pane: Option<Pane>,
    /// What is shown, as the legend says.
    pub title: String,
    /// The colours, or the values with their scale.
    pub paint: VertexPaint,
    /// The unit of a scale: [`DISPLAY_UNITS`] or the text behind its numbers.
    pub unit: &'static str,
    /// What colours mean, where there is no scale.
    pub rows: Vec<LegendRow>,
}

/// What was shown before a pane brought its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unpainted {
    /// A colouring, or looks.
    Coloring(Option<Coloring>),
    /// The weights that are looked at.
    Weights,
}

impl Default for Unpainted {
    fn default() -> Self {
        Self::Coloring(None)
    }
}

impl AppState {
    /// Shows `painting` in place of all looks.
    ///
    /// The colours that were there before a pane's come back with [`AppState::unpaint`].
    pub(crate) fn paint(&mut self, painting: Painting) {
        let old = self.shown_painting();
        let replaces_panes = old.is_some_and(|old| old.pane.is_some());
        if !replaces_panes {
            // All other paint is of a pane.
            let is_of_weights = old.is_some();
            let coloring = self.tab.view.overlays.coloring;
            self.tab.view.unpainted = match painting.pane {
                Some(_) if is_of_weights => Unpainted::Weights,
                Some(_) => Unpainted::Coloring(coloring.filter(|c| *c != Coloring::Paint)),
                None => Unpainted::default(),
            };
        }
        self.tab.view.painting = Some(painting);
        self.tab.view.overlays.coloring = Some(Coloring::Paint);
    }

    /// Takes the paint of `owner` away, and shows what was there before where it is seen.
    pub(crate) fn unpaint(&mut self, owner: &'static str) {
        if self.painting_of(owner).is_some() {
            self.tab.view.painting = None;
            if self.tab.view.overlays.coloring == Some(Coloring::Paint) {
                self.tab.view.overlays.coloring = None;
                match std::mem::take(&mut self.tab.view.unpainted) {
                    Unpainted::Coloring(coloring) => self.tab.view.overlays.coloring = coloring,
                    Unpainted::Weights => self.show_weights(self.tab.view.weights.mode),
                }
            }
        }
    }

    /// Takes paint away whose pane has been closed.
    pub(crate) fn follow_painting(&mut self) {
        let painting = self.tab.view.painting.as_ref();
        let is_closed = |pane| !self.settings.panes.shows(pane);
        if let Some(painting) = painting.filter(|p| p.pane.is_some_and(is_closed)) {
            self.unpaint(painting.owner);
        }
    }

    /// Takes all paint away: its vertices have gone.
    pub(crate) fn forget_painting(&mut self) {
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
