//! Edge stretch over all clips, as surface colours and a list of the worst edges.

use std::sync::Arc;

use super::AnimationAction;
use crate::{Action, AppState, DerivedIn, Painter, Painting, Pane, Request, TaskSlot};
use rigscope_core::model::{Place, Report};
use rigscope_core::pose::{Stretch, stretch};
use rigscope_core::visual::VertexPaint;

const STRETCH: TaskSlot = TaskSlot("measuring edge stretch");
/// Limit for the number of edges times the number of samples.
const MAX_WORK: usize = 1 << 28;
/// Smallest end of the colour scale; skin at any joint stretches less.
const MIN_SCALE_END: f32 = 2.0;

impl AppState {
    /// Computes the stretch when it is first shown, and removes its colours when the model changes.
    pub(super) fn follow_stretch(&mut self) -> Vec<Request> {
        let key = self.model_key();
        if self.tab.view.animation.stretch.key() != key.as_ref() {
            self.unpaint(Painter::EdgeStretch);
        }
        let place: DerivedIn<_, _> = |view| &mut view.animation.stretch;
        self.derive(STRETCH, place, key, false, |_, key| {
            move |report: &Report| {
                let stretch = Arc::new(stretch(&key.0, MAX_WORK, report)?);
                Ok(Action::Animation(AnimationAction::Stretch(stretch)))
            }
        })
    }

    pub(super) fn stretch_measured(&mut self, stretch: Arc<Stretch>) {
        self.tab.view.animation.stretch.set(stretch);
        self.paint_stretch();
    }

    /// Colours the surface by edge stretch, or restores the previous colours.
    pub(crate) fn toggle_stretch(&mut self) {
        if self.shows_stretch() {
            self.unpaint(Painter::EdgeStretch);
        } else {
            self.bring_to_front(Pane::Animation);
            self.tab.view.animation.stretch.want();
            self.paint_stretch();
        }
    }

    /// Whether the surface is coloured by edge stretch.
    pub fn shows_stretch(&self) -> bool {
        self.painting_of(Painter::EdgeStretch).is_some()
    }

    /// Whether the stretch is being computed.
    pub fn is_measuring_stretch(&self) -> bool {
        self.is_running(STRETCH)
    }

    fn paint_stretch(&mut self) {
        let Some(stretch) = self.tab.view.animation.stretch.get().cloned() else { return };
        let worst = stretch.edges.first().map_or(MIN_SCALE_END, |edge| edge.ratio);
        self.paint(Painting {
            painter: Painter::EdgeStretch,
            pane: Some(Pane::Animation),
            title: "Edge stretch (longest length / bind length)".into(),
            paint: VertexPaint::Heat {
                values: Arc::new(stretch.per_vertex.clone()),
                low: 1.0,
                high: worst.max(MIN_SCALE_END),
            },
            unit: "×",
            rows: Vec::new(),
        });
    }

    /// Shows edge `number` of the list at the time at which it is longest.
    pub(super) fn show_stretched_edge(&mut self, number: usize) {
        let Some(stretch) = self.tab.view.animation.stretch.get() else { return };
        let Some(edge) = stretch.edges.get(number).copied() else { return };
        self.set_clip(edge.clip);
        self.seek(edge.time_secs);
        self.focus(Place::Vertex { mesh: edge.mesh.0, vertex: edge.vertices[0].0 });
    }
}
