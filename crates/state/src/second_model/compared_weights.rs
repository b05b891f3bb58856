//! The weights of the compared model, coloured like the document's and by the document's bones.

use std::sync::Arc;

use crate::{
    Action, AppState, Derived, DerivedIn, ModelKey, Request, SecondModel, TaskSlot, WeightsSubject,
};
use rigscope_core::compare::Comparison;
use rigscope_core::model::{BoneId, Report};
use rigscope_core::visual::{VertexPaint, WeightTable};

/// Reads the weights.
const SLOT: TaskSlot = TaskSlot("reading weights of B");

/// The model, and the comparison in which its bones were matched.
#[derive(Clone, Debug)]
struct WeightsKey {
    other: ModelKey,
    comparison: Arc<Comparison>,
}

impl PartialEq for WeightsKey {
    fn eq(&self, other: &Self) -> bool {
        self.other == other.other && Arc::ptr_eq(&self.comparison, &other.comparison)
    }
}

/// The weights of the other model and their colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparedWeights {
    table: Derived<WeightsKey, WeightTable>,
    /// The colours, with the inputs that they were computed for.
    paint: Option<(WeightsSubject, VertexPaint)>,
}

impl ComparedWeights {
    pub(crate) fn set(&mut self, table: Arc<WeightTable>) {
        self.table.set(table);
        self.paint = None;
    }
}

impl AppState {
    /// Updates the colours of the other model to those of the document.
    pub(crate) fn follow_compared_weights(&mut self) -> Vec<Request> {
        let subject = self.painted_weights();
        let is_compared = self.tab.view.second.shown == Some(SecondModel::Compared);
        let compare = &self.tab.view.compare;
        let key = compare.other.as_ref().zip(compare.compared()).map(|(other, compared)| {
            let comparison = Arc::clone(&compared.comparison);
            WeightsKey { other: ModelKey::of(&other.model), comparison }
        });
        let num_bones = self.num_bones();
        let place: DerivedIn<_, _> = |view| &mut view.compared_weights.table;
        let is_wanted = subject.is_some() && is_compared;
        let requests = self.derive(SLOT, place, key, is_wanted, |_, key| {
            move |report: &Report| {
                let bones = &key.comparison.bones;
                let counterpart = |bone: BoneId| *bones.get(bone)?;
                let table = WeightTable::by(&key.other.0, num_bones, &counterpart, report)?;
                Ok(Action::ComparedWeights(Arc::new(table)))
            }
        });
        let worst = self.tab.view.weights.figures.worst;
        let weights = &mut self.tab.view.compared_weights;
        match (subject, weights.table.get()) {
            (Some(subject), Some(table)) => {
                if weights.paint.as_ref().is_none_or(|(made_for, _)| *made_for != subject) {
                    weights.paint = Some((subject, subject.paint(table, worst)));
                }
            }
            _ => weights.paint = None,
        }
        requests
    }

    /// The weight colours of the other model, while the document shows weights.
    pub(super) fn paint_of_compared_weights(&self) -> Option<VertexPaint> {
        let subject = self.painted_weights()?;
        let (made_for, paint) = self.tab.view.compared_weights.paint.as_ref()?;
        (*made_for == subject).then(|| paint.clone())
    }
}
