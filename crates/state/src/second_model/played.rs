//! The document as a runtime plays it, along with the document, coloured by the deviation of each vertex.
//!
//! Not for: the runtimes and their rules (`core::runtime`).

use std::sync::Arc;

use super::deviation::{ModelDeviation, SecondModelSource, WorstVertex};
use crate::{
    Action, AppState, DISPLAY_UNITS, Derived, DerivedIn, ModelKey, Painter, Request, SecondModel,
    TaskSlot, ToastLevel,
};
use rigscope_core::measure::FarthestVertex;
use rigscope_core::model::{Cancelled, Model, Report};
use rigscope_core::runtime::{PlaybackDifference, RUNTIMES, Runtime, Verified, playback_deviation};

const PAINTER: Painter = Painter::Second(SecondModel::Played);
/// Plays the document.
pub const RUNTIME_TASK: TaskSlot = TaskSlot("playing as a runtime");

/// The document as a runtime plays it.
#[derive(Clone, Debug)]
pub struct PlayedModel {
    model: Arc<Model>,
    /// The parts that the runtime ignores or plays differently.
    pub differences: Vec<PlaybackDifference>,
    /// The largest distance of each vertex over all clips, in display units.
    deviations: Arc<Vec<f32>>,
    /// The vertex and the moment of the largest deviation; `None` if no vertex deviates.
    pub worst: Option<FarthestVertex>,
}

impl PlayedModel {
    fn new(model: &Model, runtime: &Runtime, report: &Report) -> Result<Self, Cancelled> {
        let played = runtime.play(model);
        let deviation = playback_deviation(model, &played.model, report)?;
        Ok(Self {
            model: Arc::new(played.model),
            differences: played.differences,
            deviations: Arc::new(deviation.per_vertex),
            worst: deviation.total.worst,
        })
    }

    /// The largest deviation, display units.
    #[expect(clippy::cast_possible_truncation, reason = "distances are of single precision")]
    pub fn max_deviation(&self) -> f32 {
        self.worst.map_or(0.0, |worst| worst.distance as f32)
    }
}

/// The chosen runtime of a tab, and the document as it plays it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayedAs {
    /// Identifier of the runtime.
    runtime: Option<&'static str>,
    played: Derived<(ModelKey, &'static str), PlayedModel>,
}

/// An action on the runtime.
#[derive(Clone, Debug)]
pub enum RuntimeAction {
    /// Plays the document as this runtime does; `None` shows only the document.
    Choose(Option<&'static Runtime>),
    /// The document was played.
    Played(Arc<PlayedModel>),
}

impl AppState {
    /// The engines that open the document.
    pub fn runtimes(&self) -> Vec<&'static Runtime> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let opens = |runtime: &&Runtime| runtime.refusal(&document.model).is_none();
        self.runtimes_of_format().filter(opens).collect()
    }

    /// The engines that open files of this format but refuse the document, with the reason as a clause.
    pub fn runtime_refusals(&self) -> Vec<(&'static Runtime, String)> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let refusal =
            |runtime: &'static Runtime| Some((runtime, runtime.refusal(&document.model)?));
        self.runtimes_of_format().filter_map(refusal).collect()
    }

    fn runtimes_of_format(&self) -> impl Iterator<Item = &'static Runtime> {
        let format = self.tab.document.as_ref().map_or("", |document| document.format.id);
        let is_engine = move |runtime: &&Runtime| {
            runtime.opens(format) && runtime.verified != Verified::Reference
        };
        RUNTIMES.iter().filter(is_engine)
    }

    /// The runtime that the document is played as.
    pub fn runtime(&self) -> Option<&'static Runtime> {
        self.tab.view.played_as.runtime.and_then(Runtime::of_id)
    }

    /// The document as the chosen runtime plays it, once it is known.
    pub fn played(&self) -> Option<&PlayedModel> {
        self.tab.view.played_as.played.get().map(Arc::as_ref)
    }

    /// Plays the document while a runtime is chosen.
    pub(crate) fn follow_runtime(&mut self) -> Vec<Request> {
        let place: DerivedIn<_, _> = |view| &mut view.played_as.played;
        let key = self.model_key().zip(self.tab.view.played_as.runtime);
        self.derive(RUNTIME_TASK, place, key, true, |_, (model, id): (ModelKey, &'static str)| {
            move |report: &Report| {
                let runtime = Runtime::of_id(id).ok_or(Cancelled)?;
                let played = PlayedModel::new(&model.0, runtime, report)?;
                Ok(Action::Runtime(RuntimeAction::Played(Arc::new(played))))
            }
        })
    }

    /// Plays the document as the next engine in the list, and after the last one as none.
    pub(crate) fn play_as_next(&mut self) -> Vec<Request> {
        let runtimes = self.runtimes();
        let own = self.runtime().map(|runtime| runtime.id);
        let at = own.and_then(|id| runtimes.iter().position(|runtime| runtime.id == id));
        let next = runtimes.get(at.map_or(0, |at| at + 1)).copied();
        self.apply_runtime(RuntimeAction::Choose(next))
    }

    /// The vertex that deviates most in the chosen runtime.
    pub fn worst_as_played(&self) -> Option<WorstVertex> {
        let worst = self.played()?.worst.as_ref()?;
        Some(WorstVertex::of(worst.made, worst))
    }

    pub(crate) fn show_worst_as_played(&mut self) {
        if let Some(worst) = self.worst_as_played() {
            self.show_worst(worst);
        }
    }

    pub(crate) fn apply_runtime(&mut self, action: RuntimeAction) -> Vec<Request> {
        match action {
            RuntimeAction::Choose(Some(runtime)) => {
                self.unpaint(PAINTER);
                self.show_second(SecondModel::Played);
                self.tab.view.played_as.runtime = Some(runtime.id);
            }
            RuntimeAction::Choose(None) => {
                return self.apply_second(crate::SecondAction::Hide);
            }
            RuntimeAction::Played(played) => {
                let is_same = played.worst.is_none();
                self.tab.view.played_as.played.set(played);
                match self.runtime() {
                    Some(runtime) if is_same => {
                        let text =
                            format!("no vertex deviates in {} {}", runtime.name, runtime.version);
                        self.toasts.push(ToastLevel::Info, text);
                    }
                    _ => self.paint_deviation(PAINTER),
                }
            }
        }
        Vec::new()
    }
}

/// The document as a runtime plays it, as a second model.
pub(super) struct PlayedSource;

impl SecondModelSource for PlayedSource {
    fn name(&self, state: &AppState) -> Option<String> {
        Some(format!("as {}", state.runtime().map_or("", |runtime| runtime.name)))
    }

    fn models(&self, state: &AppState) -> Vec<Arc<Model>> {
        state.played().map(|played| Arc::clone(&played.model)).into_iter().collect()
    }

    fn deviation(&self, state: &AppState) -> Option<ModelDeviation> {
        let played = state.played()?;
        Some(ModelDeviation {
            pane: None,
            title: format!("Deviation of {}", state.runtime()?.name),
            unit: DISPLAY_UNITS,
            of_document: Arc::clone(&played.deviations),
            of_models: vec![Arc::clone(&played.deviations)],
            max: played.max_deviation(),
        })
    }

    fn hide(&self, state: &mut AppState) {
        state.unpaint(PAINTER);
        state.tab.view.played_as.runtime = None;
    }
}
