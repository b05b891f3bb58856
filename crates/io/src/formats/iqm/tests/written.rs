//! Files that are written and read back.

use glam::{Mat4, Quat, Vec3};
use rigscope_core::model::{ClipId, MeshId};

use super::super::write::write;
use crate::formats::WriteOptions;
use rigscope_core::model::check::check;
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_testing::*;

/// Two vertices on a rotating bone, and one that no bone moves.
fn with_free_vertex() -> Model {
    let rotated = linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(1.0))]);
    let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)], &[(0, 1.0)], &[]];
    let builder = ModelBuilder::new().chain(&["hip"]).mesh([Vec3::X, Vec3::Y, Vec3::ONE * 2.0]);
    let mut model = builder.clip("turn", 1.0).rotation(0, rotated).build();
    model.meshes[MeshId(0)].skin = skin(&[(0, Mat4::IDENTITY)], lists);
    model.meshes[MeshId(0)].indices = Indices::U32(vec![0, 1, 2]);
    check(&mut model, &Report::new());
    model
}

fn written(model: &Model, report: &Report) -> Model {
    let files = write(model, &WriteOptions::default(), report).unwrap();
    super::read(files[0].bytes.clone()).unwrap().0
}

#[test]
fn a_vertex_without_weights_does_not_move() {
    let model = with_free_vertex();
    let report = Report::new();
    let read = written(&model, &report);
    assert_eq!(read.skeleton.bones().last().unwrap().name, "_rigscope_still");
    let findings = report.findings();
    let finding = findings.iter().find(|n| n.kind == FindingKind::UnweightedOnStillBone).unwrap();
    assert_eq!((finding.count, finding.place), (1, Place::Vertex { mesh: 0, vertex: 2 }));
    let in_display = |model: &Model, time_secs: f64| -> Vec<Vec3> {
        let display = model.axes.display_from_file();
        let meshes = skin_model(model, &PoseSpec::linear(ClipId(0), time_secs));
        meshes[0].positions.iter().map(|at| display.transform_point3(*at)).collect()
    };
    // Only at the keys: between them, the formats blend rotations differently.
    for time_secs in [0.0, 1.0] {
        let (own, other) = (in_display(&model, time_secs), in_display(&read, time_secs));
        assert_eq!(own[2], Vec3::ONE * 2.0);
        for (own, other) in own.iter().zip(&other) {
            assert!(own.distance(*other) < 1e-3, "{own} {other} at {time_secs} s");
        }
    }
}

#[test]
fn stored_frame_bounds_are_read_and_contain_the_poses() {
    let read = written(&with_free_vertex(), &Report::new());
    let clip = &read.clips[ClipId(0)];
    assert!(clip.frame_bounds.len() > 1);
    let last = (clip.frame_bounds.len() - 1) as f64;
    for (frame, bounds) in clip.frame_bounds.iter().enumerate() {
        let time_secs = clip.duration_secs * frame as f64 / last;
        let meshes = skin_model(&read, &PoseSpec::linear(ClipId(0), time_secs));
        for position in &meshes[0].positions {
            let inside = position.clamp(bounds.min, bounds.max);
            assert!(inside.distance(*position) < 1e-3, "{position} in {bounds:?}");
        }
    }
}
