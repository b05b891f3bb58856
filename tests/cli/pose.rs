//! `pose`.

use glam::{Affine3A, Mat3A, Vec3};
use rigscope_core::model::{ClipId, KeySpace, MeshId, Model, Report};
use rigscope_core::pose::{
    Fade, LayerMode, Moment, Normals, PoseSpec, Sampling, SecondClip, SkinnedMesh, clip_span_secs,
    skin_model,
};
use rigscope_io::formats::{ReadOptions, Source, open};
use serde_json::Value;

use super::runner::Folder;
use crate::support::fixtures;

/// The expected output, from the reference implementation.
fn expected(model: &Model, spec: &PoseSpec) -> SkinnedMesh {
    let source = Source::new("a.bsm2", fixtures::bsm2(model));
    let opened = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
    skin_model(&opened.model, spec).remove(0)
}

fn vectors(value: &Value) -> Vec<Vec3> {
    let arrays: Vec<[f32; 3]> = serde_json::from_value(value.clone()).unwrap();
    arrays.into_iter().map(Vec3::from).collect()
}

/// Runs `pose` with `args` and compares every number with the reference, to the last bit.
fn check(model: &Model, args: &[&str], spec: PoseSpec) {
    let folder = Folder::with(model);
    let all = [&["pose", "a.bsm2", "-o", "out.json"], args].concat();
    folder.run_to(0, &all);
    let found = folder.read_json("out.json");
    let keys: Vec<_> = found.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["normals", "schema", "vertices"]);
    assert_eq!(found["schema"], "rigscope.pose/1");
    let expected = expected(model, &spec);
    assert_eq!(vectors(&found["vertices"]), expected.positions, "{args:?}");
    assert_eq!(vectors(&found["normals"]), expected.normals, "{args:?}");
}

fn spec(clip: u32, moment: Moment) -> PoseSpec {
    PoseSpec { clip: Some(ClipId(clip)), moment, sampling: Sampling::Step, ..PoseSpec::default() }
}

#[test]
fn a_clip_is_found_by_name_or_number_and_defaults_to_the_first() {
    let model = fixtures::two_triangles();
    let walk = spec(1, Moment::Key(2));
    check(&model, &["--clip", "walk", "--key", "2"], walk);
    check(&model, &["--clip", "1", "--key", "2"], walk);
    check(&model, &["--key", "0"], spec(0, Moment::Key(0)));
    check(&model, &[], PoseSpec::default());
}

#[test]
fn a_second_clip_is_blended_with_the_first() {
    let model = fixtures::two_triangles();
    let [base, over] = [0, 1].map(|clip| clip_span_secs(&model.clips[ClipId(clip)]));
    let second = SecondClip::new(ClipId(1), over, base);
    let at = |second: SecondClip, time_secs| PoseSpec {
        layer: Some(second.at(time_secs)),
        sampling: Sampling::Runtime,
        ..spec(0, Moment::TimeSecs(time_secs))
    };
    let half = SecondClip { weight: 0.5, ..second };
    check(&model, &["--time", "0.1", "--blend", "walk", "--blend-weight", "0.5"], at(half, 0.1));
    let fade = Some(Fade { start_secs: 0.05, duration_secs: 0.1 });
    let faded = SecondClip { fade, ..second };
    check(&model, &["--time", "0.1", "--blend", "walk", "--fade", "0.05..0.15"], at(faded, 0.1));
    let mode = LayerMode::AddToStart;
    let added = SecondClip { mode, reference_secs: Some(0.1), ..second };
    let args = ["--blend=walk", "--blend-mode=add", "--blend-reference=0.1"];
    check(&model, &args, at(added, base[0]));

    let folder = Folder::with(&model);
    for (args, message) in [
        (["--fade=2..1", "--blend=walk"], "the end is before the start"),
        (["--blend-weight=2", "--blend=walk"], "not a number from 0 to 1"),
        (
            ["--pose=bind", "--blend=walk"],
            "--pose bind doesn't belong to a clip; leave out --blend",
        ),
        (["--blend=wlak", "--time=0"], "there is no clip \"wlak\""),
    ] {
        let all = [&["pose", "a.bsm2", "-o", "out.json"], &args[..]].concat();
        let error = folder.run_to(2, &all).stderr;
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn times_and_keys_outside_the_clip_are_clamped() {
    let model = fixtures::two_triangles();
    let (first, last) = (spec(1, Moment::Key(0)), spec(1, Moment::Key(3)));
    check(&model, &["--clip", "walk", "--time", "-5"], first);
    check(&model, &["--clip", "walk", "--time", "99"], last);
    check(&model, &["--clip", "walk", "--time", "inf"], last);
    check(&model, &["--clip", "walk", "--key", "4294967295"], last);
}

#[test]
fn times_and_keys_outside_the_clip_are_reported() {
    let folder = Folder::with(&fixtures::two_triangles());
    let stderr = |args: &[&str]| {
        let all = [&["pose", "a.bsm2", "-o", "x.obj", "--force", "--clip", "walk"], args].concat();
        folder.run_to(0, &all).stderr
    };
    let text = stderr(&["--time", "99"]);
    let expected = "a.bsm2: warning: the time 99 s is outside the clip \"walk\"; using its end at ";
    assert!(text.starts_with(expected), "{text}");
    let text = stderr(&["--time", "-1"]);
    assert!(text.contains("the time -1 s is outside") && text.contains("start at 0 s"), "{text}");
    let text = stderr(&["--key", "99"]);
    assert!(text.contains("no key 99 in the clip \"walk\"; using its last key, 3"), "{text}");
    for inside in [["--time", "0"], ["--time", "0.1"], ["--key", "3"]] {
        assert_eq!(stderr(&inside), "", "{inside:?}");
    }
}

#[test]
fn linear_sampling_blends_and_step_holds() {
    let between = Moment::TimeSecs(0.15);
    for model in [fixtures::two_triangles(), fixtures::with_hierarchy()] {
        let clip = u32::try_from(model.clips.len()).unwrap() - 1;
        let number = clip.to_string();
        let mut expected = spec(clip, between);
        let args = ["--clip", &number, "--time", "0.15", "--sampling"];
        check(&model, &[&args[..], &["step"]].concat(), expected);
        expected.sampling = Sampling::Linear;
        check(&model, &[&args[..], &["linear"]].concat(), expected);
        expected.sampling = Sampling::Decomposed;
        check(&model, &[&args[..], &["decomposed"]].concat(), expected);
    }
    let model = fixtures::two_triangles();
    let mut linear = spec(1, between);
    linear.sampling = Sampling::Linear;
    assert_ne!(expected(&model, &linear), expected(&model, &spec(1, between)));
}

#[test]
fn a_bind_pair_is_shown_as_its_product_and_reported() {
    let model = fixtures::bind_pair();
    check(&model, &[], PoseSpec::default());
    check(&model, &["--key", "1"], spec(0, Moment::Key(1)));
    let folder = Folder::with(&model);
    let ran = folder.run_to(0, &["pose", "a.bsm2", "-o", "out.json"]);
    assert!(ran.stderr.contains("inverse bind"), "{}", ran.stderr);
    assert!(ran.stdout.is_empty());
}

#[test]
fn a_file_without_clips_ignores_the_time_and_reports_it() {
    let folder = Folder::with(&fixtures::without_clips());
    let ran = folder.run_to(0, &["pose", "a.bsm2", "-o", "out.json", "--time", "2"]);
    assert!(ran.stderr.starts_with("a.bsm2: note: "), "{}", ran.stderr);
    let stored = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.1)];
    assert_eq!(vectors(&folder.read_json("out.json")["vertices"]), stored);
}

#[test]
fn the_bind_pose_has_stored_positions_and_a_missing_rest_pose_is_refused() {
    let model = fixtures::two_triangles();
    check(&model, &["--pose", "bind"], PoseSpec { moment: Moment::Bind, ..PoseSpec::default() });
    let folder = Folder::with(&model);
    folder.run_to(0, &["pose", "a.bsm2", "-o", "out.json", "--pose=bind"]);
    let stored: Vec<_> =
        (0..4).filter_map(|vertex| model.meshes[MeshId(0)].position(vertex)).collect();
    assert_eq!(vectors(&folder.read_json("out.json")["vertices"]), stored);
    let ran = folder.run_to(2, &["pose", "a.bsm2", "-o", "out.json", "--pose=rest", "--force"]);
    assert!(
        ran.stderr.contains("the file doesn't store a rest pose; leave out --pose rest"),
        "{}",
        ran.stderr
    );
    let args = ["pose", "a.bsm2", "-o", "out.json", "--pose=bind", "--key=1", "--force"];
    let ran = folder.run_to(2, &args);
    assert!(
        ran.stderr.contains("--pose bind doesn't belong to a clip; leave out --key"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_unknown_clip_is_refused_with_a_list_of_clips() {
    let folder = Folder::with(&fixtures::two_triangles());
    for name in ["run", "2", "-1"] {
        let clip = format!("--clip={name}");
        let ran = folder.run_to(2, &["pose", "a.bsm2", "-o", "out.json", &clip]);
        assert_eq!(
            ran.stderr,
            format!(
                "a.bsm2: error: there is no clip {name:?}; the model has \"idle\" (0), \"walk\" (1)\n"
            )
        );
    }
    assert_eq!(folder.names(), ["a.bsm2"]);
}

#[test]
fn obj_reads_back_to_the_same_vertices_triangles_and_materials() {
    let model = fixtures::two_triangles();
    let folder = Folder::with(&model);
    folder.run_to(0, &["pose", "a.bsm2", "-o", "out.obj", "--clip", "walk", "--key", "3"]);
    let text = folder.read("out.obj");
    let numbers = |keyword: &str| -> Vec<Vec<f32>> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(keyword));
        lines.map(|line| line.split_whitespace().map(|n| n.parse().unwrap()).collect()).collect()
    };
    let points = |rows: Vec<Vec<f32>>| -> Vec<Vec3> {
        rows.iter().map(|row| Vec3::from_slice(row)).collect()
    };
    let expected = expected(&model, &spec(1, Moment::Key(3)));
    assert_eq!(points(numbers("v ")), expected.positions);
    assert_eq!(points(numbers("vn ")), expected.normals);
    // Stored with v down: the first vertex has v 1, which is 0 where v points up.
    assert_eq!(numbers("vt "), [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    let body: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("g ")).collect();
    assert_eq!(
        body,
        [
            "g mesh_0_subset_0",
            "usemtl skin",
            "f 1/1/1 2/2/2 3/3/3",
            "g mesh_0_subset_1",
            "usemtl left_hand",
            "f 3/3/3 2/2/2 4/4/4",
        ]
    );
}

#[test]
fn a_model_without_vertices_is_refused_as_an_obj() {
    let folder = Folder::new();
    let skeleton = r#"{"asset":{"version":"2.0"},"nodes":[{}],"scenes":[{"nodes":[0]}],"scene":0}"#;
    folder.put_bytes("bone.gltf", skeleton.as_bytes());
    let ran = folder.run_to(2, &["pose", "bone.gltf", "-o", "out.obj"]);
    let expected = "bone.gltf: error: the model has no vertices, and an OBJ without any can't be read; write a .json file\n";
    assert!(ran.stderr.ends_with(expected), "{}", ran.stderr);
    assert!(!folder.path("out.obj").exists());
    folder.run_to(0, &["pose", "bone.gltf", "-o", "out.json"]);
}

#[test]
fn findings_about_the_content_go_to_stderr() {
    let folder = Folder::with(&fixtures::with_zero_normal());
    let ran = folder.run_to(0, &["pose", "a.bsm2", "-o", "out.json"]);
    assert!(ran.stderr.starts_with("a.bsm2: warning: "), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("[zero-normal]\n"), "{}", ran.stderr);
}

#[test]
fn overflowing_positions_are_reported_and_the_file_is_complete() {
    let mut model = fixtures::two_triangles();
    let far = Affine3A::from_translation(Vec3::X * 3e38);
    let huge = Affine3A { matrix3: far.matrix3 * 3e38, ..far };
    model.clips = vec![fixtures::clip("far", KeySpace::Skin, &[[huge, huge]])].into();
    let folder = Folder::with(&model);
    let ran = folder.run_to(0, &["pose", "a.bsm2", "-o", "out.json"]);
    let expected = "a.bsm2: warning: 2 positions exceed the range of single precision\n";
    assert!(ran.stderr.ends_with(expected), "{}", ran.stderr);
    let vertices = &folder.read_json("out.json")["vertices"];
    assert_eq!(vertices[1][0], Value::Null);
    assert_eq!(vertices.as_array().map(Vec::len), Some(4));
}

#[test]
fn normals_are_those_of_the_runtime_unless_exact_is_set() {
    let slanted =
        Mat3A::from_cols(Vec3::X.into(), Vec3::Y.into(), Vec3::new(0.75, 0.0, 1.0).into());
    let slanted = Affine3A { matrix3: slanted, ..Affine3A::IDENTITY };
    let mut model = fixtures::two_triangles();
    model.clips = vec![fixtures::clip("slant", KeySpace::Skin, &[[slanted; 2]])].into();
    let exact = PoseSpec { normals: Normals::Exact, ..PoseSpec::default() };
    check(&model, &[], PoseSpec::default());
    check(&model, &["--normals", "runtime"], PoseSpec::default());
    check(&model, &["--normals", "exact"], exact);
    // The surface stays level, and the matrix takes its normal along.
    assert_eq!(expected(&model, &exact).normals[0], Vec3::Z);
    let leaning = expected(&model, &PoseSpec::default()).normals[0];
    assert!(leaning.distance(Vec3::new(0.6, 0.0, 0.8)) < 1e-6, "{leaning}");
}
