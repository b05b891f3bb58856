//! The view of one document: camera, display options and the state of its panes.

use crate::{
    AnimationView, AppState, AsBsm2, BytesView, CompareState, ComparedWeights, Derived, GpuCheck,
    ModelKey, Painting, SecondView, Statistics,
};
use rigscope_core::camera::{Camera, Preset, Projection};
use rigscope_core::model::Aabb;
use rigscope_core::visual::Show;

/// Visibility and colour of one subset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubsetLook {
    pub is_visible: bool,
    /// Linear RGB.
    pub color: [f32; 3],
}

/// The view of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewState {
    pub camera: Camera,
    /// Earlier cameras, for undo.
    pub(crate) camera_history: super::view::CameraHistory,
    /// The display options.
    pub overlays: Show,
    /// One per subset, over all meshes in order.
    pub looks: Vec<SubsetLook>,
    /// The only subset drawn. The others keep their visibility for later.
    pub isolated: Option<usize>,
    /// Cursor and selection in the Bytes pane.
    pub bytes: BytesView,
    pub byte_search: crate::ByteSearch,
    /// Vertex colours, drawn while the colouring is [`rigscope_core::visual::Coloring::Paint`].
    pub painting: Option<Painting>,
    /// The colouring that `painting` replaced.
    pub(super) replaced_coloring: super::view::ReplacedColoring,
    /// The second model, if one is shown.
    pub second: SecondView,
    /// Comparison with the conversion to BSM2.
    pub as_bsm2: AsBsm2,
    /// Playing as a runtime.
    pub played_as: crate::PlayedAs,
    /// The causes of the document's faults.
    pub(crate) causes: crate::second_model::CausesOf,
    /// Fixing the file.
    pub fixing: crate::Fixing,
    /// Comparison with another file.
    pub compare: CompareState,
    /// The weights of the compared model, while weights are shown.
    pub compared_weights: ComparedWeights,
    /// Comparison of GPU and CPU skinning.
    pub gpu_check: GpuCheck,
    /// Picks without an answer yet.
    pub(crate) pending_picks: Vec<crate::PendingPick>,
    /// The item under the resting pointer, once picked.
    pub hover: Option<crate::Hover>,
    pub weights: crate::WeightsView,
    pub bones: crate::BonesView,
    /// Bones of added animations.
    pub bone_pairs: crate::BonePairsView,
    /// Saving images.
    pub image_export: crate::ImageExport,
    pub statistics: Derived<ModelKey, Statistics>,
    /// The model whose statistics will be copied once they are computed.
    pub(crate) statistics_to_copy: Option<ModelKey>,
    /// The findings.
    pub findings: crate::FindingList,
    pub timeline: crate::TimelineView,
    pub animation: AnimationView,
    /// Points measured by the user.
    pub measure: crate::MeasureView,
    /// Thumbnails of key poses.
    pub poses: crate::PosesView,
    pub materials: crate::MaterialsView,
    /// Images set by the user.
    pub user_images: crate::UserImages,
    /// The model with those images applied.
    pub(super) applied_images: crate::AppliedImages,
    /// Results about hulls and bounds.
    pub collision: crate::CollisionView,
    /// Results about the surface.
    pub surface: crate::SurfaceView,
    pub uv: crate::UvView,
    /// The box that the camera frames, until the user moves the camera. Framed again when the
    /// view's aspect changes.
    pub(super) framed: Option<Aabb>,
    /// The box to frame once a task has computed it.
    pub(super) pending_frame: Option<Box<crate::PendingFrame>>,
}

impl ViewState {
    /// Whether subset `number` is drawn.
    pub fn shows(&self, number: usize) -> bool {
        match self.isolated {
            Some(only) => only == number,
            None => self.looks.get(number).is_none_or(|look| look.is_visible),
        }
    }

    /// Whether hull `number` is drawn.
    pub fn shows_hull(&self, number: usize) -> bool {
        self.overlays.hulls && !self.collision.hidden_hulls.contains(&number)
    }
}

impl AppState {
    /// Width divided by height of the document's part of the view; 1.5 before the first frame.
    pub fn aspect(&self) -> f32 {
        let size = self.view_size_points;
        if size.min_element() > 0.0 {
            let [left, right] = self.tab.view.second.document_part();
            size.x * (right - left) / size.y
        } else {
            1.5
        }
    }

    /// Fits `bounds` to the view, and keeps them fitted until the camera moves.
    pub(super) fn frame(&mut self, bounds: Aabb) {
        if bounds.is_empty() {
            return;
        }
        let aspect = self.aspect();
        self.tab.view.camera.frame(&bounds, aspect);
        self.tab.view.framed = Some(bounds);
    }

    /// Fits the framed box again, from the current direction.
    pub(super) fn frame_again(&mut self) {
        if let Some(bounds) = self.tab.view.framed {
            self.frame(bounds);
        }
    }

    /// Looks from a preset direction and fits the framed box again.
    pub(super) fn look_from(&mut self, preset: Preset) {
        self.tab.view.camera.look_from(preset);
        self.frame_again();
    }

    pub(super) fn toggle_projection(&mut self) {
        let camera = &mut self.tab.view.camera;
        camera.projection = match camera.projection {
            Projection::Perspective => Projection::Orthographic,
            Projection::Orthographic => Projection::Perspective,
        };
        self.frame_again();
    }
}
