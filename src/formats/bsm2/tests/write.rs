//! What the writer stores, and that the reader reads it back.

use super::*;

#[test]
fn a_sound_file_gives_its_counts_no_note_and_its_own_bytes_back() {
    for file in [file(), with_hierarchy(&[0, 0])] {
        let (model, notes) = read_ok(&file);
        assert_eq!(notes, []);
        assert_eq!((model.num_vertices(), model.num_triangles(), model.num_subsets()), (4, 2, 2));
        assert_eq!(model.materials[1].name, "hair");
        assert_eq!(rewritten(&model), file.bytes());
    }
}

#[test]
fn bytes_after_the_hierarchy_are_noted_and_kept() {
    let mut file = with_hierarchy(&[0, 0]);
    file.trailing = b"extra".to_vec();
    let (model, notes) = read_ok(&file);
    assert_eq!(notes, [NoteKind::TrailingBytes]);
    assert_eq!(rewritten(&model), file.bytes());
}

#[test]
fn a_model_made_in_code_is_written_and_read_back_equal() {
    let streams = Streams {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        uv_sets: vec![UvSet { name: String::new(), coords: vec![glam::Vec2::splat(0.25); 3] }],
        ..Streams::default()
    };
    let bone = |name: &str, parent, x: f32| Bone {
        name: name.into(),
        parent,
        rest_local: LocalTransform::Trs(Trs { translation: Vec3::X * x, ..Trs::IDENTITY }),
        ..Bone::default()
    };
    let bones = vec![bone("root", None, 0.0), bone("tip", Some(BoneId(0)), 2.0)];
    let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)], &[(0, 0.5), (1, 0.5)], &[(1, 1.0)]];
    let mut model = Model {
        meshes: vec![Mesh {
            vertices: VertexData::Streams(streams),
            indices: Indices::U32(vec![0, 1, 2]),
            skin: Skin::InverseBind(InverseBindSkin {
                bones: vec![BoneId(0), BoneId(1)],
                bone_from_mesh: vec![Mat4::IDENTITY, Mat4::from_translation(Vec3::X * -2.0)],
                influences: Influences::from_lists(lists),
                ..InverseBindSkin::default()
            }),
            ..Mesh::default()
        }],
        skeleton: Skeleton::new(bones, true).unwrap(),
        clips: vec![Clip {
            name: "bend".into(),
            start_secs: 0.5,
            duration_secs: 1.0,
            motion: Motion::Tracks(vec![BoneTrack {
                bone: BoneId(1),
                translation: Some(Track {
                    times_secs: vec![0.5, 1.5],
                    values: vec![Vec3::X * 2.0, Vec3::new(2.0, 4.0, 0.0)],
                    interpolation: Interpolation::Linear,
                }),
                rotation: None,
                scale: None,
            }]),
            ..Clip::default()
        }],
        ..Model::default()
    };
    check::check(&mut model, &Report::new());
    for hierarchy in [false, true] {
        let options = WriteOptions { hierarchy, ..WriteOptions::default() };
        let bytes = write(&model, &Bsm2, &options, &Report::new()).unwrap().remove(0).bytes;
        let (back, notes) = read_bytes(bytes.clone());
        let back = back.unwrap();
        assert!(notes.iter().all(|n| n.severity() == Severity::Info), "{notes:?}");
        assert_eq!(rewritten(&back), bytes);
        assert_eq!(back.skeleton.has_hierarchy(), hierarchy);
        let motion = back.clips[0].as_sampled().unwrap();
        assert_eq!((motion.keys.num_keys(), motion.duration_ns), (31, 1_000_000_000));
        for key in [0u32, 15, 30] {
            let source = PoseSpec {
                moment: Moment::TimeSecs(0.5 + f64::from(key) / 30.0),
                ..PoseSpec::default()
            };
            let stored = PoseSpec { moment: Moment::Key(key), ..PoseSpec::default() };
            let (expected, found) = (skin_model(&model, &source), skin_model(&back, &stored));
            for (a, b) in expected[0].positions.iter().zip(&found[0].positions) {
                // Half weights store as 128 and 127: the tip moves by 4.
                assert!(a.distance(*b) < 4.0 / 255.0, "key {key}: {a} {b}");
            }
        }
    }
}

/// More points than an index can name, all different.
fn too_large() -> Model {
    let mut model = read_ok(&file()).0;
    model.meshes[0].vertices = VertexData::Streams(Streams {
        positions: (0..70_000).map(|i| Vec3::X * i as f32).collect(),
        ..Streams::default()
    });
    model.meshes[0].skin = Skin::None;
    model
}

#[test]
fn models_too_large_for_one_file_are_split_or_refused_with_the_counts() {
    let (model, report) = (too_large(), Report::new());
    let never_split = WriteOptions { never_split: true, ..WriteOptions::default() };
    let error = write(&model, &Bsm2, &never_split, &report).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bsm2: 70000 vertices exceed the 65536 that the format can store"
    );
    let files = write(&model, &Bsm2, &WriteOptions::default(), &report).unwrap();
    let places: Vec<_> = files.iter().map(|file| file.place.clone()).collect();
    let suffix = |text: &str| OutputPlace::Suffix(text.to_owned());
    assert_eq!(places, [suffix(".0"), suffix(".1")]);
    assert!(report.notes().iter().any(|n| n.kind == NoteKind::SplitIntoFiles));
    let parts = files.into_iter().map(|file| read_bytes(file.bytes).0.unwrap());
    let num_vertices: usize = parts.map(|part| part.num_vertices()).sum();
    assert_eq!(num_vertices, 70_000);
}

#[test]
fn a_hierarchy_is_added_where_it_is_asked_for() {
    let model = read_ok(&file()).0;
    let options = WriteOptions { hierarchy: true, ..WriteOptions::default() };
    let mut files = write(&model, &Bsm2, &options, &Report::new()).unwrap();
    let back = read_bytes(files.remove(0).bytes).0.unwrap();
    assert!(back.skeleton.has_hierarchy());
    let spec = PoseSpec { moment: Moment::Key(1), ..PoseSpec::default() };
    let (a, b) = (skin_model(&model, &spec), skin_model(&back, &spec));
    assert_eq!(a[0].positions, b[0].positions);
}
