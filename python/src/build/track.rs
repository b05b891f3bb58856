//! Tracks: keys of one bone, morph target or material.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, Vec4};
use pyo3::prelude::*;
use rigscope::model::value_names as names;
use rigscope::model::{
    BoneId, BoneTrack, Interpolation, MaterialId, MaterialTrack, MeshId, Model, MorphTrack, Track,
};

use super::dict_arg::{DictArg, vec3s, vec4s};

const TRACK_KEYS: &[&str] = &[
    "bone",
    "times",
    "translations",
    "rotations",
    "scales",
    "interpolation",
    "in_tangents",
    "out_tangents",
];

/// Times and interpolation of the tracks that don't have their own.
pub(super) struct Times {
    pub(super) clip: Vec<f64>,
    pub(super) interpolation: Interpolation,
}

impl DictArg<'_> {
    /// Key times, finite and rising.
    pub(super) fn times(&self, key: &str) -> PyResult<Option<Vec<f64>>> {
        let times = self.array::<f64, 1>(key, [None])?.map(|times| times.data);
        let is_usable =
            |times: &Vec<f64>| times.is_sorted() && times.iter().all(|time| time.is_finite());
        if times.as_ref().is_some_and(|times| !is_usable(times)) {
            return Err(self.wrong(key, "must be finite and must rise"));
        }
        Ok(times)
    }
}

/// The keys of one dictionary.
struct Keys<'a, 'py> {
    of: &'a DictArg<'py>,
    times_secs: Vec<f64>,
    interpolation: Interpolation,
}

impl<'a, 'py> Keys<'a, 'py> {
    fn new(of: &'a DictArg<'py>, times: &Times) -> PyResult<Self> {
        let own = of.named("interpolation", names::INTERPOLATION)?;
        let interpolation = own.unwrap_or(times.interpolation);
        for key in ["in_tangents", "out_tangents"] {
            match interpolation {
                Interpolation::Cubic => drop(of.needed(key)?),
                _ if of.has(key)? => return Err(of.wrong(key, "needs cubic interpolation")),
                _ => {}
            }
        }
        let times_secs = of.times("times")?.unwrap_or_else(|| times.clip.clone());
        Ok(Self { of, times_secs, interpolation })
    }

    /// The values of `key`, with `width` numbers each; with cubic interpolation, each between its tangents.
    fn numbers(&self, key: &str, width: usize) -> PyResult<Option<Vec<f32>>> {
        let num = Some(self.times_secs.len());
        let read = |key| match width {
            1 => PyResult::Ok(self.of.array::<f32, 1>(key, [num])?.map(|taken| taken.data)),
            _ => Ok(self.of.array::<f32, 2>(key, [num, Some(width)])?.map(|taken| taken.data)),
        };
        let Some(values) = read(key)? else { return Ok(None) };
        if self.interpolation != Interpolation::Cubic {
            return Ok(Some(values));
        }
        let (before, after) = (read("in_tangents")?, read("out_tangents")?);
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let lists = [&before, &values, &after].map(|list| list.chunks_exact(width));
        let [before, values, after] = lists;
        let keys = before.zip(values).zip(after);
        Ok(Some(
            keys.flat_map(|((before, value), after)| [before, value, after].concat()).collect(),
        ))
    }

    fn track<T>(&self, values: Vec<T>) -> Track<T> {
        Track { times_secs: self.times_secs.clone(), values, interpolation: self.interpolation }
    }

    fn vectors(&self, key: &str) -> PyResult<Option<Track<Vec3>>> {
        Ok(self.numbers(key, 3)?.map(|numbers| self.track(vec3s(&numbers))))
    }
}

/// Adds the tracks in a list of dictionaries to `tracks`, which are sorted by bone.
pub(super) fn bone_tracks(
    of: &DictArg<'_>,
    times: &Times,
    num_bones: usize,
    tracks: &mut Vec<BoneTrack>,
) -> PyResult<()> {
    let own = std::mem::take(tracks).into_iter().map(|track| (track.bone, track));
    let mut by_bone: BTreeMap<BoneId, BoneTrack> = own.collect();
    for of in of.dicts("tracks", TRACK_KEYS)? {
        of.needed("bone")?;
        let bone = of.index("bone", "bone", num_bones)?.unwrap_or_default();
        let bone = BoneId::from_index(bone);
        let keys = Keys::new(&of, times)?;
        let translation = keys.vectors("translations")?;
        let scale = keys.vectors("scales")?;
        let rotations = keys.numbers("rotations", 4)?;
        let rotation = rotations.map(|rotations| {
            keys.track(vec4s(&rotations).into_iter().map(Quat::from_vec4).collect())
        });
        let num = usize::from(translation.is_some())
            + usize::from(rotation.is_some())
            + usize::from(scale.is_some());
        if num > 1 && keys.interpolation == Interpolation::Cubic {
            let why =
                "belong to one of translations, rotations and scales; use a dictionary for each";
            return Err(of.wrong("in_tangents", why));
        }
        let track = by_bone.entry(bone).or_insert(BoneTrack {
            bone,
            translation: None,
            rotation: None,
            scale: None,
        });
        let twice = |key: &str| of.wrong(key, &format!("moves bone {} twice", bone.0));
        put(&mut track.translation, translation).map_err(|()| twice("translations"))?;
        put(&mut track.rotation, rotation).map_err(|()| twice("rotations"))?;
        put(&mut track.scale, scale).map_err(|()| twice("scales"))?;
    }
    tracks.extend(by_bone.into_values());
    Ok(())
}

/// Fills an empty place.
fn put<T>(place: &mut Option<T>, value: Option<T>) -> Result<(), ()> {
    match (&place, value) {
        (_, None) => Ok(()),
        (Some(_), Some(_)) => Err(()),
        (None, value) => {
            *place = value;
            Ok(())
        }
    }
}

/// The weights of one morph target.
pub(super) fn morph_track(of: &DictArg<'_>, times: &Times, model: &Model) -> PyResult<MorphTrack> {
    let number = |key| PyResult::Ok(of.index(key, key, usize::MAX)?.unwrap_or_default());
    let (mesh, target) = (number("mesh")?, number("target")?);
    let num_targets =
        model.meshes.get(MeshId::from_index(mesh)).map(|mesh| mesh.morph_targets.len());
    if num_targets.is_none_or(|num| target >= num) {
        return Err(of.wrong("target", &format!("mesh {mesh} has no morph target {target}")));
    }
    of.needed("weights")?;
    let keys = Keys::new(of, times)?;
    let weights = keys.numbers("weights", 1)?.unwrap_or_default();
    Ok(MorphTrack { mesh: MeshId::from_index(mesh), target, weights: keys.track(weights) })
}

/// The values of one property of a material.
pub(super) fn material_track(
    of: &DictArg<'_>,
    times: &Times,
    model: &Model,
) -> PyResult<MaterialTrack> {
    for key in ["material", "property", "values"] {
        of.needed(key)?;
    }
    let material = of.index("material", "material", model.materials.len())?.unwrap_or_default();
    let property = of.named("property", names::TRACK_PROPERTY)?;
    let property = property.ok_or_else(|| of.wrong("property", "is missing"))?;
    let keys = Keys::new(of, times)?;
    let width = property.num_components();
    let numbers = keys.numbers("values", width)?.unwrap_or_default();
    let wide = |numbers: &[f32]| {
        let mut wide = [0.0; 4];
        wide.iter_mut().zip(numbers).for_each(|(to, from)| *to = *from);
        Vec4::from_array(wide)
    };
    let values = numbers.chunks_exact(width).map(wide).collect();
    Ok(MaterialTrack {
        material: MaterialId::from_index(material),
        property,
        values: keys.track(values),
    })
}
