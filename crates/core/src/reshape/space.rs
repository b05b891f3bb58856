//! Converts a whole model to other axes, another unit or another size.
//!
//! With `D` from old to new coordinates, a position becomes `D p` and every matrix `D M D⁻¹`, bones
//! included, so that posing and converting can be done in either order. `D` is a rotation by right
//! angles, possibly with a mirror, and a uniform scale: scales of bones stay scales.

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Mat4, Quat, Vec3, Vec4};

use super::float::{floats, forget_source};
use crate::model::{
    Aabb, Axes, BoneId, BoneTrack, Clip, Curves, IdVec, Indices, LiveCurves, LocalTransform, Mesh,
    Model, Motion, PackedKeys, SampledMotion, Skeleton, Skin, StoredBounds, Streams, Track, Trs,
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
    let new_from_old = model.axes.change_to(axes);
    let reverses = axes.reverses_winding() != model.axes.reverses_winding();
    let mut moved = SpaceChange::new(new_from_old, reverses).model(model);
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
    let larger = Affine3A::from_scale(Vec3::splat(factor));
    SpaceChange::new(larger, false).model(model)
}

/// The change from old to new coordinates.
#[derive(Clone, Copy, Debug)]
struct SpaceChange {
    new_from_old: Affine3A,
    old_from_new: Affine3A,
    /// The same without the factor, which keeps the length of directions to the last bit.
    turn: Mat3A,
    factor: f32,
    is_mirror: bool,
    reverses_winding: bool,
}

impl SpaceChange {
    fn new(new_from_old: Affine3A, reverses_winding: bool) -> Self {
        let factor = new_from_old.matrix3.x_axis.length();
        let turn = Mat3A::from_cols_array(
            &(new_from_old.matrix3.to_cols_array()).map(|entry| (entry / factor).round()),
        );
        Self {
            new_from_old,
            old_from_new: new_from_old.inverse(),
            turn,
            factor,
            is_mirror: turn.determinant() < 0.0,
            reverses_winding,
        }
    }

    fn point(&self, point: Vec3) -> Vec3 {
        self.new_from_old.transform_point3(point)
    }

    fn offset(&self, offset: Vec3) -> Vec3 {
        self.new_from_old.transform_vector3(offset)
    }

    fn direction(&self, direction: Vec3) -> Vec3 {
        self.turn * direction
    }

    /// A tangent; a mirror flips the sign of its bitangent.
    fn tangent(&self, tangent: Vec4) -> Vec4 {
        let sign = if self.is_mirror { -tangent.w } else { tangent.w };
        self.direction(tangent.truncate()).extend(sign)
    }

    fn matrix(&self, matrix: Affine3A) -> Affine3A {
        self.new_from_old * matrix * self.old_from_new
    }

    /// A rotation, or its derivative; a mirror reverses it.
    fn rotation(&self, rotation: Quat) -> Quat {
        let axis = self.direction(rotation.xyz());
        let axis = if self.is_mirror { -axis } else { axis };
        Quat::from_vec4(axis.extend(rotation.w))
    }

    /// Factors along the axes, which are permuted.
    fn scale(&self, scale: Vec3) -> Vec3 {
        (self.turn.abs() * glam::Vec3A::from(scale)).into()
    }

    fn local(&self, local: LocalTransform) -> LocalTransform {
        match local {
            LocalTransform::Matrix(matrix) => LocalTransform::Matrix(self.matrix(matrix)),
            LocalTransform::Trs(trs) => LocalTransform::Trs(Trs {
                translation: self.offset(trs.translation),
                rotation: self.rotation(trs.rotation),
                scale: self.scale(trs.scale),
            }),
        }
    }

    fn model(&self, model: &Model) -> Model {
        let mut moved = floats(model);
        for mesh in &mut moved.meshes {
            self.mesh(mesh);
        }
        let mut bones = moved.skeleton.bones().to_vec();
        for bone in &mut bones {
            bone.rest_local = self.local(bone.rest_local);
        }
        // The parents are unchanged and therefore valid.
        moved.skeleton = Skeleton::new(bones, model.skeleton.has_hierarchy()).unwrap_or_default();
        for clip in &mut moved.clips {
            self.clip(clip);
        }
        for point in moved.hulls.iter_mut().flat_map(|hull| &mut hull.points) {
            *point = self.point(*point);
        }
        if let Some(occluder) = &mut moved.occluder {
            for position in &mut occluder.positions {
                *position = self.point(*position);
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
                *offset = self.offset(*offset);
            }
            for offset in &mut shape.normal_offsets {
                *offset = self.direction(*offset);
            }
        }
        match &mut mesh.skin {
            Skin::None => {}
            Skin::InverseBind(skin) => {
                for bind in &mut skin.bone_from_mesh {
                    let change = Mat4::from(self.new_from_old);
                    *bind = change * *bind * Mat4::from(self.old_from_new);
                }
            }
            Skin::BoneLocal(skin) => {
                for influence in &mut skin.influences {
                    influence.position = self.point(influence.position);
                    influence.normal = self.direction(influence.normal);
                }
            }
        }
    }

    fn streams(&self, streams: &mut Streams) {
        for position in &mut streams.positions {
            *position = self.point(*position);
        }
        for normal in &mut streams.normals {
            *normal = self.direction(*normal);
        }
        for tangent in &mut streams.tangents {
            *tangent = self.tangent(*tangent);
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
                *curves = LiveCurves(Arc::new(ChangedCurves { change: *self, inner }));
            }
            Motion::VertexAnimation(cache) => {
                let positions = cache.positions.iter().map(|&p| self.point(p)).collect();
                *cache = VertexAnimation {
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
            matrices.extend(of_key.map(|matrix| self.matrix(matrix)));
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
        change(&mut track.translation, &|moved| self.offset(moved));
        change(&mut track.scale, &|scale| self.scale(scale));
        for value in track.rotation.iter_mut().flat_map(|t| &mut t.values) {
            *value = self.rotation(*value);
        }
    }

    fn bounds(&self, bounds: &StoredBounds) -> StoredBounds {
        let corners = bounds.aabb.corners().map(|corner| self.point(corner));
        StoredBounds {
            aabb: Aabb::from_points(corners),
            sphere_center: self.point(bounds.sphere_center),
            sphere_radius: bounds.sphere_radius * self.factor,
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
        let back = SpaceChange::new(self.change.old_from_new, false);
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
