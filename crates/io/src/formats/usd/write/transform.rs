//! Transforms of prims, with their samples in the clip of the timeline.
//!
//! Source: OpenUSD, `UsdGeomXformable`.

use glam::{Affine3A, Quat, Vec3};
use openusd::gf::Vec3d;
use openusd::sdf::{Path, Value};

use super::animation::{Timing, ends};
use super::layer::{Layer, tokens};
use super::skeleton::{double, stored};
use super::values::{quat, vec3};
use rigscope_core::model::{Bone, BoneTrack, Clip, Interpolation, LocalTransform, Track, Trs};
use rigscope_core::reshape::{CommonKeys, common_keys};

/// A transform and its keys.
pub(super) struct Transform<'a> {
    pub(super) bone: &'a Bone,
    /// The keys, with the clip that they are from.
    pub(super) keys: Option<(&'a BoneTrack, &'a Clip)>,
    pub(super) timing: Timing,
}

impl Transform<'_> {
    /// Writes the operations of a prim; none for an identity without keys.
    pub(super) fn write(&self, prim: &Path, layer: &mut Layer) {
        let rest = self.bone.rest_local;
        let Some((track, clip)) = self.keys else {
            if rest.to_affine() != Affine3A::IDENTITY {
                write_still(prim, rest, layer);
            }
            return;
        };
        if let Some(times) = matrix_times(track) {
            self.write_matrices(prim, track, times, layer);
            return;
        }
        let Trs { translation, rotation, scale } = rest.to_trs();
        let ends = ends(clip);
        let of_vectors = |track: Option<&_>, usual: Vec3, value: fn(&Vec3) -> Value| {
            let keys = track.map(|track| common_keys(&[(Some(track), usual)], &ends));
            keys.map(|keys| self.timing.samples(keys, |row| value(&first(row, usual))))
        };
        let samples = of_vectors(track.translation.as_ref(), translation, double3);
        write(prim, "xformOp:translate", "double3", double3(&translation), samples, layer);
        let keys = track.rotation.as_ref();
        let keys = keys.map(|track| CommonKeys::of_rotations(&[(Some(track), rotation)], &ends));
        let orient = |value: Quat| Value::Quatf(quat(&value));
        let samples =
            keys.map(|keys| self.timing.samples(keys, |row| orient(first(row, rotation))));
        write(prim, "xformOp:orient", "quatf", orient(rotation), samples, layer);
        let float3 = |value: &Vec3| Value::Vec3f(vec3(value));
        let samples = of_vectors(track.scale.as_ref(), scale, float3);
        write(prim, "xformOp:scale", "float3", float3(&scale), samples, layer);
        write_order(prim, &["xformOp:translate", "xformOp:orient", "xformOp:scale"], layer);
    }
}

impl Transform<'_> {
    /// Keys as matrices, whose elements USD interpolates.
    fn write_matrices(&self, prim: &Path, track: &BoneTrack, times: &[f64], layer: &mut Layer) {
        let rest = self.bone.rest_local;
        let usual = rest.to_trs();
        let value = |at: usize| {
            let of = |track: Option<&Track<Vec3>>, usual: Vec3| {
                track.and_then(|track| track.values.get(at)).copied().unwrap_or(usual)
            };
            let rotation = track.rotation.as_ref().and_then(|track| track.values.get(at)).copied();
            let trs = Trs {
                translation: of(track.translation.as_ref(), usual.translation),
                rotation: rotation.unwrap_or(usual.rotation),
                scale: of(track.scale.as_ref(), usual.scale),
            };
            Value::Matrix4d(stored(&double(&trs.to_affine())))
        };
        let samples =
            times.iter().enumerate().map(|(at, time)| (self.timing.code(*time), value(at)));
        layer
            .attribute(prim, "xformOp:transform", "matrix4d")
            .value(Value::Matrix4d(stored(&double(&rest.to_affine()))))
            .samples(samples.collect());
        write_order(prim, &["xformOp:transform"], layer);
    }
}

/// The times of keys whose matrices are interpolated by element.
fn matrix_times(track: &BoneTrack) -> Option<&[f64]> {
    let is_matrix = track.interpolations().all(|own| own == Interpolation::Matrix);
    let mut times = track.times();
    let first = times.next()?;
    (is_matrix && first.len() > 1 && times.all(|own| own == first)).then_some(first)
}

fn first<T: Copy>(row: Vec<T>, usual: T) -> T {
    row.first().copied().unwrap_or(usual)
}

fn double3(value: &Vec3) -> Value {
    let [x, y, z] = value.to_array().map(f64::from);
    Value::Vec3d(Vec3d { x, y, z })
}

fn write(
    prim: &Path,
    name: &str,
    type_name: &str,
    value: Value,
    samples: Option<Vec<(f64, Value)>>,
    layer: &mut Layer,
) {
    let attribute = layer.attribute(prim, name, type_name).value(value);
    if let Some(samples) = samples {
        attribute.samples(samples);
    }
}

fn write_order(prim: &Path, names: &[&str], layer: &mut Layer) {
    layer.attribute(prim, "xformOpOrder", "token[]").uniform().value(tokens(names));
}

fn write_still(prim: &Path, rest: LocalTransform, layer: &mut Layer) {
    let LocalTransform::Trs(Trs { translation, rotation, scale }) = rest else {
        let matrix = Value::Matrix4d(stored(&double(&rest.to_affine())));
        layer.attribute(prim, "xformOp:transform", "matrix4d").value(matrix);
        write_order(prim, &["xformOp:transform"], layer);
        return;
    };
    let mut names = Vec::new();
    if translation != Vec3::ZERO {
        names.push("xformOp:translate");
        layer.attribute(prim, "xformOp:translate", "double3").value(double3(&translation));
    }
    if rotation != Quat::IDENTITY {
        names.push("xformOp:orient");
        layer.attribute(prim, "xformOp:orient", "quatf").value(Value::Quatf(quat(&rotation)));
    }
    if scale != Vec3::ONE {
        names.push("xformOp:scale");
        layer.attribute(prim, "xformOp:scale", "float3").value(Value::Vec3f(vec3(&scale)));
    }
    write_order(prim, &names, layer);
}
