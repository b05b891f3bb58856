//! The sources of second models, and the deviations that can be painted.

use super::as_bsm2::ConversionSource;
use super::compare::ComparedSource;
use super::deviation::{ModelDeviation, SecondModelSource};
use super::diagnosis::UndoneSource;
use super::played::PlayedSource;
use crate::{AppState, Painter, SecondModel};

impl SecondModel {
    pub(super) fn source(self) -> &'static dyn SecondModelSource {
        match self {
            Self::AsBsm2 => &ConversionSource,
            Self::Compared => &ComparedSource,
            Self::Undone => &UndoneSource,
            Self::Played => &PlayedSource,
        }
    }
}

impl AppState {
    /// The deviation that `painter` shows, once it is known.
    fn deviation(&self, painter: Painter) -> Option<ModelDeviation> {
        match painter {
            Painter::Second(model) => model.source().deviation(self),
            Painter::GpuCheck => self.gpu_deviation(),
            Painter::Weights | Painter::BlendError | Painter::EdgeStretch => None,
        }
    }

    /// Colours the surface by the deviation that `painter` shows.
    pub(super) fn paint_deviation(&mut self, painter: Painter) {
        if let Some(deviation) = self.deviation(painter) {
            self.paint(deviation.painting(painter));
        }
    }

    /// Updates a deviation that is painted.
    pub(crate) fn follow_deviation(&mut self) {
        let Some(old) = &self.tab.view.painting else { return };
        let new = self.deviation(old.painter).map(|deviation| deviation.painting(old.painter));
        if let Some(new) = new.filter(|new| new != old) {
            self.tab.view.painting = Some(new);
        }
    }
}
