//! The pose that the vertices were last skinned with, to skip meshes that haven't moved.

use bytemuck::cast_slice;

use super::mesh::MeshOffsets;
use crate::gpu_data::Rows;

/// The pose of all meshes, computed on the CPU.
#[derive(Debug, Default)]
pub(super) struct LastPose {
    /// Of all palette slots.
    pub(super) rows: Vec<Rows>,
    /// Of all morph shapes.
    pub(super) weights: Vec<f32>,
    /// The mesh whose positions came from a vertex animation.
    pub(super) cached: Option<usize>,
}

impl LastPose {
    /// For each mesh of `places`, whether it has moved since `before`.
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

/// The rows of a mesh, for a bitwise comparison.
fn words<'a>(pose: &'a LastPose, place: &MeshOffsets) -> Option<&'a [u32]> {
    pose.rows.get(place.slots()).map(cast_slice)
}

#[cfg(test)]
mod tests {
    use glam::Affine3A;

    use super::*;

    #[test]
    fn mesh_has_moved_if_its_slots_or_shapes_changed() {
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
