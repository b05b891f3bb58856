//! Collision and culling geometry stored with the drawn mesh.

use glam::Vec3;

use super::Aabb;

/// A convex hull as the file stores it: points without faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    /// Corner points, file units.
    pub points: Vec<Vec3>,
}

/// An occlusion mesh, drawn only into the depth buffer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OcclusionMesh {
    /// Positions, file units.
    pub positions: Vec<Vec3>,
    /// Triangle list into `positions`.
    pub indices: Vec<u32>,
}

/// Bounds as stored, which may be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredBounds {
    /// The box.
    pub aabb: Aabb,
    /// Centre of the sphere.
    pub sphere_center: Vec3,
    /// Radius of the sphere.
    pub sphere_radius: f32,
}

impl StoredBounds {
    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let points = [self.aabb.min, self.aabb.max, self.sphere_center];
        points.into_iter().all(Vec3::is_finite) && self.sphere_radius.is_finite()
    }
}
