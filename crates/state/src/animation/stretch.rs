//! How far clips stretch edges, as colours on the surface and a list of the worst.

use std::sync::Arc;

use super::AnimationAction;
use crate::{Action, AppState, DerivedIn, Effect, Painting, Pane, TaskSlot};
use rigscope_core::model::{Place, Report};
use rigscope_core::pose::{Stretch, stretch};
use rigscope_core::visual::VertexPaint;

const STRETCH: TaskSlot = TaskSlot("measuring the stretch of edges");
/// Who paints it.
const PAINTER: &str = "edge stretch";
/// Edges times moments.
const MAX_WORK: usize = 1 << 28;
/// The scale of colours ends here at least: less is the skin of any joint.
const MIN_SCALE_END: f32 = 2.0;

impl AppState {
    /// The stretch is measured when it is first shown, and again for another model.
    pub(super) fn follow_stretch(&mut self) -> Vec<Effect> {
        let key = self.model_key();
        if self.tab.view.animation.stretch.key() != key.as_ref() {
            self.unpaint(PAINTER);
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

    /// Colours the surface by the stretch of its edges, or shows what was there before.
    pub(crate) fn toggle_stretch(&mut self) {
        if self.shows_stretch() {
            self.unpaint(PAINTER);
        } else {
            self.settings.panes.set(Pane::Animation, true);
            self.tab.view.animation.stretch.want();
            self.paint_stretch();
        }
    }

    /// Whether the surface is coloured by the stretch of its edges.
    pub fn shows_stretch(&self) -> bool {
        self.painting_of(PAINTER).is_some()
    }

    /// Whether the stretch is being measured.
    pub fn is_measuring_stretch(&self) -> bool {
        self.is_running(STRETCH)
    }

    fn paint_stretch(&mut self) {
        let Some(stretch) = self.tab.view.animation.stretch.get().cloned() else { return };
        let worst = stretch.edges.first().map_or(MIN_SCALE_END, |edge| edge.ratio);
        self.paint(Painting {
            owner: PAINTER,
            pane: Some(Pane::Animation),
            title: "Longest edge over its bind length".into(),
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
