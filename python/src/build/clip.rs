//! Clips: keys of all bones at the same times, or tracks of single bones.

use glam::{Affine3A, Mat4, Quat, Vec3};
use pyo3::prelude::*;
use rigscope::model::{
    BoneId, BoneTrack, Clip, Interpolation, MeshId, MorphTrack, Motion, Track, Trs,
};

use super::dict_arg::{Dict, DictArg, vec3s, vec4s};

pub(super) const CLIP_KEYS: &[&str] = &[
    "name",
    "times",
    "matrices",
    "translations",
    "rotations",
    "scales",
    "tracks",
    "morph_tracks",
    "loops",
    "step",
];

/// The clip in a dictionary; `num_targets` are the numbers of morph targets of the meshes.
pub(super) fn clip(
    of: &DictArg<'_, '_>,
    num_bones: usize,
    num_targets: &[usize],
) -> PyResult<Clip> {
    let times = times(of)?.unwrap_or_default();
    let interpolation = if of.flag("step")? { Interpolation::Step } else { Interpolation::Linear };
    let mut tracks = dense_tracks(of, &times, num_bones, interpolation)?;
    let given: Vec<Dict<'_>> = of.typed("tracks", "a list of dictionaries")?.unwrap_or_default();
    for (number, dict) in given.iter().enumerate() {
        let keys = &["bone", "times", "translations", "rotations", "scales"];
        let of = DictArg::new("tracks", number, dict, keys)?;
        tracks.push(bone_track(&of, &times, num_bones, interpolation)?);
    }
    tracks.sort_by_key(|track| track.bone);
    if let Some(pair) = tracks.windows(2).find(|pair| pair[0].bone == pair[1].bone) {
        let why = format!("moves bone {} twice", pair[0].bone.0);
        return Err(of.wrong("tracks", &why));
    }
    let given: Vec<Dict<'_>> =
        of.typed("morph_tracks", "a list of dictionaries")?.unwrap_or_default();
    let mut morph_tracks = Vec::new();
    for (number, dict) in given.iter().enumerate() {
        let of =
            DictArg::new("morph_tracks", number, dict, &["mesh", "target", "times", "weights"])?;
        morph_tracks.push(morph_track(&of, &times, num_targets, interpolation)?);
    }
    let all = tracks.iter().flat_map(BoneTrack::times);
    let all = all.chain(morph_tracks.iter().map(|track| &track.weights.times_secs[..]));
    let all = all.chain([&times[..]]);
    let ends = all.filter_map(|times| Some((*times.first()?, *times.last()?)));
    let ends = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let (start_secs, end_secs) = ends.unwrap_or_default();
    Ok(Clip {
        name: of.text("name")?,
        start_secs,
        duration_secs: end_secs - start_secs,
        is_looping: of.flag("loops")?,
        motion: Motion::Tracks(tracks),
        morph_tracks,
        ..Clip::default()
    })
}

fn times(of: &DictArg<'_, '_>) -> PyResult<Option<Vec<f64>>> {
    let times = of.array::<f64, 1>("times", [None])?.map(|times| times.data);
    let is_usable =
        |times: &Vec<f64>| times.is_sorted() && times.iter().all(|time| time.is_finite());
    if times.as_ref().is_some_and(|times| !is_usable(times)) {
        return Err(of.wrong("times", "must be finite and must rise"));
    }
    Ok(times)
}

/// Tracks from values of all bones at each key.
fn dense_tracks(
    of: &DictArg<'_, '_>,
    times: &[f64],
    num_bones: usize,
    interpolation: Interpolation,
) -> PyResult<Vec<BoneTrack>> {
    let (num_keys, bones) = (Some(times.len()), Some(num_bones));
    let parts = match of.array::<f32, 4>("matrices", [num_keys, bones, Some(4), Some(4)])? {
        Some(matrices) => {
            let rows = matrices.data.as_chunks::<16>().0.iter();
            let matrices = rows.map(|rows| Mat4::from_cols_array(rows).transpose());
            let parts = matrices.map(|matrix| Trs::from_affine(Affine3A::from_mat4(matrix)));
            let parts: Vec<_> = parts.collect();
            BoneValues {
                translations: Some(parts.iter().map(|part| part.translation).collect()),
                rotations: Some(parts.iter().map(|part| part.rotation).collect()),
                scales: Some(parts.iter().map(|part| part.scale).collect()),
            }
        }
        None => {
            let vectors = |key| {
                let taken = of.array::<f32, 3>(key, [num_keys, bones, Some(3)])?;
                PyResult::Ok(taken.map(|taken| vec3s(&taken.data)))
            };
            let turns = of.array::<f32, 3>("rotations", [num_keys, bones, Some(4)])?;
            BoneValues {
                translations: vectors("translations")?,
                rotations: turns.map(|turns| quats(&turns.data)),
                scales: vectors("scales")?,
            }
        }
    };
    if parts.translations.is_none() && parts.rotations.is_none() && parts.scales.is_none() {
        return Ok(Vec::new());
    }
    let tracks = (0..num_bones).map(|bone| {
        let of_bone = Column { times, bone, num_bones, interpolation };
        BoneTrack {
            bone: BoneId::from_index(bone),
            translation: of_bone.track(parts.translations.as_deref()),
            rotation: of_bone.track(parts.rotations.as_deref()),
            scale: of_bone.track(parts.scales.as_deref()),
        }
    });
    Ok(tracks.collect())
}

fn quats(numbers: &[f32]) -> Vec<Quat> {
    vec4s(numbers).into_iter().map(Quat::from_vec4).collect()
}

/// The tracks of one bone.
fn bone_track(
    of: &DictArg<'_, '_>,
    clip_times: &[f64],
    num_bones: usize,
    interpolation: Interpolation,
) -> PyResult<BoneTrack> {
    let bone: usize = of.typed("bone", "the number of a bone")?.unwrap_or(num_bones);
    if bone >= num_bones {
        return Err(of.wrong("bone", &format!("must be below {num_bones}")));
    }
    let times = times(of)?.unwrap_or_else(|| clip_times.to_vec());
    let track = |values| Track { times_secs: times.clone(), values, interpolation };
    let vectors = |key| {
        let taken = of.array::<f32, 2>(key, [Some(times.len()), Some(3)])?;
        PyResult::Ok(taken.map(|taken| track(vec3s(&taken.data))))
    };
    let turns = of.array::<f32, 2>("rotations", [Some(times.len()), Some(4)])?;
    let turns = turns.map(|turns| Track {
        times_secs: times.clone(),
        values: quats(&turns.data),
        interpolation,
    });
    Ok(BoneTrack {
        bone: BoneId::from_index(bone),
        translation: vectors("translations")?,
        rotation: turns,
        scale: vectors("scales")?,
    })
}

/// The weights of one morph target.
fn morph_track(
    of: &DictArg<'_, '_>,
    clip_times: &[f64],
    num_targets: &[usize],
    interpolation: Interpolation,
) -> PyResult<MorphTrack> {
    let mesh: usize = of.typed("mesh", "the number of a mesh")?.unwrap_or_default();
    let target: usize = of.typed("target", "the number of a morph target")?.unwrap_or_default();
    if num_targets.get(mesh).is_none_or(|num| target >= *num) {
        return Err(of.wrong("target", &format!("mesh {mesh} has no morph target {target}")));
    }
    let times = times(of)?.unwrap_or_else(|| clip_times.to_vec());
    let weights = of.array::<f32, 1>("weights", [Some(times.len())])?;
    let weights = weights.ok_or_else(|| of.wrong("weights", "is missing"))?.data;
    Ok(MorphTrack {
        mesh: MeshId::from_index(mesh),
        target,
        weights: Track { times_secs: times, values: weights, interpolation },
    })
}

/// Values of all bones, in the order of keys.
struct BoneValues {
    translations: Option<Vec<Vec3>>,
    rotations: Option<Vec<Quat>>,
    scales: Option<Vec<Vec3>>,
}

/// The values of one bone.
struct Column<'a> {
    times: &'a [f64],
    bone: usize,
    num_bones: usize,
    interpolation: Interpolation,
}

impl Column<'_> {
    fn track<T: Copy>(&self, values: Option<&[T]>) -> Option<Track<T>> {
        let values = values?.iter().skip(self.bone).step_by(self.num_bones.max(1));
        Some(Track {
            times_secs: self.times.to_vec(),
            values: values.copied().collect(),
            interpolation: self.interpolation,
        })
    }
}
