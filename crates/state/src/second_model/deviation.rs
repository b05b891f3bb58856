//! Deviations of second models, and of vertices skinned by the GPU, from the document. A deviation can be shown as
//! colours, and its worst vertex selected.
//!
//! A second model is one [`SecondModelSource`]. Its variant of [`SecondModel`](crate::SecondModel) names it.

use std::sync::Arc;

use crate::{AppState, Painter, Painting, Pane, Selection, ShownPose};
use rigscope_core::measure::FarthestVertex;
use rigscope_core::model::{Aabb, ClipId, Model, VertexAt};
use rigscope_core::pose::Moment;
use rigscope_core::visual::VertexPaint;

/// The models drawn as the second one.
pub(super) trait SecondModelSource {
    /// The name that follows "B: ".
    fn name(&self, state: &AppState) -> Option<String>;

    /// The models; empty until they are known.
    fn models(&self, state: &AppState) -> Vec<Arc<Model>>;

    /// The deviation of the models from the document, once it is known.
    fn deviation(&self, _: &AppState) -> Option<ModelDeviation> {
        None
    }

    /// Colours of the models while the deviation isn't shown.
    fn other_paint(&self, _: &AppState) -> Option<VertexPaint> {
        None
    }

    /// Bounds in display space, if they aren't those of the document.
    fn bounds(&self, _: &AppState) -> Option<Aabb> {
        None
    }

    /// Ends the display of the models, because another second model or none is shown.
    fn hide(&self, _: &mut AppState) {}
}

/// A deviation from the document.
pub(super) struct ModelDeviation {
    /// The pane with the numbers; closing it removes the colours.
    pub(super) pane: Option<Pane>,
    /// Title of the legend.
    pub(super) title: String,
    pub(super) unit: &'static str,
    /// Per vertex of the document; not finite if there is nothing to compare with.
    pub(super) of_document: Arc<Vec<f32>>,
    /// The same per vertex of each second model.
    pub(super) of_models: Vec<Arc<Vec<f32>>>,
    /// The end of the colour scale, which starts at 0.
    pub(super) max: f32,
}

impl ModelDeviation {
    fn paint(&self, values: &Arc<Vec<f32>>) -> VertexPaint {
        VertexPaint::Heat { values: Arc::clone(values), low: 0.0, high: self.max }
    }

    pub(super) fn paint_of_model(&self, number: usize) -> Option<VertexPaint> {
        Some(self.paint(self.of_models.get(number)?))
    }

    pub(super) fn painting(self, painter: Painter) -> Painting {
        Painting {
            painter,
            pane: self.pane,
            paint: self.paint(&self.of_document),
            title: self.title,
            unit: self.unit,
            rows: Vec::new(),
        }
    }
}

/// A vertex of the document with the largest deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstVertex {
    pub vertex: VertexAt,
    pub clip: Option<ClipId>,
    /// The moment at which it deviates most; `None` if it isn't known.
    pub moment: Option<Moment>,
}

impl WorstVertex {
    /// `vertex` at the moment of `farthest`.
    pub(super) fn of(vertex: VertexAt, farthest: &FarthestVertex) -> Self {
        let moment = farthest.clip.map(|_| Moment::TimeSecs(farthest.time_secs));
        Self { vertex, clip: farthest.clip, moment }
    }
}

impl AppState {
    /// Selects and frames a vertex at the moment when it deviates most.
    pub(super) fn show_worst(&mut self, worst: WorstVertex) {
        if let Some(moment) = worst.moment {
            self.show_moment(worst.clip, moment);
        }
        let VertexAt { mesh, vertex } = worst.vertex;
        let selection = Selection::Vertex { mesh, vertex, subset: None };
        let exists = |document| selection.exists_in(document);
        if self.tab.document.as_ref().is_some_and(exists) {
            self.tab.selection = selection;
            self.frame_selected();
        }
    }

    /// Shows a moment of `clip`, or of the current one.
    pub(super) fn show_moment(&mut self, clip: Option<ClipId>, moment: Moment) {
        if let Some(clip) = clip {
            if clip.index() >= self.num_clips() {
                return;
            }
            self.set_clip(clip);
        }
        match moment {
            Moment::TimeSecs(secs) => self.seek(secs),
            Moment::Key(key) => self.seek_key(key as usize),
            Moment::Default => self.show_clip_start(),
            Moment::Rest => self.show_still_pose(ShownPose::Rest),
            Moment::Bind => self.show_still_pose(ShownPose::Bind),
        }
    }
}
