//! Computing the curves in a task, and copying them.

use std::sync::Arc;

use super::points::{angle, distances};
use super::{MeasureAction, MeasureCurves, MeasureKey};
use crate::{Action, AppState, Channel, DerivedIn, Pane, Request, TaskSlot};
use rigscope_core::model::Report;

const CURVES: TaskSlot = TaskSlot("measuring points");

impl AppState {
    /// The inputs of the curves, while the pane is open.
    fn wanted_measure(&self) -> Option<MeasureKey> {
        let points = &self.tab.view.measure.points;
        if points.len() < 2 || !self.settings.panes.shows(Pane::Measure) || !self.can_play() {
            return None;
        }
        Some(MeasureKey {
            model: self.model_key()?,
            points: points.clone(),
            posing: self.tab.playback.posing(),
        })
    }

    pub(crate) fn follow_measure(&mut self) -> Vec<Request> {
        let place: DerivedIn<_, _> = |view| &mut view.measure.curves;
        self.derive(CURVES, place, self.wanted_measure(), true, |state, key| {
            let anchors = state.bone_anchors();
            move |report: &Report| {
                let curves = Arc::new(key.read(&anchors, report)?);
                Ok(Action::Measure(MeasureAction::Curves(curves)))
            }
        })
    }

    /// Whether there is a measurement to copy.
    pub(crate) fn can_copy_measured(&self) -> bool {
        self.tab.view.measure.points.len() > 1
    }

    /// Copies the values over the clip as CSV, or those of the current pose if no clip can be
    /// played.
    pub(crate) fn copy_measured(&mut self) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let unit = document.model.axes.unit_name();
        let shown = || {
            let (places, now) = (self.measured_places(), self.tab.playback.time_secs);
            let channel = |value| Channel { points: vec![[now, value]], ..Channel::default() };
            MeasureCurves {
                distances: distances(&places).map(channel).collect(),
                angle: angle(&places).map(channel).unwrap_or_default(),
            }
        };
        let text = match self.tab.view.measure.curves.get() {
            Some(curves) => curves.to_csv(&unit),
            None => shown().to_csv(&unit),
        };
        vec![Request::CopyText(text)]
    }
}
