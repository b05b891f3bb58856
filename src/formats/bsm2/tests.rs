//! The reader and writer on bytes made here, one oddity a test. Real files are in `tests/`.

use glam::{Affine3A, Mat4, Vec3, Vec4};

use super::*;
use crate::formats::{open, write};
use crate::model::*;
use crate::pose::{Moment, PoseSpec, Sampling, sample, skin_model};

/// A file being made: parts in the order of the format, each of which a test may spoil.
#[derive(Clone)]
struct File {
    vertices: Vec<PackedVertex>,
    indices: Vec<u16>,
    subsets: Vec<[u32; 3]>,
    num_bones: u32,
    materials: Vec<&'static [u8]>,
    clips: Vec<(&'static str, u64, u64, Vec<Affine3A>)>,
    hierarchy: Option<(Vec<u8>, Vec<Mat4>, Vec<&'static str>)>,
    trailing: Vec<u8>,
}

fn vertex(position: Vec3, bone: u8) -> PackedVertex {
    PackedVertex {
        position,
        normal: pack_snorm1010102(Vec3::Z, 0),
        tangent: pack_snorm1010102(Vec3::X, 1),
        uv: [0, 65535],
        bones: [bone, 0, 0, 0],
        weights: [255, 0, 0, 0],
    }
}

/// Two triangles, two bones, one clip of two keys.
fn file() -> File {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE];
    File {
        vertices: corners
            .iter()
            .zip([0, 1, 0, 1])
            .map(|(&p, bone)| vertex(p, bone))
            .collect(),
        indices: vec![0, 1, 2, 2, 1, 3],
        subsets: vec![[0, 3, 0], [3, 3, 1]],
        num_bones: 2,
        materials: vec![b"skin", b"hair"],
        clips: vec![(
            "walk",
            33_333_333,
            33_333_333,
            (0..4)
                .map(|i| Affine3A::from_translation(Vec3::X * i as f32))
                .collect(),
        )],
        hierarchy: None,
        trailing: Vec::new(),
    }
}

fn with_hierarchy(parents: &[u8]) -> File {
    let mut file = file();
    let num = parents.len();
    file.num_bones = u32::try_from(num).unwrap();
    let key = vec![Affine3A::IDENTITY; num];
    file.clips = vec![("still", 0, 33_333_333, key)];
    let names = ["a", "b", "c", "d"];
    file.hierarchy = Some((
        parents.to_vec(),
        vec![Mat4::IDENTITY; num],
        names[..num].to_vec(),
    ));
    file
}

impl File {
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let word =
            |out: &mut Vec<u8>, n: usize| out.extend(u32::try_from(n).unwrap().to_le_bytes());
        let text = |out: &mut Vec<u8>, bytes: &[u8]| {
            out.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
            out.extend(bytes);
        };
        for n in [
            self.vertices.len(),
            self.indices.len(),
            self.subsets.len(),
            self.num_bones as usize,
        ] {
            word(&mut out, n);
        }
        word(&mut out, self.materials.len());
        word(&mut out, self.clips.len());
        self.vertices.iter().for_each(|v| out.extend(v.to_bytes()));
        self.indices
            .iter()
            .for_each(|i| out.extend(i.to_le_bytes()));
        self.subsets
            .as_flattened()
            .iter()
            .for_each(|n| out.extend(n.to_le_bytes()));
        self.materials.iter().for_each(|m| text(&mut out, m));
        for (name, duration, interval, matrices) in &self.clips {
            text(&mut out, name.as_bytes());
            out.extend(duration.to_le_bytes());
            out.extend(interval.to_le_bytes());
            word(&mut out, matrices.len() / self.num_bones.max(1) as usize);
            let keys = PackedKeys::from_matrices(self.num_bones, matrices);
            out.extend_from_slice(keys.unwrap().bytes());
        }
        if let Some((parents, binds, names)) = &self.hierarchy {
            out.extend(parents);
            binds
                .iter()
                .flat_map(Mat4::to_cols_array)
                .for_each(|f| out.extend(f.to_le_bytes()));
            names
                .iter()
                .for_each(|name| text(&mut out, name.as_bytes()));
        }
        out.extend(&self.trailing);
        out
    }
}

fn read_bytes(bytes: Vec<u8>) -> (Result<Model, ReadError>, Vec<Note>) {
    let report = Report::new();
    let options = ReadOptions {
        format: Some(ID.into()),
        ..ReadOptions::default()
    };
    let opened = open(&Source::new("test.bsm2", bytes), &options, &report);
    (opened.map(|o| o.model), report.notes())
}

fn read_ok(file: &File) -> (Model, Vec<NoteKind>) {
    let (model, notes) = read_bytes(file.bytes());
    (model.unwrap(), notes.iter().map(|n| n.kind).collect())
}

fn rewritten(model: &Model) -> Vec<u8> {
    let mut files = write(model, &Bsm2, &WriteOptions::default(), &Report::new()).unwrap();
    files.remove(0).bytes
}

#[test]
fn a_sound_file_gives_its_counts_no_note_and_its_own_bytes_back() {
    for file in [file(), with_hierarchy(&[0, 0])] {
        let (model, notes) = read_ok(&file);
        assert_eq!(notes, []);
        assert_eq!(
            (
                model.num_vertices(),
                model.num_triangles(),
                model.num_subsets()
            ),
            (4, 2, 2)
        );
        assert_eq!(model.materials[1].name, "hair");
        assert_eq!(rewritten(&model), file.bytes());
    }
}

#[test]
fn vertices_indices_and_keys_are_views_of_the_file() {
    let bytes = file().bytes();
    let source = Source::new("x.bsm2", bytes);
    let model = open(&source, &ReadOptions::default(), &Report::new())
        .unwrap()
        .model;
    let VertexData::Packed(packed) = &model.meshes[0].vertices else {
        panic!("not packed")
    };
    assert_eq!(packed.bytes().as_ptr(), source.bytes[24..].as_ptr());
    let Indices::U16(indices) = &model.meshes[0].indices else {
        panic!("not viewed")
    };
    assert_eq!(indices.offset(), 24 + 4 * 32);
    let keys = &model.clips[0].as_sampled().unwrap().keys;
    let offset = keys.bytes().offset();
    assert_eq!(keys.bytes().as_ptr(), source.bytes[offset..].as_ptr());
}

#[test]
fn provenance_names_the_bytes_of_every_part() {
    let (model, _) = read_ok(&with_hierarchy(&[0, 0]));
    let len = with_hierarchy(&[0, 0]).bytes().len() as u64;
    let mut at = 0;
    for span in &model.provenance.spans {
        assert_eq!(span.offset, at, "{:?}", span.element);
        at = span.range().end;
    }
    assert_eq!(at, len, "every byte belongs to a part");
    let vertex = model.provenance.find(Element::Vertex { mesh: 0 }).unwrap();
    assert_eq!(vertex.record(3), Some(24 + 96..24 + 128));
    assert_eq!(
        model.provenance.at(25).unwrap().element,
        Element::Vertex { mesh: 0 }
    );
}

#[test]
fn keys_are_skinning_matrices_without_hierarchy_and_local_ones_with() {
    let (flat, _) = read_ok(&file());
    let pose = sample(
        &flat,
        &PoseSpec {
            moment: Moment::Key(1),
            ..PoseSpec::default()
        },
    );
    assert_eq!(pose.model_from_mesh.unwrap()[1].translation.x, 3.0);

    let mut deep = with_hierarchy(&[0, 0]);
    deep.clips[0].3 = vec![
        Affine3A::from_translation(Vec3::X),
        Affine3A::from_translation(Vec3::Y),
    ];
    deep.hierarchy.as_mut().unwrap().1[1] = Mat4::from_translation(Vec3::Z);
    let (model, _) = read_ok(&deep);
    let skinned = skin_model(&model, &PoseSpec::default());
    assert_eq!(
        skinned[0].positions[1],
        Vec3::X + Vec3::X + Vec3::Y + Vec3::Z
    );
    assert_eq!(rewritten(&model), deep.bytes());
}

#[test]
fn linear_sampling_blends_stored_matrices_component_by_component() {
    let (model, _) = read_ok(&file());
    let spec = PoseSpec {
        moment: Moment::TimeSecs(0.033_333_333 / 4.0),
        sampling: Sampling::Linear,
        ..PoseSpec::default()
    };
    let x = sample(&model, &spec).model_from_mesh.unwrap()[0]
        .translation
        .x;
    assert!((x - 0.5).abs() < 1e-5);
}

#[test]
fn a_root_is_its_own_parent_or_255_and_parents_may_follow_children() {
    let (model, notes) = read_ok(&with_hierarchy(&[255, 2, 2]));
    let parents: Vec<_> = model.skeleton.bones().iter().map(|b| b.parent).collect();
    assert_eq!(parents, [None, Some(BoneId(2)), None]);
    for kind in [
        NoteKind::RootStoredAs255,
        NoteKind::ParentAfterChild,
        NoteKind::SeveralRoots,
    ] {
        assert!(notes.contains(&kind), "{kind:?}");
    }
    assert_eq!(
        rewritten(&model),
        with_hierarchy(&[255, 2, 2]).bytes(),
        "255 is written back"
    );
    let (_, notes) = read_ok(&with_hierarchy(&[0, 9]));
    assert!(notes.contains(&NoteKind::ParentOutOfRange));
}

#[test]
fn a_cycle_of_parents_is_an_error_that_names_the_field() {
    let (model, _) = read_bytes(with_hierarchy(&[1, 0]).bytes());
    let message = model.unwrap_err().to_string();
    assert!(
        message.contains("ancestor") && message.contains("parent bone index"),
        "{message}"
    );
}

#[test]
fn too_few_bytes_for_a_hierarchy_are_an_error_with_their_offset() {
    let mut file = file();
    let offset = file.bytes().len();
    file.trailing = vec![0; 5];
    let message = read_bytes(file.bytes()).0.unwrap_err().to_string();
    assert!(
        message.contains(&format!("offset {offset:#x}")) && message.contains("5 bytes"),
        "{message}"
    );
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
fn influences_out_of_range_count_only_where_they_weigh() {
    let mut harmless = file();
    harmless.vertices[0].bones[3] = 77;
    let (model, notes) = read_ok(&harmless);
    assert_eq!(notes, [NoteKind::UnusedSlotOutOfRange]);
    assert_eq!(rewritten(&model), harmless.bytes());

    let mut harmful = file();
    harmful.vertices[0].bones = [77, 1, 0, 0];
    harmful.vertices[0].weights = [100, 155, 0, 0];
    let (model, notes) = read_ok(&harmful);
    assert!(notes.contains(&NoteKind::BoneOutOfRange));
    let mut bones = Vec::new();
    model.meshes[0].for_each_influence(0, |bone, weight| bones.push((bone.0, weight)));
    assert_eq!(bones, [(1, 1.0)]);
}

#[test]
fn odd_weights_are_noted_and_scaled() {
    let mut file = file();
    file.vertices[0].weights = [100, 0, 100, 0];
    file.vertices[1].weights = [0; 4];
    let (model, notes) = read_ok(&file);
    for kind in [
        NoteKind::WeightsNotNormalized,
        NoteKind::WeightAfterZero,
        NoteKind::VertexWithoutWeights,
    ] {
        assert!(notes.contains(&kind), "{kind:?}");
    }
    let skinned = skin_model(&model, &PoseSpec::default());
    assert_eq!(
        skinned[0].positions[1],
        Vec3::X * 2.0,
        "the first bone moves it alone"
    );
    assert_eq!(rewritten(&model), file.bytes());
}

#[test]
fn subsets_that_reach_outside_are_left_out_and_the_rest_is_drawn() {
    let mut file = file();
    file.subsets = vec![[0, 3, 0], [3, 6, 0], [0, 3, 9], [u32::MAX, u32::MAX, 0]];
    let (model, notes) = read_ok(&file);
    let kept: Vec<_> = model.meshes[0]
        .subsets
        .iter()
        .map(|s| (s.first_index, s.material))
        .collect();
    assert_eq!(kept, [(0, Some(MaterialId(0))), (0, None)]);
    for kind in [
        NoteKind::SubsetOutOfRange,
        NoteKind::MaterialOutOfRange,
        NoteKind::OverlappingSubsets,
        NoteKind::UncoveredIndices,
    ] {
        assert!(notes.contains(&kind), "{kind:?}");
    }
}

#[test]
fn a_triangle_that_names_a_missing_vertex_takes_its_subset_out() {
    let mut file = file();
    file.indices[4] = 4;
    let (model, notes) = read_ok(&file);
    assert!(notes.contains(&NoteKind::IndexOutOfRange));
    assert_eq!(model.meshes[0].subsets.len(), 1);
}

#[test]
fn directions_without_length_are_noted_once_and_counted() {
    let mut file = file();
    for vertex in &mut file.vertices {
        vertex.normal = 0;
        vertex.tangent = 0;
    }
    file.vertices[3].normal = pack_snorm1010102(Vec3::Z * 0.75, 0);
    let (_, notes) = read_bytes(file.bytes());
    let count = |kind| notes.iter().find(|n| n.kind == kind).map_or(0, |n| n.count);
    assert_eq!(count(NoteKind::ZeroNormal), 3);
    assert_eq!(count(NoteKind::NonUnitNormal), 1);
    assert_eq!(count(NoteKind::ZeroTangent), 4);
}

#[test]
fn numbers_that_are_not_finite_are_read_as_zero_and_placed() {
    let mut file = file();
    file.vertices[2].position.y = f32::NAN;
    file.clips[0].3[3].translation.x = f32::INFINITY;
    let (model, notes) = read_bytes(file.bytes());
    let model = model.unwrap();
    let note = notes
        .iter()
        .find(|n| n.kind == NoteKind::NotFinite)
        .unwrap();
    assert_eq!(
        (note.count, note.place),
        (2, Place::Vertex { mesh: 0, vertex: 2 })
    );
    assert_eq!(model.meshes[0].position(2), Some(Vec3::ZERO));
    assert_eq!(
        model.clips[0]
            .as_sampled()
            .unwrap()
            .keys
            .rows(1, 1)
            .unwrap()[3],
        0.0
    );
}

#[test]
fn an_inverse_key_pair_is_offered_as_such_and_equal_keys_are_not() {
    let mut pair = file();
    let turn = |a: f32| Affine3A::from_rotation_y(a) * Affine3A::from_translation(Vec3::X * 20.0);
    pair.clips[0].3 = vec![
        turn(0.3),
        turn(1.0),
        turn(0.3).inverse(),
        turn(1.0).inverse(),
    ];
    let (model, notes) = read_ok(&pair);
    assert_eq!(notes, [NoteKind::BindPair]);
    let skinned = skin_model(&model, &PoseSpec::default());
    assert!(
        skinned[0].positions[3].distance(Vec3::ONE) < 1e-4,
        "the product is the bind pose"
    );
    let as_stored = PoseSpec {
        moment: Moment::Key(0),
        ..PoseSpec::default()
    };
    let stored = skin_model(&model, &as_stored);
    assert!(
        stored[0].positions[3].distance(Vec3::ONE) > 1.0,
        "a key is a key as stored"
    );

    let mut still = file();
    let flip = Affine3A::from_scale(Vec3::NEG_ONE);
    still.clips[0].3 = vec![flip; 4];
    assert_eq!(read_ok(&still).1, [], "its own inverse, but a still pose");
}

#[test]
fn files_without_clip_key_or_interval_show_something() {
    let mut none = file();
    none.clips.clear();
    let (model, notes) = read_ok(&none);
    assert_eq!(notes, [NoteKind::NoClips]);
    assert_eq!(
        skin_model(&model, &PoseSpec::default())[0].positions[3],
        Vec3::ONE
    );

    let mut keyless = file();
    keyless.clips[0].3.clear();
    let (model, notes) = read_ok(&keyless);
    assert!(notes.contains(&NoteKind::ClipWithoutKeys));
    assert_eq!(
        skin_model(&model, &PoseSpec::default())[0].positions[3],
        Vec3::ONE
    );

    let mut frozen = file();
    (frozen.clips[0].1, frozen.clips[0].2) = (0, 0);
    assert_eq!(read_ok(&frozen).1, [NoteKind::ZeroInterval]);

    let mut long = file();
    long.clips[0].1 = 900_000_000;
    assert_eq!(read_ok(&long).1, [NoteKind::DurationMismatch]);
}

#[test]
fn a_hidden_bone_is_noted_and_poses_without_nan() {
    let mut file = file();
    file.clips[0].3[2] = Affine3A::from_scale(Vec3::ZERO);
    let (model, notes) = read_ok(&file);
    assert_eq!(notes, [NoteKind::ZeroScaleBone]);
    let spec = PoseSpec {
        moment: Moment::Key(1),
        ..PoseSpec::default()
    };
    let skinned = skin_model(&model, &spec);
    assert!(
        skinned[0]
            .normals
            .iter()
            .chain(&skinned[0].positions)
            .all(|v| v.is_finite())
    );
}

#[test]
fn an_inverse_bind_with_an_odd_last_row_is_noted_and_kept() {
    let mut file = with_hierarchy(&[0, 0]);
    file.hierarchy.as_mut().unwrap().1[1].w_axis = Vec4::new(1.0, 2.0, 3.0, 4.0);
    let (model, notes) = read_ok(&file);
    assert_eq!(notes, [NoteKind::InverseBindNotAffine]);
    assert_eq!(rewritten(&model), file.bytes());
}

#[test]
fn a_name_that_is_not_utf8_is_noted() {
    let mut file = file();
    file.materials[0] = b"caf\xe9";
    assert_eq!(read_ok(&file).1, [NoteKind::NameNotUtf8]);
}

#[test]
fn bones_that_move_nothing_and_bones_past_256_are_noted() {
    let mut file = file();
    file.num_bones = 300;
    file.clips[0].3 = vec![Affine3A::IDENTITY; 300];
    let (_, notes) = read_ok(&file);
    assert!(
        notes.contains(&NoteKind::BonesBeyondU8) && notes.contains(&NoteKind::UnreferencedBone)
    );
}

#[test]
fn hostile_counts_are_refused_before_anything_is_allocated() {
    for word in 0..6 {
        let mut bytes = file().bytes();
        bytes[word * 4..word * 4 + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = read_bytes(bytes).0.unwrap_err();
        assert!(
            matches!(error, ReadError::Malformed(_) | ReadError::Limit(_)),
            "{error}"
        );
    }
}

#[test]
fn a_cut_at_every_length_is_refused_unless_it_leaves_a_legal_file() {
    let file = with_hierarchy(&[0, 0]);
    let bytes = file.bytes();
    let legal = File {
        hierarchy: None,
        ..file
    }
    .bytes()
    .len();
    for len in 0..bytes.len() {
        let (model, _) = read_bytes(bytes[..len].to_vec());
        assert_eq!(model.is_ok(), len == legal, "cut to {len}");
    }
}

#[test]
fn a_model_made_in_code_is_written_and_read_back_equal() {
    let streams = Streams {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        uv_sets: vec![UvSet {
            name: String::new(),
            coords: vec![glam::Vec2::splat(0.25); 3],
        }],
        ..Streams::default()
    };
    let bone = |name: &str, parent, x: f32| Bone {
        name: name.into(),
        parent,
        rest_local: LocalTransform::Trs(Trs {
            translation: Vec3::X * x,
            ..Trs::IDENTITY
        }),
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
            morph_tracks: Vec::new(),
            events: Vec::new(),
        }],
        ..Model::default()
    };
    check::check(&mut model, &Report::new());
    for hierarchy in [false, true] {
        let options = WriteOptions { hierarchy };
        let bytes = write(&model, &Bsm2, &options, &Report::new())
            .unwrap()
            .remove(0)
            .bytes;
        let (back, notes) = read_bytes(bytes.clone());
        let back = back.unwrap();
        assert!(
            notes.iter().all(|n| n.severity() == Severity::Info),
            "{notes:?}"
        );
        assert_eq!(rewritten(&back), bytes);
        assert_eq!(back.skeleton.has_hierarchy(), hierarchy);
        let motion = back.clips[0].as_sampled().unwrap();
        assert_eq!(
            (motion.keys.num_keys(), motion.duration_ns),
            (31, 1_000_000_000)
        );
        for key in [0u32, 15, 30] {
            let source = PoseSpec {
                moment: Moment::TimeSecs(0.5 + f64::from(key) / 30.0),
                ..PoseSpec::default()
            };
            let stored = PoseSpec {
                moment: Moment::Key(key),
                ..PoseSpec::default()
            };
            let (expected, found) = (skin_model(&model, &source), skin_model(&back, &stored));
            for (a, b) in expected[0].positions.iter().zip(&found[0].positions) {
                // Half weights store as 128 and 127: the tip moves by 4.
                assert!(a.distance(*b) < 4.0 / 255.0, "key {key}: {a} {b}");
            }
        }
    }
}

#[test]
fn models_too_large_for_the_format_are_refused_with_the_counts() {
    let mut model = read_ok(&file()).0;
    model.meshes[0].vertices = VertexData::Streams(Streams {
        positions: vec![Vec3::ZERO; 70_000],
        ..Streams::default()
    });
    model.meshes[0].skin = Skin::None;
    let error = write(&model, &Bsm2, &WriteOptions::default(), &Report::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bsm2: 70000 vertices exceed the 65536 that can be packed"
    );
}
