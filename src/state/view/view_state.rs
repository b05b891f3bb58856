//! What the view shows and from where.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::camera::{Camera, Preset, Projection};
use crate::model::Aabb;
use crate::state::{
    AnimationView, AppState, AsBsm2, BytesView, CompareState, Effect, Painting, SecondView,
    TruthState,
};
use crate::visual::{Coloring, USUAL_GLYPH_PERMILLE};

/// Switches of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Overlays {
    /// Lit triangles.
    pub surface: bool,
    /// Materials with their textures.
    pub textures: bool,
    /// A checker on texture coordinates.
    pub checker: bool,
    /// A colour for each subset.
    pub subset_colors: bool,
    /// Colours of what vertices hold, in place of all looks.
    pub coloring: Option<Coloring>,
    /// Edges of triangles.
    pub wireframe: bool,
    /// Normals of vertices as lines.
    pub normals: bool,
    /// Tangents of vertices as lines.
    pub tangents: bool,
    /// Bitangents of vertices as lines.
    pub bitangents: bool,
    /// Length of these lines, in thousandths of the model's extent.
    pub glyph_permille: u16,
    /// Vertices.
    pub points: bool,
    /// The skeleton.
    pub bones: bool,
    /// The skeleton also where the surface hides it.
    pub bones_on_top: bool,
    /// Names beside the bones.
    pub bone_names: bool,
    /// The ground.
    pub grid: bool,
    /// The compass.
    pub axes: bool,
    /// Back faces lit like front ones.
    pub two_sided: bool,
    /// No smooth normals.
    pub flat: bool,
    /// Figures in the corner of the view.
    pub statistics: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self {
            surface: true,
            textures: true,
            checker: false,
            subset_colors: true,
            coloring: None,
            wireframe: false,
            normals: false,
            tangents: false,
            bitangents: false,
            glyph_permille: USUAL_GLYPH_PERMILLE,
            points: false,
            bones: false,
            bones_on_top: true,
            bone_names: false,
            grid: true,
            axes: true,
            two_sided: false,
            flat: false,
            statistics: false,
        }
    }
}

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
    /// What is drawn.
    pub overlays: Overlays,
    /// How each subset looks, those of all meshes one after another.
    pub looks: Vec<SubsetLook>,
    /// The only subset drawn; the others keep their own visibility for later.
    pub isolated: Option<usize>,
    /// The byte looked at.
    pub bytes: BytesView,
    /// Paint on the vertices, seen where the colouring is [`Coloring::Paint`].
    pub painting: Option<Painting>,
    /// A second model beside the document.
    pub second: SecondView,
    /// The document as BSM2.
    pub as_bsm2: AsBsm2,
    /// The document against another.
    pub compare: CompareState,
    /// The GPU against the CPU.
    pub truth: TruthState,
    /// What the pointer rests on, once asked.
    pub hover: Option<crate::state::Hover>,
    /// The weights that are looked at.
    pub weights: crate::state::WeightsView,
    /// How bones are drawn.
    pub bones: crate::state::BonesView,
    /// Saving what is seen.
    pub pictures: crate::state::Pictures,
    /// Figures about the document, once they are worked out.
    pub figures: Option<std::sync::Arc<crate::state::Figures>>,
    /// What was found about the document.
    pub notes: crate::state::NoteList,
    /// What is shown of motion.
    pub animation: AnimationView,
    /// What is shown of hulls, occluder and bounds.
    pub collision: crate::state::CollisionView,
    /// What is marked on the surface.
    pub surface: crate::state::SurfaceView,
    /// What the UV pane shows.
    pub uv: crate::state::UvView,
    /// Size of the picture, in points.
    pub size_points: Vec2,
    /// What the camera was last framed on, while nobody has moved it since: framed again when the
    /// picture changes its shape.
    pub(in crate::state) framed: Option<Aabb>,
}

impl ViewState {
    /// Width over height of the document's view in the picture; a usual one before it has been shown.
    #[must_use]
    pub fn aspect(&self) -> f32 {
        if self.size_points.min_element() > 0.0 {
            let [left, right] = self.second.document_part();
            self.size_points.x * (right - left) / self.size_points.y
        } else {
            1.5
        }
    }

    /// Whether subset `number` is drawn.
    #[must_use]
    pub fn shows(&self, number: usize) -> bool {
        match self.isolated {
            Some(only) => only == number,
            None => self.looks.get(number).is_none_or(|look| look.is_visible),
        }
    }

    /// Fills the picture with `bounds`, and keeps it filled until the camera is moved.
    pub(in crate::state) fn frame(&mut self, bounds: Aabb) {
        if bounds.is_empty() {
            return;
        }
        let aspect = self.aspect();
        self.camera.frame(&bounds, aspect);
        self.framed = Some(bounds);
    }

    /// Frames again what was framed, from the present direction.
    pub(in crate::state) fn frame_again(&mut self) {
        if let Some(bounds) = self.framed {
            self.frame(bounds);
        }
    }
}

impl Overlays {
    /// Shows names of bones, and bones with them: names alone would name nothing.
    pub(in crate::state) fn toggle_bone_names(&mut self) {
        self.bone_names ^= true;
        self.bones |= self.bone_names;
    }
}

impl AppState {
    /// Changes what is drawn, here and in other documents.
    pub(in crate::state) fn change_overlays(&mut self, change: fn(&mut Overlays)) -> Vec<Effect> {
        change(&mut self.view.overlays);
        self.keep_overlays()
    }

    /// Keeps what is drawn for other documents and the next run.
    pub(in crate::state) fn keep_overlays(&mut self) -> Vec<Effect> {
        let overlays = self.view.overlays;
        // Paint is of one document.
        let coloring = overlays.coloring.filter(|c| *c != Coloring::Paint);
        self.settings.overlays = Overlays {
            coloring,
            ..overlays
        };
        vec![Effect::SaveSettings]
    }

    /// Whether vertices are coloured by `coloring`.
    #[must_use]
    pub fn shows_coloring(&self, coloring: Coloring) -> bool {
        self.view.overlays.coloring == Some(coloring)
    }

    /// Colours by `coloring`, or by looks again.
    pub(in crate::state) fn toggle_coloring(&mut self, coloring: Coloring) -> Vec<Effect> {
        let is_shown = self.shows_coloring(coloring);
        self.view.overlays.coloring = (!is_shown).then_some(coloring);
        self.keep_overlays()
    }

    /// Looks from a preset direction, at all that was framed.
    pub(in crate::state) fn look_from(&mut self, preset: Preset) {
        self.view.camera.look_from(preset);
        self.view.frame_again();
    }

    pub(in crate::state) fn toggle_projection(&mut self) {
        let camera = &mut self.view.camera;
        camera.projection = match camera.projection {
            Projection::Perspective => Projection::Orthographic,
            Projection::Orthographic => Projection::Perspective,
        };
        self.view.frame_again();
    }
}
