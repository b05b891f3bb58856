//! The camera: orbit, pan, zoom, framing, presets, rays.
//!
//! For: the window, `render` and tests, which all use the same placement.
//! Not for: GPU-specific matrix layouts beyond clip space; input events.
//!
//! Everything is in display space (right-handed, Y up). Clip space is as in wgpu: y up, z from 1
//! at the near plane to 0 at infinity (reverse z).

use glam::{Mat4, Vec2, Vec3};

use crate::model::Aabb;

/// Vertical field of view.
pub const FOV_Y_RAD: f32 = 45.0 * std::f32::consts::PI / 180.0;
/// Maximum tilt; slightly below the pole, where "up" would be undefined.
const MAX_PITCH_RAD: f32 = std::f32::consts::FRAC_PI_2 - 1e-3;
/// Margin around a framed box, as a factor.
const FRAME_MARGIN: f32 = 1.1;
/// Near plane as a fraction of the distance: reverse z in floats keeps precision far beyond it.
const NEAR_OF_DISTANCE: f32 = 1e-3;
/// Smallest and largest distance, so that zooming never overflows.
const DISTANCE: std::ops::RangeInclusive<f32> = 1e-12..=1e18;

/// Kind of projection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// Distant objects appear smaller.
    #[default]
    Perspective,
    /// Parallel projection.
    Orthographic,
}

/// View directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// From +Z: the subject faces the camera.
    Front,
    /// From +X: the subject's left side.
    Side,
    /// From +Y.
    Top,
    /// From -Z.
    Back,
    /// From -X: the subject's right side.
    Left,
    /// From -Y.
    Bottom,
    /// From above, between front and side (isometric).
    Iso,
}

impl Preset {
    pub const ALL: [Self; 7] =
        [Self::Front, Self::Back, Self::Side, Self::Left, Self::Top, Self::Bottom, Self::Iso];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Back => "back",
            Self::Side => "side",
            Self::Left => "left",
            Self::Top => "top",
            Self::Bottom => "bottom",
            Self::Iso => "iso",
        }
    }

    /// Yaw and pitch.
    pub fn yaw_pitch_rad(self) -> (f32, f32) {
        use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
        match self {
            Self::Front => (0.0, 0.0),
            Self::Side => (FRAC_PI_2, 0.0),
            Self::Top => (0.0, MAX_PITCH_RAD),
            Self::Back => (PI, 0.0),
            Self::Left => (-FRAC_PI_2, 0.0),
            Self::Bottom => (0.0, -MAX_PITCH_RAD),
            // The angle at which all three axes have the same projected length: atan(1/√2).
            Self::Iso => (FRAC_PI_4, std::f32::consts::FRAC_1_SQRT_2.atan()),
        }
    }
}

/// An orbit camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The centre of the orbit.
    pub target: Vec3,
    /// Rotation about Y; 0 looks from +Z, positive towards +X.
    pub yaw_rad: f32,
    /// Elevation above the horizon.
    pub pitch_rad: f32,
    /// Distance from the target to the eye.
    pub distance: f32,
    /// Kind of projection.
    pub projection: Projection,
}

impl Default for Camera {
    fn default() -> Self {
        let (yaw_rad, pitch_rad) = (0.5, 0.3);
        Self {
            target: Vec3::ZERO,
            yaw_rad,
            pitch_rad,
            distance: 3.0,
            projection: Projection::Perspective,
        }
    }
}

/// A half line with origin and direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start of the ray.
    pub origin: Vec3,
    /// Unit length.
    pub direction: Vec3,
}

impl Camera {
    /// Unit vector from the target to the eye.
    pub fn backward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw_rad.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch_rad.sin_cos();
        Vec3::new(cos_pitch * sin_yaw, sin_pitch, cos_pitch * cos_yaw)
    }

    /// Unit vector to the right of the image.
    pub fn right(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw_rad.sin_cos();
        Vec3::new(cos_yaw, 0.0, -sin_yaw)
    }

    /// Unit vector to the top of the image.
    pub fn up(&self) -> Vec3 {
        self.backward().cross(self.right())
    }

    /// Position of the camera.
    pub fn eye(&self) -> Vec3 {
        self.target + self.backward() * self.distance
    }

    /// Height of the visible area at the target's distance, in model units.
    pub fn view_height(&self) -> f32 {
        2.0 * self.distance * (FOV_Y_RAD * 0.5).tan()
    }

    /// Orbits about the target.
    pub fn orbit(&mut self, yaw_rad: f32, pitch_rad: f32) {
        self.yaw_rad = (self.yaw_rad + yaw_rad).rem_euclid(std::f32::consts::TAU);
        self.pitch_rad = (self.pitch_rad + pitch_rad).clamp(-MAX_PITCH_RAD, MAX_PITCH_RAD);
    }

    /// Moves target and eye by image-plane pixels, so that the point under the pointer follows it.
    pub fn pan(&mut self, delta_px: Vec2, image_height_px: f32) {
        let per_px = self.view_height() / image_height_px.max(1.0);
        self.target += (self.up() * delta_px.y - self.right() * delta_px.x) * per_px;
    }

    /// Multiplies the distance by `factor` while the point under `at_ndc` remains in place.
    pub fn zoom(&mut self, factor: f32, at_ndc: Vec2, aspect: f32) {
        let before = self.view_height();
        self.distance = (self.distance * factor).clamp(*DISTANCE.start(), *DISTANCE.end());
        let shift = (before - self.view_height()) * 0.5;
        self.target += self.right() * (at_ndc.x * aspect * shift) + self.up() * (at_ndc.y * shift);
    }

    /// Sets a preset direction; target and distance don't change.
    pub fn look_from(&mut self, preset: Preset) {
        (self.yaw_rad, self.pitch_rad) = preset.yaw_pitch_rad();
    }

    /// Moves the camera so that `bounds` fills the image in the current direction; an empty box is
    /// ignored.
    pub fn frame(&mut self, bounds: &Aabb, aspect: f32) {
        if bounds.is_empty() {
            return;
        }
        self.target = bounds.center();
        let tan_y = (FOV_Y_RAD * 0.5).tan();
        let tan_x = tan_y * aspect.max(f32::MIN_POSITIVE);
        let (right, up, backward) = (self.right(), self.up(), self.backward());
        let mut distance = 0.0f32;
        for corner in bounds.corners() {
            let offset = corner - self.target;
            let in_front = match self.projection {
                Projection::Perspective => offset.dot(backward),
                Projection::Orthographic => 0.0,
            };
            let across = (offset.dot(right).abs() / tan_x).max(offset.dot(up).abs() / tan_y);
            distance = distance.max(across + in_front);
        }
        // A single point has no size, so any distance shows it.
        let fallback = bounds.center().length().max(1.0);
        let fitted = if distance > 0.0 { distance * FRAME_MARGIN } else { fallback };
        self.distance = fitted.clamp(*DISTANCE.start(), *DISTANCE.end());
    }

    /// View space from display space.
    pub fn view_from_world(&self) -> Mat4 {
        glam::camera::rh::view::look_at_mat4(self.eye(), self.target, self.up())
    }

    /// Clip space from view space, reverse z. `bounds` determines the depth range of an
    /// orthographic camera.
    pub fn clip_from_view(&self, aspect: f32, bounds: &Aabb) -> Mat4 {
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        match self.projection {
            Projection::Perspective => {
                glam::camera::rh::proj::directx::perspective_infinite_reverse(
                    FOV_Y_RAD,
                    aspect,
                    self.distance * NEAR_OF_DISTANCE,
                )
            }
            Projection::Orthographic => {
                let half_height = self.view_height() * 0.5;
                let half_width = half_height * aspect;
                // The depth range includes points behind the eye, since a parallel projection has
                // no eye point.
                let depth =
                    bounds.extent() + bounds.center().distance(self.target) + self.distance * 2.0;
                // Near and far are swapped for reverse z.
                glam::camera::rh::proj::directx::orthographic(
                    -half_width,
                    half_width,
                    -half_height,
                    half_height,
                    self.distance + depth,
                    self.distance - depth,
                )
            }
        }
    }

    /// Clip space from display space.
    pub fn clip_from_world(&self, aspect: f32, bounds: &Aabb) -> Mat4 {
        self.clip_from_view(aspect, bounds) * self.view_from_world()
    }

    /// The ray through `at_ndc` (-1..=1, y up).
    pub fn ray(&self, at_ndc: Vec2, aspect: f32) -> Ray {
        let half = self.view_height() * 0.5;
        let on_target_plane =
            self.target + self.right() * (at_ndc.x * aspect * half) + self.up() * (at_ndc.y * half);
        match self.projection {
            Projection::Perspective => Ray {
                origin: self.eye(),
                direction: (on_target_plane - self.eye()).normalize_or(-self.backward()),
            },
            Projection::Orthographic => Ray {
                origin: on_target_plane + self.backward() * self.distance * 2.0,
                direction: -self.backward(),
            },
        }
    }
}

/// Index of the point nearest to `at_ndc` in an image of `size`; points behind the eye are ignored.
#[must_use]
pub fn nearest_on_screen(
    clip_from_points: &Mat4,
    size: Vec2,
    at_ndc: Vec2,
    points: &[Vec3],
) -> Option<usize> {
    let distance = |point: &Vec3| {
        let clip = *clip_from_points * point.extend(1.0);
        let on_screen = Vec2::new(clip.x, clip.y) / clip.w;
        (clip.w > 0.0).then(|| ((on_screen - at_ndc) * size).length())
    };
    let distances = points.iter().map(distance).enumerate();
    let seen = distances.filter_map(|(at, distance)| Some((distance?, at)));
    seen.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_at(center: Vec3, half: f32) -> Aabb {
        Aabb::from_points([center - Vec3::splat(half), center + Vec3::splat(half)])
    }

    #[test]
    fn framing_fits_every_corner_and_fills_the_image() {
        let bounds = box_at(Vec3::new(30.0, -7.0, 4.0), 11.0);
        for projection in [Projection::Perspective, Projection::Orthographic] {
            for preset in Preset::ALL {
                for aspect in [0.4, 1.0, 2.5] {
                    let mut camera = Camera { projection, ..Camera::default() };
                    camera.look_from(preset);
                    camera.frame(&bounds, aspect);
                    let clip = camera.clip_from_world(aspect, &bounds);
                    let reach = bounds.corners().map(|c| {
                        let ndc = clip.project_point3(c);
                        assert!(ndc.z > 0.0 && ndc.z < 1.0, "depth {}", ndc.z);
                        ndc.x.abs().max(ndc.y.abs())
                    });
                    let most = reach.into_iter().fold(0.0, f32::max);
                    assert!(most <= 1.0 && most > 0.8, "{projection:?} {preset:?} {aspect} {most}");
                }
            }
        }
    }

    #[test]
    fn front_looks_along_minus_z_with_x_to_the_right_and_y_up() {
        let mut camera = Camera::default();
        camera.look_from(Preset::Front);
        let clip = camera.clip_from_world(1.0, &box_at(Vec3::ZERO, 1.0));
        assert!(clip.project_point3(Vec3::X).x > 0.0);
        assert!(clip.project_point3(Vec3::Y).y > 0.0);
        let (near, far) = (clip.project_point3(Vec3::Z), clip.project_point3(Vec3::NEG_Z));
        assert!(near.z > far.z, "reverse z: near is larger");
    }

    #[test]
    fn a_ray_passes_through_the_point_projected_to_its_pixel() {
        let point = Vec3::new(0.3, 0.8, -0.4);
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let camera = Camera { projection, ..Camera::default() };
            let ndc = camera.clip_from_world(1.6, &box_at(Vec3::ZERO, 1.0)).project_point3(point);
            let ray = camera.ray(ndc.truncate(), 1.6);
            let along = (point - ray.origin).dot(ray.direction);
            assert!((ray.origin + ray.direction * along).distance(point) < 1e-5);
        }
    }

    #[test]
    fn zoom_keeps_the_point_under_the_pointer() {
        let mut camera = Camera { projection: Projection::Orthographic, ..Camera::default() };
        let at = Vec2::new(0.5, -0.25);
        let before = camera.ray(at, 1.5).origin;
        camera.zoom(0.5, at, 1.5);
        let after = camera.ray(at, 1.5);
        let offset = before - after.origin;
        assert!((offset - after.direction * offset.dot(after.direction)).length() < 1e-5);
    }

    #[test]
    fn an_empty_box_does_not_move_the_camera() {
        let mut camera = Camera::default();
        camera.frame(&Aabb::EMPTY, 1.0);
        assert_eq!(camera, Camera::default());
    }
}
