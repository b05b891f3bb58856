//! Clips as their files store them: tracks, matrices at equal intervals, or vertex animation. Only live curves (FBX)
//! are sampled, at the frames of the clip.

use glam::Mat4;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rigscope::model::value_names::{self as names, name_of};
use rigscope::model::{
    BoneTrack, Clip, ClipId, Event, Interpolation, KeySpace, MaterialTrack, Model, MorphTrack,
    Motion, SampledMotion, Track, VertexAnimation,
};

use super::{rows, vectors};
use crate::arrays::owned_array;
use crate::running::detached;

/// Ranges that differ by less are the same: formats round durations and intervals separately, and `like` has the exact
/// ones.
const SAME_SECS: f64 = 1e-6;

/// Values of one property, as flat numbers.
type Numbers = Vec<f32>;

pub(super) fn clip<'py>(
    py: Python<'py>,
    model: &Model,
    number: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let own = keyed(py, model, number)?;
    let clip = PyDict::new(py);
    clip.set_item("name", &own.name)?;
    let (first, last) = own.key_range().unwrap_or_default();
    if (own.start_secs - first).abs() > SAME_SECS {
        clip.set_item("start", own.start_secs)?;
    }
    if (own.duration_secs - (last - first)).abs() > SAME_SECS {
        clip.set_item("duration", own.duration_secs)?;
    }
    if own.is_looping {
        clip.set_item("loops", true)?;
    }
    match &own.motion {
        Motion::Sampled(motion) => set_sampled(&clip, motion)?,
        Motion::VertexAnimation(cache) => {
            clip.set_item("vertex_animation", vertex_animation(py, cache)?)?;
        }
        Motion::Tracks(_) | Motion::Curves(_) => clip.set_item("tracks", bone_tracks(py, &own)?)?,
    }
    if !own.morph_tracks.is_empty() {
        clip.set_item("morph_tracks", morph_tracks(py, &own)?)?;
    }
    if !own.material_tracks.is_empty() {
        let tracks = own.material_tracks.iter().map(|track| material_track(py, track));
        clip.set_item("material_tracks", tracks.collect::<PyResult<Vec<_>>>()?)?;
    }
    if !own.events.is_empty() {
        let events = own.events.iter().map(|event| self::event(py, event));
        clip.set_item("events", events.collect::<PyResult<Vec<_>>>()?)?;
    }
    if !own.frame_bounds.is_empty() {
        let corners = own.frame_bounds.iter().flat_map(|own| [own.min, own.max]);
        let numbers: Numbers = corners.flat_map(|corner| corner.to_array()).collect();
        let num = own.frame_bounds.len();
        clip.set_item("frame_bounds", owned_array(py, numbers, [num, 2, 3])?)?;
    }
    Ok(clip)
}

/// The tracks of a clip; empty if it stores matrices or vertex positions.
pub(crate) fn tracks_of<'py>(
    py: Python<'py>,
    model: &Model,
    number: usize,
) -> PyResult<Bound<'py, PyList>> {
    bone_tracks(py, &*keyed(py, model, number)?)
}

pub(crate) fn morph_tracks_of<'py>(
    py: Python<'py>,
    model: &Model,
    number: usize,
) -> PyResult<Bound<'py, PyList>> {
    morph_tracks(py, &*keyed(py, model, number)?)
}

/// (k, b, 4, 4) float32: the stored matrices of all bones at each key.
pub(crate) fn matrices_of<'py>(
    py: Python<'py>,
    own: &SampledMotion,
) -> PyResult<Bound<'py, PyAny>> {
    let (num_keys, num_bones) = (own.keys.num_keys(), own.keys.num_bones() as usize);
    let numbers = detached(py, || {
        let mut numbers: Numbers = Vec::with_capacity(num_keys * num_bones * 16);
        for key in 0..num_keys {
            for bone in 0..num_bones {
                numbers.extend(own.keys.rows(key, bone).unwrap_or_default());
                numbers.extend(Mat4::IDENTITY.w_axis.to_array());
            }
        }
        numbers
    });
    owned_array(py, numbers, [num_keys, num_bones, 4, 4])
}

/// The clip with keys instead of live curves.
fn keyed<'a>(
    py: Python<'_>,
    model: &'a Model,
    number: usize,
) -> PyResult<std::borrow::Cow<'a, Clip>> {
    let keyed = detached(py, || model.keyed_clip(ClipId::from_index(number)));
    keyed.map_err(|error| PyValueError::new_err(error.to_string()))
}

fn set_sampled(clip: &Bound<'_, PyDict>, own: &SampledMotion) -> PyResult<()> {
    let (py, num_keys) = (clip.py(), own.keys.num_keys());
    let times: Vec<f64> = (0..num_keys).map(|key| own.key_secs(key)).collect();
    clip.set_item("times", owned_array(py, times, [num_keys])?)?;
    let key = match own.space {
        KeySpace::Skin => "skin_matrices",
        KeySpace::Local => "local_matrices",
    };
    clip.set_item(key, matrices_of(py, own)?)?;
    if num_keys < 2 && own.interval_ns > 0 {
        clip.set_item("interval", own.interval_secs())?;
    }
    if own.is_bind_pair {
        clip.set_item("bind_pair", true)?;
    }
    Ok(())
}

fn vertex_animation<'py>(py: Python<'py>, own: &VertexAnimation) -> PyResult<Bound<'py, PyDict>> {
    let animation = PyDict::new(py);
    animation.set_item("mesh", own.mesh.0)?;
    let num = own.times_secs.len();
    animation.set_item("times", owned_array(py, own.times_secs.clone(), [num])?)?;
    let num_vertices = own.positions.len().checked_div(num).unwrap_or_default();
    let positions = vectors(py, &own.positions)?;
    let positions = positions.call_method1("reshape", ((num, num_vertices, 3),))?;
    animation.set_item("positions", positions)?;
    Ok(animation)
}

fn event<'py>(py: Python<'py>, own: &Event) -> PyResult<Bound<'py, PyDict>> {
    let event = PyDict::new(py);
    event.set_item("time", own.time_secs)?;
    event.set_item("name", &own.name)?;
    event.set_item("value", &own.value)?;
    event.set_item("bone", own.bone.map(|bone| bone.0))?;
    Ok(event)
}

/// One dictionary per animated property of each bone.
fn bone_tracks<'py>(py: Python<'py>, clip: &Clip) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    let Motion::Tracks(tracks) = &clip.motion else { return Ok(list) };
    // Of several tracks of one bone, poses only show the last.
    let last: std::collections::BTreeMap<_, _> =
        tracks.iter().map(|track| (track.bone, track)).collect();
    let add = |track: &BoneTrack, keys: Bound<'py, PyDict>| {
        keys.set_item("bone", track.bone.0)?;
        list.append(keys)
    };
    for track in last.into_values() {
        if let Some(own) = &track.translation {
            add(track, keys::<_, 3>(py, "translations", own)?)?;
        }
        if let Some(own) = &track.rotation {
            add(track, keys::<_, 4>(py, "rotations", own)?)?;
        }
        if let Some(own) = &track.scale {
            add(track, keys::<_, 3>(py, "scales", own)?)?;
        }
    }
    Ok(list)
}

fn morph_tracks<'py>(py: Python<'py>, clip: &Clip) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for MorphTrack { mesh, target, weights } in &clip.morph_tracks {
        let track = keys::<_, 1>(py, "weights", weights)?;
        track.set_item("mesh", mesh.0)?;
        track.set_item("target", *target)?;
        list.append(track)?;
    }
    Ok(list)
}

fn material_track<'py>(py: Python<'py>, own: &MaterialTrack) -> PyResult<Bound<'py, PyDict>> {
    let num = own.property.num_components();
    let values = own.values.values.iter();
    let numbers: Numbers = values.flat_map(|value| value.to_array()[..num].to_vec()).collect();
    let track = numbers_at(py, "values", &own.values, numbers, num)?;
    track.set_item("material", own.material.0)?;
    track.set_item("property", name_of(names::TRACK_PROPERTY, &own.property))?;
    Ok(track)
}

fn keys<'py, T: bytemuck::Pod, const N: usize>(
    py: Python<'py>,
    key: &str,
    own: &Track<T>,
) -> PyResult<Bound<'py, PyDict>> {
    numbers_at(py, key, own, bytemuck::cast_slice(&own.values).to_vec(), N)
}

/// Times, interpolation, and `numbers` under `key`, `width` per value. Tangents of cubic curves are next to the values, as
/// in glTF.
fn numbers_at<'py, T>(
    py: Python<'py>,
    key: &str,
    own: &Track<T>,
    numbers: Numbers,
    width: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let keys = PyDict::new(py);
    let num = own.times_secs.len();
    keys.set_item("times", owned_array(py, own.times_secs.clone(), [num])?)?;
    let array = |numbers: &[f32]| match width {
        1 => owned_array(py, numbers.to_vec(), [numbers.len()]),
        2 => rows::<2>(py, numbers),
        3 => rows::<3>(py, numbers),
        _ => rows::<4>(py, numbers),
    };
    if own.interpolation == Interpolation::Cubic {
        let part = |at: usize| {
            let values = numbers.chunks_exact(width).skip(at).step_by(3);
            array(&values.flatten().copied().collect::<Numbers>())
        };
        keys.set_item("in_tangents", part(0)?)?;
        keys.set_item(key, part(1)?)?;
        keys.set_item("out_tangents", part(2)?)?;
    } else {
        keys.set_item(key, array(&numbers)?)?;
    }
    keys.set_item("interpolation", name_of(names::INTERPOLATION, &own.interpolation))?;
    Ok(keys)
}
