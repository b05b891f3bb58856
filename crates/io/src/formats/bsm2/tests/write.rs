//! Writing, and reading back.

use super::*;
use rigscope_core::model::{ClipId, MaterialId, MeshId};

#[test]
fn a_valid_file_has_no_findings_and_is_rewritten_byte_for_byte() {
    for file in [file(), with_hierarchy(&[0, 0])] {
        let (model, findings) = read_ok(&file);
        assert_eq!(findings, []);
        assert_eq!((model.num_vertices(), model.num_triangles(), model.num_subsets()), (4, 2, 2));
        assert_eq!(model.materials[MaterialId(1)].name, "hair");
        assert_eq!(rewritten(&model), file.bytes());
    }
}

#[test]
fn trailing_bytes_are_reported_and_preserved() {
    let mut file = with_hierarchy(&[0, 0]);
    file.trailing = b"extra".to_vec();
    let (model, findings) = read_ok(&file);
    assert_eq!(findings, [FindingKind::TrailingBytes]);
    assert_eq!(rewritten(&model), file.bytes());
}

#[test]
fn a_model_built_in_code_round_trips() {
    let lists: [&[(u32, f32)]; 3] = [ONE, &[(0, 0.5), (1, 0.5)], &[(1, 1.0)]];
    let moved = linear([(0.5, Vec3::X * 2.0), (1.5, Vec3::new(2.0, 4.0, 0.0))]);
    let model = ModelBuilder::new()
        .bones(&[("root", None, Vec3::ZERO), ("tip", Some(0), Vec3::X * 2.0)])
        .triangle()
        .subsets(&[])
        .normal(Vec3::Z)
        .uvs([glam::Vec2::splat(0.25); 3])
        .bound(lists)
        .clip("bend", 1.0)
        .translation(1, moved)
        .with(|model| model.clips[ClipId(0)].start_secs = 0.5)
        .checked();
    for hierarchy in [false, true] {
        let options = WriteOptions { hierarchy, ..WriteOptions::default() };
        let bytes = write(&model, &BSM2, &options, &Report::new()).unwrap().remove(0).bytes;
        let (back, findings) = read_bytes(bytes.clone());
        let back = back.unwrap();
        assert!(findings.iter().all(|n| n.severity() == Severity::Info), "{findings:?}");
        assert_eq!(rewritten(&back), bytes);
        assert_eq!(back.skeleton.has_hierarchy(), hierarchy);
        let motion = back.clips[ClipId(0)].as_sampled().unwrap();
        assert_eq!((motion.keys.num_keys(), motion.duration_ns), (31, 1_000_000_000));
        for key in [0u32, 15, 30] {
            let source = PoseSpec::at_secs(None, 0.5 + f64::from(key) / 30.0);
            let stored = PoseSpec::at_key(None, key);
            let (expected, found) = (skin_model(&model, &source), skin_model(&back, &stored));
            for (a, b) in expected[0].positions.iter().zip(&found[0].positions) {
                // Half weights are stored as 128 and 127: the tip moves by 4.
                assert!(a.distance(*b) < 4.0 / 255.0, "key {key}: {a} {b}");
            }
        }
    }
}

/// More different points than an index can address.
fn too_large() -> Model {
    let mut model = read_ok(&file()).0;
    model.meshes[MeshId(0)].vertices = VertexData::Streams(Streams {
        positions: (0..70_000).map(|i| Vec3::X * i as f32).collect(),
        ..Streams::default()
    });
    model.meshes[MeshId(0)].skin = Skin::None;
    model
}

#[test]
fn models_too_large_for_one_file_are_split_or_refused_with_the_counts() {
    let (model, report) = (too_large(), Report::new());
    let never_split = WriteOptions { never_split: true, ..WriteOptions::default() };
    let error = write(&model, &BSM2, &never_split, &report).unwrap_err();
    assert_eq!(error.to_string(), "the model has 70000 vertices, but BSM2 stores at most 65536");
    let files = write(&model, &BSM2, &WriteOptions::default(), &report).unwrap();
    let places: Vec<_> = files.iter().map(|file| file.place.clone()).collect();
    let suffix = |text: &str| OutputPlace::Suffix(text.to_owned());
    assert_eq!(places, [suffix(".0"), suffix(".1")]);
    assert!(report.findings().iter().any(|n| n.kind == FindingKind::SplitIntoFiles));
    let parts = files.into_iter().map(|file| read_bytes(file.bytes).0.unwrap());
    let num_vertices: usize = parts.map(|part| part.num_vertices()).sum();
    assert_eq!(num_vertices, 70_000);
}

#[test]
fn a_hierarchy_is_added_on_request() {
    let model = read_ok(&file()).0;
    let options = WriteOptions { hierarchy: true, ..WriteOptions::default() };
    let mut files = write(&model, &BSM2, &options, &Report::new()).unwrap();
    let back = read_bytes(files.remove(0).bytes).0.unwrap();
    assert!(back.skeleton.has_hierarchy());
    let spec = PoseSpec::at_key(None, 1);
    let (a, b) = (skin_model(&model, &spec), skin_model(&back, &spec));
    assert_eq!(a[0].positions, b[0].positions);
}
