//! Hulls and bounds: visible hulls, and whether stored bounds contain the model.
//!
//! Not for: findings about them (`validate`); lines and faces (`visual::Marks`).

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::{
    Action, AppState, Derived, DerivedIn, Document, ModelKey, Request, Selection, TaskSlot,
};
use rigscope_core::model::{Aabb, Report, numbers};
use rigscope_core::pose::{Reach, reach};
use rigscope_core::visual::Switch;

/// Computes the bounds over all clips.
pub const REACH_TASK: TaskSlot = TaskSlot("measuring bounds");

/// Colour of the model around the silhouette of its occlusion mesh.
const SILHOUETTE_GHOST: [f32; 4] = [0.30, 0.48, 0.80, 0.13];

/// Collision display of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollisionView {
    /// Hulls hidden individually.
    pub hidden_hulls: BTreeSet<usize>,
    /// The bounds over all clips.
    pub reach: Derived<ModelKey, Reach>,
}

/// An action on [`CollisionView`].
#[derive(Clone, Debug)]
pub enum CollisionAction {
    /// Shows or hides a hull. Showing one also turns on the display of hulls.
    ShowHull(usize, bool),
    /// Computes the bounds over all clips.
    Measure,
    /// The bounds have been computed.
    Measured(Arc<Reach>),
}

impl Document {
    /// Whether the file has hulls, an occlusion mesh or bounds.
    pub fn has_collision(&self) -> bool {
        let model = &self.model;
        !model.hulls.is_empty() || model.occluder.is_some() || model.stored_bounds.is_some()
    }
}

impl AppState {
    pub(crate) fn apply_collision(&mut self, action: CollisionAction) -> Vec<Request> {
        match action {
            CollisionAction::ShowHull(number, is_shown) => {
                let is_first = is_shown && !self.tab.view.overlays.hulls;
                let view = &mut self.tab.view.collision;
                if is_first {
                    // Show only this hull, not all of them.
                    let all = self.tab.document.as_ref().map_or(0, |d| d.model.hulls.len());
                    view.hidden_hulls = (0..all).collect();
                }
                if is_shown {
                    view.hidden_hulls.remove(&number)
                } else {
                    view.hidden_hulls.insert(number)
                };
                if is_first {
                    self.tab.view.overlays.toggle(Switch::Hulls);
                    return self.save_overlays();
                }
            }
            CollisionAction::Measure => self.tab.view.collision.reach.want(),
            CollisionAction::Measured(reach) => self.tab.view.collision.reach.set(reach),
        }
        Vec::new()
    }

    /// Computes the bounds over all clips if they are shown or were requested.
    pub(crate) fn follow_collision(&mut self) -> Vec<Request> {
        let is_wanted = self.tab.view.overlays.true_bounds;
        let place: DerivedIn<_, _> = |view| &mut view.collision.reach;
        self.derive(REACH_TASK, place, self.model_key(), is_wanted, |_, key| {
            move |report: &Report| {
                let reach = Arc::new(reach(&key.0, report)?);
                Ok(Action::Collision(CollisionAction::Measured(reach)))
            }
        })
    }

    /// Whether the silhouette of an occlusion mesh is drawn instead of the model.
    pub fn shows_silhouette(&self) -> bool {
        let document = self.tab.document.as_ref();
        let has_occluder = document.is_some_and(|document| document.model.occluder.is_some());
        self.tab.view.overlays.silhouette && has_occluder
    }

    /// The translucent colour of the model around the silhouette.
    pub(crate) fn silhouette_ghost(&self) -> Option<[f32; 4]> {
        self.shows_silhouette().then_some(SILHOUETTE_GHOST)
    }

    /// Indices of the visible hulls.
    pub(crate) fn drawn_hulls(&self) -> Vec<usize> {
        let num = self.tab.document.as_ref().map_or(0, |document| document.model.hulls.len());
        let is_drawn = |number: &usize| {
            self.tab.view.shows_hull(*number) || self.tab.selection == Selection::Hull(*number)
        };
        (0..num).filter(is_drawn).collect()
    }
}

/// The result of checking stored bounds, for users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundsVerdict {
    /// Whether the stored bounds contain all vertices.
    pub holds: bool,
    /// A sentence.
    pub text: String,
}

impl AppState {
    /// The results for the stored box and sphere; `None` before the bounds have been computed, or
    /// if the file has no bounds.
    pub fn bounds_verdicts(&self) -> Option<[BoundsVerdict; 2]> {
        let document = self.tab.document.as_ref()?;
        document.model.stored_bounds?;
        let reach = self.tab.view.collision.reach.get()?;
        let verdict = |what: &str, outside: Option<rigscope_core::pose::BoundsExcess>| match outside
        {
            None => BoundsVerdict {
                holds: true,
                text: format!("The stored {what} contains all vertices over all clips."),
            },
            Some(outside) => {
                let moment = match outside.clip {
                    Some(clip) => format!(
                        "at {} of {}",
                        numbers::seconds(outside.time_secs),
                        document.clip_name(clip.index())
                    ),
                    None => "in the default pose".to_owned(),
                };
                let share = outside.by / reach.bounds.extent().max(f32::MIN_POSITIVE);
                BoundsVerdict {
                    holds: false,
                    text: format!(
                        "A vertex is {} units ({} of the size) outside the stored {what} {moment}.",
                        numbers::number(outside.by),
                        numbers::percent(share)
                    ),
                }
            }
        };
        Some([verdict("box", reach.out_of_box), verdict("sphere", reach.out_of_sphere)])
    }

    /// The ratio of the diagonals of the stored box and the actual one.
    pub fn stored_box_excess(&self) -> Option<f32> {
        let stored = self.tab.document.as_ref()?.model.stored_bounds?;
        let reach = self.tab.view.collision.reach.get()?;
        let extent = |bounds: &Aabb| bounds.extent();
        (extent(&reach.bounds) > 0.0).then(|| extent(&stored.aabb) / extent(&reach.bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::visual::Item;

    #[test]
    fn a_single_hull_can_be_shown_and_hidden_again() {
        let mut state = AppState::default();
        state.tab.view.collision.hidden_hulls = [0, 1].into();
        state.apply_collision(CollisionAction::ShowHull(1, true));
        assert!(state.tab.view.shows_hull(1));
        state.apply_collision(CollisionAction::ShowHull(1, false));
        assert!(!state.tab.view.shows_hull(1));
        state.toggle_show(Item::Switch(Switch::Hulls));
        assert!(!state.tab.view.shows_hull(0));
        // The switch turns all of them on.
        state.toggle_show(Item::Switch(Switch::Hulls));
        assert!(state.tab.view.shows_hull(1));
    }
}
