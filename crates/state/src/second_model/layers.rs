//! Layers: the models drawn into the view, each with its pose and its part of the view.

use std::sync::Arc;

use crate::AppState;
use rigscope_core::model::{Aabb, Model};
use rigscope_core::pose::PoseSpec;
use rigscope_core::visual::{Marks, OverlayInput, VertexPaint};

/// One drawing of a model. Layers are drawn in order, each over the previous ones.
#[derive(Clone, Debug)]
pub struct Layer {
    pub model: Arc<Model>,
    /// Bounds in display space.
    pub bounds: Aabb,
    pub pose: PoseSpec,
    /// Left and right edge of the viewport, as fractions of the width.
    pub view: [f32; 2],
    /// Left and right edge of the scissor rectangle, as fractions of the width.
    pub window: [f32; 2],
    /// Draws only a translucent shape, with this linear RGB and opacity.
    pub ghost: Option<[f32; 4]>,
    /// Whether it is the open document, to which display options, selection, bones, colours and
    /// marks belong.
    pub is_document: bool,
    /// Vertex colours, if it isn't the document.
    pub paint: Option<VertexPaint>,
}

impl PartialEq for Layer {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.model, &other.model)
            && self.bounds == other.bounds
            && self.pose == other.pose
            && self.view == other.view
            && self.window == other.window
            && self.ghost == other.ghost
            && self.is_document == other.is_document
            && self.paint == other.paint
    }
}

impl AppState {
    /// All layers in drawing order; empty without a document.
    pub fn layers(&self) -> Vec<Layer> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let mut layers = self.with_second(Layer {
            model: Arc::clone(&document.model),
            bounds: document.bounds,
            pose: self.tab.playback.pose_spec(),
            view: [0.0, 1.0],
            window: [0.0, 1.0],
            ghost: None,
            is_document: true,
            paint: None,
        });
        // Ghosts have the same place as the document.
        if let Some(own) = layers.iter().find(|layer| layer.is_document).cloned() {
            layers.extend(self.ghosts(&own));
            layers.extend(self.silhouette_ghost().map(|ghost| Layer {
                ghost: Some(ghost),
                is_document: false,
                ..own
            }));
        }
        layers
    }

    /// The vertex colours or values of the document, if the colouring uses them.
    pub fn vertex_paint(&self) -> Option<&VertexPaint> {
        self.shown_painting().map(|painting| &painting.paint)
    }

    /// Lines and faces drawn in addition to the document's model.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        let Some(document) = &self.tab.document else { return marks };
        let view = &self.tab.view;
        let bones = self.drawn_frames();
        self.add_bone_marks(&bones, &mut marks);
        self.add_weight_marks(&mut marks);
        self.add_root_marks(&mut marks);
        marks.add_overlays(&OverlayInput {
            show: &view.overlays,
            model: &document.model,
            extent: document.bounds.extent(),
            spec: &self.tab.playback.pose_spec(),
            bone_frames: &bones.iter().map(|(_, frame)| *frame).collect::<Vec<_>>(),
            bone_size: self.settings.bones.usable_size(),
            hulls: &self.drawn_hulls(),
            shapes: &document.collision,
            reach: view.collision.reach.get().map(Arc::as_ref),
            bad: view.surface.bad.get().map(Arc::as_ref),
        });
        marks
    }
}
