//! A second model with the document: beside it, over it, split, or by turns. Camera and time are
//! the document's.

use std::sync::Arc;

use crate::{AppState, Effect, Layer};
use rigscope_core::model::{ClipId, Model};
use rigscope_core::pose::{Moment, PoseSpec, has_bind_pose, has_rest_pose};
use rigscope_core::visual::VertexPaint;

/// Either model is seen so long while they blink.
const BLINK_SECS: f64 = 0.7;
/// The divider stays inside the picture.
const DIVIDER: std::ops::RangeInclusive<f32> = 0.02..=0.98;
/// The second model as a ghost: linear RGB and opacity.
const GHOST: [f32; 4] = [0.95, 0.45, 0.05, 0.5];

/// Where both models are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// Only the document.
    First,
    /// Only the other.
    Second,
    /// Each in its own half, the document at the left.
    Beside,
    /// The other over the document, as if they were one scene.
    Over,
    /// The other over the document, see-through.
    Ghost,
    /// One picture, the document left of a line and the other right of it.
    #[default]
    Split,
    /// By turns.
    Blink,
}

impl Arrangement {
    /// All of them, in the order of their buttons.
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

/// What the second model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondModel {
    /// The document as BSM2 would store it.
    AsBsm2,
    /// What the document is compared with.
    Compared,
}

/// How the second model is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondView {
    /// Which one; none: only the document is shown.
    pub shown: Option<SecondModel>,
    /// Where both are.
    pub arrangement: Arrangement,
    /// Where the line of [`Arrangement::Split`] is, 0..=1 from the left.
    pub divider: f32,
    /// Time since the second model was last asked for.
    blink_secs: f64,
}

impl Default for SecondView {
    fn default() -> Self {
        Self { shown: None, arrangement: Arrangement::default(), divider: 0.5, blink_secs: 0.0 }
    }
}

/// What can be done with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SecondAction {
    /// Shows both so.
    Arrange(Arrangement),
    /// Moves the line, 0..=1 from the left.
    Divide(f32),
    /// Shows only the document.
    Hide,
}

impl SecondView {
    /// The part of the picture that the document's view fills, 0..=1.
    pub fn document_part(&self) -> [f32; 2] {
        match (self.shown, self.arrangement) {
            (Some(_), Arrangement::Beside) => [0.0, 0.5],
            _ => [0.0, 1.0],
        }
    }

    /// Moves the line of a split away from the middle of the view, where a point that is framed would be under it.
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

    /// Whether it is the other's turn.
    fn is_others_turn(&self) -> bool {
        self.blink_secs % (2.0 * BLINK_SECS) >= BLINK_SECS
    }

    pub(crate) fn tick(&mut self, dt_secs: f64) {
        if self.is_blinking() && dt_secs.is_finite() && dt_secs > 0.0 {
            self.blink_secs = (self.blink_secs + dt_secs) % (2.0 * BLINK_SECS);
        }
    }

    /// After how many seconds it is the other's turn.
    pub(crate) fn wake_in_secs(&self) -> Option<f64> {
        self.is_blinking().then(|| BLINK_SECS - self.blink_secs % BLINK_SECS)
    }
}

impl AppState {
    pub(crate) fn arrange(&mut self, arrangement: Arrangement) -> Vec<Effect> {
        self.apply_second(SecondAction::Arrange(arrangement))
    }

    pub(crate) fn apply_second(&mut self, action: SecondAction) -> Vec<Effect> {
        match action {
            SecondAction::Arrange(arrangement) => {
                self.tab.view.second.arrangement = arrangement;
                self.tab.view.second.blink_secs = 0.0;
                // The picture may have another shape now.
                self.frame_again();
            }
            SecondAction::Divide(at) if at.is_finite() => {
                self.tab.view.second.divider = at.clamp(*DIVIDER.start(), *DIVIDER.end());
            }
            SecondAction::Divide(_) => {}
            SecondAction::Hide => self.hide_second(),
        }
        Vec::new()
    }

    /// Shows `model` with the document, where nobody has chosen how: split.
    pub(super) fn show_second(&mut self, model: SecondModel) {
        if model != SecondModel::AsBsm2 {
            self.unpaint_deviation();
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
        self.unpaint_deviation();
        self.tab.view.second.shown = None;
        self.frame_again();
    }

    /// Whether a second model is there to be seen.
    pub fn has_second(&self) -> bool {
        !self.second_models().is_empty()
    }

    /// What both models are called, the document first, which is A of a comparison; nothing without
    /// a second one.
    pub fn pair_names(&self) -> Option<[String; 2]> {
        let document = self.tab.document.as_ref().filter(|_| self.has_second())?;
        let own = document.name().to_owned();
        Some(match self.tab.view.second.shown? {
            SecondModel::AsBsm2 => [own, "as BSM2".to_owned()],
            SecondModel::Compared => {
                let other = &self.tab.view.compare.other.as_ref()?.name;
                [format!("A: {own}"), format!("B: {other}")]
            }
        })
    }

    /// The models drawn as the second one, with what paints them.
    fn second_models(&self) -> Vec<(Arc<Model>, Option<VertexPaint>)> {
        match self.tab.view.second.shown {
            Some(SecondModel::AsBsm2) => self.packed_models(),
            Some(SecondModel::Compared) => self.compared_model().into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// Adds the second model to the document's `own` layer.
    pub(super) fn with_second(&self, own: Layer) -> Vec<Layer> {
        let models = self.second_models();
        if models.is_empty() {
            return vec![own];
        }
        let second = &self.tab.view.second;
        let others = |view: [f32; 2], window: [f32; 2], ghost: Option<[f32; 4]>| {
            let layer = |(model, paint): &(Arc<Model>, Option<VertexPaint>)| Layer {
                pose: self.linked_pose(model),
                model: Arc::clone(model),
                bounds: match second.shown {
                    Some(SecondModel::Compared) => self.compared_bounds().unwrap_or(own.bounds),
                    _ => own.bounds,
                },
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

    /// Models that are drawn or will be in a moment, and so stay on the GPU.
    pub fn models_to_keep(&self) -> Vec<Arc<Model>> {
        let document = self.tab.document.iter().map(|d| Arc::clone(&d.model));
        let others = self.second_models().into_iter().map(|(model, _)| model);
        document.chain(others).collect()
    }

    /// The pose shown, of the clip of `other` that has the same name, else the same number.
    fn linked_pose(&self, other: &Model) -> PoseSpec {
        let mut own = self.tab.playback.pose_spec();
        let lacks_pose = match own.moment {
            Moment::Rest => !has_rest_pose(other),
            Moment::Bind => !has_bind_pose(other),
            _ => false,
        };
        if lacks_pose {
            own.moment = Moment::Default;
        } else if own.moment.is_still() {
            return own;
        }
        let Some(document) = &self.tab.document else { return own };
        let clip = own.clip.map_or(0, ClipId::index);
        let own_clip = document.model.clips.get(clip);
        let named = |name: &str| other.clips.iter().position(|clip| clip.name == name);
        let by_name = own_clip.and_then(|clip| named(&clip.name));
        let found = match self.tab.view.second.shown {
            // Clips are packed one after another.
            Some(SecondModel::AsBsm2) => Some(clip),
            _ => by_name.or(Some(clip)),
        };
        let found = found.filter(|&clip| clip < other.clips.len());
        let Some(found) = found else {
            return PoseSpec { clip: None, moment: Moment::Default, ..own };
        };
        let start =
            |model: &Model, clip: usize| model.clips.get(clip).map_or(0.0, |c| c.start_secs);
        PoseSpec {
            clip: Some(ClipId::from_index(found)),
            moment: match own.moment {
                Moment::TimeSecs(secs) => {
                    Moment::TimeSecs(secs - start(&document.model, clip) + start(other, found))
                }
                moment => moment,
            },
            ..own
        }
    }
}
