//! Clips: keys of all bones at the same times, tracks of single bones, matrices as some formats store them, or vertex
//! animation.

use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec3};
use pyo3::prelude::*;
use rigscope::model::{
    Aabb, BoneId, BoneTrack, Clip, Event, Interpolation, KeySpace, MeshId, Model, Motion,
    PackedKeys, SampledMotion, Track, Trs, VertexAnimation, nanos,
};

use super::dict_arg::{DictArg, vec3s, vec4s};
use super::track::{Times, bone_tracks, material_track, morph_track};
use crate::arrays::read_array;

pub(super) const CLIP_KEYS: &[&str] = &[
    "name",
    "start",
    "duration",
    "loops",
    "step",
    "times",
    "matrices",
    "translations",
    "rotations",
    "scales",
    "tracks",
    "skin_matrices",
    "local_matrices",
    "interval",
    "bind_pair",
    "vertex_animation",
    "morph_tracks",
    "material_tracks",
    "events",
    "frame_bounds",
];
const MORPH_TRACK_KEYS: &[&str] =
    &["mesh", "target", "times", "weights", "interpolation", "in_tangents", "out_tangents"];
const MATERIAL_TRACK_KEYS: &[&str] =
    &["material", "property", "times", "values", "interpolation", "in_tangents", "out_tangents"];
/// Of these keys, a clip can have only one; `tracks` can be combined with the first two.
const MOTIONS: [&[&str]; 5] = [
    &["matrices"],
    &["translations", "rotations", "scales"],
    &["skin_matrices"],
    &["local_matrices"],
    &["vertex_animation"],
];

/// The clip in a dictionary, for a model whose other parts are complete.
pub(super) fn clip(of: &DictArg<'_>, model: &Model) -> PyResult<Clip> {
    let interpolation = if of.flag("step")? { Interpolation::Step } else { Interpolation::Linear };
    let times = Times { clip: of.times("times")?.unwrap_or_default(), interpolation };
    check_motions(of)?;
    let mut morph_tracks = Vec::new();
    for of in of.dicts("morph_tracks", MORPH_TRACK_KEYS)? {
        morph_tracks.push(morph_track(&of, &times, model)?);
    }
    let mut material_tracks = Vec::new();
    for of in of.dicts("material_tracks", MATERIAL_TRACK_KEYS)? {
        material_tracks.push(material_track(&of, &times, model)?);
    }
    let mut clip = Clip {
        name: of.text("name")?,
        is_looping: of.flag("loops")?,
        motion: motion(of, &times, model)?,
        morph_tracks,
        material_tracks,
        events: events(of, model)?,
        frame_bounds: frame_bounds(of)?,
        ..Clip::default()
    };
    let of_times = times.clip.first().copied().zip(times.clip.last().copied());
    let ranges = clip.key_range().into_iter().chain(of_times);
    let (first, last) = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default();
    clip.start_secs = of.number("start")?.unwrap_or(first);
    clip.duration_secs = of.number("duration")?.unwrap_or(last - first);
    let duration_secs = clip.duration_secs;
    if let Motion::Sampled(motion) = &mut clip.motion {
        motion.duration_ns = nanos(duration_secs);
    }
    Ok(clip)
}

fn check_motions(of: &DictArg<'_>) -> PyResult<()> {
    let mut found: Option<&str> = None;
    for keys in MOTIONS {
        for key in keys {
            if of.has(key)? {
                if let Some(other) = found.filter(|other| !keys.contains(other)) {
                    return Err(of.wrong(key, &format!("can't be combined with {other}")));
                }
                found = Some(key);
            }
        }
    }
    let is_sampled = found.is_some_and(|key| MOTIONS[2..].iter().any(|keys| keys.contains(&key)));
    if let Some(other) = found.filter(|_| is_sampled)
        && of.has("tracks")?
    {
        return Err(of.wrong("tracks", &format!("can't be combined with {other}")));
    }
    for key in ["interval", "bind_pair"] {
        if of.has(key)? && !matches!(found, Some("skin_matrices" | "local_matrices")) {
            return Err(of.wrong(key, "needs skin_matrices or local_matrices"));
        }
    }
    Ok(())
}

fn motion(of: &DictArg<'_>, times: &Times, model: &Model) -> PyResult<Motion> {
    let num_bones = model.skeleton.len();
    for (key, space) in [("skin_matrices", KeySpace::Skin), ("local_matrices", KeySpace::Local)] {
        if of.has(key)? {
            return sampled(of, key, space, &times.clip, num_bones).map(Motion::Sampled);
        }
    }
    if let Some(of) = of.dict("vertex_animation", &["mesh", "times", "positions"])? {
        return vertex_animation(&of, model).map(Motion::VertexAnimation);
    }
    let mut tracks = dense_tracks(of, times, num_bones)?;
    bone_tracks(of, times, num_bones, &mut tracks)?;
    Ok(Motion::Tracks(tracks))
}

/// Matrices at equal intervals, stored as they are.
fn sampled(
    of: &DictArg<'_>,
    key: &str,
    space: KeySpace,
    times: &[f64],
    num_bones: usize,
) -> PyResult<SampledMotion> {
    let (num_keys, four) = (Some(times.len()), Some(4));
    let matrices = of.array::<f32, 4>(key, [num_keys, Some(num_bones), four, four])?;
    let matrices = matrices.map(|taken| taken.data).unwrap_or_default();
    let rows = matrices.as_chunks::<16>().0;
    if rows.iter().any(|rows| rows[12..] != [0.0, 0.0, 0.0, 1.0]) {
        return Err(of.wrong(key, "the last row of each matrix must be 0, 0, 0, 1"));
    }
    let affine = |rows| Affine3A::from_mat4(Mat4::from_cols_array(rows).transpose());
    let affines: Vec<Affine3A> = rows.iter().map(affine).collect();
    let keys =
        u32::try_from(num_bones).ok().and_then(|num| PackedKeys::from_matrices(num, &affines));
    Ok(SampledMotion {
        duration_ns: 0,
        interval_ns: interval_ns(of, times)?,
        space,
        is_bind_pair: of.flag("bind_pair")?,
        keys: keys.ok_or_else(|| of.wrong(key, "too many"))?,
    })
}

/// The interval of evenly spaced times from 0.
fn interval_ns(of: &DictArg<'_>, times: &[f64]) -> PyResult<u64> {
    let given = of.number("interval")?;
    if let Some(secs) = given.filter(|_| times.len() < 2) {
        return Ok(nanos(secs));
    }
    SampledMotion::interval_of(times).ok_or_else(|| {
        let why =
            "must be evenly spaced from 0 for such matrices; start is the time of the first key";
        of.wrong("times", why)
    })
}

fn vertex_animation(of: &DictArg<'_>, model: &Model) -> PyResult<VertexAnimation> {
    of.needed("mesh")?;
    let mesh = of.index("mesh", "mesh", model.meshes.len())?.unwrap_or_default();
    of.needed("times")?;
    let times_secs = of.times("times")?.unwrap_or_default();
    let num_vertices = model.meshes[MeshId::from_index(mesh)].num_vertices();
    let shape = [Some(times_secs.len()), Some(num_vertices), Some(3)];
    let positions = read_array::<f32, 3>(&of.needed("positions")?, &of.what("positions"), shape)?;
    Ok(VertexAnimation {
        is_blended: false,
        mesh: MeshId::from_index(mesh),
        times_secs,
        positions: Arc::new(vec3s(&positions.data)),
    })
}

fn events(of: &DictArg<'_>, model: &Model) -> PyResult<Vec<Event>> {
    let event = |of: &DictArg<'_>| {
        of.needed("time")?;
        let bone = of.index("bone", "bone", model.skeleton.len())?;
        Ok(Event {
            time_secs: of.number("time")?.unwrap_or_default(),
            name: of.text("name")?,
            value: of.text("value")?,
            bone: bone.map(BoneId::from_index),
        })
    };
    of.dicts("events", &["time", "name", "value", "bone"])?.iter().map(event).collect()
}

/// The corners of a box per frame.
fn frame_bounds(of: &DictArg<'_>) -> PyResult<Vec<Aabb>> {
    let boxes = of.array::<f32, 3>("frame_bounds", [None, Some(2), Some(3)])?;
    let corners = boxes.map_or_else(Vec::new, |boxes| vec3s(&boxes.data));
    Ok(corners.as_chunks().0.iter().map(|&[min, max]| Aabb { min, max }).collect())
}

/// Tracks from values of all bones at each key.
fn dense_tracks(of: &DictArg<'_>, times: &Times, num_bones: usize) -> PyResult<Vec<BoneTrack>> {
    let (num_keys, bones) = (Some(times.clip.len()), Some(num_bones));
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
        let of_bone = Column { times, bone, num_bones };
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

/// Values of all bones, in the order of keys.
struct BoneValues {
    translations: Option<Vec<Vec3>>,
    rotations: Option<Vec<Quat>>,
    scales: Option<Vec<Vec3>>,
}

/// The values of one bone.
struct Column<'a> {
    times: &'a Times,
    bone: usize,
    num_bones: usize,
}

impl Column<'_> {
    fn track<T: Copy>(&self, values: Option<&[T]>) -> Option<Track<T>> {
        let values = values?.iter().skip(self.bone).step_by(self.num_bones.max(1));
        Some(Track {
            times_secs: self.times.clip.clone(),
            values: values.copied().collect(),
            interpolation: self.times.interpolation,
        })
    }
}
