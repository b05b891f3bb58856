//! Display of a second model with the document: next to it, over it, split, or alternating. Both
//! share the camera and the time.

use std::sync::Arc;

use super::deviation::WorstVertex;
use crate::{AppState, Layer, Painter, Request, SecondModel};
use rigscope_core::model::Model;
use rigscope_core::visual::VertexPaint;

/// Time for which each model is shown while alternating.
const BLINK_SECS: f64 = 0.7;
/// Limits that keep the divider visible.
const DIVIDER: std::ops::RangeInclusive<f32> = 0.02..=0.98;
/// The second model as a ghost: linear RGB and opacity.
const GHOST: [f32; 4] = [0.95, 0.45, 0.05, 0.5];

/// The arrangement of both models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    First,
    Second,
    /// Side by side, the document on the left.
    Beside,
    /// The second model over the document, in the same scene.
    Over,
    /// The second model over the document, translucent.
    Ghost,
    /// A divider, with the document to its left and the second model to its right.
    #[default]
    Split,
    /// Alternating.
    Blink,
}

impl Arrangement {
    /// All arrangements, in the order of their buttons.
    pub const ALL: [Self; 7] = [
        Self::First,
        Self::Second,
        Self::Beside,
        Self::Over,
        Self::Ghost,
        Self::Split,
        Self::Blink,
    ];
}

/// The display of the second model.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondView {
    /// The second model; `None` shows only the document.
    pub shown: Option<SecondModel>,
    pub arrangement: Arrangement,
    /// Position of the divider in [`Arrangement::Split`], as a fraction of the width.
    pub divider: f32,
    /// Time since the second model was last shown or rearranged.
    blink_secs: f64,
}

impl Default for SecondView {
    fn default() -> Self {
        Self { shown: None, arrangement: Arrangement::default(), divider: 0.5, blink_secs: 0.0 }
    }
}

/// An action on the second model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SecondAction {
    Arrange(Arrangement),
    /// Moves the divider, as a fraction of the width.
    Divide(f32),
    /// Shows only the document.
    Hide,
    /// Shows or hides a deviation as colours.
    ToggleColors(Painter),
    /// Selects a vertex that deviates most, at the moment when it does.
    ShowWorst(WorstVertex),
}

impl SecondView {
    /// The part of the view that contains the document, as fractions of the width.
    pub fn document_part(&self) -> [f32; 2] {
        match (self.shown, self.arrangement) {
            (Some(_), Arrangement::Beside) => [0.0, 0.5],
            _ => [0.0, 1.0],
        }
    }

    /// Moves the divider away from the middle of the view, where it would cover a framed point.
    pub(crate) fn uncover_middle(&mut self) {
        const COVERED: std::ops::RangeInclusive<f32> = 0.42..=0.58;
        const ASIDE: f32 = 0.68;
        if self.arrangement == Arrangement::Split && COVERED.contains(&self.divider) {
            self.divider = ASIDE;
        }
    }

    fn is_blinking(&self) -> bool {
        self.shown.is_some() && self.arrangement == Arrangement::Blink
    }

    /// Whether the second model is visible while alternating.
    fn is_others_turn(&self) -> bool {
        self.blink_secs % (2.0 * BLINK_SECS) >= BLINK_SECS
    }

    pub(crate) fn tick(&mut self, dt_secs: f64) {
        if self.is_blinking() && dt_secs.is_finite() && dt_secs > 0.0 {
            self.blink_secs = (self.blink_secs + dt_secs) % (2.0 * BLINK_SECS);
        }
    }

    /// Seconds until the models alternate.
    pub(crate) fn wake_in_secs(&self) -> Option<f64> {
        self.is_blinking().then(|| BLINK_SECS - self.blink_secs % BLINK_SECS)
    }
}

impl AppState {
    pub(crate) fn arrange(&mut self, arrangement: Arrangement) -> Vec<Request> {
        self.apply_second(SecondAction::Arrange(arrangement))
    }

    pub(crate) fn apply_second(&mut self, action: SecondAction) -> Vec<Request> {
        match action {
            SecondAction::Arrange(arrangement) => {
                self.tab.view.second.arrangement = arrangement;
                self.tab.view.second.blink_secs = 0.0;
                // The aspect of the document's part may have changed.
                self.frame_again();
            }
            SecondAction::Divide(at) if at.is_finite() => {
                self.tab.view.second.divider = at.clamp(*DIVIDER.start(), *DIVIDER.end());
            }
            SecondAction::Divide(_) => {}
            SecondAction::Hide => self.hide_second(),
            SecondAction::ToggleColors(painter) if self.shows_colors(painter) => {
                self.unpaint(painter);
            }
            SecondAction::ToggleColors(painter) => self.paint_deviation(painter),
            SecondAction::ShowWorst(worst) => self.show_worst(worst),
        }
        Vec::new()
    }

    /// Shows `model` with the document, split if no arrangement for two models is chosen.
    pub(crate) fn show_second(&mut self, model: SecondModel) {
        if self.tab.view.second.shown != Some(model) {
            self.leave_second();
        }
        let second = &mut self.tab.view.second;
        second.shown = Some(model);
        second.blink_secs = 0.0;
        if second.arrangement == Arrangement::First {
            second.arrangement = Arrangement::default();
        }
        self.frame_again();
    }

    pub(super) fn hide_second(&mut self) {
        self.leave_second();
        self.frame_again();
    }

    fn leave_second(&mut self) {
        if let Some(old) = self.tab.view.second.shown.take() {
            old.source().hide(self);
        }
    }

    /// Whether there is a second model to show.
    pub fn has_second(&self) -> bool {
        !self.second_models().is_empty()
    }

    /// The display names of both models, the document first (A of a comparison). `None` without a
    /// second model.
    pub fn pair_names(&self) -> Option<[String; 2]> {
        let document = self.tab.document.as_ref().filter(|_| self.has_second())?;
        let second = self.tab.view.second.shown?.source().name(self)?;
        Some([format!("A: {}", document.name()), format!("B: {second}")])
    }

    /// The models drawn as the second one, with their colours.
    fn second_models(&self) -> Vec<(Arc<Model>, Option<VertexPaint>)> {
        let Some(shown) = self.tab.view.second.shown else { return Vec::new() };
        let source = shown.source();
        let is_painted = self.shows_colors(Painter::Second(shown));
        let deviation = if is_painted { source.deviation(self) } else { None };
        let models = source.models(self).into_iter().enumerate();
        let paint = |number| match &deviation {
            Some(deviation) => deviation.paint_of_model(number),
            None => source.other_paint(self),
        };
        models.map(|(number, model)| (model, paint(number))).collect()
    }

    /// Adds the second model to the layer of the document.
    pub(super) fn with_second(&self, own: Layer) -> Vec<Layer> {
        let models = self.second_models();
        if models.is_empty() {
            return vec![own];
        }
        let second = &self.tab.view.second;
        let bounds = second.shown.and_then(|shown| shown.source().bounds(self));
        let bounds = bounds.unwrap_or(own.bounds);
        let others = |view: [f32; 2], window: [f32; 2], ghost: Option<[f32; 4]>| {
            let layer = |(model, paint): &(Arc<Model>, Option<VertexPaint>)| Layer {
                pose: self.linked_pose(model).spec,
                model: Arc::clone(model),
                bounds,
                view,
                window,
                ghost,
                is_document: false,
                paint: paint.clone(),
            };
            models.iter().map(layer).collect::<Vec<_>>()
        };
        const WHOLE: [f32; 2] = [0.0, 1.0];
        let is_others_turn = second.is_others_turn();
        let with = |own: Layer, others: Vec<Layer>| {
            let mut layers = vec![own];
            layers.extend(others);
            layers
        };
        match second.arrangement {
            Arrangement::First => vec![own],
            Arrangement::Second => others(WHOLE, WHOLE, None),
            Arrangement::Over => {
                let others = others(WHOLE, WHOLE, None);
                with(own, others)
            }
            Arrangement::Ghost => {
                let others = others(WHOLE, WHOLE, Some(GHOST));
                with(own, others)
            }
            Arrangement::Blink if is_others_turn => others(WHOLE, WHOLE, None),
            Arrangement::Blink => vec![own],
            Arrangement::Beside => {
                let (left, right) = ([0.0, 0.5], [0.5, 1.0]);
                let others = others(right, right, None);
                let own = Layer { view: left, window: left, ..own };
                with(own, others)
            }
            Arrangement::Split => {
                let others = others(WHOLE, [second.divider, 1.0], None);
                let own = Layer { window: [0.0, second.divider], ..own };
                with(own, others)
            }
        }
    }

    /// Models that are drawn now or will be soon, and therefore stay on the GPU.
    pub fn resident_models(&self) -> Vec<Arc<Model>> {
        let document = self.tab.document.iter().map(|d| Arc::clone(&d.model));
        let others = self.second_models().into_iter().map(|(model, _)| model);
        document.chain(others).collect()
    }
}
