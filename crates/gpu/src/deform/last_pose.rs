//! What moved the vertices last, so that meshes that stay where they are need not be moved again.

use bytemuck::cast_slice;

use super::mesh::MeshOffsets;
use crate::gpu_data::Rows;

/// What the CPU has posed for all meshes.
#[derive(Debug, Default)]
pub(super) struct LastPose {
    /// Of all slots.
    pub(super) rows: Vec<Rows>,
    /// Of all shapes.
    pub(super) weights: Vec<f32>,
    /// The mesh that had finished positions.
    pub(super) cached: Option<usize>,
}

impl LastPose {
    /// For the mesh at each of `places` whether something moves it otherwise than in `before`.
    pub(super) fn moved_since(&self, before: &Self, places: &[MeshOffsets]) -> Vec<bool> {
        let is_cached =
            |number: usize| [self.cached, before.cached].into_iter().any(|of| of == Some(number));
        let has_moved = |(number, place): (usize, &MeshOffsets)| {
            is_cached(number)
                || words(self, place) != words(before, place)
                || self.weights.get(place.shapes()) != before.weights.get(place.shapes())
        };
        places.iter().enumerate().map(has_moved).collect()
    }
}

/// The rows of a mesh, bit by bit.
fn words<'a>(pose: &'a LastPose, place: &MeshOffsets) -> Option<&'a [u32]> {
    pose.rows.get(place.slots()).map(cast_slice)
}

#[cfg(test)]
mod tests {
    use glam::Affine3A;

    use super::*;

    #[test]
    fn a_mesh_stays_where_its_slots_and_shapes_do() {
        let place = |first_slot, num_shapes| MeshOffsets {
            first_slot,
            num_slots: 1,
            first_shape: 0,
            num_shapes,
            uv_set: 0,
        };
        let places = [place(0, 0), place(1, 1), place(2, 0)];
        let pose = |x: f32, weight, cached| LastPose {
            rows: [0.0, 0.0, x]
                .map(|x| Rows::from(Affine3A::from_translation(glam::Vec3::X * x)))
                .to_vec(),
            weights: vec![weight],
            cached,
        };
        let before = pose(0.0, 0.0, None);
        let moved = |now: LastPose| now.moved_since(&before, &places);
        assert_eq!(moved(pose(0.0, 0.0, None)), [false, false, false]);
        assert_eq!(moved(pose(1.0, 0.0, None)), [false, false, true]);
        assert_eq!(moved(pose(0.0, 0.5, None)), [false, true, false]);
        assert_eq!(moved(pose(0.0, 0.0, Some(0))), [true, false, false]);
        let cached = pose(0.0, 0.0, Some(0));
        assert_eq!(before.moved_since(&cached, &places), [true, false, false]);
        assert_eq!(before.moved_since(&LastPose::default(), &places), [true, true, true]);
    }
}
