//! Models as text.

use super::{JSON, probe};
use crate::formats::{Confidence, Opened, ProbeInput, ReadError, ReadOptions, Source, open};
use glam::Vec3;
use rigscope_core::model::{
    AlphaMode, Blending, BoneId, BoneKind, ClipId, DefaultPose, Finding, FindingKind, ImageId,
    MaterialId, MeshId, Motion, NormalMatrix, Report, Skin, Wrap,
};
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
    Ok((opened, report.findings()))
}

/// The message of the error after replacing `from` by `to`.
fn error(from: &str, to: &str) -> String {
    assert!(ARM.contains(from), "{from}");
    opened(&ARM.replace(from, to)).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn all_parts_of_a_model_are_read() {
    let (Opened { model, format }, findings) = opened(ARM).unwrap();
    assert_eq!(format.info.id, JSON.info.id);
    assert_eq!((model.name.as_str(), model.axes.unit_meters), ("arm", Some(0.01)));
    let warning =
        findings.iter().find(|finding| finding.kind == FindingKind::ReaderWarning).unwrap();
    assert_eq!(warning.message, "2 notes were skipped");
    let clip = model.clips.first().unwrap();
    assert_eq!((clip.duration_secs, clip.is_looping), (1.0, true));
    assert!(matches!(&clip.motion, Motion::Tracks(tracks) if tracks[0].bone == BoneId(1)));
    assert_eq!(model.materials[MaterialId(0)].textures[0].path, "skin.png");
}

/// A model with keys that few formats need.
const RARE: &str = r#"{
  "schema": "rigscope.model/1", "copyright": "someone", "winding": "clockwise", "default_pose": "first-key",
  "normal_matrix": "cofactor", "has_hierarchy": false, "hulls": [[[0, 0, 0]]], "occluder": [[[0, 0, 0]], [[0, 0, 0]]],
  "stored_bounds": {"min": [0, 0, 0], "max": [1, 1, 1], "center": [0, 0, 0], "radius": 1},
  "bones": [{"kind": "node", "box_size": [1, 2, 3]}],
  "images": [{"name": "a", "data": "UE5H"}],
  "materials": [{"alpha": "mask", "alpha_cutoff": 0.25, "ior": 2, "draw": {"order": 1, "writes_depth": false},
    "textures": [{"role": "normal", "image": 0, "wrap": ["clamp", "mirror"], "transform": [[2, 0, 0], [0, 2, 0], [0, 0, 1]]}]},
    {"textures": {"emissive": {"path": "e.png", "uv_set": 1}}}],
  "meshes": [
    {"positions": [[0, 0, 0]], "joints": [[0]], "weights": [[1]], "inverse_bind_matrices": [], "blending": [0.5],
     "loose": [{"kind": "points", "indices": [0]}], "hidden": true, "uv_names": ["map"], "uvs": [[0, 0]],
     "morph_targets": [{"default_weight": 0.5, "shapes": [{"full_weight": 0.5, "position_offsets": [[1, 0, 0]]}]}]},
    {"positions": [[0, 0, 0]], "joints": [[0]], "weights": [[1]],
     "influence_positions": [[1, 2, 3]], "influence_normals": [[0, 1, 0]]}],
  "clips": [
    {"times": [0, 0.5], "skin_matrices": [
      [[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]], [[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]]]},
    {"vertex_animation": {"mesh": 1, "times": [0, 1], "positions": [[[0, 0, 0]], [[1, 0, 0]]]}, "start": -1, "duration": 9},
    {"tracks": [{"bone": 0, "times": [0, 1], "translations": [[0, 0, 0], [2, 0, 0]], "interpolation": "cubic",
        "in_tangents": [[0, 0, 0], [1, 0, 0]], "out_tangents": [[3, 0, 0], [0, 0, 0]]},
      {"bone": 0, "times": [0], "scales": [[1, 1, 1]], "interpolation": "step"}],
     "morph_tracks": [{"mesh": 0, "target": 0, "times": [0], "weights": [1]}],
     "material_tracks": [{"material": 0, "property": "base_color", "times": [0], "values": [[1, 0, 0, 1]]},
       {"material": 0, "property": "ior", "times": [0], "values": [2]}],
     "events": [{"time": 0.5, "name": "step", "bone": 0}], "frame_bounds": [[[0, 0, 0], [1, 1, 1]]]}]
}"#;

#[test]
fn rare_keys_are_read() {
    let (Opened { model, .. }, _) = opened(RARE).unwrap();
    assert_eq!(model.default_pose, DefaultPose::FirstKey);
    assert_eq!(model.normal_matrix, NormalMatrix::Cofactor);
    assert!(model.hulls.len() == 1 && model.occluder.is_some() && model.stored_bounds.is_some());
    let bone = &model.skeleton.bones()[BoneId(0)];
    assert_eq!((bone.kind, bone.box_size), (BoneKind::Node, Some(Vec3::new(1.0, 2.0, 3.0))));
    assert_eq!(&*model.images[ImageId(0)].bytes, b"PNG");
    let look = model.materials[MaterialId(0)].look.as_deref().unwrap();
    assert_eq!((look.alpha, look.ior), (AlphaMode::Mask(0.25), 2.0));
    assert_eq!(model.materials[MaterialId(0)].textures[0].wrap, [Wrap::Clamp, Wrap::Mirror]);
    assert!(
        model.materials[MaterialId(1)].look.is_none()
            && model.materials[MaterialId(1)].textures[0].uv_set == 1
    );
    let [mesh, local] = &*model.meshes else { panic!("two meshes") };
    let skin = mesh.inverse_bind().unwrap();
    assert!(skin.bone_from_mesh.is_empty() && skin.blending == Blending::Mixed(vec![0.5]));
    assert!(mesh.is_hidden && mesh.loose.len() == 1);
    assert_eq!(mesh.morph_targets[0].shapes[0].full_weight, 0.5);
    assert!(matches!(&local.skin, Skin::BoneLocal(skin) if skin.influences[0].normal == Vec3::Y));
    let [sampled, cached, tracks] = &*model.clips else { panic!("three clips") };
    let motion = sampled.as_sampled().unwrap();
    assert_eq!((motion.interval_ns, motion.duration_ns), (500_000_000, 500_000_000));
    assert_eq!(motion.keys.matrix(1, 0).unwrap().translation.x, 5.0);
    assert!(matches!(&cached.motion, Motion::VertexAnimation(cache) if cache.positions.len() == 2));
    assert_eq!((cached.start_secs, cached.duration_secs), (-1.0, 9.0));
    let Motion::Tracks(bones) = &tracks.motion else { panic!("tracks") };
    let translation = bones[0].translation.as_ref().unwrap();
    let xs: Vec<_> = translation.values.iter().map(|value| value.x).collect();
    assert_eq!(xs, [0.0, 0.0, 3.0, 1.0, 2.0, 0.0]);
    assert!(bones.len() == 1 && bones[0].scale.is_some());
    assert!(tracks.material_tracks.len() == 2 && tracks.events.len() == 1);
}

#[test]
fn errors_in_rare_keys_name_them() {
    for (from, to, part) in [
        (
            "\"clockwise\"",
            "\"left\"",
            "winding: \"left\" isn't one of counter-clockwise, clockwise",
        ),
        ("UE5H", "UE5", "images[0].data isn't valid base64"),
        ("\"image\": 0", "\"image\": 1", "materials[0].textures[0].image is 1"),
        ("[[1, 2, 3]]", "[]", "influence_positions has 0 entries"),
        ("[0, 0.5]", "[0.5, 1]", "times must be evenly spaced from 0"),
        (
            "[[0, 0, 0], [1, 0, 0]], \"out",
            "[0, 1], \"out",
            "in_tangents must have 3 numbers per key",
        ),
        ("\"step\"}", "\"cubic\"}", "tracks[1]: in_tangents and out_tangents are for cubic"),
        (
            "\"scales\": [[1, 1, 1]]",
            "\"translations\": [[1, 1, 1]]",
            "tracks[1] moves bone 0 twice",
        ),
        ("\"name\": \"step\", \"bone\": 0", "\"bone\": 3", "events[0].bone: there is no bone 3"),
    ] {
        assert!(RARE.contains(from), "{from}");
        let message = opened(&RARE.replace(from, to)).err().unwrap().to_string();
        assert!(message.contains(part), "{from} -> {to}: {message}");
    }
}

#[test]
fn the_rest_pose_is_the_bind_pose_by_default() {
    let (Opened { model, .. }, _) = opened(ARM).unwrap();
    let positions = |spec: &PoseSpec| {
        let mesh = &model.meshes[MeshId(0)];
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
fn unsorted_times_are_the_same_finding_as_in_other_formats() {
    let (_, findings) = opened(&ARM.replace("\"times\": [0, 1]", "\"times\": [1, 0]")).unwrap();
    let of_kind = |finding: &&Finding| finding.kind == FindingKind::KeysNotAscending;
    let finding = findings.iter().find(of_kind).unwrap();
    assert_eq!(finding.count, 2, "of the bone and of the morph target");
    let words = "rotation of bone 1 \"lower\": key 1 is earlier than key 0";
    assert!(finding.message.contains(words), "{}", finding.message);
}

#[test]
fn errors_name_the_value_and_its_place() {
    for (from, to, parts) in [
        ("[1, 0, 0], [4", "[1, 0], [4", &["meshes[0].positions[1]", "line 10"][..]),
        ("\"loops\"", "\"loop\"", &["clips[0]", "unknown field `loop`", "`loops`"]),
        ("[0, 1.0]", "[1.0]", &["meshes[0].joints[2] and weights[2] differ in length"]),
        ("\"uvs\": [[0, 0], ", "\"uvs\": [", &["meshes[0].uvs has 2 entries, but positions has 3"]),
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
