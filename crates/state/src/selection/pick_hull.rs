//! Picking hulls.
//!
//! Hulls have few faces and don't move. They are intersected with a ray on the CPU, and the
//! distance is compared with the triangle picked on the GPU.

use glam::{Vec2, Vec3};

use crate::{AppState, PickHit};
use rigscope_core::model::MeshId;
use rigscope_core::pose::{intersect_triangle, sample, skin_vertex};

impl AppState {
    /// The nearest visible hull at `ndc`, unless `hit` is in front of it.
    pub(super) fn hull_at(&self, ndc: Vec2, hit: &PickHit) -> Option<usize> {
        let document = self.tab.document.as_ref()?;
        let ray = self.tab.view.camera.ray(ndc, self.aspect());
        let file_from_display = document.model.axes.display_from_file().inverse();
        let origin = file_from_display.transform_point3(ray.origin);
        let direction = file_from_display.transform_vector3(ray.direction);
        let mut best: Option<(f32, usize)> = None;
        for (number, faces) in document.collision.hulls.iter().enumerate() {
            let Some(faces) = faces.as_ref().filter(|_| self.tab.view.shows_hull(number)) else {
                continue;
            };
            for corners in &faces.triangles {
                let [Some(a), Some(b), Some(c)] =
                    corners.map(|corner| faces.points.get(corner as usize).copied())
                else {
                    continue;
                };
                if let Some((distance, ..)) = intersect_triangle(origin, direction, a, b, c)
                    && best.is_none_or(|(least, _)| distance < least)
                {
                    best = Some((distance, number));
                }
            }
        }
        let (distance, number) = best?;
        let before = hit.triangle.and_then(|triangle| {
            let [a, b, c] = self.posed_triangle(triangle.mesh, triangle.triangle)?;
            intersect_triangle(origin, direction, a, b, c)
        });
        before.is_none_or(|(nearest, ..)| distance < nearest).then_some(number)
    }

    /// The corners of a triangle in the current pose, file space.
    fn posed_triangle(&self, id: MeshId, triangle: u32) -> Option<[Vec3; 3]> {
        let model = &self.tab.document.as_ref()?.model;
        let mesh = model.meshes.get(id)?;
        let pose = sample(model, &self.tab.playback.pose_spec());
        let of_mesh = pose.of_mesh(id, mesh);
        let first = triangle as usize * 3;
        let corner = |at: usize| {
            let vertex = mesh.indices.get(first + at)?;
            skin_vertex(mesh, vertex as usize, &of_mesh)
        };
        Some([corner(0)?, corner(1)?, corner(2)?])
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tests::{opened, picked};
    use crate::{Action, PickAt, Selection};
    use rigscope_core::geometry::hull_faces;
    use rigscope_core::model::Hull;

    /// Eight corners around the origin, at a distance of `half` on each axis.
    fn cube(half: f32) -> Vec<Vec3> {
        let sign = |bit: usize, number: usize| if number & bit == 0 { -half } else { half };
        (0..8).map(|number| Vec3::new(sign(1, number), sign(2, number), sign(4, number))).collect()
    }

    #[test]
    fn nearest_visible_hull_is_picked_unless_a_triangle_is_in_front() {
        let mut state = opened();
        let document = state.tab.document.as_mut().unwrap();
        let model = Arc::make_mut(&mut document.model);
        model.hulls = [cube(40.0), cube(2.0)].map(|points| Hull { points }).into();
        document.collision.hulls = vec![hull_faces(&cube(40.0)), hull_faces(&cube(2.0))];
        state.tab.view.overlays.hulls = true;
        state.tab.view.camera.target = Vec3::ZERO;
        state.tab.view.camera.distance = 100.0;
        let at = PickAt::default();
        let pick = |state: &mut AppState| {
            state.apply(Action::Pick(at));
            state.apply(picked(state, at, PickHit::default()));
        };
        pick(&mut state);
        assert_eq!(state.tab.selection, Selection::Hull(0));
        state.tab.view.collision.hidden_hulls.insert(0);
        pick(&mut state);
        assert_eq!(state.tab.selection, Selection::Hull(1));
        state.tab.view.overlays.hulls = false;
        pick(&mut state);
        assert_eq!(state.tab.selection, Selection::None);
    }
}
