//! Details of a collision hull.

use glam::Vec3;

use crate::{AppState, Selection};
use rigscope_core::geometry::hull_points;
use rigscope_core::model::Aabb;

/// Details of a hull.
#[derive(Clone, Debug, PartialEq)]
pub struct HullProbe {
    /// Its index.
    pub hull: usize,
    /// Stored points.
    pub num_points: usize,
    /// Points that are corners; the others are inside or duplicates.
    pub num_corners: usize,
    /// Triangles on its surface; `None` if it has no volume.
    pub num_faces: Option<usize>,
    /// Dimensions of its bounding box, display space.
    pub size: Vec3,
    /// Middle of its bounding box, display space.
    pub center: Vec3,
}

impl AppState {
    /// Details of the selected hull.
    pub fn hull_probe(&self) -> Option<HullProbe> {
        let Selection::Hull(number) = self.tab.selection else { return None };
        let model = &self.tab.document.as_ref()?.model;
        let hull = model.hulls.get(number)?;
        let display_from_file = model.axes.display_from_file();
        let placed = hull.points.iter();
        let bounds = Aabb::from_points(placed.map(|&p| display_from_file.transform_point3(p)));
        let corners = hull_points(&hull.points);
        Some(HullProbe {
            hull: number,
            num_points: hull.points.len(),
            num_corners: corners.points.len(),
            // From Euler's formula for closed triangle meshes.
            num_faces: corners.is_solid.then(|| (corners.points.len() * 2).saturating_sub(4)),
            size: bounds.size(),
            center: if bounds.is_empty() { Vec3::ZERO } else { bounds.center() },
        })
    }
}
