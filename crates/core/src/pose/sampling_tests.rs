//! The effect of each sampling mode on each kind of motion, as in the table of [`Sampling`].

use crate::model::ClipId;
use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::*;
use crate::model::testing::*;

const ALL: [Sampling; 4] =
    [Sampling::Runtime, Sampling::Step, Sampling::Linear, Sampling::Decomposed];

/// A model of one bone and one vertex with a morph target; its clip starts at 2 seconds and lasts
/// one second.
fn model(motion: Motion, morph_tracks: Vec<MorphTrack>) -> Model {
    let clip = Clip { motion, morph_tracks, start_secs: 2.0, ..Clip::default() };
    ModelBuilder::new()
        .chain(&[""])
        .mesh([Vec3::X])
        .attached_to(0)
        .morph("a", &[])
        .add_clip(Clip { duration_secs: 1.0, ..clip })
        .build()
}

#[expect(clippy::cast_possible_truncation, reason = "short times")]
fn single(secs: f64) -> f32 {
    secs as f32
}

/// A value that grows from 0 at the rate of time.
fn growing<T>(at_secs: &[f64], interpolation: Interpolation, value: fn(f32) -> T) -> Track<T> {
    curve(interpolation, at_secs.iter().map(|&at| (at + 2.0, value(single(at)))))
}

fn moved(at_secs: &[f64], interpolation: Interpolation) -> Motion {
    translated(growing(at_secs, interpolation, |at| Vec3::X * at))
}

fn translated(track: Track<Vec3>) -> Motion {
    ModelBuilder::new().clip("", 1.0).translation(0, track).into_clip().motion
}

fn weighed(at_secs: &[f64]) -> Vec<MorphTrack> {
    vec![MorphTrack {
        mesh: MeshId(0),
        target: 0,
        weights: growing(at_secs, Interpolation::Linear, |at| at),
    }]
}

/// Like [`moved`] and [`weighed`], by live curves.
#[derive(Debug)]
struct Ramp(Option<f64>);

impl Curves for Ramp {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
        parent_from_bone[BoneId(0)] = Affine3A::from_translation(Vec3::X * single(time_secs - 2.0));
    }

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        weights[0][0] = single(time_secs - 2.0);
    }

    fn frames_per_sec(&self) -> Option<f64> {
        self.0
    }
}

/// Displacement of the bone and the weight since the clip's beginning.
fn at(model: &Model, time_secs: f64, sampling: Sampling) -> [f32; 2] {
    let spec =
        PoseSpec { moment: Moment::TimeSecs(2.0 + time_secs), sampling, ..PoseSpec::default() };
    let pose = sample(model, &spec);
    assert_eq!(pose, sample(model, &canonical_spec(model, &spec)), "canonical_spec");
    [pose.model_from_bone[BoneId(0)].translation.x, pose.morph_weights[0][0]]
}

fn holds(model: &Model, time_secs: f64, held_secs: f64) {
    let [held, read] = [held_secs, time_secs].map(single);
    for sampling in ALL {
        let wanted = if sampling == Sampling::Step { held } else { read };
        for found in at(model, time_secs, sampling) {
            assert!(
                (found - wanted).abs() < 1e-6,
                "{found} at {time_secs} with {sampling:?}, wanted {wanted}"
            );
        }
    }
}

#[test]
fn step_sampling_holds_the_earlier_frame_and_others_use_the_exact_time() {
    // Evenly spaced keys are the frames.
    let even = [0.0, 0.25, 0.5, 0.75, 1.0];
    let model_of =
        |times: &[f64], interpolation| model(moved(times, interpolation), weighed(times));
    let quarters = model_of(&even, Interpolation::Linear);
    for (time, held) in [(0.0, 0.0), (0.1, 0.0), (0.25, 0.25), (0.49, 0.25), (1.0, 1.0)] {
        holds(&quarters, time, held);
    }
    // Otherwise there are 30 per second.
    let uneven = model_of(&[0.0, 0.3, 1.0], Interpolation::Nlerp);
    for (time, held) in [(0.02, 0.0), (0.05, 1.0 / 30.0), (0.3, 0.3), (0.62, 18.0 / 30.0)] {
        holds(&uneven, time, held);
    }
    // Morph weights with separate keys prevent even frames.
    let apart = model(moved(&even, Interpolation::Linear), weighed(&[0.0, 0.3, 1.0]));
    holds(&apart, 0.05, 1.0 / 30.0);
    // Live curves use the rate in their file.
    for (rate, time, held) in [
        (Some(24.0), 0.1, 2.0 / 24.0),
        (Some(24.0), 0.125, 0.125),
        (None, 0.1, 3.0 / 30.0),
        (Some(29.97), 0.99, 29.0 / 29.97),
        (Some(0.0), 0.05, 1.0 / 30.0),
    ] {
        let live = model(Motion::Curves(LiveCurves(Arc::new(Ramp(rate)))), Vec::new());
        holds(&live, time, held);
    }
}

#[test]
fn key_is_the_frame_of_step_sampling() {
    let live = model(Motion::Curves(LiveCurves(Arc::new(Ramp(Some(24.0))))), Vec::new());
    for key in 0..=24u32 {
        let keyed = PoseSpec::at_key(None, key);
        let timed = PoseSpec {
            moment: Moment::TimeSecs(2.0 + (f64::from(key) + 0.4) / 24.0),
            sampling: Sampling::Step,
            ..PoseSpec::default()
        };
        assert_eq!(sample(&live, &keyed), sample(&live, &timed), "{key}");
    }
}

#[test]
fn step_and_cubic_tracks_are_also_held_at_frames() {
    let step = model(moved(&[0.0, 0.5, 1.0], Interpolation::Step), Vec::new());
    for sampling in ALL {
        assert_eq!(at(&step, 0.75, sampling)[0], 0.5, "{sampling:?}");
    }
    let [none, slope] = [Vec3::ZERO, Vec3::X];
    let line = Track {
        times_secs: vec![2.0, 2.1, 3.0],
        values: [0.0, 0.1, 1.0].map(|at| [slope, slope * at, slope]).concat(),
        interpolation: Interpolation::Cubic,
    };
    let straight = model(translated(line), weighed(&[0.0, 1.0]));
    holds(&straight, 0.05, 1.0 / 30.0);
    assert_eq!(at(&straight, 0.0, Sampling::Step), [none.x, 0.0]);
}

#[test]
fn matrices_and_vertex_animations_are_held_as_in_their_runtimes() {
    let matrices = [0.0, 0.5, 1.0].map(|at| Affine3A::from_translation(Vec3::X * at));
    let motion = sampled("", KeySpace::Local, 500_000_000, 1, &matrices).motion;
    let mut stored = model(motion, weighed(&[-2.0, -1.0]));
    stored.clips[ClipId(0)].start_secs = 0.0;
    let cache = Motion::VertexAnimation(VertexAnimation {
        is_blended: false,
        mesh: MeshId(0),
        times_secs: vec![2.0, 2.7, 3.0],
        positions: Arc::new(vec![Vec3::ZERO, Vec3::X * 0.7, Vec3::X]),
    });
    let cached = model(cache, Vec::new());
    for (sampling, moved, weight, position) in [
        (Sampling::Runtime, 0.5, -1.5, 0.7),
        (Sampling::Step, 0.5, -1.5, 0.7),
        (Sampling::Linear, 0.75, -1.25, 0.75),
        (Sampling::Decomposed, 0.75, -1.25, 0.75),
    ] {
        let spec = PoseSpec { moment: Moment::TimeSecs(0.75), sampling, ..PoseSpec::default() };
        let pose = sample(&stored, &spec);
        let found = [pose.model_from_bone[BoneId(0)].translation.x, pose.morph_weights[0][0]];
        assert_eq!(found, [moved, weight], "{sampling:?}");
        let spec = PoseSpec { moment: Moment::TimeSecs(2.75), ..spec };
        let pose = sample(&cached, &spec).cached.unwrap();
        assert!((pose.positions[0].x - position).abs() < 1e-6, "{sampling:?}");
    }
}

#[test]
fn matrix_tracks_are_summed_unless_decomposed() {
    let rotation = |at: f32| Quat::from_rotation_z(at * std::f32::consts::PI);
    let frames = [0.0, 0.5, 1.0];
    let rotated = |at| Quat::from_rotation_z(at * std::f32::consts::PI);
    let grown = |at| Vec3::splat(1.0 + 2.0 * at);
    let clip = ModelBuilder::new()
        .clip("", 1.0)
        .translation(0, growing(&[0.0], Interpolation::Linear, |_| Vec3::Y))
        .rotation(0, growing(&frames, Interpolation::Matrix, rotated))
        .scale(0, growing(&frames, Interpolation::Matrix, grown));
    let motion = clip.into_clip().motion;
    let model = model(motion, Vec::new());
    let vertex = |time_secs: f64, sampling| {
        let spec =
            PoseSpec { moment: Moment::TimeSecs(2.0 + time_secs), sampling, ..PoseSpec::default() };
        skin_model(&model, &spec)[0].positions[0]
    };
    // At 0 it is at (1, 1), at 0.5 rotated by 90 degrees and twice as far.
    for (sampling, wanted) in [
        (Sampling::Runtime, Vec3::new(0.5, 2.0, 0.0)),
        (Sampling::Linear, Vec3::new(0.5, 2.0, 0.0)),
        (Sampling::Step, Vec3::new(1.0, 1.0, 0.0)),
        (Sampling::Decomposed, rotation(0.25) * Vec3::X * 1.5 + Vec3::Y),
    ] {
        let found = vertex(0.25, sampling);
        assert!(found.abs_diff_eq(wanted, 1e-5), "{sampling:?} {found} {wanted}");
    }
    for sampling in ALL {
        let found = vertex(0.5, sampling);
        assert!(found.abs_diff_eq(Vec3::Y * 3.0, 1e-5), "{sampling:?} {found}");
    }
}
