//! Removes points of convex hulls.

use crate::geometry::position_key;
use crate::model::Model;
use crate::validate::points_inside_hull;

/// Removes points inside their hull, which don't affect it.
pub(super) fn remove_interior(model: &mut Model) {
    for hull in &mut model.hulls {
        let inside = points_inside_hull(&hull.points);
        hull.points.retain(|point| !inside.contains(&position_key(*point)));
    }
}
