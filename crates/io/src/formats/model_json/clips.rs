//! Clips: keys of all bones at the same times, tracks of single bones, matrices at equal intervals, or vertex
//! animation.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::parse::malformed;
use super::rows::Rows;
use super::schema::{ClipText, EventText, Matrix, VertexAnimationText, matrix, vectors};
use super::tracks::{Keys, check_times};
use crate::formats::ReadError;
use rigscope_core::model::{
    Aabb, BoneId, BoneTrack, Clip, Event, Interpolation, KeySpace, MeshId, Model, Motion,
    PackedKeys, SampledMotion, Track, Trs, VertexAnimation, nanos,
};

/// The clip with that number, for a model whose other parts are complete.
pub(super) fn clip(number: usize, text: ClipText, model: &Model) -> Result<Clip, ReadError> {
    let at = Keys {
        clip: number,
        model,
        times: &text.times,
        interpolation: if text.step { Interpolation::Step } else { Interpolation::Linear },
    };
    check_times(&text.times).map_err(|why| at.fault(&format!("times {why}")))?;
    let morphs = text.morph_tracks.into_iter().enumerate();
    let morph_tracks =
        morphs.map(|(number, track)| at.morph_track(number, track)).collect::<Result<_, _>>()?;
    let of_materials = text.material_tracks.into_iter().enumerate();
    let material_tracks = of_materials
        .map(|(number, track)| at.material_track(number, track))
        .collect::<Result<_, _>>()?;
    let mut motions = Vec::new();
    let sampled = [(KeySpace::Skin, text.skin_matrices), (KeySpace::Local, text.local_matrices)];
    for (space, rows) in sampled {
        if let Some(rows) = rows {
            let interval = Interval { secs: text.interval, is_bind_pair: text.bind_pair };
            motions.push(Motion::Sampled(self::sampled(&at, space, rows, interval)?));
        }
    }
    if let Some(text) = text.vertex_animation {
        motions.push(Motion::VertexAnimation(vertex_animation(&at, text)?));
    }
    let dense = dense(&at, text.matrices, text.translations, text.rotations, text.scales)?;
    let tracks = at.bone_tracks(dense, text.tracks)?;
    if motions.is_empty() || !tracks.is_empty() {
        motions.push(Motion::Tracks(tracks));
    }
    if motions.len() > 1 {
        let what = "has several of tracks, skin_matrices, local_matrices and vertex_animation";
        return Err(malformed("clips", format!("clips[{number}] {what}; use one of them")));
    }
    let events = text.events.into_iter().enumerate();
    let boxes = text.frame_bounds.into_iter();
    let mut clip = Clip {
        name: text.name,
        is_looping: text.loops,
        motion: motions.pop().unwrap_or_default(),
        morph_tracks,
        material_tracks,
        events: events
            .map(|(number, event)| self::event(&at, number, event))
            .collect::<Result<_, _>>()?,
        frame_bounds: boxes
            .map(|[min, max]| Aabb { min: Vec3::from_array(min), max: Vec3::from_array(max) })
            .collect(),
        ..Clip::default()
    };
    let of_times = text.times.iter().map(|time| (*time, *time));
    let ranges = clip.key_range().into_iter().chain(of_times);
    let (first, last) = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default();
    clip.start_secs = text.start.unwrap_or(first);
    clip.duration_secs = text.duration.unwrap_or(last - first);
    if let Motion::Sampled(motion) = &mut clip.motion {
        motion.duration_ns = nanos(clip.duration_secs);
    }
    Ok(clip)
}

/// Times of matrices in addition to those of the clip.
struct Interval {
    secs: Option<f64>,
    is_bind_pair: bool,
}

/// Matrices at equal intervals, stored as they are.
fn sampled(
    at: &Keys<'_>,
    space: KeySpace,
    rows: Rows<Matrix>,
    interval: Interval,
) -> Result<SampledMotion, ReadError> {
    let name = match space {
        KeySpace::Skin => "skin_matrices",
        KeySpace::Local => "local_matrices",
    };
    let matrices = of_all_bones(at, name, Some(rows))?.unwrap_or_default();
    if matrices.iter().any(|rows| rows[3] != [0.0, 0.0, 0.0, 1.0]) {
        return Err(at.fault(&format!("{name} has a matrix whose last row isn't 0, 0, 0, 1")));
    }
    let affines: Vec<_> = matrices.iter().map(|rows| Affine3A::from_mat4(matrix(rows))).collect();
    let num_bones = u32::try_from(at.model.skeleton.len()).ok();
    let keys = num_bones.and_then(|num| PackedKeys::from_matrices(num, &affines));
    let interval_ns = match interval.secs {
        Some(secs) if at.times.len() < 2 => nanos(secs),
        _ => SampledMotion::interval_of(at.times)
            .ok_or_else(|| at.fault(&format!("times must be evenly spaced from 0 for {name}")))?,
    };
    Ok(SampledMotion {
        duration_ns: 0,
        interval_ns,
        space,
        is_bind_pair: interval.is_bind_pair,
        keys: keys.ok_or_else(|| at.fault(&format!("{name} has too many matrices")))?,
    })
}

fn vertex_animation(
    at: &Keys<'_>,
    text: VertexAnimationText,
) -> Result<VertexAnimation, ReadError> {
    let path = "vertex_animation";
    check_times(&text.times).map_err(|why| at.fault(&format!("{path}.times {why}")))?;
    if !text.times.is_sorted() {
        return Err(at.fault(&format!("{path}.times doesn't rise")));
    }
    let mesh = at.model.meshes.get(MeshId::from_index(text.mesh as usize));
    let mesh = mesh.ok_or_else(|| at.fault(&format!("{path}: there is no mesh {}", text.mesh)))?;
    let num = mesh.num_vertices();
    let is_whole =
        text.positions.len() == text.times.len() && text.positions.lengths().all(|len| len == num);
    if !is_whole {
        let what = format!("{path}.positions must have {num} vertices for each of its times");
        return Err(at.fault(&what));
    }
    Ok(VertexAnimation {
        is_blended: false,
        mesh: MeshId(text.mesh),
        times_secs: text.times,
        positions: Arc::new(vectors(text.positions.values)),
    })
}

fn event(at: &Keys<'_>, number: usize, text: EventText) -> Result<Event, ReadError> {
    if let Some(bone) = text.bone.filter(|bone| *bone as usize >= at.model.skeleton.len()) {
        return Err(at.fault(&format!("events[{number}].bone: there is no bone {bone}")));
    }
    let (time_secs, bone) = (text.time, text.bone.map(BoneId));
    Ok(Event { time_secs, name: text.name, value: text.value, bone })
}

/// The values of all bones at each key.
fn of_all_bones<T>(
    at: &Keys<'_>,
    name: &str,
    rows: Option<Rows<T>>,
) -> Result<Option<Vec<T>>, ReadError> {
    let Some(rows) = rows else { return Ok(None) };
    let (num, expected) = (rows.len(), at.times.len());
    if num != expected {
        return Err(at.fault(&format!("{name} has {num} keys, but times has {expected}")));
    }
    let num_bones = at.model.skeleton.len();
    if let Some(key) = rows.lengths().position(|len| len != num_bones) {
        let what = format!("{name}[{key}] must have one entry per bone ({num_bones})");
        return Err(at.fault(&what));
    }
    Ok(Some(rows.values))
}

/// Tracks from values of all bones.
fn dense(
    at: &Keys<'_>,
    matrices: Option<Rows<Matrix>>,
    translations: Option<Rows<[f32; 3]>>,
    rotations: Option<Rows<[f32; 4]>>,
    scales: Option<Rows<[f32; 3]>>,
) -> Result<Vec<BoneTrack>, ReadError> {
    let translations = of_all_bones(at, "translations", translations)?.map(vectors);
    let rotations = of_all_bones(at, "rotations", rotations)?;
    let rotations: Option<Vec<Quat>> =
        rotations.map(|values| values.into_iter().map(Quat::from_array).collect());
    let scales = of_all_bones(at, "scales", scales)?.map(vectors);
    let has_parts = translations.is_some() || rotations.is_some() || scales.is_some();
    let (translations, rotations, scales) = match of_all_bones(at, "matrices", matrices)? {
        Some(_) if has_parts => {
            let what = "matrices can't be combined with translations, rotations or scales";
            return Err(at.fault(what));
        }
        None if !has_parts => return Ok(Vec::new()),
        None => (translations, rotations, scales),
        Some(matrices) => {
            let parts = matrices.iter().map(|rows| Affine3A::from_mat4(matrix(rows)));
            let parts: Vec<Trs> = parts.map(Trs::from_affine).collect();
            (
                Some(parts.iter().map(|part| part.translation).collect()),
                Some(parts.iter().map(|part| part.rotation).collect()),
                Some(parts.iter().map(|part| part.scale).collect()),
            )
        }
    };
    let tracks = (0..at.model.skeleton.len()).map(|bone| BoneTrack {
        bone: BoneId::from_index(bone),
        translation: column(at, bone, translations.as_deref()),
        rotation: column(at, bone, rotations.as_deref()),
        scale: column(at, bone, scales.as_deref()),
    });
    Ok(tracks.collect())
}

/// The values of one bone.
fn column<T: Copy>(at: &Keys<'_>, bone: usize, values: Option<&[T]>) -> Option<Track<T>> {
    let values = values?.iter().skip(bone).step_by(at.model.skeleton.len().max(1));
    Some(Track {
        times_secs: at.times.to_vec(),
        values: values.copied().collect(),
        interpolation: at.interpolation,
    })
}
