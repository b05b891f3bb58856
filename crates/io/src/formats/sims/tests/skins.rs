//! SKN and BMF: known numbers, tolerance, and damage.

use glam::Vec3;

use super::super::{BMF, SKN, parse};
use super::bytes::{bmf, skn};
use super::{SKELETON, count, open_beside, tiny};
use crate::formats::{Confidence, ProbeInput, ReadOptions, WriteOptions, write};
use rigscope_core::model::{
    BoneId, FindingKind, MeshId, Model, Provenance, Report, Skin as ModelSkin,
};
use rigscope_core::pose::{PoseSpec, skin_model};

const BESIDE: [(&str, &[u8]); 1] = [("adult-skeleton.cmx", SKELETON.as_bytes())];

/// Opens a binary skin with the skeleton in the same folder.
fn opened(skin: &super::super::skin_file::Skin) -> (Model, Vec<rigscope_core::model::Finding>) {
    let (opened, findings) = open_beside("tiny.bmf", bmf(skin), &BESIDE);
    (opened.unwrap().model, findings)
}

fn influences(model: &Model, vertex: usize) -> Vec<(u32, f32, Vec3)> {
    let ModelSkin::BoneLocal(skin) = &model.meshes[MeshId(0)].skin else { panic!("bone-local") };
    let mut found = Vec::new();
    skin.for_each(vertex, |i| found.push((i.bone.0, i.weight, i.position)));
    found
}

#[test]
fn text_and_binary_skins_are_equal_with_any_line_ending() {
    let (skin, options) = (tiny(), ReadOptions::default());
    let report = Report::new();
    let read = parse::bmf(&bmf(&skin), &options, &report).unwrap();
    assert!(read == skin);
    for end in ["\r\n", "\n", " \t\r\n"] {
        let text = skn(&skin, end);
        let read = parse::skn(text.as_bytes(), &options, &report).unwrap();
        assert!(read == skin, "{end:?}");
    }
    assert!(report.findings().is_empty());
}

#[test]
fn vertices_are_blended_between_their_two_bones() {
    let (model, _) = opened(&tiny());
    // PELVIS rotates x to y at (0, 4, 0), SPINE likewise at (0, 5, 0).
    let known = [[0.75, 3.375, 0.0], [0.0, 5.0, 0.0], [0.0, 4.0, 3.0], [-0.5, 5.0, 0.5]];
    let skinned = skin_model(&model, &PoseSpec::default()).remove(0);
    for (found, known) in skinned.positions.iter().zip(known) {
        assert!(found.distance(known.into()) < 1e-5, "{found} {known:?}");
    }
    let root = (0, 0.75, Vec3::X);
    assert_eq!(influences(&model, 0), [root, (1, 0.25, Vec3::X * 0.5)]);
    assert_eq!(model.meshes[MeshId(0)].uv(3).unwrap().to_array(), [1.25, -0.25]);
}

#[test]
fn blank_lines_are_skipped_only_before_numbers() {
    let options = ReadOptions::default();
    let text = "name\n\n1\nHEAD\n\n1\n 0\t0   0\n\n1\n0 0 1 -1 0\n1\n0 0\n\n0\n1\n\n1 2 -5.88894e-005 0 0 1";
    let skin = parse::skn(text.as_bytes(), &options, &Report::new()).unwrap();
    assert_eq!((&*skin.name, &*skin.texture), ("name", ""));
    assert_eq!(skin.bones, ["HEAD"]);
    assert_eq!(skin.vertices[0].position, [1.0, 2.0, -5.888_94e-5]);
    let (opened, findings) = open_beside("a.skn", text, &[]);
    assert_eq!(opened.unwrap().model.skeleton.bones()[BoneId(0)].name, "HEAD");
    assert_eq!(count(&findings, FindingKind::MissingSkeleton), 0);
}

#[test]
fn trailing_bytes_are_reported_and_truncation_is_an_error() {
    let mut bytes = bmf(&tiny());
    assert_eq!(bytes.len(), 325);
    for len in 0..bytes.len() {
        let (opened, _) = open_beside("tiny.bmf", &bytes[..len], &BESIDE);
        assert!(opened.is_err(), "cut to {len}");
    }
    bytes.push(0);
    let (_, findings) = open_beside("tiny.bmf", bytes, &BESIDE);
    assert_eq!(count(&findings, FindingKind::TrailingBytes), 1);
}

#[test]
fn missing_bones_are_replaced_and_reported() {
    let mut skin = tiny();
    skin.bindings[1].bone = 7;
    let (model, findings) = opened(&skin);
    assert_eq!(count(&findings, FindingKind::BrokenRecord), 1);
    assert_eq!(influences(&model, 2)[0].0, 0, "the first bone of the list");
    let mut skin = tiny();
    skin.bones[2] = "TAIL".into();
    let (model, findings) = opened(&skin);
    assert_eq!(count(&findings, FindingKind::BoneNotInSkeleton), 1);
    assert_eq!(influences(&model, 3)[1].0, 0, "the root");
    let mut skin = tiny();
    skin.bones[1] = "pelvis".into();
    assert_eq!(count(&opened(&skin).1, FindingKind::BoneNotInSkeleton), 0);
}

#[test]
fn out_of_range_bindings_faces_and_blends_are_left_out_and_reported() {
    type Change = fn(&mut super::super::skin_file::Skin);
    let changes: [(Change, FindingKind, u64); 9] = [
        (|s| s.faces[0] = [0, 1, 4], FindingKind::BrokenRecord, 1),
        (|s| s.faces[1] = [-1, 1, 2], FindingKind::BrokenRecord, 1),
        (|s| s.blends[0].vertex = 4, FindingKind::BrokenRecord, 1),
        (|s| s.blends[0].vertex = -1, FindingKind::BrokenRecord, 1),
        (|s| s.blends[0].weight = 40_000, FindingKind::WeightsNotNormalized, 1),
        (|s| s.bindings[0].num_raw = i32::MAX, FindingKind::BrokenRecord, 3),
        (|s| s.bindings[0].num_raw = -5, FindingKind::VertexWithoutWeights, 2),
        (|s| s.bindings[1].first_blend = i32::MIN, FindingKind::BrokenRecord, 2),
        (|s| s.bindings[0].first_raw = 1, FindingKind::VertexWithoutWeights, 1),
    ];
    for (number, (change, kind, num)) in changes.into_iter().enumerate() {
        let mut skin = tiny();
        change(&mut skin);
        let (model, findings) = opened(&skin);
        assert_eq!(count(&findings, kind), num, "change {number}: {findings:?}");
        assert_eq!(model.num_vertices(), 4);
    }
    let mut skin = tiny();
    skin.vertices.pop();
    let (opened, _) = open_beside("tiny.bmf", bmf(&skin), &BESIDE);
    assert!(opened.err().unwrap().to_string().contains("number of vertices 5 is less than"));
}

#[test]
fn non_finite_numbers_are_read_as_zero() {
    let mut skin = tiny();
    skin.vertices[0].position[1] = f32::NAN;
    skin.vertices[5].normal[0] = f32::INFINITY;
    skin.uvs[0][0] = f32::NAN;
    let (model, findings) = opened(&skin);
    assert_eq!(count(&findings, FindingKind::NotFinite), 3, "{findings:?}");
    assert_eq!(influences(&model, 0)[0].2, Vec3::X);
    let skinned = skin_model(&model, &PoseSpec::default()).remove(0);
    assert!(skinned.positions.iter().all(|p| p.is_finite()));
    let text = skn(&tiny(), "\n").replace("1 0 0 0 0 1", "1.#QNAN -1.#IND 0 0 0 1");
    let (_, findings) = open_beside("a.skn", text, &BESIDE);
    assert_eq!(count(&findings, FindingKind::NotFinite), 1);
}

#[test]
fn zero_length_normals_stay_zero_for_flat_shading() {
    let mut skin = tiny();
    skin.vertices[1].normal = [0.0; 3];
    let (model, findings) = opened(&skin);
    assert_eq!(count(&findings, FindingKind::ZeroNormal), 1);
    let skinned = skin_model(&model, &PoseSpec::default()).remove(0);
    assert_eq!(skinned.normals[1], Vec3::ZERO);
}

#[test]
fn the_skeleton_of_the_same_age_is_preferred() {
    let child = SKELETON.replace("adult", "child");
    let beside = [
        ("a.cmx", SKELETON.as_bytes()),
        ("adult-skeleton.cmx", SKELETON.as_bytes()),
        ("child-skeleton.cmx", child.as_bytes()),
        ("child-skeleton-broken.cmx", b"version 300\n1\n".as_slice()),
    ];
    let bytes = bmf(&tiny());
    for (name, age) in [
        ("xskin-b001fafit_x-PELVIS-BODY.bmf", "adult of adult-skeleton.cmx"),
        ("xskin-b002ucchd_x-PELVIS-BODY.bmf", "child of child-skeleton.cmx"),
        ("other.bmf", "adult of adult-skeleton.cmx"),
    ] {
        let (opened, _) = open_beside(name, bytes.clone(), &beside);
        let details = format!("{:?}", opened.unwrap().model.details);
        assert!(details.contains(age), "{name}: {details}");
    }
}

#[test]
fn excessive_counts_allocate_nothing() {
    let bytes = bmf(&tiny());
    for at in 0..bytes.len() - 4 {
        for value in [i32::MAX, -1, i32::MIN, 0x0100_0000] {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let (opened, _) = open_beside("tiny.bmf", changed, &BESIDE);
            if let Ok(opened) = opened {
                assert!(opened.model.num_vertices() <= 10);
            }
        }
    }
    for (at, _) in skn(&tiny(), "\n").lines().enumerate() {
        for value in ["2147483647", "-1", "99999999999999999999", "nan", ""] {
            let text = skn(&tiny(), "\n");
            let mut lines: Vec<&str> = text.lines().collect();
            lines[at] = value;
            let (opened, _) = open_beside("tiny.skn", lines.join("\n"), &BESIDE);
            if let Ok(opened) = opened {
                assert!(opened.model.num_vertices() <= 10);
            }
        }
    }
}

#[test]
fn bindings_that_repeat_all_vertices_are_rejected_quickly() {
    let mut skin = tiny();
    let all = skin.bindings[0];
    skin.uvs = vec![[0.0; 2]; 10_000];
    skin.vertices = vec![skin.vertices[0]; 10_002];
    skin.bindings = vec![super::Binding { first_raw: 0, num_raw: 10_000, ..all }; 10_000];
    let (_, findings) = opened(&skin);
    assert!(count(&findings, FindingKind::BrokenRecord) > 0);
}

#[test]
fn a_skin_without_bones_or_vertices_opens() {
    let mut skin = tiny();
    skin.bones.clear();
    let (model, findings) = opened(&skin);
    assert_eq!(model.skeleton.len(), 1);
    assert!(count(&findings, FindingKind::BrokenRecord) > 0);
    let empty =
        super::Skin { name: "empty".into(), bones: vec!["HEAD".into()], ..super::Skin::default() };
    let (model, _) = opened(&empty);
    assert_eq!(model.num_vertices(), 0);
    assert_eq!(BoneId(0).index(), 0);
}

#[test]
fn probes_check_the_field_structure() {
    let (binary, text) = (bmf(&tiny()), skn(&tiny(), "\r\n"));
    let as_bmf = |bytes: &[u8]| (BMF.probe)(&ProbeInput::of(bytes));
    let as_skn = |bytes: &[u8]| (SKN.probe)(&ProbeInput::of(bytes));
    assert_eq!(as_bmf(&binary), Confidence::Strong);
    assert_eq!(as_skn(text.as_bytes()), Confidence::Strong);
    assert_eq!(as_skn(&binary), Confidence::No);
    assert_eq!(as_bmf(text.as_bytes()), Confidence::No);
    for other in [&b""[..], &[0; 400], &[0xff; 400], b"a\nb\n3\n", b"{\"a\": 1}"] {
        assert_eq!((as_bmf(other), as_skn(other)), (Confidence::No, Confidence::No));
    }
    // The beginning is enough to detect a file larger than the window.
    let mut large = tiny();
    large.faces = vec![[0, 1, 2]; 20_000];
    assert_eq!(as_bmf(&bmf(&large)), Confidence::Strong);
    assert_eq!(as_skn(skn(&large, "\n").as_bytes()), Confidence::Strong);
}

/// A text as two-byte characters after a byte order mark.
fn wide(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

#[test]
fn every_encoding_and_line_ending_is_recognized_and_gives_the_same_skin() {
    for end in ["\r\n", "\n", "\r", "\r\r\n"] {
        let text = skn(&tiny(), end);
        let skeleton = SKELETON.replace("\r\n", "\n").replace('\n', end);
        let encode = [
            |text: &str| text.as_bytes().to_vec(),
            |text: &str| [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            |text: &str| wide(text, u16::to_le_bytes),
            |text: &str| wide(text, u16::to_be_bytes),
        ];
        for (number, encode) in encode.into_iter().enumerate() {
            let beside = encode(&skeleton);
            let beside: [(&str, &[u8]); 1] = [("adult-skeleton.cmx", &beside)];
            let (opened, findings) = open_beside("tiny", encode(&text), &beside);
            let opened = opened.unwrap();
            assert_eq!(opened.format.info.id, "skn", "{number} {end:?}");
            assert_eq!(count(&findings, FindingKind::MissingSkeleton), 0, "{number} {end:?}");
            assert_eq!(influences(&opened.model, 0).len(), 2, "{number} {end:?}");
            let (opened, _) = open_beside("adult", encode(&skeleton), &[]);
            assert_eq!(opened.unwrap().format.info.id, "cmx", "{number} {end:?}");
        }
    }
}

#[test]
fn truncated_text_is_reported_with_line_and_column() {
    let text = skn(&tiny(), "\r");
    for end in 0..text.len() {
        let read = parse::skn(&text.as_bytes()[..end], &ReadOptions::default(), &Report::new());
        let Err(error) = read else { continue };
        let place = error.place().unwrap();
        let has_column = matches!(place, rigscope_core::model::Place::Line { column: Some(_), .. });
        assert!(has_column, "cut at {end}: {error}");
    }
    let error = |from: &str, to: &str| {
        let text = skn(&tiny(), "\r").replacen(from, to, 1);
        let read = parse::skn(text.as_bytes(), &ReadOptions::default(), &Report::new());
        read.unwrap_err().to_string()
    };
    assert_eq!(
        error("0 1 2", "0 one 2"),
        "\"one\" is not a whole number (SKN face vertex at line 8, column 3)"
    );
}

#[test]
fn names_that_look_like_a_byte_order_mark_do_not_change_the_encoding() {
    for name in ["\u{ff}\u{fe}a", "\u{fe}\u{ff}ab", "\u{ef}\u{bb}\u{bf}a"] {
        let mut skin = tiny();
        skin.name = name.into();
        let report = Report::new();
        let bytes = super::super::encode::skn(&mut skin, "\n", &report).unwrap();
        let read = parse::skn(&bytes, &ReadOptions::default(), &report).unwrap();
        assert_eq!(read.name, format!("_{name}"));
        assert_eq!(count(&report.findings(), FindingKind::ChangedName), 1);
    }
}

#[test]
fn an_unweighted_vertex_is_written_at_its_position() {
    let (mut model, _) = opened(&tiny());
    let kept: Vec<Vec3> = influences(&model, 2).iter().map(|i| i.2).collect();
    let ModelSkin::BoneLocal(skin) = &mut model.meshes[MeshId(0)].skin else {
        panic!("bone-local")
    };
    let (from, to) = (skin.first[1], skin.first[2]);
    skin.influences.drain(from as usize..to as usize);
    skin.first.iter_mut().skip(2).for_each(|at| *at -= to - from);
    model.preserved.clear();
    model.provenance = Provenance::default();
    let options = WriteOptions { stem: "tiny".into(), ..WriteOptions::default() };
    let files = write(&model, &BMF, &options, &Report::new()).unwrap();
    let (again, _) = open_beside("tiny.bmf", files[0].bytes.clone(), &BESIDE);
    let again = again.unwrap().model;
    assert_eq!(again.num_vertices(), model.num_vertices());
    let written: Vec<Vec3> = influences(&again, 2).iter().map(|i| i.2).collect();
    assert_eq!(written, kept);
}
