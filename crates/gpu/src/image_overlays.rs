//! The overlays and colours of an image that the renderer doesn't compute itself.

use std::sync::Arc;

use rigscope_core::model::{BoneId, Model, Report};
use rigscope_core::pose::{BoneAnchors, PoseSpec, Reach, bone_frames, bone_shapes, reach, sample};
use rigscope_core::validate::{BadTriangles, bad_triangles};
use rigscope_core::visual::{
    CollisionShapes, Coloring, Marks, OverlayInput, Show, VertexPaint, WeightTable,
};

/// The vertex colours for `show`.
pub(super) fn vertex_paint(
    show: &Show,
    model: &Model,
    bone: Option<BoneId>,
) -> Option<VertexPaint> {
    let coloring = show.coloring?;
    if !matches!(coloring, Coloring::BoneWeights | Coloring::BoneColors) {
        return None;
    }
    // This report is never cancelled.
    let table = WeightTable::of(model, &Report::new()).ok()?;
    Some(match bone {
        Some(bone) if coloring == Coloring::BoneWeights => {
            VertexPaint::Heat { values: Arc::new(table.values(bone)), low: 0.0, high: 1.0 }
        }
        _ => VertexPaint::Colors(Arc::clone(table.colors())),
    })
}

/// The parts of the overlays that are the same in all poses.
pub(super) struct ImageOverlays {
    show: Show,
    shapes: CollisionShapes,
    reach: Option<Reach>,
    bad: BadTriangles,
}

impl ImageOverlays {
    /// Builds shapes, and measures bounds and triangles, as far as `show` needs them.
    pub(super) fn of(show: Show, model: &Model) -> Self {
        // This report is never cancelled.
        let report = Report::new();
        Self {
            show,
            shapes: if show.hulls || show.occluder {
                CollisionShapes::of(model)
            } else {
                CollisionShapes::default()
            },
            reach: if show.true_bounds { reach(model, &report).ok() } else { None },
            bad: if show.bad_triangles {
                bad_triangles(model, &report).unwrap_or_default()
            } else {
                BadTriangles::default()
            },
        }
    }

    /// Whether each pose needs its skinned vertices.
    pub(super) fn needs_vertices(&self) -> bool {
        self.show.bad_triangles
    }

    /// Lines and faces for the pose `spec`; `model` must be the one passed to [`Self::of`].
    pub(super) fn marks(
        &self,
        model: &Model,
        anchors: &BoneAnchors,
        spec: &PoseSpec,
        extent: f32,
    ) -> Marks {
        let show = &self.show;
        let bone_frames: Vec<_> = if show.bone_axes {
            let pose = sample(model, spec);
            let shapes = bone_shapes(model, &pose, anchors);
            bone_frames(model, &pose, &shapes).into_iter().map(|(_, frame)| frame).collect()
        } else {
            Vec::new()
        };
        let hulls: Vec<_> = (0..model.hulls.len()).filter(|_| show.hulls).collect();
        let mut marks = Marks::default();
        marks.add_overlays(&OverlayInput {
            show,
            model,
            extent,
            spec,
            bone_frames: &bone_frames,
            bone_size: 1.0,
            hulls: &hulls,
            shapes: &self.shapes,
            reach: self.reach.as_ref(),
            bad: Some(&self.bad),
        });
        marks
    }
}
