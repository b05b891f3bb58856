//! Clips, keys and their effect on vertices.

use super::fixtures::{changed, compared, find, kinds, sheet, wave};
use crate::compare::DifferenceKind as Kind;
use crate::compare::{MatchBy, clip_deviation, match_vertices};
use crate::model::{CancelToken, ClipId, Place, Report};

#[test]
fn larger_rotation_is_measured_at_its_worst_time() {
    let comparison = changed(|b| b.clips[ClipId(0)] = wave("wave", 1.25));
    assert_eq!(kinds(&comparison), [Kind::Skinned, Kind::Keys]);
    let error = comparison.in_clips.as_ref().unwrap();
    let (error, per_vertex) = (&error.total, &error.per_vertex);
    let worst = error.worst.unwrap();
    assert!((worst.time_secs - 1.0).abs() < 1e-9, "{worst:?}");
    assert_eq!((worst.clip, worst.made_clip), (Some(ClipId(0)), Some(ClipId(0))));
    assert_eq!(comparison.farthest, Some(worst));
    // Keys of both, and the moments of probes.
    assert!(error.num_moments >= 3 && error.num_probed >= 2, "{error:?}");
    assert!(error.rms > 0.0 && error.rms < worst.distance);
    let of_vertex = per_vertex[worst.made.vertex.index()];
    assert!((f64::from(of_vertex) - worst.distance).abs() < 1e-6);
    // Rotating a quarter more moves the corner, at 3 and 5 from the arm, by 2 r sin(1/8).
    let expected = 2.0 * 34.0f64.sqrt() * 0.125f64.sin();
    assert!((worst.distance - expected).abs() < 1e-3, "{worst:?}");
    let keys = find(&comparison, Kind::Keys);
    assert!(keys.what.contains("\"arm\" at 1.000 s"));
    assert_eq!((keys.place_in_a, keys.moment), (Some(Place::Bone(1)), Some((ClipId(0), 1.0))));
    assert_eq!(find(&comparison, Kind::Skinned).moment.map(|moment| moment.0), Some(ClipId(0)));
}

#[test]
fn differences_between_compared_keys_are_found() {
    let (a, mut b) = (sheet(), sheet());
    b.clips[ClipId(0)] = wave("wave", 1.25);
    let report = Report::new();
    let matching = match_vertices(&a, &b, MatchBy::Auto, &report).unwrap();
    let clips = [(Some(ClipId(0)), Some(ClipId(0)))];
    let all = clip_deviation(&a, &b, &matching, &clips, 300, &report).unwrap();
    // The first and the last key, where both are the same.
    let error = clip_deviation(&a, &b, &matching, &clips, 1, &report).unwrap();
    assert_eq!(error.total.worst, all.total.worst);
    assert!(error.total.worst.unwrap().distance > 0.5);
}

#[test]
fn clips_are_matched_by_name_and_then_by_order() {
    let swapped = |names: [&str; 2]| {
        let mut model = sheet();
        model.clips = vec![wave(names[0], 0.5), wave(names[1], 1.0)].into();
        model
    };
    let mut rotated = swapped(["run", "walk"]);
    rotated.clips.swap(0, 1);
    let comparison = compared(&swapped(["run", "walk"]), &rotated, 0.0);
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
    let comparison = compared(&swapped(["run", "walk"]), &swapped(["run", "stroll"]), 0.0);
    assert_eq!(kinds(&comparison), [Kind::ClipsRenamed]);
    let comparison = compared(&swapped(["run", "walk"]), &sheet(), 0.0);
    assert!(kinds(&comparison).contains(&Kind::ClipsRemoved));
    let comparison = compared(&sheet(), &swapped(["run", "walk"]), 0.0);
    assert!(kinds(&comparison).contains(&Kind::ClipsAdded));
}

#[test]
fn durations_and_events_are_compared() {
    let comparison = changed(|b| b.clips[ClipId(0)].duration_secs = 1.5);
    assert_eq!(find(&comparison, Kind::ClipDuration).amount, Some(0.5));
    let comparison = changed(|b| b.clips[ClipId(0)].events[0].time_secs = 0.75);
    assert_eq!(kinds(&comparison), [Kind::Events]);
}

#[test]
fn a_cancelled_comparison_stops() {
    let cancel = CancelToken::default();
    cancel.cancel();
    let report = Report::with_progress(|_| {}, cancel);
    let options = crate::compare::DiffOptions::default();
    assert!(crate::compare::compare(&sheet(), &sheet(), &options, &report).is_err());
}
