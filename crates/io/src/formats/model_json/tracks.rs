//! Tracks: keys of one bone, morph target or material.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, Vec4};

use super::numbers::Numbers;
use super::parse::{malformed, named};
use super::schema::{MaterialTrackText, MorphTrackText, TrackText};
use crate::formats::ReadError;
use rigscope_core::model::value_names as names;
use rigscope_core::model::{
    BoneId, BoneTrack, Interpolation, MaterialId, MaterialTrack, MeshId, Model, MorphTrack, Track,
};

/// The keys of one clip.
pub(super) struct Keys<'a> {
    pub(super) clip: usize,
    pub(super) model: &'a Model,
    /// Of tracks that don't have their own, like the interpolation.
    pub(super) times: &'a [f64],
    pub(super) interpolation: Interpolation,
}

/// Why key times can't be used.
pub(super) fn check_times(times: &[f64]) -> Result<(), &'static str> {
    let is_finite = times.iter().all(|time| time.is_finite());
    is_finite.then_some(()).ok_or("has a value that isn't finite")
}

/// The times, interpolation and tangents of one track.
struct Curve {
    path: String,
    times_secs: Vec<f64>,
    interpolation: Interpolation,
    tangents: Option<[Numbers<f32>; 2]>,
}

impl Keys<'_> {
    pub(super) fn fault(&self, what: &str) -> ReadError {
        malformed("clips", format!("clips[{}].{what}", self.clip))
    }

    fn curve(
        &self,
        path: String,
        times: Option<Vec<f64>>,
        interpolation: Option<&str>,
        tangents: [Option<Numbers<f32>>; 2],
    ) -> Result<Curve, ReadError> {
        let times_secs = times.unwrap_or_else(|| self.times.to_vec());
        check_times(&times_secs).map_err(|why| self.fault(&format!("{path}.times {why}")))?;
        let key = format!("clips[{}].{path}.interpolation", self.clip);
        let interpolation = named("clips", &key, interpolation, names::INTERPOLATION)?;
        let interpolation = interpolation.unwrap_or(self.interpolation);
        let is_cubic = interpolation == Interpolation::Cubic;
        let tangents = match tangents {
            [Some(before), Some(after)] if is_cubic => Some([before, after]),
            [None, None] if !is_cubic => None,
            _ => {
                let what =
                    "in_tangents and out_tangents are for cubic interpolation, which needs both";
                return Err(self.fault(&format!("{path}: {what}")));
            }
        };
        Ok(Curve { path, times_secs, interpolation, tangents })
    }

    /// The keys of `name`, with `N` numbers each; with cubic interpolation, each between its tangents.
    fn keys<const N: usize>(
        &self,
        curve: &Curve,
        name: &str,
        values: Option<Vec<[f32; N]>>,
    ) -> Result<Option<Track<[f32; N]>>, ReadError> {
        let Some(values) = values else { return Ok(None) };
        let Curve { path, times_secs, interpolation, tangents } = curve;
        let check = |name: &str, num: usize| {
            let num_times = times_secs.len();
            let what = format!("{path}.{name} has {num} entries for {num_times} times");
            if num == num_times { Ok(()) } else { Err(self.fault(&what)) }
        };
        check(name, values.len())?;
        let values = match tangents {
            None => values,
            Some([before, after]) => {
                let shaped =
                    |name: &str, numbers: &Numbers<f32>| -> Result<Vec<[f32; N]>, ReadError> {
                        let rows = rows::<N>(numbers);
                        let rows = rows.ok_or_else(|| {
                            self.fault(&format!("{path}.{name} must have {N} numbers per key"))
                        })?;
                        check(name, rows.len())?;
                        Ok(rows)
                    };
                let (before, after) =
                    (shaped("in_tangents", before)?, shaped("out_tangents", after)?);
                let keys = before.into_iter().zip(values).zip(after);
                keys.flat_map(|((before, value), after)| [before, value, after]).collect()
            }
        };
        let (times_secs, interpolation) = (times_secs.clone(), *interpolation);
        Ok(Some(Track { times_secs, values, interpolation }))
    }

    /// The tracks in a list, in addition to `tracks`, which are sorted by bone.
    pub(super) fn bone_tracks(
        &self,
        tracks: Vec<BoneTrack>,
        texts: Vec<TrackText>,
    ) -> Result<Vec<BoneTrack>, ReadError> {
        let own = tracks.into_iter().map(|track| (track.bone, track));
        let mut by_bone: BTreeMap<BoneId, BoneTrack> = own.collect();
        for (number, text) in texts.into_iter().enumerate() {
            let path = format!("tracks[{number}]");
            let bone = text.bone.ok_or_else(|| self.fault(&format!("{path} has no bone")))?;
            if bone as usize >= self.model.skeleton.len() {
                return Err(self.fault(&format!("{path}.bone: there is no bone {bone}")));
            }
            let tangents = [text.in_tangents, text.out_tangents];
            let curve = self.curve(path, text.times, text.interpolation.as_deref(), tangents)?;
            let translation = self.keys(&curve, "translations", text.translations)?;
            let rotation = self.keys(&curve, "rotations", text.rotations)?;
            let scale = self.keys(&curve, "scales", text.scales)?;
            let num = usize::from(translation.is_some())
                + usize::from(rotation.is_some())
                + usize::from(scale.is_some());
            if num > 1 && curve.tangents.is_some() {
                let what = "a cubic track has one of translations, rotations and scales";
                return Err(self.fault(&format!("{}: {what}", curve.path)));
            }
            let id = BoneId(bone);
            let track = by_bone.entry(id).or_insert(BoneTrack {
                bone: id,
                translation: None,
                rotation: None,
                scale: None,
            });
            let is_new =
                put(&mut track.translation, translation.map(|own| own.map(Vec3::from_array)))
                    && put(&mut track.rotation, rotation.map(|own| own.map(Quat::from_array)))
                    && put(&mut track.scale, scale.map(|own| own.map(Vec3::from_array)));
            if !is_new {
                return Err(self.fault(&format!("{} moves bone {bone} twice", curve.path)));
            }
        }
        Ok(by_bone.into_values().collect())
    }

    pub(super) fn morph_track(
        &self,
        number: usize,
        text: MorphTrackText,
    ) -> Result<MorphTrack, ReadError> {
        let path = format!("morph_tracks[{number}]");
        let (mesh, target) = (text.mesh, text.target as usize);
        let num_targets = self.model.meshes.get(MeshId(mesh)).map(|mesh| mesh.morph_targets.len());
        if num_targets.is_none_or(|num| target >= num) {
            let what = format!("{path}: mesh {mesh} has no morph target {target}");
            return Err(self.fault(&what));
        }
        let tangents = [text.in_tangents, text.out_tangents];
        let curve = self.curve(path, text.times, text.interpolation.as_deref(), tangents)?;
        let weights = text.weights.into_iter().map(|weight| [weight]).collect();
        let weights = self.keys(&curve, "weights", Some(weights))?;
        let weights =
            weights.ok_or_else(|| self.fault(&format!("{} has no weights", curve.path)))?;
        Ok(MorphTrack { mesh: MeshId(mesh), target, weights: weights.map(|[weight]| weight) })
    }

    pub(super) fn material_track(
        &self,
        number: usize,
        text: MaterialTrackText,
    ) -> Result<MaterialTrack, ReadError> {
        let path = format!("material_tracks[{number}]");
        if text.material as usize >= self.model.materials.len() {
            return Err(self.fault(&format!("{path}: there is no material {}", text.material)));
        }
        let key = format!("clips[{}].{path}.property", self.clip);
        let property = named("clips", &key, Some(&text.property), names::TRACK_PROPERTY)?;
        let property = property.ok_or_else(|| self.fault(&format!("{path} has no property")))?;
        let tangents = [text.in_tangents, text.out_tangents];
        let curve = self.curve(path, text.times, text.interpolation.as_deref(), tangents)?;
        let values = match property.num_components() {
            1 => self.widened::<1>(&curve, &text.values)?,
            2 => self.widened::<2>(&curve, &text.values)?,
            3 => self.widened::<3>(&curve, &text.values)?,
            _ => self.widened::<4>(&curve, &text.values)?,
        };
        Ok(MaterialTrack { material: MaterialId(text.material), property, values })
    }

    /// Values followed by zeros.
    fn widened<const N: usize>(
        &self,
        curve: &Curve,
        values: &Numbers<f32>,
    ) -> Result<Track<Vec4>, ReadError> {
        let wrong = || self.fault(&format!("{}.values must have {N} numbers per key", curve.path));
        let values = rows::<N>(values).ok_or_else(wrong)?;
        let track = self.keys(curve, "values", Some(values))?.ok_or_else(wrong)?;
        Ok(track.map(|numbers| {
            let mut wide = [0.0; 4];
            wide.iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
            Vec4::from_array(wide)
        }))
    }
}

/// Rows of `N` numbers; `None` if there are others.
fn rows<const N: usize>(numbers: &Numbers<f32>) -> Option<Vec<[f32; N]>> {
    // An empty list has no width.
    let fits = numbers.width.is_none_or(|width| width == N);
    fits.then(|| numbers.values.as_chunks().0.to_vec())
}

/// Fills an empty place; returns whether it was empty.
fn put<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let is_free = place.is_none() || value.is_none();
    if value.is_some() && is_free {
        *place = value;
    }
    is_free
}
