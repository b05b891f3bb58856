//! Which models are drawn into the picture, in which pose and part of it.

use std::sync::Arc;

use crate::AppState;
use rigscope_core::model::{Aabb, Model};
use rigscope_core::pose::PoseSpec;
use rigscope_core::visual::{Marks, OverlayInput, VertexPaint};

/// One drawing of a model; a picture is made of one or more, each over those before it.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What is drawn.
    pub model: Arc<Model>,
    /// Box around it, display space.
    pub bounds: Aabb,
    /// In which pose.
    pub pose: PoseSpec,
    /// Left and right end of the picture's part that the view fills, 0..=1.
    pub view: [f32; 2],
    /// Left and right end of what may be drawn in, 0..=1.
    pub window: [f32; 2],
    /// Only its shape, see-through: linear RGB and opacity.
    pub ghost: Option<[f32; 4]>,
    /// It is the open document: looks, selection, bones, paint and marks are of it.
    pub is_document: bool,
    /// Its own paint, where it is another model.
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
    /// What the picture is made of, first to last; nothing without a document.
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
        // Ghosts stand where the document does.
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

    /// Colours or values for the document's vertices, where the colouring wants some.
    pub fn vertex_paint(&self) -> Option<&VertexPaint> {
        self.shown_painting().map(|painting| &painting.paint)
    }

    /// Lines and faces beside the document's model.
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
