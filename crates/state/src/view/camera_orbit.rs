//! Placing the camera by angles and distance, as the pages around an embedded view do.

use glam::Vec2;

use crate::AppState;
use rigscope_core::camera::Camera;
use rigscope_core::model::Aabb;

/// A position of the camera around the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CameraOrbit {
    /// Around the Y axis, as in [`Camera`]; `None` for the default.
    pub yaw_rad: Option<f32>,
    /// Above the horizon; `None` for the default.
    pub pitch_rad: Option<f32>,
    pub distance: OrbitDistance,
}

/// The distance from the eye to the centre of everything drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OrbitDistance {
    /// In display space.
    Exact(f32),
    /// A multiple of the distance at which everything drawn fills the view. It adapts to the size of the view.
    Fitted(f32),
}

impl Default for OrbitDistance {
    fn default() -> Self {
        Self::Fitted(1.0)
    }
}

impl AppState {
    pub(crate) fn place_camera(&mut self, orbit: CameraOrbit) {
        let bounds = self.shown_bounds();
        if bounds.is_empty() {
            return;
        }
        let usual = Camera::default();
        let camera = &mut self.tab.view.camera;
        (camera.yaw_rad, camera.pitch_rad) = (0.0, 0.0);
        camera.orbit(
            orbit.yaw_rad.unwrap_or(usual.yaw_rad),
            orbit.pitch_rad.unwrap_or(usual.pitch_rad),
        );
        match orbit.distance {
            // The fitted distance is proportional to the size of the box.
            OrbitDistance::Fitted(factor) => self.frame(scaled(&bounds, factor)),
            OrbitDistance::Exact(distance) => {
                camera.target = bounds.center();
                camera.zoom(distance / camera.distance, Vec2::ZERO, 1.0);
                self.tab.view.framed = None;
            }
        }
    }
}

/// `bounds` enlarged by `factor` about its centre.
fn scaled(bounds: &Aabb, factor: f32) -> Aabb {
    let center = bounds.center();
    let scale = |corner| center + (corner - center) * factor;
    Aabb { min: scale(bounds.min), max: scale(bounds.max) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;
    use crate::tests::{apply, opened};
    use std::f32::consts::FRAC_PI_4;

    #[test]
    fn the_camera_is_placed_by_angles_and_a_distance_that_may_follow_the_view() {
        let mut state = opened();
        apply(&mut state, Action::ViewSized(Vec2::new(400.0, 300.0)));
        let fitted = |factor| CameraOrbit {
            yaw_rad: Some(FRAC_PI_4),
            pitch_rad: Some(0.2),
            distance: OrbitDistance::Fitted(factor),
        };
        let place = |state: &mut AppState, orbit| {
            apply(state, Action::PlaceCamera(orbit));
            state.tab.view.camera
        };
        let whole = place(&mut state, fitted(1.0));
        assert!((whole.yaw_rad - FRAC_PI_4).abs() < 1e-6 && (whole.pitch_rad - 0.2).abs() < 1e-6);
        let far = place(&mut state, fitted(2.0));
        assert!((far.distance / whole.distance - 2.0).abs() < 1e-4);
        apply(&mut state, Action::ViewSized(Vec2::new(100.0, 300.0)));
        assert!(state.tab.view.camera.distance > far.distance, "follows a narrow view");

        let distance = OrbitDistance::Exact(7.0);
        let near = place(&mut state, CameraOrbit { distance, ..CameraOrbit::default() });
        let usual = Camera::default();
        assert_eq!((near.yaw_rad, near.pitch_rad), (usual.yaw_rad, usual.pitch_rad));
        assert!((near.distance - 7.0).abs() < 1e-4 && near.target == whole.target);
        apply(&mut state, Action::ViewSized(Vec2::new(400.0, 300.0)));
        assert_eq!(state.tab.view.camera, near, "an exact distance stays");
    }
}
