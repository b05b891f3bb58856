//! The overlays that are drawn as marks, asked for in one place by the window and by pictures without
//! one.
//!
//! Not for: measuring what they need, which is a task in the window; what marks a selection (`state`).

use glam::Affine3A;

use super::{CollisionShapes, Marks, Show};
use crate::model::Model;
use crate::pose::{PoseSpec, Reach};
use crate::validate::BadTriangles;

/// Axes of bones are this long, as a part of the model's extent.
const AXES_LENGTH: f32 = 0.03;

/// What overlays are drawn of; what is not measured yet is not drawn.
pub struct OverlayInput<'a> {
    /// What is switched on.
    pub show: &'a Show,
    /// Of which model.
    pub model: &'a Model,
    /// How large it is, display units.
    pub extent: f32,
    /// In which pose.
    pub spec: &'a PoseSpec,
    /// The bones whose axes are drawn, file space.
    pub bone_frames: &'a [Affine3A],
    /// How large bones are drawn; 1 is usual.
    pub bone_size: f32,
    /// The hulls that are drawn, by number.
    pub hulls: &'a [usize],
    /// Surfaces of hulls and occluder.
    pub shapes: &'a CollisionShapes,
    /// Bounds over all clips.
    pub reach: Option<&'a Reach>,
    /// Bad triangles.
    pub bad: Option<&'a BadTriangles>,
}

impl Marks {
    /// Adds all that is switched on.
    pub fn add_overlays(&mut self, input: &OverlayInput<'_>) {
        let OverlayInput { show, model, extent, .. } = *input;
        if show.bone_axes {
            let display_from_file = model.axes.display_from_file();
            for frame in input.bone_frames {
                let length = AXES_LENGTH * extent * input.bone_size;
                self.add_axes(&(display_from_file * *frame), length);
            }
        }
        for &number in input.hulls {
            self.add_hull(model, input.shapes, number, extent);
        }
        self.add_culling(show, model, input.shapes, input.reach);
        if let Some(bad) = input.bad.filter(|_| show.bad_triangles) {
            self.add_bad_triangles(model, input.spec, bad);
        }
    }
}
