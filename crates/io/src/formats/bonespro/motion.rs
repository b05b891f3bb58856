//! Converts animations to clips: frames at equal intervals from time 0.

use glam::{Affine3A, DAffine3, Vec3};

use super::animation::{Animation, Data};
use super::convention::{Convention, Rig, growth};
use super::grammar::System;
use crate::formats::ReadOptions;
use rigscope_core::model::{
    Clip, FindingKind, KeySpace, MeshId, Motion, PackedKeys, Place, Report, SampledMotion,
    VertexAnimation, counted, numbers,
};

/// Assumed frame rate: NTSC, the default of 3ds Max.
const ASSUMED_FPS: f64 = 30.0;
const NANOS_PER_SEC: f64 = 1e9;

/// Seconds between the frames of an animation.
pub(super) fn interval_secs(animation: &Animation, options: &ReadOptions, report: &Report) -> f64 {
    let stated = options.fps.filter(|fps| fps.is_finite() && *fps > 0.0);
    let is_assumed = u64::from(stated.is_none());
    report.add_many(FindingKind::AssumedFps, Place::File, is_assumed, || {
        format!("the file states no frame rate; {ASSUMED_FPS} frames per second are assumed")
    });
    let [first, last, step] = animation.interval;
    let num = (last - first) / step + 1.0;
    let is_other = u64::from((num - animation.num_frames as f64).abs() > 1e-3 || num.is_nan());
    report.add_many(FindingKind::DurationMismatch, Place::File, is_other, || {
        format!(
            "the file has {}, but frames {first} to {last} in steps of {step} would be {}",
            counted(animation.num_frames as u64, "frame"),
            numbers::number(num)
        )
    });
    let step = if step.is_finite() && step > 0.0 { step } else { 1.0 };
    step / stated.unwrap_or(ASSUMED_FPS)
}

/// A clip of bones, with a local matrix for each bone and frame.
pub(super) fn bones_clip(
    name: &str,
    animation: &Animation,
    rig: &Rig<'_>,
    convention: Convention,
    interval_secs: f64,
) -> Option<Clip> {
    let num_bones = u32::try_from(animation.num_bones).ok()?;
    let mut keys = Vec::with_capacity(animation.num_frames.saturating_mul(animation.num_bones));
    for frame in 0..animation.num_frames {
        if animation.system == System::RelativeToParent && !convention.scales {
            let stored = animation.bone_keys(frame).iter();
            keys.extend(stored.map(|key| narrow(convention.transform(&key.transform))));
            continue;
        }
        let posed = rig.model_from_bone(animation, frame, convention);
        keys.extend(local(&posed, rig.parents()));
    }
    // Times beyond five centuries saturate.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative; saturates"
    )]
    let interval_ns = ((interval_secs * NANOS_PER_SEC).round() as u64).min(u64::MAX >> 16);
    let num_intervals = animation.num_frames.saturating_sub(1) as u64;
    let motion = SampledMotion {
        duration_ns: interval_ns.saturating_mul(num_intervals),
        interval_ns,
        space: KeySpace::Local,
        is_bind_pair: false,
        keys: PackedKeys::from_matrices(num_bones, &keys)?,
    };
    Some(Clip::sampled(name.to_owned(), motion))
}

/// Local transforms from transforms to the model.
pub(super) fn local<'a>(
    model_from_bone: &'a [DAffine3],
    parents: &'a [Option<usize>],
) -> impl Iterator<Item = Affine3A> + 'a {
    model_from_bone.iter().zip(parents).map(|(here, parent)| {
        let above = parent.and_then(|parent| model_from_bone.get(parent));
        // The transform of a parent without volume can't be inverted.
        let inverse = above.map(DAffine3::inverse).filter(DAffine3::is_finite);
        narrow(inverse.unwrap_or(DAffine3::IDENTITY) * *here)
    })
}

pub(super) fn narrow(matrix: DAffine3) -> Affine3A {
    Affine3A {
        matrix3: matrix.matrix3.as_mat3().into(),
        translation: matrix.translation.as_vec3().into(),
    }
}

/// Whether the box of a bone has changed since attaching.
pub(super) fn has_growth(animation: &Animation, sizes: &[[f64; 3]]) -> bool {
    // Sizes are written with a few decimals.
    const TOLERANCE: f64 = 1e-3;
    let Data::Bones(keys) = &animation.data else { return false };
    let pairs = keys.iter().zip(sizes.iter().cycle());
    pairs
        .map(|(key, bind)| growth(key.size, *bind))
        .any(|growth| (growth - 1.0).abs().max_element() > TOLERANCE)
}

/// A clip of the first mesh's vertices.
pub(super) fn vertex_clip(
    name: &str,
    num_frames: usize,
    positions: Vec<Vec3>,
    interval_secs: f64,
) -> Clip {
    let times_secs: Vec<f64> = (0..num_frames).map(|frame| frame as f64 * interval_secs).collect();
    Clip {
        name: name.to_owned(),
        duration_secs: times_secs.last().copied().unwrap_or(0.0),
        motion: Motion::VertexAnimation(VertexAnimation {
            is_blended: false,
            mesh: MeshId(0),
            times_secs,
            positions: positions.into(),
        }),
        ..Clip::default()
    }
}

/// The vertices of all frames, for an animation of vertices.
///
/// `bones` returns the bones of a frame, for vertices in the bones' systems. A vertex without bones stays at
/// rest.
pub(super) fn vertices(
    animation: &Animation,
    rest: &[Vec3],
    bones: impl Fn(usize) -> Vec<DAffine3>,
) -> Vec<Vec3> {
    if let Data::Absolute(positions) = &animation.data {
        return positions.clone();
    }
    let num = animation.num_vertices;
    let mut all = Vec::with_capacity(num.saturating_mul(animation.num_frames));
    for frame in 0..animation.num_frames {
        let model_from_bone = bones(frame);
        let mut sums = vec![(glam::DVec3::ZERO, 0u32); num];
        for copy in animation.copies(frame) {
            let matrix = model_from_bone.get(copy.bone as usize);
            let matrix = matrix.copied().unwrap_or(DAffine3::IDENTITY);
            // All copies represent the same position; averaging them reduces rounding errors.
            if let Some((sum, num)) = sums.get_mut(copy.vertex as usize) {
                *sum += matrix.transform_point3(copy.position.as_dvec3());
                *num += 1;
            }
        }
        all.extend(sums.iter().enumerate().map(|(vertex, &(sum, num))| match num {
            0 => rest.get(vertex).copied().unwrap_or_default(),
            _ => (sum / f64::from(num)).as_vec3(),
        }));
    }
    all
}
