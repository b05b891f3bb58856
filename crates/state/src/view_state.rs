//! What the view shows and from where.

use crate::{
    AnimationView, AppState, AsBsm2, BytesView, CompareState, ComparedWeights, Derived, Figures,
    ModelKey, Painting, SecondView, TruthState,
};
use rigscope_core::camera::{Camera, Preset, Projection};
use rigscope_core::model::Aabb;
use rigscope_core::visual::Show;

/// How one subset looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubsetLook {
    /// Whether it is drawn.
    pub is_visible: bool,
    /// Linear RGB.
    pub color: [f32; 3],
}

/// The view of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewState {
    /// From where.
    pub camera: Camera,
    /// Where it was before.
    pub(crate) camera_history: super::view::CameraHistory,
    /// What is drawn.
    pub overlays: Show,
    /// How each subset looks, those of all meshes one after another.
    pub looks: Vec<SubsetLook>,
    /// The only subset drawn; the others keep their own visibility for later.
    pub isolated: Option<usize>,
    /// The byte looked at.
    pub bytes: BytesView,
    /// What is looked for in the bytes.
    pub byte_search: crate::ByteSearch,
    /// Paint on the vertices, seen where the colouring is [`rigscope_core::visual::Coloring::Paint`].
    pub painting: Option<Painting>,
    /// What `painting` has taken the place of.
    pub(super) unpainted: super::view::Unpainted,
    /// A second model beside the document.
    pub second: SecondView,
    /// The document as BSM2.
    pub as_bsm2: AsBsm2,
    /// The document against another.
    pub compare: CompareState,
    /// The weights of that model, while the document's are shown.
    pub compared_weights: ComparedWeights,
    /// The GPU against the CPU.
    pub truth: TruthState,
    /// What is asked about places of the picture and not answered yet.
    pub(crate) asked: Vec<crate::Asked>,
    /// What the pointer rests on, once asked.
    pub hover: Option<crate::Hover>,
    /// The weights that are looked at.
    pub weights: crate::WeightsView,
    /// How bones are drawn.
    pub bones: crate::BonesView,
    /// Saving what is seen.
    pub pictures: crate::Pictures,
    /// Figures about the document, once they are worked out.
    pub figures: Derived<ModelKey, Figures>,
    /// Of what model the figures are to be copied once they are.
    pub(crate) figures_to_copy: Option<ModelKey>,
    /// What was found about the document.
    pub notes: crate::NoteList,
    /// What the timeline shows.
    pub timeline: crate::TimelineView,
    /// What is shown of motion.
    pub animation: AnimationView,
    /// What is measured by hand.
    pub measure: crate::MeasureView,
    /// Pictures of clips' key poses.
    pub poses: crate::PosesView,
    /// What the pane of materials shows.
    pub materials: crate::MaterialsView,
    /// Images set by hand.
    pub by_hand: crate::ByHand,
    /// What the model wears for that.
    pub(super) dressed: crate::Dressed,
    /// What is known of hulls and bounds.
    pub collision: crate::CollisionView,
    /// What is known of the surface.
    pub surface: crate::SurfaceView,
    /// What the UV pane shows.
    pub uv: crate::UvView,
    /// What the camera was last framed on, while nobody has moved it since: framed again when the
    /// picture changes its shape.
    pub(super) framed: Option<Aabb>,
    /// What is to be framed once a task has looked up its box.
    pub(super) to_frame: Option<Box<crate::ToPose>>,
}

impl ViewState {
    /// Whether subset `number` is drawn.
    pub fn shows(&self, number: usize) -> bool {
        match self.isolated {
            Some(only) => only == number,
            None => self.looks.get(number).is_none_or(|look| look.is_visible),
        }
    }

    /// Whether hull `number` is shown.
    pub fn shows_hull(&self, number: usize) -> bool {
        self.overlays.hulls && !self.collision.hidden_hulls.contains(&number)
    }
}

impl AppState {
    /// Width over height of the document's view in the picture; a usual one before it has been shown.
    pub fn aspect(&self) -> f32 {
        let size = self.view_size_points;
        if size.min_element() > 0.0 {
            let [left, right] = self.tab.view.second.document_part();
            size.x * (right - left) / size.y
        } else {
            1.5
        }
    }

    /// Fills the picture with `bounds`, and keeps it filled until the camera is moved.
    pub(super) fn frame(&mut self, bounds: Aabb) {
        if bounds.is_empty() {
            return;
        }
        let aspect = self.aspect();
        self.tab.view.camera.frame(&bounds, aspect);
        self.tab.view.framed = Some(bounds);
    }

    /// Frames again what was framed, from the present direction.
    pub(super) fn frame_again(&mut self) {
        if let Some(bounds) = self.tab.view.framed {
            self.frame(bounds);
        }
    }

    /// Looks from a preset direction, at all that was framed.
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
