//! Reading every variant, lenient grammar, and untrusted files.

use super::scene::{NUM_FRAMES, PLAIN, Scene, Spelling};
use crate::formats::{
    Confidence, ProbeInput, ReadError, ReadOptions, RelatedFile, Source, bonespro::BONESPRO, open,
};
use rigscope_core::model::{BoneId, ClipId, Detail, Finding, FindingKind, MeshId, Model, Report};
use rigscope_core::pose::{Moment, PoseSpec, Sampling, skin_model};

const ORDERS: [&str; 9] = ["XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX", "XYX", "YZY", "ZXZ"];

pub(super) fn read(main: &str, others: &[&str]) -> Result<(Model, Vec<Finding>), ReadError> {
    read_bytes(main.as_bytes(), others)
}

fn read_bytes(main: &[u8], others: &[&str]) -> Result<(Model, Vec<Finding>), ReadError> {
    let related_files = others
        .iter()
        .enumerate()
        .map(|(number, text)| RelatedFile::new(format!("{number}.txt"), text.as_bytes().to_vec()));
    let source = Source::new("main.txt", main.to_vec()).with_related_files(related_files.collect());
    let options =
        ReadOptions { format: Some("bonespro".into()), fps: Some(20.0), ..ReadOptions::default() };
    let report = Report::new();
    let opened = open(&source, &options, &report)?;
    Ok((opened.model, report.findings()))
}

fn has(findings: &[Finding], kind: FindingKind) -> bool {
    findings.iter().any(|finding| finding.kind == kind)
}

/// Compares a clip's vertices with the scene in every frame.
pub(super) fn assert_moves_as(scene: &Scene, model: &Model, clip: &str, what: &str) {
    for frame in 0..NUM_FRAMES {
        let spec = PoseSpec {
            clip: model.find_clip(clip),
            // Every second frame, at 20 per second.
            moment: Moment::TimeSecs(frame as f64 * 0.1),
            sampling: Sampling::Linear,
            ..PoseSpec::default()
        };
        let skinned = skin_model(model, &spec).remove(0).positions;
        for (vertex, at) in skinned.into_iter().enumerate() {
            let known = scene.vertex(vertex, frame).as_vec3();
            assert!(at.abs_diff_eq(known, 1e-4), "{what} {clip} {frame} {vertex}: {at} {known}");
        }
    }
}

#[test]
fn every_rotation_notation_moves_the_vertices_the_same_way() {
    let mut spellings = vec![PLAIN];
    for euler in ORDERS {
        for is_radians in [false, true] {
            spellings.push(Spelling { euler: Some(euler), is_radians, ..PLAIN });
        }
    }
    for is_relative in [false, true] {
        for &spelling in &spellings {
            let scene = Scene(Spelling { is_relative, ..spelling });
            let texts = [scene.bones(), scene.vertices(), scene.vertices_of_bones()];
            let others: Vec<&str> = texts.iter().map(String::as_str).collect();
            let what = format!("{:?} {is_relative}", spelling.euler);
            // Only with its structure, so that only documented facts can be used.
            let (model, findings) = read(&scene.structure(), &others[..1]).unwrap();
            assert_moves_as(&scene, &model, "0", &what);
            assert!(!has(&findings, FindingKind::DurationMismatch), "{findings:?}");
            let (model, findings) = read(&scene.structure(), &others).unwrap();
            for clip in ["0", "1", "2"] {
                assert_moves_as(&scene, &model, clip, &what);
            }
            assert!(!has(&findings, FindingKind::OtherConvention), "{what} {findings:?}");
            assert!((model.clips[ClipId(0)].duration_secs - 0.2).abs() < 1e-6);
        }
    }
}

#[test]
fn a_different_convention_is_detected_from_the_vertices() {
    for bits in 1..16u8 {
        let scene = Scene(Spelling {
            is_relative: bits & 1 != 0,
            euler: Some("ZXY"),
            is_column: bits & 1 != 0,
            is_rotating: bits & 2 != 0,
            is_negative: bits & 4 != 0,
            scales: bits & 8 != 0,
            ..PLAIN
        });
        let (bones, vertices) = (scene.bones(), scene.vertices());
        let (model, findings) = read(&scene.structure(), &[&bones, &vertices]).unwrap();
        assert_moves_as(&scene, &model, "0", &format!("{bits:04b}"));
        assert!(has(&findings, FindingKind::OtherConvention), "{bits:04b}");
        let detail = model.details.iter().find(|(name, _)| *name == "convention");
        let Some((_, Detail::Text(text))) = detail else { panic!("no convention") };
        assert_eq!(text.contains("column"), scene.0.is_column);
        assert_eq!(text.contains("rotating"), scene.0.is_rotating);
        assert_eq!(text.contains("boxes scale"), scene.0.scales);
    }
    // Without vertices a growing box is only reported.
    let scene = Scene(Spelling { scales: true, ..PLAIN });
    let (_, findings) = read(&scene.structure(), &[&scene.bones()]).unwrap();
    assert!(has(&findings, FindingKind::BoxSizeVaries));
}

#[test]
fn quotes_case_comments_titles_and_line_breaks_do_not_matter() {
    let scene = Scene(Spelling { is_relative: true, euler: Some("YZX"), ..PLAIN });
    let structure = scene.structure();
    let bones = scene.bones();
    let (plain, _) = read(&structure, &[&bones]).unwrap();
    let odd_bones = bones
        .replace("Bones\n", "  \u{201c}BONES\u{201d}  // mode\r\n\r\n")
        .replace("Relative to parent", "\"relative TO parent\"")
        .replace("Euler Angles", "'Euler angles'")
        .replace("YZX", "\u{201c}yzx\u{201d}")
        .replace("Degrees", "deg");
    let odd_bones = format!("Begin animation file\n{odd_bones}\nEnd animation file\n");
    let odd_structure = format!("\n// made by hand\nBegin structure file\n{structure}end\n")
        .replace("<Bone 0>\n1", "<Bone // 0> 1 // child")
        .replace('\n', "\r\n");
    let (odd, findings) = read(&odd_structure, &[&odd_bones]).unwrap();
    assert_eq!(odd.skeleton.bones()[BoneId(0)].name, "Bone // 0");
    assert_eq!(odd.skeleton.bones()[BoneId(1)], plain.skeleton.bones()[BoneId(1)]);
    assert_eq!(odd.clips, plain.clips);
    assert!(!has(&findings, FindingKind::TrailingBytes), "{findings:?}");
    let (_, findings) = read(&format!("{structure}7 8 9"), &[]).unwrap();
    assert!(has(&findings, FindingKind::TrailingBytes));
}

#[test]
fn names_are_windows_1252_and_may_be_quoted() {
    for (quoted, name) in [
        ("\"Bone 0\"", "Bone 0"),
        ("  \"a//b\" // c", "a//b"),
        ("'a // b'", "a // b"),
        ("<//>//>", "//"),
    ] {
        let text = scene_text().replace("<Bone 0>", quoted);
        let (model, _) = read(&text, &[]).unwrap();
        assert_eq!(model.skeleton.bones()[BoneId(0)].name, name);
    }
    let mut bytes = scene_text().into_bytes();
    let at = bytes.windows(6).position(|w| w == b"Bone 1").unwrap();
    bytes[at..at + 4].copy_from_slice(b"K\xf6rp");
    let (model, _) = read_bytes(&bytes, &[]).unwrap();
    assert_eq!(model.skeleton.bones()[BoneId(1)].name, "K\u{f6}rp 1");
}

fn scene_text() -> String {
    Scene(PLAIN).structure()
}

#[test]
fn parents_may_follow_children_but_cycles_are_errors() {
    let (model, findings) = read(&scene_text(), &[]).unwrap();
    let parents: Vec<_> = model.skeleton.bones().iter().map(|b| b.parent.map(|p| p.0)).collect();
    assert_eq!(parents, [Some(1), Some(2), None]);
    assert!(!has(&findings, FindingKind::ParentOutOfRange));
    let circle = scene_text().replace("<Bone 2>\n*", "<Bone 2>\n0");
    let error = read(&circle, &[]).unwrap_err();
    assert!(matches!(error, ReadError::Malformed(_)), "{error}");
    for odd in ["2", "3", "-1", "99999999999"] {
        let text = scene_text().replace("<Bone 2>\n*", &format!("<Bone 2>\n{odd}"));
        let (model, findings) = read(&text, &[]).unwrap();
        assert_eq!(model.skeleton.bones()[BoneId(2)].parent, None);
        assert!(has(&findings, FindingKind::ParentOutOfRange), "{odd}");
    }
}

#[test]
fn non_finite_numbers_are_replaced_and_reported() {
    let text = scene_text().replace("10 2 3\n", "1.#QNAN nan 3\n");
    let (model, findings) = read(&text, &[]).unwrap();
    assert!(has(&findings, FindingKind::NotFinite));
    assert!(model.meshes[MeshId(0)].position(0).unwrap().is_finite());
}

#[test]
fn weights_are_read_unchanged_and_wrong_sums_are_reported() {
    let (model, findings) = read(&scene_text(), &[]).unwrap();
    let mut weights = Vec::new();
    model.meshes[MeshId(0)].for_each_influence(3, |bone, weight| weights.push((bone.0, weight)));
    assert_eq!(weights, [(1, 0.6), (2, 0.39)]);
    assert!(has(&findings, FindingKind::WeightsNotNormalized));
}

#[test]
fn counts_larger_than_the_text_are_refused() {
    let huge = "99999999999";
    let zeros = "0 ".repeat(400);
    let words = "Absolute\nMatrix\nXYZ\nDegrees\n0\n9\n1\n";
    let mut texts = vec![
        format!("{huge} 1\n<a>\n*\n{zeros}"),
        format!("1 {huge}\n<a>\n*\n{zeros}"),
        format!("1 1\n<a>\n*\n{}\n0 0 0\n{huge} {zeros}", "0 ".repeat(27)),
        format!("-1 -1\n{zeros}"),
    ];
    for mode in ["Bones", "Mesh (absolute)", "Mesh (bones c.s)"] {
        for counts in [(huge, "1", "1"), ("1", "1", huge), (huge, huge, huge), ("0", "0", huge)] {
            let (bones, vertices, frames) = counts;
            texts.push(format!("{bones}\n{vertices}\n{frames}\n{mode}\n{words}{zeros}"));
        }
    }
    texts.push(format!("1\n{huge}\n1\nMesh (absolute)\n{words}{zeros}"));
    texts.push(format!("1\n{huge}\n1\nMesh (bones c.s)\n{words}0 0\n"));
    texts.push(format!("1\n2\n1\nMesh (bones c.s)\n{words}0 1 2 0 0 0\n"));
    texts.push(format!("1\n2\n1\nMesh (bones c.s)\n{words}1 1 0 0 0 0\n"));
    for text in texts {
        assert!(read(&text, &[]).is_err(), "{text}");
    }
}

#[test]
fn truncated_files_are_refused() {
    let scene = Scene(PLAIN);
    let texts = [scene.structure(), scene.bones(), scene.vertices(), scene.vertices_of_bones()];
    for text in texts {
        // A last number with missing digits is still a number.
        let end = text.trim_end().rfind(char::is_whitespace).unwrap();
        for len in 0..=end {
            assert!(read(&text[..len], &[]).is_err(), "cut to {len}");
        }
        assert!(read(&text, &[]).is_ok());
    }
}

#[test]
fn a_wrong_frame_count_and_an_assumed_rate_are_reported() {
    let text = Scene(PLAIN).vertices().replace("10\n14\n2\n", "10\n20\n2\n");
    let source = Source::new("main.txt", text.into_bytes());
    let report = Report::new();
    let model = open(&source, &ReadOptions::default(), &report).unwrap().model;
    assert!(has(&report.findings(), FindingKind::DurationMismatch));
    assert!(has(&report.findings(), FindingKind::AssumedFps));
    assert!((model.clips[ClipId(0)].duration_secs - 4.0 / 30.0).abs() < 1e-9);
}

#[test]
fn the_probe_distinguishes_exports_from_other_text() {
    let scene = Scene(PLAIN);
    let own = [scene.structure(), scene.bones(), scene.vertices(), scene.vertices_of_bones()];
    for text in own {
        let confidence = (BONESPRO.probe)(&ProbeInput::of(text.as_bytes()));
        assert_eq!(confidence, Confidence::Strong);
    }
    for text in ["", "3\n4\n", "3\n4\n5\nBones of contention\n", "# obj\nv 1 2 3\n", "3 4\n<xml>\n"]
    {
        let confidence = (BONESPRO.probe)(&ProbeInput::of(text.as_bytes()));
        assert_eq!(confidence, Confidence::No, "{text}");
    }
}

#[test]
fn every_encoding_and_line_ending_is_recognized_and_gives_the_same_model() {
    let text = scene_text();
    let (expected, _) = read(&text, &[]).unwrap();
    for end in ["\n", "\r\n", "\r"] {
        let text = text.replace("\r\n", "\n").replace('\n', end);
        let marked = format!("\u{feff}{text}");
        let wide = |bytes: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(bytes).collect();
        let all: [Vec<u8>; 4] = [
            text.clone().into_bytes(),
            marked.clone().into_bytes(),
            wide(u16::to_le_bytes),
            wide(u16::to_be_bytes),
        ];
        for (number, bytes) in all.into_iter().enumerate() {
            let probed = (BONESPRO.probe)(&ProbeInput::of(&bytes));
            assert_eq!(probed, Confidence::Strong, "{number} {end:?}");
            let (model, _) = read_bytes(&bytes, &[]).unwrap();
            assert_eq!(model.num_vertices(), expected.num_vertices());
            assert_eq!(model.skeleton, expected.skeleton, "{number} {end:?}");
        }
    }
}
