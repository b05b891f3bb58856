//! Images of a model without a window: what to draw, and the drawing.
//!
//! For: `render`, thumbnails, heat maps, the public API and Python.
//! Not for: the window, whose state already has bounds, marks and bones.

use std::sync::Arc;

use glam::Vec3;
use rayon::prelude::*;

use super::headless::{Drawing, Image};
use super::image_overlays::{ImageOverlays, vertex_paint};
use super::{Background, FrameInput, Studio, StudioError, SubsetLook};
use rigscope_core::camera::{Camera, Projection};
use rigscope_core::compare::{Comparison, heat};
use rigscope_core::model::{Aabb, BoneId, Model, Report};
use rigscope_core::pose::{
    BoneAnchors, PoseSpec, bone_shapes, moving_bounds, posed_bounds, sample,
};
use rigscope_core::visual::{Coloring, OutlineTarget, Show, VertexPaint};

/// What to draw, except the model.
#[derive(Clone, Debug)]
pub struct ImageRequest {
    pub size_px: [u32; 2],
    /// The images. The camera doesn't move between them, except for turns, and has the model in view in all.
    pub shots: Vec<Shot>,
    /// Orbit of the camera, horizontal and vertical; `None` for the initial view of the window.
    pub angles_rad: Option<[f32; 2]>,
    pub projection: Projection,
    /// The point to look at; `None` for the centre of the model.
    pub target: Option<Vec3>,
    /// Distance of the camera from the target; if `None`, the whole model is in view.
    pub distance: Option<f32>,
    /// Overlays, colouring and light.
    pub show: Show,
    /// The look of each subset; missing ones have the default. If empty, those that the file hides
    /// aren't drawn.
    pub subsets: Vec<SubsetLook>,
    pub selected: Option<OutlineTarget>,
    /// The bone of [`Coloring::BoneWeights`].
    pub bone: Option<BoneId>,
    /// Linear RGB by bone index; missing ones have the colour of deforming bones.
    pub bone_colors: Vec<[f32; 3]>,
    /// The values or colours of [`Coloring::Paint`].
    pub paint: Option<VertexPaint>,
    pub background: Background,
}

/// One image.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shot {
    pub pose: PoseSpec,
    /// Rotation of the camera about the target.
    pub turn_rad: f32,
}

impl Default for ImageRequest {
    fn default() -> Self {
        Self {
            size_px: [1280, 800],
            shots: vec![Shot::default()],
            angles_rad: None,
            projection: Projection::default(),
            target: None,
            distance: None,
            show: Show::default(),
            subsets: Vec::new(),
            selected: None,
            bone: None,
            bone_colors: Vec::new(),
            paint: None,
            background: Background::default(),
        }
    }
}

impl ImageRequest {
    /// Checks that the options fit together.
    ///
    /// # Errors
    /// The option that is missing.
    pub fn check(&self) -> Result<(), &'static str> {
        if self.show.coloring == Some(Coloring::BoneWeights) && self.bone.is_none() {
            return Err("bone-weights shows the weights of one bone; name it with --bone");
        }
        Ok(())
    }

    /// The second model of a comparison, coloured by the deviation of its vertices as in the window's Compare pane: blue
    /// for none, red for the largest, grey without a match. Returns the largest too, in display units.
    #[must_use]
    pub fn heat_map(comparison: &Comparison) -> (Self, f32) {
        let values = heat(comparison);
        let most = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f32::max);
        let request = Self {
            shots: vec![Shot { pose: comparison.matching.pose_b.spec(), ..Shot::default() }],
            show: Show {
                surface: true,
                two_sided: true,
                coloring: Some(Coloring::Paint),
                ..Show::NOTHING
            },
            paint: Some(VertexPaint::Heat { values: Arc::new(values), low: 0.0, high: most }),
            ..Self::default()
        };
        (request, most)
    }

    fn camera(&self, framed: &Aabb) -> Camera {
        let mut camera = Camera { projection: self.projection, ..Camera::default() };
        if let Some([yaw_rad, pitch_rad]) = self.angles_rad {
            (camera.yaw_rad, camera.pitch_rad) = (0.0, 0.0);
            // Orbiting avoids the poles, where the up direction is undefined.
            camera.orbit(yaw_rad, pitch_rad);
        }
        let [width, height] = self.size_px;
        let in_view = |turn_rad: f32| {
            let mut orbited = orbited(camera, turn_rad);
            orbited.frame(framed, width as f32 / height as f32);
            orbited
        };
        let first = in_view(0.0);
        let distances = self.shots.iter().map(|shot| in_view(shot.turn_rad).distance);
        let farthest = distances.fold(first.distance, f32::max);
        Camera {
            target: self.target.unwrap_or(first.target),
            distance: self.distance.unwrap_or(farthest),
            ..camera
        }
    }
}

/// A request with the measurements of a model that all its images share.
pub struct ImageSequence {
    /// The camera of images without a turn.
    pub camera: Camera,
    request: ImageRequest,
    /// Determines the near and far planes, the grid and the size of lines.
    bounds: Aabb,
    paint: Option<VertexPaint>,
    overlays: ImageOverlays,
    shows_bones: bool,
    anchors: BoneAnchors,
}

impl ImageSequence {
    /// Measures the model, which takes about as long as posing it for each shot.
    pub fn new(mut request: ImageRequest, model: &Model) -> Self {
        if request.subsets.is_empty() && model.hidden_parts().any(|is_hidden| is_hidden) {
            request.subsets = SubsetLook::of_parts(model);
        }
        let (framed, bounds) = bounds(&request, model);
        let show = request.show;
        let overlays = ImageOverlays::of(show, model);
        let is_bone = matches!(request.selected, Some(OutlineTarget::Bone(_)));
        // The skeleton replaces a surface without vertices. A selected bone is outlined even if bones aren't drawn.
        let is_empty = model.num_vertices() == 0;
        let shows_bones =
            is_bone || show.bones || (is_empty && (show.surface || show.wireframe || show.points));
        Self {
            camera: request.camera(&framed),
            bounds,
            paint: request.paint.take().or_else(|| vertex_paint(&show, model, request.bone)),
            anchors: if shows_bones || show.bone_axes {
                BoneAnchors::of(model)
            } else {
                BoneAnchors::default()
            },
            overlays,
            shows_bones,
            request,
        }
    }

    /// Whether drawing needs the vertices of the model in main memory.
    pub fn needs_vertices(&self) -> bool {
        self.overlays.needs_vertices()
    }

    /// Starts rendering image `number` of the model, which is in `studio`.
    ///
    /// # Errors
    /// If the size isn't supported.
    pub fn draw(
        &self,
        studio: &mut Studio,
        model: &Model,
        number: usize,
    ) -> Result<Drawing, StudioError> {
        let request = &self.request;
        let Shot { pose, turn_rad } = request.shots.get(number).copied().unwrap_or_default();
        let bones = if self.shows_bones {
            bone_shapes(model, &sample(model, &pose), &self.anchors)
        } else {
            Vec::new()
        };
        let marks = self.overlays.marks(model, &self.anchors, &pose, self.bounds.extent());
        let input = FrameInput {
            camera: orbited(self.camera, turn_rad),
            bounds: self.bounds,
            pose,
            show: request.show,
            subsets: &request.subsets,
            selected: request.selected,
            bones: &bones,
            bone_colors: &request.bone_colors,
            paint: self.paint.as_ref(),
            marks: &marks,
            background: request.background,
            ..FrameInput::default()
        };
        studio.draw(request.size_px, &input)
    }

    /// Renders the first image of the model, which is in `studio`.
    ///
    /// # Errors
    /// If rendering fails or the device reports an error.
    pub fn image(&self, studio: &mut Studio, model: &Model) -> Result<Image, StudioError> {
        let drawing = self.draw(studio, model, 0)?;
        Ok(studio.read(drawing)?.image()?)
    }
}

fn orbited(mut camera: Camera, turn_rad: f32) -> Camera {
    if turn_rad != 0.0 {
        camera.orbit(turn_rad, 0.0);
    }
    camera
}

/// Bounding boxes in display space: of the model in all images, and of its surroundings. Measures only those that
/// `request` needs, because each pose requires skinning all vertices.
fn bounds(request: &ImageRequest, model: &Model) -> (Aabb, Aabb) {
    let (has_target, has_distance) = (request.target.is_some(), request.distance.is_some());
    // With a given camera, uses the same bounds as the window.
    let surroundings =
        if has_target || has_distance { moving_bounds(model, &Report::new()).ok() } else { None };
    let framed = match surroundings {
        Some(surroundings) if has_target && has_distance => surroundings,
        _ => framed_bounds(model, &request.shots),
    };
    (framed, surroundings.unwrap_or(framed))
}

/// Larger models are posed one pose at a time: a single pose keeps all cores busy, and several would take too much
/// memory.
const MOST_VERTICES_EACH: usize = 1 << 17;

/// The bounding box of the model over all images, in display space.
fn framed_bounds(model: &Model, shots: &[Shot]) -> Aabb {
    let mut poses: Vec<PoseSpec> = shots.iter().map(|shot| shot.pose).collect();
    // All images of a turn show the same pose.
    poses.dedup();
    let of = |pose: &PoseSpec| posed_bounds(model, pose);
    if model.num_vertices() <= MOST_VERTICES_EACH {
        poses.par_iter().map(of).reduce(|| Aabb::EMPTY, Aabb::union)
    } else {
        poses.iter().map(of).fold(Aabb::EMPTY, Aabb::union)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camera_fits_all_turntable_angles_and_uses_given_values() {
        let framed = Aabb::from_points([Vec3::new(-4.0, 0.0, -1.0), Vec3::new(4.0, 1.0, 1.0)]);
        let side = Some([std::f32::consts::FRAC_PI_2, 0.0]);
        let request = ImageRequest { angles_rad: side, ..ImageRequest::default() };
        let still = request.camera(&framed).distance;
        let shot = |turn_rad| Shot { turn_rad, ..Shot::default() };
        let shots = vec![shot(0.0), shot(std::f32::consts::FRAC_PI_2)];
        let turning = ImageRequest { shots, ..request.clone() }.camera(&framed).distance;
        assert!(turning > still, "{turning} {still}");
        let given = ImageRequest { target: Some(Vec3::X), distance: Some(3.0), ..request };
        let camera = given.camera(&framed);
        assert_eq!((camera.target, camera.distance), (Vec3::X, 3.0));
    }

    #[test]
    fn weights_need_a_bone() {
        let show = Show::parse("surface,bone-weights").unwrap();
        let request = ImageRequest { show, ..ImageRequest::default() };
        assert!(request.check().is_err());
        assert!(ImageRequest { bone: Some(BoneId(0)), ..request }.check().is_ok());
    }
}
