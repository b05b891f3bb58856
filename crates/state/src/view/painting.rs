//! Computed vertex colours, with a legend.

use crate::{AppState, Pane};
use rigscope_core::visual::{Coloring, VertexPaint};

/// One row of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendRow {
    pub color: [f32; 3],
    /// The meaning of the colour.
    pub text: String,
}

/// The unit of lengths in the model's display space, which are shown in millimetres to metres if the file
/// states its unit.
pub const DISPLAY_UNITS: &str = "display units";

/// Vertex colours of the open document.
#[derive(Clone, Debug, PartialEq)]
pub struct Painting {
    /// The module that painted it. Only that module removes it.
    pub owner: &'static str,
    /// The pane that painted it; closing the pane removes the colours.
    pub pane: Option<Pane>,
    /// Title of the legend.
    pub title: String,
    /// Colours, or values with a scale.
    pub paint: VertexPaint,
    /// The unit of a scale: [`DISPLAY_UNITS`] or the text behind its numbers.
    pub unit: &'static str,
    /// The meaning of colours without a scale.
    pub rows: Vec<LegendRow>,
}

/// The colouring before a pane painted its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplacedColoring {
    /// A colouring, or materials.
    Coloring(Option<Coloring>),
    /// Bone weights.
    Weights,
}

impl Default for ReplacedColoring {
    fn default() -> Self {
        Self::Coloring(None)
    }
}

impl AppState {
    /// Replaces the surface colours with `painting`.
    ///
    /// [`AppState::unpaint`] restores the colours that a pane has replaced.
    pub(crate) fn paint(&mut self, painting: Painting) {
        let old = self.shown_painting();
        let replaces_panes = old.is_some_and(|old| old.pane.is_some());
        if !replaces_panes {
            // The only colours without a pane are weights.
            let is_of_weights = old.is_some();
            let coloring = self.tab.view.overlays.coloring;
            self.tab.view.replaced_coloring = match painting.pane {
                Some(_) if is_of_weights => ReplacedColoring::Weights,
                Some(_) => ReplacedColoring::Coloring(coloring.filter(|c| *c != Coloring::Paint)),
                None => ReplacedColoring::default(),
            };
        }
        self.tab.view.painting = Some(painting);
        self.tab.view.overlays.coloring = Some(Coloring::Paint);
    }

    /// Removes the colours of `owner` and, if they were visible, restores the previous ones.
    pub(crate) fn unpaint(&mut self, owner: &'static str) {
        if self.painting_of(owner).is_some() {
            self.tab.view.painting = None;
            if self.tab.view.overlays.coloring == Some(Coloring::Paint) {
                self.tab.view.overlays.coloring = None;
                match std::mem::take(&mut self.tab.view.replaced_coloring) {
                    ReplacedColoring::Coloring(coloring) => {
                        self.tab.view.overlays.coloring = coloring
                    }
                    ReplacedColoring::Weights => self.show_weights(self.tab.view.weights.mode),
                }
            }
        }
    }

    /// Removes colours whose pane has been closed.
    pub(crate) fn follow_painting(&mut self) {
        let painting = self.tab.view.painting.as_ref();
        let is_closed = |pane| !self.settings.panes.shows(pane);
        if let Some(painting) = painting.filter(|p| p.pane.is_some_and(is_closed)) {
            self.unpaint(painting.owner);
        }
    }

    /// Removes all colours, because their model has been replaced.
    pub(crate) fn forget_painting(&mut self) {
        if let Some(owner) = self.tab.view.painting.as_ref().map(|p| p.owner) {
            self.unpaint(owner);
        }
    }

    /// The current colours, if they belong to `owner`.
    pub fn painting_of(&self, owner: &'static str) -> Option<&Painting> {
        let painting = self.tab.view.painting.as_ref();
        painting.filter(|painting| painting.owner == owner)
    }

    /// The current colours, if they are visible.
    pub fn shown_painting(&self) -> Option<&Painting> {
        let is_shown = self.tab.view.overlays.coloring == Some(Coloring::Paint);
        self.tab.view.painting.as_ref().filter(|_| is_shown)
    }
}
