//! The overlays that are drawn as marks, built by the same code for the window and for images
//! without a window.
//!
//! Not for: the measurements they need, which run as a task in the window; selection marks
//! (`state`).

use glam::Affine3A;

use super::{CollisionShapes, Marks, Show};
use crate::model::Model;
use crate::pose::{PoseSpec, Reach};
use crate::validate::BadTriangles;

/// Length of bone axes, as a fraction of the model's size.
const AXES_LENGTH: f32 = 0.03;

/// Input of the overlays; those that need missing measurements aren't drawn.
pub struct OverlayInput<'a> {
    /// The active switches.
    pub show: &'a Show,
    /// The displayed model.
    pub model: &'a Model,
    /// Size of the model, in display units.
    pub extent: f32,
    /// The displayed pose.
    pub spec: &'a PoseSpec,
    /// The bones whose axes are drawn, file space.
    pub bone_frames: &'a [Affine3A],
    /// Scale of bones; 1 is the default.
    pub bone_size: f32,
    /// Indices of the hulls to draw.
    pub hulls: &'a [usize],
    /// Surfaces of hulls and the occlusion mesh.
    pub shapes: &'a CollisionShapes,
    /// Bounds over all clips, once they are measured.
    pub reach: Option<&'a Reach>,
    /// Bad triangles, once they are found.
    pub bad: Option<&'a BadTriangles>,
}

impl Marks {
    /// Adds all overlays that are switched on.
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
        if show.springs {
            self.add_springs(model, input.spec);
        }
        self.add_culling(show, model, input.shapes, input.reach);
        if let Some(bad) = input.bad.filter(|_| show.bad_triangles) {
            self.add_bad_triangles(model, input.spec, bad);
        }
    }
}
