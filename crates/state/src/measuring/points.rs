//! Positions and measurements of the points in the current pose.

use glam::Vec3;

use super::ModelPoint;
use crate::AppState;
use rigscope_core::measure::{angle_deg, distance};
use rigscope_core::pose::sample;

/// The distance of each point from the previous one.
pub(super) fn distances(places: &[Vec3]) -> impl Iterator<Item = f64> {
    places.windows(2).map(|pair| match pair {
        [from, to] => distance(*from, *to),
        _ => 0.0,
    })
}

/// The angle at the second of three points; `None` if it coincides with another one.
pub(super) fn angle(places: &[Vec3]) -> Option<f64> {
    let &[from, at, to] = places else { return None };
    let (from, to) = (from - at, to - at);
    let is_angle = from != Vec3::ZERO && to != Vec3::ZERO;
    is_angle.then(|| angle_deg(from, to)).filter(|degrees| degrees.is_finite())
}

impl AppState {
    /// The positions of the points in the current pose, file space; empty if one of them has no
    /// position.
    pub fn measured_places(&self) -> Vec<Vec3> {
        let points = &self.tab.view.measure.points;
        let Some(document) = self.tab.document.as_ref().filter(|_| !points.is_empty()) else {
            return Vec::new();
        };
        let pose = sample(&document.model, &self.tab.playback.pose_spec());
        let place = |point: &ModelPoint| point.place(&document.model, &pose, &document.anchors);
        points.iter().map(place).collect::<Option<_>>().unwrap_or_default()
    }

    /// The distance of each of `places` from the previous one, in the file's unit.
    pub fn measured_distances(&self, places: &[Vec3]) -> Vec<f64> {
        distances(places).collect()
    }

    /// The angle at the second of three `places`, in degrees; `None` if it coincides with another
    /// one.
    pub fn measured_angle(&self, places: &[Vec3]) -> Option<f64> {
        angle(places)
    }

    /// The display name of a measured point.
    pub fn point_name(&self, point: ModelPoint) -> String {
        let Some(document) = &self.tab.document else { return String::new() };
        match point {
            ModelPoint::Bone(bone) => document.bone_name(bone),
            ModelPoint::Vertex { mesh, vertex } => match document.model.meshes.len() {
                1 => format!("vertex {}", vertex.0),
                _ => format!("vertex {} of mesh {}", vertex.0, mesh.0),
            },
        }
    }
}
