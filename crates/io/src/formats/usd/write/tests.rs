//! Written stages read back.

use glam::{Mat4, Quat, Vec3};
use rigscope_core::model::{MeshId, Model, Report, VertexAnimation};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_testing::*;

use super::super::USD;
use crate::formats::{OutputFile, ReadOptions, Source, WriteOptions, open, write};

/// The files of a part.
fn files(model: &Model, part: &str, report: &Report) -> Vec<OutputFile> {
    let options = WriteOptions {
        stem: "hero".to_owned(),
        part: Some(part.to_owned()),
        ..WriteOptions::default()
    };
    write(model, &USD, &options, report).unwrap()
}

fn text(model: &Model) -> String {
    String::from_utf8(files(model, "usda", &Report::new()).remove(0).bytes).unwrap()
}

fn read(files: &[OutputFile], part: &str) -> Model {
    let source = Source::new(format!("hero.{part}"), files[0].bytes.clone());
    open(&source, &ReadOptions::default(), &Report::new()).unwrap().model
}

/// The model after each form.
fn copies(model: &Model) -> Vec<Model> {
    let parts = ["usda", "usdc", "usdz"].into_iter();
    parts.map(|part| read(&files(model, part, &Report::new()), part)).collect()
}

fn assert_poses_alike(model: &Model, copy: &Model, times_secs: &[f64]) {
    for (clip, _) in model.clips.iter_enumerated() {
        for &time_secs in times_secs {
            let spec = PoseSpec::at_secs(clip, time_secs);
            let (wanted, found) = (skin_model(model, &spec), skin_model(copy, &spec));
            assert_eq!(wanted.len(), found.len());
            for (wanted, found) in wanted.iter().zip(&found) {
                for (a, b) in wanted.positions.iter().zip(&found.positions) {
                    assert!(a.distance(*b) < 1e-5, "{a} {b} at {time_secs}");
                }
            }
        }
    }
}

/// Two skinned triangles and one on the hand, with two clips.
fn hero() -> Model {
    let turn = Quat::from_rotation_z(1.5);
    ModelBuilder::new()
        .bones(&[
            ("mixamorig:Hips", None, Vec3::Y),
            ("Hand", Some(0), Vec3::X),
            ("2", Some(1), Vec3::X),
        ])
        .triangle()
        .name("Body")
        .bound([&[(0, 0.25), (1, 0.75)][..], &[(1, 1.0)], &[]])
        .triangle()
        .name("Sword")
        .attached_to(1)
        .clip("wave", 2.0)
        .rotation(1, linear([(0.0, Quat::IDENTITY), (0.7, turn), (2.0, Quat::IDENTITY)]))
        .clip("jump", 1.0)
        .translation(0, linear([(0.0, Vec3::Y), (1.0, Vec3::Y * 3.0)]))
        .checked()
}

#[test]
fn clips_skins_and_names_survive_in_every_form() {
    let model = hero();
    for copy in copies(&model) {
        let names: Vec<&str> = copy.skeleton.bones().iter().map(|bone| &*bone.name).collect();
        assert_eq!(names, ["mixamorig:Hips", "Hand", "2", "_rigscope_still"]);
        let clips: Vec<&str> = copy.clips.iter().map(|clip| &*clip.name).collect();
        assert_eq!(clips, ["wave", "jump"]);
        assert_poses_alike(&model, &copy, &[0.0, 0.35, 0.7, 1.0]);
    }
}

#[test]
fn only_the_first_clip_is_bound_and_that_is_reported() {
    let report = Report::new();
    let _files = files(&hero(), "usda", &report);
    assert_eq!(num_reported(&report, FindingKind::Altered), 1);
    let text = text(&hero());
    assert!(text.contains("rel skel:animationSource = </hero/Skeleton/wave>"), "{text}");
}

#[test]
fn a_second_bind_is_a_geometry_transform_or_else_another_joint() {
    let moved = Mat4::from_translation(Vec3::X);
    let turned = Mat4::from_rotation_z(1.0);
    let binds = |skin: Skin| ModelBuilder::new().triangle().skin(skin).into_mesh();
    let of = |binds: &[(u32, Mat4)]| skin(binds, [[(0, 0.5), (1, 0.5)]; 3]);
    let model = |second: &[(u32, Mat4)]| {
        ModelBuilder::new()
            .chain(&["a", "b"])
            .add_mesh(binds(of(&[(0, Mat4::IDENTITY), (1, turned)])))
            .add_mesh(binds(of(second)))
            .clip("turn", 1.0)
            .rotation(0, linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(1.0))]))
            .checked()
    };
    let shifted = model(&[(0, moved), (1, turned * moved)]);
    assert_eq!(read(&files(&shifted, "usdc", &Report::new()), "usdc").skeleton.len(), 2);
    let others = model(&[(0, moved), (1, moved)]);
    let copy = read(&files(&others, "usdc", &Report::new()), "usdc");
    assert_eq!(copy.skeleton.len(), 3);
    assert_poses_alike(&shifted, &read(&files(&shifted, "usda", &Report::new()), "usda"), &[0.5]);
    assert_poses_alike(&others, &copy, &[0.5]);
}

#[test]
fn nodes_are_prims_whose_operations_have_samples() {
    let nodes = |mut model: Model| {
        let ids: Vec<BoneId> = model.skeleton.bones().iter_enumerated().map(|(id, _)| id).collect();
        ids.into_iter().for_each(|id| model.skeleton.set_kind(id, BoneKind::Node));
        model
    };
    let model = nodes(
        ModelBuilder::new()
            .bones(&[("Body", None, Vec3::ZERO), ("Wheel 1", Some(0), Vec3::X)])
            .triangle()
            .name("Wheel 1")
            .attached_to(1)
            .clip("roll", 1.0)
            .rotation(1, linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(1.0))]))
            .checked(),
    );
    let text = text(&model);
    assert!(text.contains("def Xform \"Body\"") && text.contains("def Mesh \"Wheel_1\""), "{text}");
    assert!(text.contains("xformOp:orient.timeSamples") && !text.contains("Skeleton"), "{text}");
    for copy in copies(&model) {
        let names: Vec<&str> = copy.skeleton.bones().iter().map(|bone| &*bone.name).collect();
        assert_eq!(names, ["Body", "Wheel 1"]);
        assert_eq!(copy.clips[ClipId(0)].name, "roll");
        assert_poses_alike(&model, &copy, &[0.0, 0.3, 1.0]);
    }
}

#[test]
fn steps_hold_until_the_next_key() {
    let step =
        Track { interpolation: Interpolation::Step, ..linear([(0.0, Vec3::Y), (1.0, Vec3::X)]) };
    let model = ModelBuilder::new()
        .bones(&[("a", None, Vec3::Y)])
        .triangle()
        .bound([[(0, 1.0)]; 3])
        .clip("step", 1.0)
        .translation(0, step)
        .checked();
    for copy in copies(&model) {
        assert_poses_alike(&model, &copy, &[0.0, 0.5, 0.999_999, 1.0]);
    }
}

#[test]
fn morph_targets_keep_default_weights_in_betweens_and_their_own_tracks() {
    let mut model = ModelBuilder::new()
        .chain(&["a"])
        .triangle()
        .name("A")
        .morph("smile", &[(0, Vec3::X)])
        .triangle()
        .name("B")
        .morph("smile", &[(1, Vec3::Y)])
        .checked();
    model.meshes[MeshId(0)].morph_targets[0].default_weight = 0.5;
    let half = MorphShape {
        full_weight: 0.5,
        ..model.meshes[MeshId(1)].morph_targets[0].shapes[0].clone()
    };
    model.meshes[MeshId(1)].morph_targets[0].shapes.insert(0, half);
    for copy in copies(&model) {
        assert!(copy.clips.is_empty());
        let targets = |model: &Model| -> Vec<MorphTarget> {
            model.meshes.iter().flat_map(|mesh| mesh.morph_targets.clone()).collect()
        };
        assert_eq!(targets(&copy), targets(&model));
    }
}

#[test]
fn vertex_animations_are_samples_of_points() {
    let frames = [Vec3::ZERO, Vec3::X, Vec3::Y].repeat(2);
    let cache = VertexAnimation {
        mesh: MeshId(0),
        is_blended: true,
        times_secs: vec![0.0, 1.0],
        positions: std::sync::Arc::new(
            frames.iter().enumerate().map(|(at, p)| *p * at as f32).collect(),
        ),
    };
    let clip = Clip {
        name: "points".to_owned(),
        duration_secs: 1.0,
        motion: Motion::VertexAnimation(cache),
        ..Clip::default()
    };
    let model = ModelBuilder::new().triangle().add_clip(clip).checked();
    for copy in copies(&model) {
        assert_poses_alike(&model, &copy, &[0.0, 0.25, 1.0]);
    }
}

/// OpenUSD refuses lists of children that are arrays, and misreads short arrays of integers that are compressed; the
/// library reads both, so that only the bytes show them.
#[test]
fn binary_layers_have_the_types_that_openusd_expects() {
    let layer = files(&hero(), "usdc", &Report::new()).remove(0).bytes;
    let again = super::binary_values::corrected(&layer).unwrap();
    // Nothing is left to correct, and sections still follow each other.
    assert_eq!(again, layer);
    let report = Report::new();
    let source = Source::new("hero.usdc", layer);
    assert!(open(&source, &ReadOptions::default(), &report).is_ok());
}

#[test]
fn packages_begin_with_the_layer_and_are_aligned() {
    let package = files(&hero(), "usdz", &Report::new()).remove(0).bytes;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&package)).unwrap();
    let file = archive.by_index(0).unwrap();
    assert_eq!((file.name(), file.compression()), ("hero.usdc", zip::CompressionMethod::Stored));
    assert_eq!(file.data_start().unwrap() % 64, 0);
}

#[test]
fn arrays_of_binary_layers_and_packages_have_bytes_and_paths() {
    let model = hero();
    for part in ["usdc", "usdz"] {
        let files = files(&model, part, &Report::new());
        if part == "usdc" {
            let arrays =
                crate::formats::usd::stored_arrays::stored_arrays(&files[0].bytes).unwrap();
            assert_eq!(arrays["/hero/Body.points"].count, 3, "{arrays:?}");
        }
        let copy = read(&files, part);
        let paths = copy.paths.as_ref().unwrap();
        assert_eq!(paths.meshes[MeshId(0)].of_vertex(VertexId(1)), "/hero/Body.points[1]");
        assert_eq!(paths.bones[BoneId(1)], "/hero/Skeleton.joints[1] mixamorig_Hips/Hand");
        assert_eq!(paths.clips[ClipId(1)], "/hero/Skeleton/jump");
        let ranges = copy.provenance.of(Element::Vertex { mesh: 0 }, 1);
        let bytes = |range: &std::ops::Range<u64>| {
            let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
            &files[0].bytes[start..end]
        };
        let position: Vec<u8> =
            Vec3::X.to_array().iter().flat_map(|value| value.to_le_bytes()).collect();
        assert!(ranges.iter().any(|range| bytes(range) == position), "{part}: {ranges:?}");
    }
}
