//! CMX and BCF: skeletons, suits, skills, and damage.

use super::super::{BCF, CMX, parse};
use super::bytes::bmf;
use super::{SKELETON, count, open_beside, tiny};
use crate::formats::{Confidence, ProbeInput, ReadOptions};
use rigscope_core::model::ClipId;
use rigscope_core::pose::{PoseSpec, sample};
use rigscope_testing::*;

/// One suit of two skins.
const SUIT: &str = "// c\nversion 300\n0\n1\nsuit\n0\n0\n2\nHEAD\ntiny\n0\n0\nHEAD\nhat\n0\n0\n0\n";

/// A skill of two frames that moves ROOT and an unknown bone.
fn skill(frames: &str, duration: &str, first: &str) -> String {
    format!(
        "// c\nversion 300\n0\n0\n1\na2o-x\nvalues\n{duration}\n2.5\n1\n2\n0\n2\n\
         ROOT\n{frames}\n{duration}\n1\n0\n{first}\n-1\n1\n1\ncanblend\n0\n1\n2\n\
         33\n1\nxevt\n7\n66\n1\nsound\nstep\nTAIL\n2\n66\n1\n0\n0\n-1\n0\n0\n"
    )
}

/// x 0 and 1, y and z 3.
fn values() -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in [0.0f32, 1.0, 3.0] {
        bytes.push(0xff);
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0xfe, 2, 0]);
    bytes
}

#[test]
fn bones_are_linked_by_name_with_correct_rotations() {
    let (opened, findings) = open_beside("a.cmx", SKELETON, &[]);
    let model = opened.unwrap().model;
    let names: Vec<_> = model.skeleton.bones().iter().map(|b| &*b.name).collect();
    assert_eq!(names, ["ROOT", "PELVIS", "SPINE"]);
    let spine = sample(&model, &PoseSpec::default()).model_from_bone[BoneId(2)];
    assert!(spine.translation.abs_diff_eq(glam::Vec3A::new(0.0, 5.0, 0.0), 1e-6));
    assert_eq!(count(&findings, FindingKind::UnknownVersion), 0);
    assert_eq!(model.details[0], ("skeletons", Detail::Int(1)));
}

#[test]
fn unknown_versions_comments_and_trailing_text_are_read() {
    let cases = [
        (SKELETON.replace("300", "200"), Some(FindingKind::UnknownVersion)),
        (SKELETON.replace("300", "new"), Some(FindingKind::UnknownVersion)),
        (SKELETON.replace("// a comment\r\n", ""), None),
        (SKELETON.replace("\r\n", "\n"), None),
        (format!("{SKELETON}\r\n \r\n"), None),
        (SKELETON.trim_end().to_owned(), None),
        (format!("{SKELETON}7\n"), Some(FindingKind::TrailingBytes)),
    ];
    for (text, kind) in cases {
        let (opened, findings) = open_beside("a.cmx", text.clone(), &[]);
        assert_eq!(opened.unwrap().model.skeleton.len(), 3, "{text}");
        let kinds = [FindingKind::UnknownVersion, FindingKind::TrailingBytes];
        for known in kinds {
            assert_eq!(count(&findings, known), u64::from(kind == Some(known)), "{text}");
        }
    }
    let (opened, _) = open_beside("a.cmx", SKELETON.replace("version", "vision"), &[]);
    assert!(opened.err().unwrap().to_string().contains("no line"));
}

#[test]
fn missing_parents_are_reported_and_cycles_are_errors() {
    let missing = SKELETON.replace("SPINE\r\nPELVIS", "SPINE\r\nCHEST");
    let (opened, findings) = open_beside("a.cmx", missing, &[]);
    assert_eq!(opened.unwrap().model.skeleton.len(), 3);
    assert_eq!(count(&findings, FindingKind::ParentOutOfRange), 1);
    for round in [
        SKELETON.replace("PELVIS\r\nROOT", "PELVIS\r\nSPINE"),
        SKELETON.replace("PELVIS\r\nROOT", "PELVIS\r\nPELVIS"),
    ] {
        let (opened, _) = open_beside("a.cmx", round.clone(), &[]);
        let error = opened.err().unwrap().to_string();
        assert!(error.contains("its own ancestor"), "{error}");
        // It isn't used as the skeleton of a mesh.
        let beside = [("adult-skeleton.cmx", round.as_bytes())];
        let (opened, findings) = open_beside("tiny.bmf", bmf(&tiny()), &beside);
        assert!(opened.is_ok());
        assert_eq!(count(&findings, FindingKind::MissingSkeleton), 1);
    }
}

#[test]
fn invalid_rest_transforms_are_repaired_and_unreadable_ones_are_errors() {
    let text = SKELETON.replace("| 0 1 0 |", "| nan 1 0 |");
    let text = text.replace("|\t0  0 0 1 |", "| 0 0 0 0 |");
    let (opened, findings) = open_beside("a.cmx", text, &[]);
    let bones = opened.unwrap().model.skeleton;
    assert!(bones.bones().iter().all(|b| b.rest_local.to_affine().is_finite()));
    assert_eq!(count(&findings, FindingKind::NotFinite), 1);
    for broken in ["| 0 1 |", "| 0 1 0 2 |", "| 0 x 0 |", ""] {
        let text = SKELETON.replace("| 0 1 0 |", broken);
        assert!(open_beside("a.cmx", text, &[]).0.is_err(), "{broken}");
    }
}

#[test]
fn a_suit_loads_available_skins_and_reports_missing_ones() {
    let tiny_bytes = bmf(&tiny());
    let beside = [
        ("adult-skeleton.cmx", SKELETON.as_bytes()),
        ("Tiny.BMF", &*tiny_bytes),
        ("tiny.skn", b"broken".as_slice()),
    ];
    let (opened, findings) = open_beside("suit.cmx", SUIT, &beside);
    let model = opened.unwrap().model;
    assert_eq!(model.meshes.len(), 1, "bytes are taken before text");
    assert_eq!(model.skeleton.len(), 3);
    let missing = findings.iter().find(|n| n.kind == FindingKind::MissingRelatedFile);
    assert_eq!(missing.unwrap().message, "no .bmf or .skn file named hat was found");
    let beside = [("tiny.bmf", &*tiny_bytes), ("hat.skn", b"hat".as_slice())];
    let (opened, findings) = open_beside("suit.cmx", SUIT, &beside);
    assert!(opened.is_ok(), "a broken hat is left at home");
    assert_eq!(count(&findings, FindingKind::Dropped), 1);
    let censor = SUIT.replace("suit\n0\n", "suit\n1\n");
    let (opened, findings) = open_beside("suit.cmx", censor, &beside);
    assert!(opened.unwrap().model.meshes.is_empty());
    assert_eq!(count(&findings, FindingKind::PartShown), 1);
}

#[test]
fn a_suit_without_skins_shows_its_bones() {
    let beside = [("adult-skeleton.cmx", SKELETON.as_bytes())];
    for (beside, num_bones) in [(&beside[..], 3), (&[], 1)] {
        let suit = SUIT.replace("HEAD", "PELVIS");
        let (opened, findings) = open_beside("suit.cmx", suit, beside);
        let model = opened.unwrap().model;
        assert!(model.meshes.is_empty());
        assert_eq!(model.skeleton.len(), num_bones);
        let missing = findings.iter().find(|n| n.kind == FindingKind::MissingRelatedFile);
        assert_eq!(missing.unwrap().message, "no .bmf or .skn file named tiny, hat was found");
    }
}

#[test]
fn a_skill_animates_its_bones_and_has_events() {
    let skeleton = ("adult-skeleton.cmx", SKELETON.as_bytes());
    let values = values();
    let beside = [skeleton, ("VALUES.cfp", &*values)];
    let (opened, findings) = open_beside("a.cmx", skill("2", "66", "0"), &beside);
    let model = opened.unwrap().model;
    let clip = &model.clips[ClipId(0)];
    assert!((clip.duration_secs - 0.066).abs() < 1e-9);
    let track = tracks(clip)[0].translation.as_ref().unwrap();
    assert_eq!(track.times_secs, [0.0, 0.033, 0.066], "it repeats");
    assert_eq!(track.values[1], glam::Vec3::new(1.0, 3.0, 3.0));
    assert_eq!(track.values[2], track.values[0]);
    let events: Vec<_> = clip.events.iter().map(|e| (&*e.name, &*e.value)).collect();
    assert_eq!(events, [("xevt", "7"), ("sound", "step")]);
    assert_eq!(count(&findings, FindingKind::UnmatchedBones), 1, "TAIL");
    let details = format!("{:?}", model.details);
    assert!(details.contains("a2o-x: 2.5 feet, moving"));
    assert!(details.contains("canblend=0 on 1 bones"));
    let half = PoseSpec::linear(None, 0.0165);
    let root = sample(&model, &half).model_from_bone[BoneId(0)].translation;
    assert!((root.x - 0.5).abs() < 1e-6);
    // At half the duration it doesn't repeat: the last frame is held.
    let (opened, _) = open_beside("a.cmx", skill("2", "33", "0"), &beside);
    let model = opened.unwrap().model;
    let held = &tracks(&model.clips[ClipId(0)])[0];
    assert_eq!(held.translation.as_ref().unwrap().values.len(), 2);
}

#[test]
fn broken_skills_are_left_out_and_reported() {
    let skeleton = ("adult-skeleton.cmx", SKELETON.as_bytes());
    let sound = values();
    let broken = [
        (skill("2", "66", "1"), sound.clone(), FindingKind::BrokenRecord),
        (skill("3", "66", "0"), sound.clone(), FindingKind::BrokenRecord),
        (skill("2000000000", "66", "0"), sound.clone(), FindingKind::BrokenRecord),
        (skill("-1", "66", "0"), sound.clone(), FindingKind::BrokenRecord),
        (skill("2", "66", "-1"), sound.clone(), FindingKind::BrokenRecord),
        (skill("2", "nan", "0"), sound.clone(), FindingKind::BrokenRecord),
        (skill("2", "-5", "0"), sound.clone(), FindingKind::BrokenRecord),
        (skill("2", "66", "0"), sound[..9].to_vec(), FindingKind::Dropped),
        (skill("2", "66", "0"), vec![0xfd], FindingKind::Dropped),
        (skill("2", "66", "0"), [&*sound, &[1]].concat(), FindingKind::TrailingBytes),
        (
            skill("2", "66", "0").replace("\n2\n0\n2\nROOT", "\n-2\n0\n2\nROOT"),
            sound.clone(),
            FindingKind::Dropped,
        ),
        (
            skill("2", "66", "0").replace("\n2\n0\n2\nROOT", "\n2\n2000000000\n2\nROOT"),
            sound.clone(),
            FindingKind::Dropped,
        ),
    ];
    for (text, values, kind) in broken {
        let beside = [skeleton, ("values.cfp", &*values)];
        let (opened, findings) = open_beside("a.cmx", text.clone(), &beside);
        assert!(opened.is_ok(), "{text}");
        assert_eq!(count(&findings, kind), 1, "{kind:?} in {findings:?}");
    }
}

#[test]
fn an_empty_file_is_an_error() {
    let (opened, _) = open_beside("a.cmx", "version 300\n0\n0\n0\n", &[]);
    let error = opened.err().unwrap().to_string();
    assert!(error.contains("no skeleton, suit or skill"), "{error}");
    let (opened, _) = open_beside("a.bcf", vec![0; 12], &[]);
    assert!(opened.is_err());
}

#[test]
fn excessive_counts_allocate_nothing() {
    let options = ReadOptions::default();
    for text in [SKELETON, SUIT, &skill("2", "66", "0")] {
        let text = text.replace("\r\n", "\n");
        for (at, _) in text.lines().enumerate() {
            for value in ["2147483647", "-1", "1000", "99999999999999999999", ""] {
                let mut lines: Vec<&str> = text.lines().collect();
                lines[at] = value;
                let changed = lines.join("\n");
                let read = parse::cmx(changed.as_bytes(), &options, &Report::new());
                assert!(read.is_err() || changed.len() < 1000);
            }
        }
    }
    for at in (0..24).step_by(4) {
        let mut bytes = vec![0; 24];
        bytes[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
        assert!(parse::bcf(&bytes, &options, &Report::new()).is_err() || at >= 12);
    }
}

#[test]
fn long_strings_are_read_and_invalid_lengths_are_errors() {
    let long = "n".repeat(300);
    let mut bytes = vec![1, 0, 0, 0, 0xff];
    bytes.extend(300i32.to_le_bytes());
    bytes.extend(long.as_bytes());
    bytes.extend([0; 12]);
    let options = ReadOptions::default();
    let file = parse::bcf(&bytes, &options, &Report::new()).unwrap();
    assert_eq!(file.skeletons[0].name, long);
    for length in [i32::MAX, -1, 400] {
        bytes[5..9].copy_from_slice(&length.to_le_bytes());
        assert!(parse::bcf(&bytes, &options, &Report::new()).is_err());
    }
}

#[test]
fn names_are_windows_1252() {
    let mut bytes = SKELETON.replace("adult\r\n3", "Jos?\r\n3").into_bytes();
    let at = bytes.iter().position(|&b| b == b'?').unwrap();
    bytes[at] = 0xe9;
    let file = parse::cmx(&bytes, &ReadOptions::default(), &Report::new()).unwrap();
    assert_eq!(file.skeletons[0].name, "Jos\u{e9}");
}

#[test]
fn probes_require_a_version_or_plausible_counts() {
    let as_cmx = |text: &str| (CMX.probe)(&ProbeInput::of(text.as_bytes()));
    assert_eq!(as_cmx(SKELETON), Confidence::Strong);
    assert_eq!(as_cmx(SUIT), Confidence::Strong);
    assert!(matches!(as_cmx("version 300\n1\nbroken"), Confidence::Weak(_)));
    for other in ["", "version 1\nnodes\n", "// a comment\nint main() {}\n", "#version 300\n0"] {
        assert_eq!(as_cmx(other), Confidence::No, "{other}");
    }
    let as_bcf = |bytes: &[u8]| (BCF.probe)(&ProbeInput::of(bytes));
    let mut bytes = vec![1, 0, 0, 0, 1, b'a'];
    bytes.extend([0; 12]);
    assert_eq!(as_bcf(&bytes), Confidence::Strong);
    for other in [&b""[..], &[0; 12], &[0; 400], &[1; 400], SKELETON.as_bytes()] {
        assert_eq!(as_bcf(other), Confidence::No);
    }
}
