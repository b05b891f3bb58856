//! Converts a whole model to other axes, another unit or another size.
//!
//! Not for: single positions and matrices ([`SpaceChange`]).

use std::sync::Arc;

use glam::{Affine3A, Mat4, Vec3};

use super::float::{floats, forget_source};
use crate::model::{
    Aabb, Axes, BoneId, BoneTrack, Clip, Curves, IdVec, Indices, LiveCurves, Mesh, Model, Motion,
    PackedKeys, SampledMotion, Skeleton, Skin, SpaceChange, StoredBounds, Streams, Track,
    VertexAnimation, VertexData,
};

/// `model` with coordinates in `axes`; its display doesn't change.
///
/// If `axes` has no unit, coordinates are in metres for models that state a unit, and unchanged for
/// others.
#[must_use]
pub fn in_axes(model: &Model, axes: &Axes) -> Model {
    if model.axes == *axes {
        return model.clone();
    }
    let reverses = axes.reverses_winding() != model.axes.reverses_winding();
    let space = SpaceChange::new(model.axes.change_to(axes));
    let mut moved = ModelChange { space, reverses_winding: reverses }.model(model);
    moved.axes = *axes;
    moved
}

/// `model` scaled by `factor`, which must be above 0: positions, bone translations, hulls and
/// bounds.
#[must_use]
pub fn scaled(model: &Model, factor: f32) -> Model {
    if factor == 1.0 {
        return model.clone();
    }
    let space = SpaceChange::new(Affine3A::from_scale(Vec3::splat(factor)));
    ModelChange { space, reverses_winding: false }.model(model)
}

/// A change of a whole model.
#[derive(Clone, Copy, Debug)]
struct ModelChange {
    space: SpaceChange,
    reverses_winding: bool,
}

impl ModelChange {
    fn model(&self, model: &Model) -> Model {
        let mut moved = floats(model);
        for mesh in &mut moved.meshes {
            self.mesh(mesh);
        }
        let mut bones = moved.skeleton.bones().to_vec();
        for bone in &mut bones {
            bone.rest_local = self.space.local(bone.rest_local);
        }
        // The parents are unchanged and therefore valid.
        moved.skeleton = Skeleton::new(bones, model.skeleton.has_hierarchy()).unwrap_or_default();
        for clip in &mut moved.clips {
            self.clip(clip);
        }
        for point in moved.hulls.iter_mut().flat_map(|hull| &mut hull.points) {
            *point = self.space.point(*point);
        }
        if let Some(occluder) = &mut moved.occluder {
            for position in &mut occluder.positions {
                *position = self.space.point(*position);
            }
            self.wind(&mut occluder.indices);
        }
        moved.stored_bounds = moved.stored_bounds.map(|bounds| self.bounds(&bounds));
        forget_source(&mut moved);
        moved
    }

    fn mesh(&self, mesh: &mut Mesh) {
        if let VertexData::Streams(streams) = &mut mesh.vertices {
            self.streams(streams);
        }
        if let Indices::U32(indices) = &mut mesh.indices {
            self.wind(indices);
        }
        for shape in mesh.morph_targets.iter_mut().flat_map(|t| &mut t.shapes) {
            for offset in &mut shape.position_offsets {
                *offset = self.space.offset(*offset);
            }
            for offset in &mut shape.normal_offsets {
                *offset = self.space.direction(*offset);
            }
        }
        match &mut mesh.skin {
            Skin::None => {}
            Skin::InverseBind(skin) => {
                let change = [self.space, self.space.inverse()];
                let [there, back] = change.map(|change| Mat4::from(change.new_from_old()));
                for bind in &mut skin.bone_from_mesh {
                    *bind = there * *bind * back;
                }
            }
            Skin::BoneLocal(skin) => {
                for influence in &mut skin.influences {
                    influence.position = self.space.point(influence.position);
                    influence.normal = self.space.direction(influence.normal);
                }
            }
        }
    }

    fn streams(&self, streams: &mut Streams) {
        for position in &mut streams.positions {
            *position = self.space.point(*position);
        }
        for normal in &mut streams.normals {
            *normal = self.space.direction(*normal);
        }
        for tangent in &mut streams.tangents {
            *tangent = self.space.tangent(*tangent);
        }
    }

    fn wind(&self, indices: &mut [u32]) {
        if self.reverses_winding {
            for corners in indices.as_chunks_mut::<3>().0 {
                corners.swap(1, 2);
            }
        }
    }

    fn clip(&self, clip: &mut Clip) {
        match &mut clip.motion {
            Motion::Sampled(motion) => self.keys(motion),
            Motion::Tracks(tracks) => tracks.iter_mut().for_each(|track| self.track(track)),
            Motion::Curves(curves) => {
                let inner = curves.clone();
                *curves = LiveCurves(Arc::new(ChangedCurves { change: self.space, inner }));
            }
            Motion::VertexAnimation(cache) => {
                let positions = cache.positions.iter().map(|&p| self.space.point(p)).collect();
                *cache = VertexAnimation {
                    is_blended: cache.is_blended,
                    mesh: cache.mesh,
                    times_secs: std::mem::take(&mut cache.times_secs),
                    positions: Arc::new(positions),
                };
            }
        }
    }

    fn keys(&self, motion: &mut SampledMotion) {
        let num_bones = motion.keys.num_bones();
        let mut matrices = Vec::new();
        for key in 0..motion.keys.num_keys() {
            let of_key = (0..num_bones as usize).filter_map(|bone| motion.keys.matrix(key, bone));
            matrices.extend(of_key.map(|matrix| self.space.matrix(matrix)));
        }
        if let Some(keys) = PackedKeys::from_matrices(num_bones, &matrices) {
            motion.keys = keys;
        }
    }

    fn track(&self, track: &mut BoneTrack) {
        let change = |track: &mut Option<Track<Vec3>>, change: &dyn Fn(Vec3) -> Vec3| {
            for value in track.iter_mut().flat_map(|track| &mut track.values) {
                *value = change(*value);
            }
        };
        change(&mut track.translation, &|moved| self.space.offset(moved));
        change(&mut track.scale, &|scale| self.space.scale(scale));
        for value in track.rotation.iter_mut().flat_map(|t| &mut t.values) {
            *value = self.space.rotation(*value);
        }
    }

    fn bounds(&self, bounds: &StoredBounds) -> StoredBounds {
        let corners = bounds.aabb.corners().map(|corner| self.space.point(corner));
        StoredBounds {
            aabb: Aabb::from_points(corners),
            sphere_center: self.space.point(bounds.sphere_center),
            sphere_radius: bounds.sphere_radius * self.space.factor(),
        }
    }
}

/// Curves of a converted model.
#[derive(Debug)]
struct ChangedCurves {
    change: SpaceChange,
    inner: LiveCurves,
}

impl Curves for ChangedCurves {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
        let back = self.change.inverse();
        let mut old: IdVec<_, _> = parent_from_bone.iter().map(|&m| back.matrix(m)).collect();
        let rest = old.clone();
        self.inner.0.sample(time_secs, &mut old);
        for ((slot, matrix), rest) in parent_from_bone.iter_mut().zip(old).zip(rest) {
            // Unchanged transforms keep their rest value to the last bit.
            if matrix != rest {
                *slot = self.change.matrix(matrix);
            }
        }
    }

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        self.inner.0.sample_morphs(time_secs, weights);
    }

    fn frames_per_sec(&self) -> Option<f64> {
        self.inner.0.frames_per_sec()
    }

    fn num_keys(&self) -> u64 {
        self.inner.0.num_keys()
    }

    fn key_times_secs(&self) -> Vec<f64> {
        self.inner.0.key_times_secs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipId, Handedness, MeshId, UpAxis, Winding};
    use crate::pose::{PoseSpec, skin_model};
    use crate::reshape::fixture::bent_strip;

    #[test]
    fn model_looks_the_same_in_any_axes_and_unit() {
        let source = bent_strip();
        for up in [UpAxis::Y, UpAxis::Z] {
            for handedness in [Handedness::Right, Handedness::Left] {
                for winding in [Winding::CounterClockwise, Winding::Clockwise] {
                    let axes = Axes {
                        up,
                        handedness,
                        winding,
                        unit_meters: Some(0.01),
                        ..Axes::default()
                    };
                    shows_the_same(&source, &in_axes(&source, &axes));
                }
            }
        }
        let without_unit = in_axes(&source, &Axes::default());
        shows_the_same(&source, &without_unit);
    }

    fn shows_the_same(a: &Model, b: &Model) {
        let (to_a, to_b) = (a.axes.display_from_file(), b.axes.display_from_file());
        for time_secs in [0.0, 0.4, 1.0] {
            let spec = PoseSpec::linear(ClipId(0), time_secs);
            let (first, second) = (skin_model(a, &spec), skin_model(b, &spec));
            for vertex in 0..first[0].positions.len() {
                let shown = to_a.transform_point3(first[0].positions[vertex]);
                let again = to_b.transform_point3(second[0].positions[vertex]);
                assert!(shown.distance(again) < 1e-6, "{shown} {again} {:?}", b.axes);
                let shown = to_a.transform_vector3(first[0].normals[vertex]);
                let again = to_b.transform_vector3(second[0].normals[vertex]);
                let rotated = shown.normalize_or_zero().distance(again.normalize_or_zero());
                assert!(rotated < 1e-5, "{:?}", b.axes);
            }
        }
        let fronts = |model: &Model| -> Vec<u32> {
            let mesh = &model.meshes[MeshId(0)];
            let mut corners: Vec<u32> = mesh.indices.iter().collect();
            if model.axes.reverses_winding() {
                corners.swap(1, 2);
            }
            corners
        };
        assert_eq!(fronts(a), fronts(b));
    }

    #[test]
    fn scaling_scales_every_pose() {
        let source = bent_strip();
        let larger = scaled(&source, 3.0);
        let spec = PoseSpec::linear(ClipId(0), 0.7);
        let (a, b) = (skin_model(&source, &spec), skin_model(&larger, &spec));
        for (a, b) in a[0].positions.iter().zip(&b[0].positions) {
            assert!((*a * 3.0).distance(*b) < 1e-5);
        }
        assert!(larger.preserved.is_empty());
    }
}
