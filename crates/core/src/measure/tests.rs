//! Compares the measurement with an exhaustive search of all vertices at all moments, on models
//! made in code.

use crate::model::{ClipId, MeshId};
use glam::{Quat, Vec3};

use super::*;
use crate::model::testing::*;
use crate::pose::{PoseSpec, skin_model};

/// A row of vertices along x on two bones, the second of which rotates about z over a second.
fn row(num: u16, length: f32, angles: &[f32]) -> Model {
    let shares: Vec<f32> = (0..num).map(|at| f32::from(at) / f32::from(num)).collect();
    let lists: Vec<_> = shares.iter().map(|share| [(0, 1.0 - share), (1, *share)]).collect();
    let positions: Vec<_> = shares.iter().map(|share| Vec3::X * (share * length)).collect();
    let last = (angles.len() - 1) as f64;
    let rotations = angles.iter().map(|angle| Quat::from_rotation_z(*angle));
    ModelBuilder::new()
        .chain(&["", ""])
        .mesh(positions)
        .bound(lists)
        .clip("turn", 1.0)
        .rotation(1, linear((0..).map(|at: u16| f64::from(at) / last).zip(rotations)))
        .build()
}

fn measured(a: &Model, b: &Model, made: Option<ClipId>) -> Deviation {
    let origins = [MeshOrigins::Same(MeshId(0))];
    let job = Job {
        source: Side::new(a),
        parts: vec![MeasuredPart { made: Side::new(b), origins: &origins }],
        clips: Job::clips_of(a, |_| made),
    };
    measure(&job, MeasureOptions::default(), &Report::new()).unwrap()
}

/// The largest distance at `num` moments, and as a fraction of the size.
fn brute_force(a: &Model, b: &Model, num: u32) -> (f64, f64) {
    let mut largest = 0.0f64;
    for step in 0..=num {
        let spec = PoseSpec::at_secs(ClipId(0), f64::from(step) / f64::from(num));
        let (a, b) = (skin_model(a, &spec), skin_model(b, &spec));
        let (a, b) = (&a[0].positions, &b[0].positions);
        for (a, b) in a.iter().zip(b) {
            let apart = a.as_dvec3().distance(b.as_dvec3());
            largest = largest.max(apart);
        }
    }
    let size = extent_of(&skin_model(a, &PoseSpec::default())[0].positions);
    (largest, largest / size)
}

#[test]
fn deviation_only_between_keys_is_found() {
    // Equal at all keys of the first; the other rotates away and back in the seventh interval.
    let angles: Vec<f32> = (0..=10u8).map(|at| f32::from(at) * 0.1).collect();
    let a = row(3000, 2.0, &angles);
    let mut b = a.clone();
    let tracks = tracks_mut(&mut b.clips[ClipId(0)]);
    let rotation = tracks[0].rotation.as_mut().unwrap();
    rotation.times_secs.insert(7, 0.66);
    rotation.values.insert(7, Quat::from_rotation_z(2.0));
    let found = measured(&a, &b, Some(ClipId(0)));
    let (largest, of_extent) = brute_force(&a, &b, 800);
    let is_near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
    assert!(is_near(found.max(), largest), "{} {largest}", found.max());
    assert!(is_near(found.max_of_extent, of_extent), "{} {of_extent}", found.max_of_extent);
    let worst = found.worst.unwrap();
    assert!((worst.time_secs - 0.66).abs() < 0.01);
    assert_eq!(worst.made, VertexAt::new(0, 2999));
    // In the other direction, the keys are those of the first.
    let found = measured(&b, &a, Some(ClipId(0)));
    assert!(is_near(found.max(), largest));
}

#[test]
fn missing_clip_deviates_by_its_full_motion() {
    let a = row(100, 1.0, &[0.0, 3.0]);
    let mut b = a.clone();
    b.clips.as_mut_vec().clear();
    let found = measured(&a, &b, None);
    assert!(found.max() > 1.9, "{}", found.max());
    assert_eq!(found.worst.unwrap().made_clip, None);
    assert_eq!(measured(&a, &a, Some(ClipId(0))).max(), 0.0);
}

#[test]
fn huge_coordinates_are_measured_without_overflow() {
    let a = row(1000, 1e30, &[0.0, 1.0]);
    let b = row(1000, 1e30, &[0.0, 1.1]);
    let found = measured(&a, &b, Some(ClipId(0)));
    let (largest, of_extent) = brute_force(&a, &b, 80);
    assert!((found.max() / largest - 1.0).abs() < 0.05, "{} {largest}", found.max());
    assert!((found.max_of_extent / of_extent - 1.0).abs() < 0.05);
    assert!(found.max_of_extent < 0.2);
}

#[test]
fn vertices_without_origin_are_counted_on_both_sides() {
    let a = row(10, 1.0, &[0.0, 1.0]);
    let origins = [MeshOrigins::Of(MeshId(0), vec![3, 3, 9, 77])];
    let job = Job {
        source: Side::new(&a),
        parts: vec![MeasuredPart { made: Side::new(&a), origins: &origins }],
        clips: Vec::new(),
    };
    let found = job.num_unpaired();
    assert_eq!((found.source, found.made), (8, 7));
}

#[test]
fn many_clips_of_many_vertices_are_compared_partly_and_counted() {
    let model = |num_clips: usize| {
        let mut model = row(2000, 2.0, &[0.0, 0.5]);
        model.clips = vec![model.clips[ClipId(0)].clone(); num_clips].into();
        model
    };
    let few = model(20);
    let all = measured(&few, &few, Some(ClipId(0)));
    assert_eq!((all.num_clips_left_out, all.num_keys_left_out), (0, 0));
    let num_posed = |num_clips: usize| {
        let many = model(num_clips);
        let found = measured(&many, &many, Some(ClipId(0)));
        assert!(found.num_clips_left_out > 0 && found.num_clips_left_out < num_clips);
        found.num_moments
    };
    let (small, large) = (num_posed(4000), num_posed(16_000));
    assert!(large <= 4 * small, "{small} {large}");
}

#[test]
fn models_with_the_same_vertices_are_compared_at_rest_and_in_clips() {
    let report = Report::new();
    let a = row(50, 2.0, &[0.0, 0.5, 0.0]);
    let of = |b: &Model| measure_same(&a, b, MeasureOptions::default(), &report).unwrap().unwrap();
    assert_eq!(of(&a).total.max(), 0.0);
    let mut still = a.clone();
    streams_mut(&mut still.meshes[MeshId(0)]).positions[7].y += 0.1;
    let worst = of(&still).total.worst.unwrap();
    assert_eq!((worst.made, worst.clip), (VertexAt::new(0, 7), None));
    assert_eq!(worst.place_text(&a), "vertex 7 of mesh 0, bone 0, at rest");
    assert_eq!(worst.distance_text(&a), "0.1 units (5.1 % of the size)");
    let moving = row(50, 2.0, &[0.0, 0.7, 0.0]);
    let worst = of(&moving).total.worst.unwrap();
    assert_eq!((worst.clip, worst.time_secs), (Some(ClipId(0)), 0.5));
    assert_eq!(worst.place_text(&a), "vertex 49 of mesh 0, bone 1, at 0.5 s of clip 0 \"turn\"");
    let shorter = row(49, 2.0, &[0.0]);
    assert!(measure_same(&a, &shorter, MeasureOptions::default(), &report).unwrap().is_none());
}

#[test]
fn times_are_those_of_the_clip() {
    let (mut a, mut b) = (row(50, 2.0, &[0.0, 0.5, 0.0]), row(50, 2.0, &[0.0, 0.7, 0.0]));
    for model in [&mut a, &mut b] {
        let clip = &mut model.clips[ClipId(0)];
        clip.start_secs = 3.0;
        for time in &mut tracks_mut(clip)[0].rotation.as_mut().unwrap().times_secs {
            *time += 3.0;
        }
    }
    let measured = measure_same(&a, &b, MeasureOptions::default(), &Report::new()).unwrap();
    assert_eq!(measured.unwrap().total.worst.unwrap().time_secs, 3.5);
}

#[test]
fn moments_are_limited_by_the_vertices_to_pose() {
    let angles: Vec<f32> = (0..200u8).map(f32::from).collect();
    let (a, b) = (row(900, 2.0, &angles), row(900, 2.1, &angles));
    let wants = MeasureOptions { max_vertices: Some(40_000), ..MeasureOptions::default() };
    let measured = measure_same(&a, &b, wants, &Report::new()).unwrap().unwrap().total;
    assert!(measured.num_moments < 40, "{measured:?}");
}
