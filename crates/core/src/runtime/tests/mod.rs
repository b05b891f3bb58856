//! Models as runtimes with single rules play them.

mod formats;
mod keys;
mod meshes;
mod nodes;
mod normals;
mod refusals;
mod tracks;
mod weights;

use glam::{Mat4, Quat, Vec3};

use super::*;
use crate::measure::FarthestVertex;
use crate::model::testing::*;
use crate::model::{Interpolation, MeshId, Model, Report, Track};
use crate::pose::{PoseSpec, skin_model};

fn runtime(rules: Rules) -> Runtime {
    Runtime {
        id: "test",
        name: "Test",
        version: "1",
        formats: &["gltf"],
        unpredicted: &[],
        source: "",
        verified: Verified::No(Measured { num_exact: 0, num_files: 0, exceptions: &[] }),
        rules,
    }
}

fn worst(model: &Model, runtime: &Runtime) -> Option<FarthestVertex> {
    let played = runtime.play(model).model;
    playback_deviation(model, &played, &Report::new()).unwrap().total.worst
}

/// Two bones; vertex 0 has its heaviest influence in the second set, and vertex 1 a sum of 0.5.
fn two_sets() -> Model {
    let bones = [("a", None, Vec3::ZERO), ("b", None, Vec3::X)];
    let lists: [&[(u32, f32)]; 3] = [&[(0, 0.25), (1, 0.75)], &[(0, 0.5)], &[(1, 1.0)]];
    let skin = skin(&[(0, Mat4::IDENTITY), (1, Mat4::IDENTITY)], lists);
    let mut model = ModelBuilder::new().bones(&bones).triangle().skin(skin).build();
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).in_first_set = vec![1, 1, 1];
    model
}

fn weights(model: &Model, vertex: usize) -> Vec<(u32, f32)> {
    inverse_bind(&model.meshes[MeshId(0)]).influences.row(vertex).collect()
}

/// A bone that turns by 170 degrees, with a vertex at a distance of 1.
fn turning(interpolation: Interpolation) -> Model {
    let rotation = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
    let values = match interpolation {
        Interpolation::Cubic => {
            let still = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            let fast = Quat::from_xyzw(0.0, 0.0, 4.0, 0.0);
            vec![still, rotation(0.0), fast, still, rotation(170.0), still]
        }
        _ => vec![rotation(0.0), rotation(170.0)],
    };
    let track = Track { times_secs: vec![0.0, 1.0], values, interpolation };
    ModelBuilder::new()
        .bones(&[("a", None, Vec3::ZERO)])
        .mesh([Vec3::X, Vec3::Y, Vec3::ZERO])
        .indices([0, 1, 2])
        .bound([[(0, 1.0)], [(0, 1.0)], [(0, 1.0)]])
        .clip("turn", 1.0)
        .rotation(0, track)
        .build()
}

fn first_vertex(model: &Model, time_secs: f64) -> Vec3 {
    skin_model(model, &PoseSpec::linear(None, time_secs))[0].positions[0]
}

#[test]
fn identifiers_are_unique_and_references_change_nothing() {
    let model = two_sets();
    for runtime in RUNTIMES {
        assert_eq!(RUNTIMES.iter().filter(|other| other.id == runtime.id).count(), 1);
        let opens_any = !runtime.formats.is_empty() || !runtime.unpredicted.is_empty();
        assert!(opens_any && !runtime.source.is_empty(), "{}", runtime.id);
        if runtime.verified == Verified::Reference {
            let played = runtime.play(&model);
            assert!(played.differences.is_empty(), "{}", runtime.id);
            assert_eq!(worst(&model, runtime), None, "{}", runtime.id);
        }
    }
}

#[test]
fn files_that_require_other_extensions_are_refused() {
    let mut model = two_sets();
    model.stored.required_extensions =
        vec!["KHR_mesh_quantization".into(), "EXT_meshopt_compression".into()];
    let blender = Runtime::of_id("blender").unwrap();
    let error = blender.check_opens("gltf", &model).unwrap_err();
    assert!(error.contains("requires the extension EXT_meshopt_compression"), "{error}");
    assert_eq!(Runtime::of_id("three.js").unwrap().check_opens("gltf", &model), Ok(()));
    assert!(blender.check_opens("iqm", &model).unwrap_err().contains("doesn't open iqm files"));
}
