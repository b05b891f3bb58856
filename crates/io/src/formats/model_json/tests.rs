//! Models as text.

use super::{JSON, probe};
use crate::formats::{Confidence, Opened, ProbeInput, ReadError, ReadOptions, Source, open};
use glam::Vec3;
use rigscope_core::model::{BoneId, ClipId, Finding, FindingKind, MeshId, Motion, Report};
use rigscope_core::pose::{PoseSpec, sample, skin_mesh};

const ARM: &str = r#"{
  "schema": "rigscope.model/1", "name": "arm", "up": "z", "unit_meters": 0.01,
  "findings": ["2 notes were skipped"],
  "bones": [
    {"name": "upper", "parent": -1, "translation": [1, 0, 0]},
    {"name": "lower", "parent": 0, "rest": [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}
  ],
  "materials": [{"name": "skin", "base_color": [1, 0.5, 0, 1], "textures": {"base-color": "skin.png"}}],
  "meshes": [{
    "name": "arm", "positions": [[0, 0, 0], [1, 0, 0], [4, 0, 0]], "uvs": [[0, 0], [1, 0], [0, 1]],
    "triangles": [[0, 1, 2]], "subsets": [[0, 1, 0]],
    "joints": [[], [0], [0, 1]], "weights": [[], [1], [0, 1.0]],
    "morph_targets": [{"name": "bulge", "vertices": [1], "position_offsets": [[0, 0, 1]]}]
  }],
  "clips": [{
    "name": "bend", "times": [0, 1], "loops": true,
    "tracks": [{"bone": 1, "rotations": [[0, 0, 0, 1], [0, 0, 1, 0]]}],
    "morph_tracks": [{"mesh": 0, "target": 0, "weights": [0, 1]}]
  }]
}"#;

fn opened(text: &str) -> Result<(Opened, Vec<Finding>), ReadError> {
    let report = Report::new();
    let source = Source::new("arm.json", text.as_bytes().to_vec());
    let opened = open(&source, &ReadOptions::default(), &report)?;
    Ok((opened, report.notes()))
}

/// The message of the error after replacing `from` by `to`.
fn error(from: &str, to: &str) -> String {
    assert!(ARM.contains(from), "{from}");
    opened(&ARM.replace(from, to)).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn all_parts_of_a_model_are_read() {
    let (Opened { model, format }, notes) = opened(ARM).unwrap();
    assert_eq!(format.info.id, JSON.info.id);
    assert_eq!((model.name.as_str(), model.axes.unit_meters), ("arm", Some(0.01)));
    let warning = notes.iter().find(|note| note.kind == FindingKind::ReaderWarning).unwrap();
    assert_eq!(warning.message, "2 notes were skipped");
    let clip = model.clips.first().unwrap();
    assert_eq!((clip.duration_secs, clip.is_looping), (1.0, true));
    assert!(matches!(&clip.motion, Motion::Tracks(tracks) if tracks[0].bone == BoneId(1)));
    assert_eq!(model.materials[0].textures[0].path, "skin.png");
}

#[test]
fn the_rest_pose_is_the_bind_pose_by_default() {
    let (Opened { model, .. }, _) = opened(ARM).unwrap();
    let positions = |spec: &PoseSpec| {
        let mesh = &model.meshes[0];
        skin_mesh(mesh, &sample(&model, spec).of_mesh(MeshId(0), mesh)).positions
    };
    let rest = positions(&PoseSpec::default());
    assert!(rest[2].abs_diff_eq(Vec3::new(4.0, 0.0, 0.0), 1e-6), "{rest:?}");
    // Half a turn of the lower bone, which is at x = 3.
    let end = positions(&PoseSpec::at_secs(ClipId(0), 1.0));
    assert!(end[2].abs_diff_eq(Vec3::new(2.0, 0.0, 0.0), 1e-5), "{end:?}");
    assert!(end[1].abs_diff_eq(Vec3::new(1.0, 0.0, 1.0), 1e-5), "{end:?}");
}

#[test]
fn errors_name_the_value_and_its_place() {
    for (from, to, parts) in [
        ("[1, 0, 0], [4", "[1, 0], [4", &["meshes[0].positions[1]", "line 10"][..]),
        ("\"loops\"", "\"loop\"", &["clips[0]", "unknown field `loop`", "`loops`"]),
        ("[0, 1.0]", "[1.0]", &["meshes[0].joints[2] and weights[2] differ in length"]),
        ("\"uvs\": [[0, 0], ", "\"uvs\": [", &["meshes[0].uvs has 2 entries, but positions has 3"]),
        ("\"times\": [0, 1]", "\"times\": [1, 0]", &["clips[0].times doesn't rise"]),
        ("\"bone\": 1", "\"bone\": 2", &["clips[0].tracks[0].bone: there is no bone 2"]),
        ("\"target\": 0", "\"target\": 1", &["mesh 0 has no morph target 1"]),
        ("\"parent\": 0", "\"parent\": 1", &["bone 1 is its own ancestor"]),
        ("\"base-color\"", "\"albedo\"", &["materials[0].textures", "base-color"]),
        ("model/1", "model/2", &["rigscope.model/2", "is not supported"]),
        ("\"vertices\": [1]", "\"vertices\": [1, 2]", &["morph_targets[0].position_offsets"]),
    ] {
        let message = error(from, to);
        for part in parts {
            assert!(message.contains(part), "{from} -> {to}: {message}");
        }
    }
}

#[test]
fn many_tiny_objects_are_refused() {
    let objects = "{},".repeat(1_000_000);
    let text = format!("{{\"schema\": \"rigscope.model/1\", \"bones\": [{objects}{{}}]}}");
    let error = opened(&text).err().unwrap().to_string();
    assert!(error.contains("objects are too many"), "{error}");
}

#[test]
fn text_cut_anywhere_is_an_error() {
    for end in 0..ARM.len() {
        let cut = ARM.get(..end).unwrap();
        assert!(opened(cut).is_err(), "cut at {end}");
    }
}

#[test]
fn only_the_schema_identifies_the_format() {
    let of = |text: &str| probe(&ProbeInput::of(text.as_bytes()));
    assert_eq!(of(ARM), Confidence::Strong);
    assert_eq!(of("\u{feff}{ \"schema\" :\n\"rigscope.model/2\""), Confidence::Strong);
    assert_eq!(of("{\"schema\": \"rigscope.info/1\""), Confidence::No);
    assert_eq!(of("{\"name\": \"x\", \"schema\": \"rigscope.model/1\"}"), Confidence::No);
}
