//! One pair of models has the same largest deviation, vertex, clip and time for every command.

use rigscope_core::compare::{DiffOptions, compare};
use rigscope_core::measure::{FarthestVertex, MeasureOptions, measure_same};
use rigscope_core::model::{MeshId, Model, Motion, Report};
use rigscope_core::runtime::playback_deviation;
use rigscope_io::convert::{ConvertOptions, convert, read_back};
use rigscope_io::formats::FORMATS;

use super::edits;
use super::rigs;

/// Distances are computed in different orders.
const TOLERANCE: f64 = 1e-5;

/// A change of a model, with its name, and whether the largest deviation is at a single moment: changes of the mesh
/// deviate equally in all poses.
type Change = (&'static str, bool, fn(&mut Model));

const CHANGES: [Change; 6] = [
    ("one vertex moved", false, |model| {
        let mesh = &mut model.meshes[MeshId(0)];
        let positions = &mut rigscope_testing::streams_mut(mesh).positions;
        let at = positions.len() / 3;
        positions[at].y += 0.2;
    }),
    ("every vertex moved", false, |model| {
        let mut by = 0.0;
        for mesh in &mut model.meshes {
            for position in &mut rigscope_testing::streams_mut(mesh).positions {
                // Each farther than the one before, because rigs are symmetric.
                by += 1e-4;
                position.x += by;
            }
        }
    }),
    ("a key turned", true, |model| {
        for clip in &mut model.clips {
            let Motion::Tracks(tracks) = &mut clip.motion else { continue };
            let Some(track) = tracks.iter_mut().find_map(|track| track.rotation.as_mut()) else {
                continue;
            };
            let at = track.values.len() / 2;
            track.values[at] *= glam::Quat::from_rotation_x(0.3);
        }
    }),
    ("a clip raised", false, |model| {
        for clip in model.clips.iter_mut().skip(1) {
            let Motion::Tracks(tracks) = &mut clip.motion else { continue };
            for translation in tracks.iter_mut().filter_map(|track| track.translation.as_mut()) {
                translation.values.iter_mut().for_each(|value| value.y += 0.05);
            }
        }
    }),
    ("weights of one vertex reversed", true, |model| {
        edits::each_skin(model, |skin| {
            let rigscope_core::model::Influences::Rows { first, weights, .. } =
                &mut skin.influences
            else {
                return false;
            };
            let mut rows = first.windows(2).map(|row| row[0] as usize..row[1] as usize);
            let Some(row) = rows.find(|row| row.len() > 1 && weights[row.start] > 0.6) else {
                return false;
            };
            weights[row].reverse();
            true
        });
    }),
    ("nothing", true, |_| ()),
];

/// Vertex, clip and time.
fn place(worst: &FarthestVertex, has_one_moment: bool) -> String {
    let at = worst.origin.nearest();
    let when = worst.clip.map(|clip| format!("{:.6} s of clip {}", worst.time_secs, clip.0));
    let when = when.filter(|_| has_one_moment);
    format!("vertex {} of mesh {} {when:?}", at.vertex.0, at.mesh.0)
}

/// Panics unless both are the same.
fn expect_same(
    case: &str,
    has_one_moment: bool,
    a: Option<FarthestVertex>,
    b: Option<FarthestVertex>,
) {
    let negligible = |worst: &FarthestVertex| worst.distance > TOLERANCE * worst.extent;
    match (a.filter(negligible), b.filter(negligible)) {
        (None, None) => {}
        (Some(a), Some(b)) => {
            let near = |x: f64, y: f64| (x - y).abs() <= TOLERANCE * a.extent;
            let is_near = near(a.distance, b.distance) && near(a.extent, b.extent);
            assert!(is_near, "{case}: {a:?} {b:?}");
            assert_eq!(place(&a, has_one_moment), place(&b, has_one_moment), "{case}");
        }
        (a, b) => panic!("{case}: {a:?} {b:?}"),
    }
}

#[test]
fn every_command_names_the_same_vertex_clip_and_time() {
    let report = Report::new();
    let gltf = FORMATS.iter().find(|format| format.info.id == "gltf").unwrap();
    let mut num_pairs = 0;
    for (rig, model) in rigs::all() {
        let a = edits::good(&model);
        for (change, has_one_moment, apply) in CHANGES {
            let case = format!("{rig}, {change}");
            let mut b = a.clone();
            apply(&mut b);
            let same = measure_same(&a, &b, MeasureOptions::default(), &report).unwrap().unwrap();
            // `diff`, `log`, `check`, `bisect`, the Compare pane and Python.
            let compared = compare(&a, &b, &DiffOptions::default(), &report).unwrap();
            if compared.matching.num_unmatched_b == 0 {
                expect_same(
                    &format!("{case}: diff"),
                    has_one_moment,
                    same.total.worst,
                    compared.farthest,
                );
            }
            // `runtimes`, `validate --for` and the window's runtimes.
            let played = playback_deviation(&a, &b, &report).unwrap();
            expect_same(
                &format!("{case}: runtimes"),
                has_one_moment,
                same.total.worst,
                played.total.worst,
            );
            num_pairs += 1;
        }
        // `convert`, and `diff` of what it wrote. FBX, BSM2 and others hold or blend keys in their own ways.
        let converted = convert(&a, gltf, "glb", &ConvertOptions::default(), &report).unwrap();
        let written = read_back(&converted.files, gltf, 24.0, &report).unwrap();
        let compared = compare(&a, &written[0], &DiffOptions::default(), &report).unwrap();
        let worst = converted.errors.unwrap().worst.map(|worst| worst.farthest);
        expect_same(&format!("{rig}: convert"), true, worst, compared.farthest);
        num_pairs += 1;
    }
    assert!(num_pairs >= 30, "{num_pairs}");
}
