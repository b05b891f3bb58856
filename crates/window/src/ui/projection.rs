//! Projects the model's points into the view.

use egui::{Pos2, Rect, pos2};
use glam::{Mat4, Vec2, Vec3};

use rigscope_state::AppState;

/// Rotation for a drag across the view's height.
pub(super) const TURN_RAD_PER_VIEW: f32 = std::f32::consts::PI;

/// The position `at` in normalised device coordinates, -1..=1, y up.
pub(super) fn ndc(rect: Rect, at: Pos2) -> Vec2 {
    let x = (at.x - rect.left()) / rect.width().max(1.0);
    let y = (at.y - rect.top()) / rect.height().max(1.0);
    Vec2::new(2.0 * x - 1.0, 1.0 - 2.0 * y)
}

/// Projects points of the model to the screen.
pub(super) struct Projection {
    rect: Rect,
    clip_from_display: Mat4,
    display_from_file: Mat4,
    /// The camera's position and direction.
    eye: Vec3,
    forward: Vec3,
}

impl Projection {
    pub(super) fn of(state: &AppState, rect: Rect) -> Self {
        let document = state.tab.document.as_ref();
        let bounds = document.map(|d| d.bounds).unwrap_or_default();
        let axes = document.map(|d| d.model.axes).unwrap_or_default();
        let aspect = rect.width() / rect.height().max(1.0);
        let display_from_view = state.tab.view.camera.view_from_world().inverse();
        Self {
            rect,
            eye: display_from_view.w_axis.truncate(),
            forward: -display_from_view.z_axis.truncate().normalize_or_zero(),
            clip_from_display: state.tab.view.camera.clip_from_world(aspect, &bounds),
            display_from_file: Mat4::from(axes.display_from_file()),
        }
    }

    pub(super) fn of_display(&self, point: Vec3) -> Option<Pos2> {
        self.with_distance(point).map(|(at, _)| at)
    }

    /// Like [`Self::of_display`], with the distance in front of the camera in display units.
    fn with_distance(&self, point: Vec3) -> Option<(Pos2, f32)> {
        let clip = self.clip_from_display * point.extend(1.0);
        if clip.w <= 0.0 {
            return None;
        }
        let x = egui::remap(clip.x / clip.w, -1.0..=1.0, self.rect.x_range());
        let y = egui::remap(-clip.y / clip.w, -1.0..=1.0, self.rect.y_range());
        let at = pos2(x, y);
        let distance = self.display_distance(point);
        self.rect.contains(at).then_some((at, distance))
    }

    /// A line between two points of the model, clipped to the space in front of the camera. Its ends may be
    /// outside the image.
    pub(super) fn line_of_file(&self, from: Vec3, to: Vec3) -> Option<[Pos2; 2]> {
        /// Closer to the camera, the projection is undefined.
        const LEAST_W: f32 = 1e-4;
        let clip_from_file = self.clip_from_display * self.display_from_file;
        let (mut from, mut to) =
            (clip_from_file * from.extend(1.0), clip_from_file * to.extend(1.0));
        if from.w < LEAST_W && to.w < LEAST_W {
            return None;
        }
        let cut = |inside: glam::Vec4, outside: glam::Vec4| {
            inside.lerp(outside, (inside.w - LEAST_W) / (inside.w - outside.w))
        };
        if from.w < LEAST_W {
            from = cut(to, from);
        } else if to.w < LEAST_W {
            to = cut(from, to);
        }
        Some([from, to].map(|at| {
            let x = egui::remap(at.x / at.w, -1.0..=1.0, self.rect.x_range());
            let y = egui::remap(-at.y / at.w, -1.0..=1.0, self.rect.y_range());
            pos2(x, y)
        }))
    }

    fn display_distance(&self, point: Vec3) -> f32 {
        (point - self.eye).dot(self.forward)
    }

    pub(super) fn of_file(&self, point: Vec3) -> Option<(Pos2, f32)> {
        self.with_distance(self.display_from_file.transform_point3(point))
    }
}
