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

/// The second model, see `second_model`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondModel {
    /// The document converted to BSM2.
    AsBsm2,
    /// The model that the document is compared with.
    Compared,
    /// The document without the causes that a diagnosis names.
    Undone,
    /// The document as a runtime plays it.
    Played,
}

/// The subject of vertex colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Painter {
    Weights,
    BlendError,
    EdgeStretch,
    /// The deviation of the GPU from the CPU.
    GpuCheck,
    /// The deviation of a second model from the document.
    Second(SecondModel),
}

/// Vertex colours of the open document.
#[derive(Clone, Debug, PartialEq)]
pub struct Painting {
    pub painter: Painter,
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

/// The colouring before a painting replaced it.
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
    /// [`AppState::unpaint`] restores the replaced colours, unless weights have replaced them.
    pub(crate) fn paint(&mut self, painting: Painting) {
        let old = self.shown_painting().map(|old| old.painter);
        if old.is_none_or(|old| old == Painter::Weights) {
            let coloring = self.tab.view.overlays.coloring;
            self.tab.view.replaced_coloring = match (painting.painter, old) {
                (Painter::Weights, _) => ReplacedColoring::default(),
                (_, Some(_)) => ReplacedColoring::Weights,
                (_, None) => ReplacedColoring::Coloring(coloring.filter(|c| *c != Coloring::Paint)),
            };
        }
        self.tab.view.painting = Some(painting);
        self.tab.view.overlays.coloring = Some(Coloring::Paint);
    }

    /// Removes the colours of `painter` and, if they were visible, restores the previous ones.
    pub(crate) fn unpaint(&mut self, painter: Painter) {
        if self.painting_of(painter).is_some() {
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
            self.unpaint(painting.painter);
        }
    }

    /// Removes all colours, because their model has been replaced.
    pub(crate) fn forget_painting(&mut self) {
        if let Some(painter) = self.tab.view.painting.as_ref().map(|p| p.painter) {
            self.unpaint(painter);
        }
    }

    /// The current colours, if they are those of `painter`.
    pub fn painting_of(&self, painter: Painter) -> Option<&Painting> {
        let painting = self.tab.view.painting.as_ref();
        painting.filter(|painting| painting.painter == painter)
    }

    /// Whether the surface shows the colours of `painter`.
    pub fn shows_colors(&self, painter: Painter) -> bool {
        self.shown_painting().is_some_and(|painting| painting.painter == painter)
    }

    /// The current colours, if they are visible.
    pub fn shown_painting(&self) -> Option<&Painting> {
        let is_shown = self.tab.view.overlays.coloring == Some(Coloring::Paint);
        self.tab.view.painting.as_ref().filter(|_| is_shown)
    }
}
