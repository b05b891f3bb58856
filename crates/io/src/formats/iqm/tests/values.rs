//! Valid files: values read equal those written.

use glam::{Quat, Vec2, Vec3, Vec4};
use rigscope_core::model::{BoneId, MaterialId, MeshId};

use super::*;
use crate::formats::iqm::IQM;
use crate::formats::{WriteOptions, write};

#[test]
fn a_built_file_has_the_expected_values() {
    let (model, report) = read(built()).unwrap();
    let streams = streams(&model);
    assert_eq!(streams.positions[3], Vec3::new(1.0, 0.0, 3.0));
    assert_eq!(streams.uv_sets[0].coords[1], Vec2::new(0.5, 0.25));
    assert_eq!(streams.normals[0], Vec3::NEG_Y);
    assert_eq!(streams.tangents[0], Vec4::new(1.0, 0.0, 0.0, -1.0));
    assert_eq!(streams.colors[0], color_from_srgb8([255, 51, 0, 255]));
    let mesh = &model.meshes[MeshId(0)];
    assert_eq!(mesh.indices.iter().collect::<Vec<_>>(), [0, 1, 2, 2, 1, 3]);
    assert_eq!(mesh.subsets[1].first_index, 3);
    assert_eq!(mesh.subsets[1].material, Some(MaterialId(1)));
    assert_eq!(model.materials[MaterialId(0)].name, "cloth");
    assert!(model.materials[MaterialId(0)].textures.is_empty());
    assert_eq!(model.materials[MaterialId(1)].textures[0].path, "felt.png");
    assert_eq!(detail(&model, "meshes").unwrap(), "body, hat");
    assert_eq!(detail(&model, "looping clips").unwrap(), "walk");
    assert_eq!(model.axes.winding, Winding::Clockwise);
    assert_eq!(influences(&model, 1), [(0, 0.2), (1, 0.8)]);
    assert_eq!(influences(&model, 3), [(1, 1.0)], "only the first bone moves it");
    assert_eq!(count(&report, FindingKind::VertexWithoutWeights), 1);
    let bones = model.skeleton.bones();
    assert_eq!((bones[BoneId(1)].name.as_str(), bones[BoneId(1)].parent), ("tip", Some(BoneId(0))));
    let skin = inverse_bind(mesh);
    let inverse = skin.bone_from_mesh[1].transform_point3(Vec3::Z * 2.0);
    assert_eq!(inverse, Vec3::ZERO);
    assert_eq!(count(&report, FindingKind::PosesMismatch), 0);
    assert_eq!(count(&report, FindingKind::NotFinite), 0);
}

#[test]
fn a_looping_clip_with_any_name_stays_looping() {
    let mut bytes = built();
    let names = b"walk\0idle\0";
    let at = bytes.windows(names.len()).position(|window| window == names);
    bytes[at.unwrap()..][..4].copy_from_slice(b"a, b");
    let (mut model, _) = read(bytes).unwrap();
    assert_eq!(detail(&model, "looping clips").unwrap(), "a, b");
    // Encoded again rather than copied from the file.
    model.preserved.clear();
    let options = WriteOptions::default();
    let files = write(&model, &IQM, &options, &Report::new()).unwrap();
    let (again, _) = read(files[0].bytes.clone()).unwrap();
    assert_eq!(detail(&again, "looping clips").as_deref(), Some("a, b"));
}

#[test]
fn frames_decode_to_offsets_plus_scaled_values_of_masked_channels() {
    let (model, _) = read(built()).unwrap();
    let [walk, idle] = &*model.clips else { panic!("two clips") };
    assert_eq!((walk.name.as_str(), walk.start_secs), ("walk", 0.0));
    assert!((walk.duration_secs - 0.2).abs() < 1e-9);
    assert_eq!(walk.uniform_keys().unwrap().0, 3);
    let tracks = tracks(walk);
    let still = &tracks[0];
    assert_eq!(still.translation.as_ref().unwrap().values, [Vec3::ZERO]);
    let moved = tracks[1].translation.as_ref().unwrap();
    assert_eq!(moved.times_secs, [0.0, 0.1, 0.2]);
    assert_eq!(
        moved.values,
        [Vec3::new(0.0, 0.0, 2.0), Vec3::new(1.0, 0.0, 2.0), Vec3::new(2.0, 0.0, 3.0)]
    );
    let rotated = &tracks[1].rotation.as_ref().unwrap().values;
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    assert!(rotated[1].abs_diff_eq(quarter, 1e-6));
    assert_eq!(tracks[1].scale.as_ref().unwrap().values, [Vec3::ONE]);
    assert_eq!(idle.duration_secs, 0.0);
    let placed = &rigscope_testing::tracks(idle)[1];
    assert_eq!(placed.translation.as_ref().unwrap().values[0].x, 3.0);
}

#[test]
fn vertices_follow_the_frames() {
    let (model, _) = read(built()).unwrap();
    let rest = skin_model(&model, &PoseSpec::default()).remove(0).positions;
    assert_eq!(rest[2], Vec3::new(1.0, 0.0, 2.0), "the rest pose moves nothing");
    // At 0.1 s the tip is at x = 1, rotated by 90° about z.
    let quarter = posed(&model, "walk", 0.1)[2];
    assert!(quarter.abs_diff_eq(Vec3::new(1.0, 1.0, 2.0), 1e-5), "{quarter}");
    let half = posed(&model, "walk", 0.2)[2];
    assert!(half.abs_diff_eq(Vec3::new(1.0, 0.0, 3.0), 1e-5), "{half}");
}

#[test]
fn poses_without_joints_become_unnamed_bones_for_another_file() {
    let mut file = Builder::new();
    animate(&mut file);
    let animation = file.finish();
    let (model, _) = read(animation.clone()).unwrap();
    assert!(model.meshes.is_empty());
    let bones = model.skeleton.bones();
    assert_eq!((bones.len(), bones[BoneId(1)].parent), (2, Some(BoneId(0))));
    assert_eq!(bones[BoneId(1)].rest_local.to_trs().translation, Vec3::Z * 2.0);

    let (whole, _) = read(built()).unwrap();
    let mut still = built();
    put(&mut still, at::ANIMS, 0);
    let source = Source::new("x.iqm", still)
        .with_related_files(vec![RelatedFile::new("moves.iqm", animation)]);
    let (model, report) = read_source(&source).unwrap();
    assert_eq!(count(&report, FindingKind::AddedClips), 2);
    assert_eq!(posed(&model, "walk", 0.13), posed(&whole, "walk", 0.13));
}

#[test]
fn every_number_format_is_read() {
    let halves = DIGITS.map(|digit| [0u16, 0x3c00, 0x4000, 0x4200][usize::from(digit)]);
    let doubles = DIGITS.map(|digit| f64::from(digit).to_le_bytes());
    let arrays = [
        (0, DIGITS.to_vec()),
        (1, DIGITS.to_vec()),
        (2, u16s(&DIGITS.map(u16::from))),
        (3, u16s(&DIGITS.map(u16::from))),
        (4, u32s(&DIGITS.map(u32::from))),
        (5, u32s(&DIGITS.map(u32::from))),
        (6, u16s(&halves)),
        (7, positions()),
        (8, doubles.as_flattened().to_vec()),
    ];
    for (format, bytes) in arrays {
        let (model, _) = read(with_array(0, (0, format, 3, bytes))).unwrap();
        assert_eq!(streams(&model).positions[3], Vec3::new(1.0, 0.0, 3.0), "{format}");
    }
    let normals = [0u8, 0x81, 0].repeat(4);
    let (model, _) = read(with_array(2, (2, 0, 3, normals))).unwrap();
    assert_eq!(streams(&model).normals[0], Vec3::NEG_Y);
    let indexes = u32s(&[0, 1, 1, 1]);
    let (model, _) = read(with_array(4, (4, 5, 1, indexes))).unwrap();
    assert_eq!(influences(&model, 0), [(0, 1.0)]);
    let weights = f32s(&[1.0, 0.0, 0.5, 0.5, 1.0, 0.0, 1.0, 0.0]);
    let (model, _) = read(with_array(5, (5, 7, 2, weights))).unwrap();
    assert_eq!(influences(&model, 1), [(0, 0.5), (1, 0.5)]);
    let colors = u16s(&[65535, 0, 13107].repeat(4));
    let (model, _) = read(with_array(6, (6, 3, 3, colors))).unwrap();
    assert_eq!(streams(&model).colors[0], color_from_srgb8([255, 0, 51, 255]));
}

#[test]
fn custom_arrays_comment_and_extensions_are_listed_and_preserved() {
    let mut file = builder();
    let kind = 0x10 + file.name("wind");
    file.arrays.push((kind, 1, 2, vec![7; 8]));
    file.table(at::COMMENT, 6, b"hello\0");
    let data = file.append(b"data");
    let names = [file.name("EXT_A"), file.name("EXT_B")];
    let second = file.append(&u32s(&[names[1], 0, 0, 0]));
    let first = file.append(&u32s(&[names[0], 4, data, second]));
    put(&mut file.bytes, at::EXTENSIONS, 2);
    put(&mut file.bytes, at::EXTENSIONS + 4, first);
    let mut bytes = file.finish();
    bytes.extend_from_slice(b"end");
    let (model, report) = read(bytes).unwrap();
    assert_eq!(detail(&model, "custom vertex arrays").unwrap(), "wind");
    assert_eq!(detail(&model, "comment").unwrap(), "hello");
    assert_eq!(detail(&model, "extensions").unwrap(), "EXT_A, EXT_B");
    let kept = |what| model.preserved(ID, what).map(|bytes| bytes.to_vec());
    assert_eq!(kept("custom vertex array").unwrap(), [7; 8]);
    assert_eq!(kept("extension").unwrap(), b"data");
    assert_eq!(kept("trailing").unwrap(), b"end");
    assert_eq!(count(&report, FindingKind::TrailingBytes), 1);
}

#[test]
fn a_cyclic_list_of_extensions_ends() {
    let mut file = builder();
    let name = file.name("EXT_A");
    let own = number(file.bytes.len());
    file.append(&u32s(&[name, 0, 0, own]));
    put(&mut file.bytes, at::EXTENSIONS, u32::MAX);
    put(&mut file.bytes, at::EXTENSIONS + 4, own);
    let (model, report) = read(file.finish()).unwrap();
    assert_eq!(detail(&model, "extensions").unwrap(), "EXT_A");
    assert_eq!(count(&report, FindingKind::Dropped), 1);
}

#[test]
fn spans_map_offsets_to_records() {
    let bytes = built();
    let (model, _) = read(bytes.clone()).unwrap();
    let spans = &model.provenance;
    let joints = stored(&bytes, at::JOINTS + 4) as u64;
    assert_eq!(spans.at(joints + 50).unwrap().span.element, Element::Bone);
    let anims = stored(&bytes, at::ANIMS + 4) as u64;
    let anim = spans.at(anims + 20).unwrap().span;
    assert_eq!(anim.element, Element::ClipHeader { clip: 1 });
    let positions = stored(&bytes, stored(&bytes, at::ARRAYS) + 16) as u64;
    let span = spans.at(positions + 12).unwrap().span;
    assert_eq!((span.element, span.stride), (Element::Vertex { mesh: 0 }, 12));
}
