//! Real ozz archives: known poses, old versions and both byte orders.

use rigscope_core::model::{ClipId, MeshId};
use std::sync::Arc;

use glam::Vec3;
use rigscope_core::pose::{Moment, PoseSpec, Sampling, posed_bounds, sample, skin_model};
use rigscope_io::files::DiskFolder;
use rigscope_io::formats::{ReadError, ReadOptions, RelatedFile, Source, open};
use serde_json::Value;

use crate::support::{open_file, sample_files, samples};
use rigscope_testing::*;

/// The known poses were computed by another program and have five decimals.
const TOLERANCE: f32 = 1e-3;

fn bytes(name: &str) -> Vec<u8> {
    let path = samples().join("ozz").join(name);
    std::fs::read(path).unwrap()
}

fn read(source: &Source) -> Result<(Model, Vec<Finding>), ReadError> {
    let report = Report::new();
    let opened = open(source, &ReadOptions::default(), &report)?;
    Ok((opened.model, report.findings()))
}

/// Reads a file without any others.
fn alone(name: &str) -> Result<(Model, Vec<Finding>), ReadError> {
    read(&Source::new(name, bytes(name)))
}

/// Reads a file with access to its folder.
fn in_folder(name: &str) -> (Model, Vec<Finding>) {
    let folder = samples().join("ozz");
    let source = Source::new(name, bytes(name));
    let source = source.with_folders(vec![Arc::new(DiskFolder::new(&folder, u64::MAX))]);
    read(&source).unwrap()
}

/// Reads a file with others as related files, and with access to its folder.
fn with(name: &str, others: &[&str]) -> (Model, Vec<Finding>) {
    let folder = samples().join("ozz");
    let related_files = others.iter().map(|other| RelatedFile::new(*other, bytes(other)));
    let source = Source::new(name, bytes(name))
        .with_related_files(related_files.collect())
        .with_folders(vec![Arc::new(DiskFolder::new(&folder, u64::MAX))]);
    read(&source).unwrap()
}

fn count(findings: &[Finding], kind: FindingKind) -> u64 {
    let finding = findings.iter().find(|finding| finding.kind == kind);
    finding.map_or(0, |finding| finding.count)
}

fn clip_names(model: &Model) -> Vec<&str> {
    model.clips.iter().map(|clip| clip.name.as_str()).collect()
}

fn vec3(value: &Value) -> Vec3 {
    serde_json::from_value::<[f32; 3]>(value.clone()).unwrap().into()
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn known_poses_are_matched_within_a_millimetre() {
    let folder = samples();
    let text = std::fs::read_to_string(folder.join("ozz/expected_poses.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let (mut num_poses, mut worst) = (0, 0.0f32);
    for (pose, known) in expected.as_object().unwrap() {
        let file = |key: &str| format!("{}.ozz", known[key].as_str().unwrap());
        if !folder.join("ozz").join(file("mesh")).exists() {
            continue;
        }
        let others = [file("skeleton"), file("animation")];
        let (model, _) = with(&file("mesh"), &[&others[0], &others[1]]);
        assert_eq!(model.clips.len(), 1, "only the given files are used");
        assert_eq!(model.skeleton.len() as u64, known["joints"].as_u64().unwrap());
        let spec = PoseSpec::at_secs(ClipId(0), known["time"].as_f64().unwrap());
        let mut near = |actual: Vec3, expected: &Value, what: &str| {
            let distance = (actual - vec3(expected)).abs().max_element();
            worst = worst.max(distance);
            assert!(distance < TOLERANCE, "{pose} {what}: {actual} for {expected}");
        };
        let skinned = skin_model(&model, &spec).remove(0).positions;
        assert_eq!(skinned.len() as u64, known["verts"].as_u64().unwrap());
        near(skinned[0], &known["v0"], "first vertex");
        near(skinned[skinned.len() - 1], &known["v_last"], "last vertex");
        let bounds = Aabb::from_points(skinned.iter().copied());
        near(bounds.min, &known["skinned_min"], "skinned min");
        near(bounds.max, &known["skinned_max"], "skinned max");
        let bind = (0..skinned.len()).filter_map(|v| model.meshes[MeshId(0)].position(v));
        let bounds = Aabb::from_points(bind);
        near(bounds.min, &known["bind_min"], "bind min");
        near(bounds.max, &known["bind_max"], "bind max");
        let posed = sample(&model, &spec);
        for (name, expected) in known["model_pos"].as_object().unwrap() {
            let bones = model.skeleton.bones();
            let bone = bones.iter().position(|b| b.name == *name).unwrap();
            near(
                posed.model_from_bone[BoneId::from_index(bone)].translation.into(),
                expected,
                name,
            );
        }
        num_poses += 1;
    }
    assert_eq!(num_poses, 12);
    println!("worst distance {worst}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_mesh_finds_its_skeleton_and_animations_in_the_folder() {
    let (model, findings) = in_folder("arnaud_mesh.ozz");
    assert_eq!(clip_names(&model), ["atlas", "crossarms", "jog", "run", "walk"]);
    assert_eq!(model.skeleton.bones()[BoneId(0)].name, "Hips");
    assert!(model.skeleton.has_hierarchy());
    assert_eq!(count(&findings, FindingKind::MissingSkeleton), 0);
    let added = findings.iter().find(|n| n.kind == FindingKind::AddedClips).unwrap();
    assert!(
        added.message.contains("pab_curl_additive.ozz (additive)")
            && added.message.contains("pab_walk_raw.ozz (raw)"),
        "{}",
        added.message
    );
    // Number of vertices by influence count.
    let parts = Detail::Text("1397 x 1, 1578 x 2, 715 x 3, 212 x 4, 32 x 5".into());
    assert!(model.details.contains(&("parts", parts)), "{:?}", model.details);
    assert_eq!(model.num_vertices(), 3934);
    assert_eq!(count(&findings, FindingKind::WeightsNotNormalized), 0);
    assert_eq!(count(&findings, FindingKind::NotFinite), 0);
    assert_eq!(count(&findings, FindingKind::TrailingBytes), 0);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn animations_and_skeletons_are_matched() {
    let (model, findings) = in_folder("pab_run.ozz");
    assert_eq!(model.skeleton.bones()[BoneId(0)].name, "Hips");
    assert_eq!(model.clips.len(), 1);
    assert_eq!(count(&findings, FindingKind::MissingSkeleton), 0);
    let (model, _) = in_folder("pab_skeleton.ozz");
    assert_eq!(model.clips.len(), 5);
    let (model, _) = with("pab_skeleton.ozz", &["pab_curl_additive.ozz"]);
    assert_eq!(clip_names(&model), ["curl"]);
    let (model, _) = with("arnaud_mesh.ozz", &["pab_walk_raw.ozz"]);
    assert_eq!(clip_names(&model), ["walk"]);
    assert_eq!(model.skeleton.bones()[BoneId(0)].name, "Hips");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_given_folder_adds_each_clip_once() {
    let all = ["pab_jog.ozz", "pab_skeleton.ozz", "arnaud_mesh.ozz", "pab_walk.ozz"];
    for name in ["arnaud_mesh.ozz", "pab_skeleton.ozz", "pab_walk.ozz"] {
        let (model, _) = with(name, &all);
        let mut names = clip_names(&model);
        names.sort_unstable();
        assert_eq!(names, ["jog", "walk"], "{name}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn an_animation_among_related_files_finds_its_skeleton_there() {
    let related_file = |name: &str| RelatedFile::new(name, bytes(name));
    let related_files = vec![related_file("pab_skeleton.ozz"), related_file("pab_walk.ozz")];
    let main = Source::new("character.fbx", Vec::new()).with_related_files(related_files);
    let (model, _) = read(&main.of_related_file(1).unwrap()).unwrap();
    assert_eq!(clip_names(&model), ["walk"]);
    assert_eq!(model.skeleton.bones()[BoneId(0)].name, "Hips");
    assert!(main.is_used("pab_skeleton.ozz"), "so that it is not read again");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn without_a_skeleton_bones_have_no_names_and_the_bind_pose_is_shown() {
    let read = alone("arnaud_mesh.ozz");
    let (model, findings) = read.unwrap();
    assert!(!model.skeleton.has_hierarchy() && model.clips.is_empty());
    assert_eq!(count(&findings, FindingKind::MissingSkeleton), 1);
    let skinned = skin_model(&model, &PoseSpec::default()).remove(0).positions;
    for (vertex, posed) in skinned.into_iter().enumerate() {
        let stored = model.meshes[MeshId(0)].position(vertex).unwrap();
        assert!(posed.abs_diff_eq(stored, 1e-4), "vertex {vertex}: {posed} {stored}");
    }
    let (model, findings) = alone("pab_walk.ozz").unwrap();
    assert_eq!((model.skeleton.len(), model.clips.len()), (67, 1));
    assert_eq!(count(&findings, FindingKind::MissingSkeleton), 1);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_static_mesh_file_with_several_objects_needs_no_related_files() {
    let (model, findings) = in_folder("floor.ozz");
    assert_eq!(model.meshes.len(), 6);
    assert!(model.skeleton.is_empty() && model.clips.is_empty());
    assert_eq!(count(&findings, FindingKind::MissingSkeleton), 0);
    assert!(model.num_triangles() > 100);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn both_byte_orders_give_the_same_result() {
    let read = alone("old/animation_v7_be.ozz");
    let (big, _) = read.unwrap();
    let (little, _) = alone("pab_run.ozz").unwrap();
    assert_eq!(tracks(&big.clips[ClipId(0)]), tracks(&little.clips[ClipId(0)]));
    let (big, _) = alone("old/skeleton_v2_be.ozz").unwrap();
    let (little, _) = alone("pab_skeleton.ozz").unwrap();
    assert_eq!(big.skeleton, little.skeleton);
    assert_eq!(big.details[0], ("byte order", Detail::Text("big".into())));
}

/// Largest distance between joints and largest angle between their rotations over the time of a
/// clip, both relative to the parent.
fn differences(a: &Model, b: &Model) -> (f32, f32) {
    let (mut distance, mut angle) = (0.0f32, 0.0f32);
    for step in 0..=100 {
        let spec = PoseSpec::at_secs(
            ClipId(0),
            a.clips[ClipId(0)].duration_secs * f64::from(step) / 100.0,
        );
        let (a, b) = (sample(a, &spec), sample(b, &spec));
        for (a, b) in a.parent_from_bone.iter().zip(&b.parent_from_bone) {
            let (_, a_rotation, a_translation) = a.to_scale_rotation_translation();
            let (_, b_rotation, b_translation) = b.to_scale_rotation_translation();
            distance = distance.max((a_translation - b_translation).length());
            angle = angle.max(a_rotation.angle_between(b_rotation));
        }
    }
    (distance, angle)
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn raw_and_old_files_give_the_same_motion() {
    let read = alone("pab_walk_raw.ozz");
    let (raw, _) = read.unwrap();
    let (walk, _) = alone("pab_walk.ozz").unwrap();
    let (distance, angle) = differences(&walk, &raw);
    println!("walk against raw: {distance} m, {angle} rad");
    assert!(distance < 1.1e-3 && angle < 1e-2, "{distance} {angle}");

    let (run, _) = alone("pab_run.ozz").unwrap();
    for old in ["old/animation_v6_le.ozz", "old/raw_animation_v3_le.ozz"] {
        let (other, _) = alone(old).unwrap();
        let (distance, angle) = differences(&run, &other);
        println!("run against {old}: {distance} m, {angle} rad");
        assert!(distance < 3e-3 && angle < 2e-2, "{old}: {distance} {angle}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn unsupported_skeleton_versions_are_named_in_the_error() {
    let read = alone("old/skeleton_v1_le.ozz");
    let error = read.unwrap_err();
    assert!(matches!(error, ReadError::Unsupported(_)));
    assert_eq!(
        error.to_string(),
        "skeleton version 1, only 2 (ozz 0.11 on) is read (ozz skeleton version at offset 0x12)"
    );
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn root_motion_is_read_as_curves() {
    let read = alone("pab_jog_motion_track.ozz");
    let (model, _) = read.unwrap();
    let names: Vec<_> = model.value_tracks.iter().map(|track| &*track.name).collect();
    assert_eq!(names, ["Hips-position", "Hips-rotation"]);
    let [position, rotation] = &model.value_tracks[..] else { panic!("two tracks") };
    assert_eq!(position.kind, ValueKind::Numbers(3));
    assert_eq!(position.ratios.len(), 11);
    assert_eq!((position.ratios[0], position.ratios[10]), (0.0, 1.0));
    // A jog moves forward.
    let z: Vec<f32> = (0..11).map(|key| position.key(key).unwrap()[2]).collect();
    assert!(z.is_sorted() && z[10] > 2.0, "{z:?}");
    assert_eq!((rotation.kind, rotation.ratios.len()), (ValueKind::Rotation, 0));
    let (model, findings) = with("arnaud_mesh.ozz", &["pab_jog_motion_track.ozz"]);
    assert_eq!((model.value_tracks.len(), model.clips.len()), (2, 5));
    assert_eq!(count(&findings, FindingKind::UnusedRelatedFile), 0);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn truncated_files_are_refused_except_between_objects() {
    for path in sample_files("ozz", "ozz") {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() > 10_000 {
            continue;
        }
        for len in 0..bytes.len() {
            // Between two objects, a truncated file is valid.
            if len > 1 && bytes[len..].starts_with(b"ozz-") {
                continue;
            }
            let source = Source::new("cut.ozz", bytes[..len].to_vec());
            assert!(read(&source).is_err(), "{} cut to {len}", path.display());
        }
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn trailing_bytes_are_preserved_and_reported() {
    let mut bytes = bytes("pab_run.ozz");
    bytes.extend([7; 5]);
    let (model, findings) = read(&Source::new("x.ozz", bytes)).unwrap();
    assert_eq!(count(&findings, FindingKind::TrailingBytes), 1);
    assert_eq!(model.preserved("ozz", "trailing").unwrap().len(), 5);
}

/// Combines a mesh of one format with a skeleton and an animation of another.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn an_fbx_mesh_is_animated_by_an_ozz_skeleton_and_animation() {
    let samples = samples();
    let at = |path: &str| samples.join(path);
    let with = [at("ozz/pab_walk.ozz"), at("ozz/pab_skeleton.ozz")];
    for with in [with.clone(), [with[1].clone(), with[0].clone()]] {
        let report = Report::new();
        let model = open_file(&at("fbx/pab_arnaud.fbx"), &with, &report).unwrap();
        let clip = model.find_clip("walk").unwrap();
        let walks = model.clips.iter().filter(|clip| clip.name == "walk");
        assert_eq!(walks.count(), 1);
        let ozz = open_file(&at("ozz/arnaud_mesh.ozz"), &with, &Report::new()).unwrap();
        let bounds = |model: &Model, clip, time_secs| {
            let moment = Moment::TimeSecs(time_secs);
            posed_bounds(
                model,
                &PoseSpec {
                    clip: Some(clip),
                    moment,
                    sampling: Sampling::Linear,
                    ..PoseSpec::default()
                },
            )
        };
        for time_secs in [0.0, 0.4, 0.9] {
            let a = bounds(&model, clip, time_secs);
            let b = bounds(&ozz, ozz.find_clip("walk").unwrap(), time_secs);
            // The FBX has the same man with more influences, so only compare the bounds.
            let off = a.min.distance(b.min).max(a.max.distance(b.max));
            assert!(off < 0.02 * b.extent(), "{off} m at {time_secs} s: {a:?} {b:?}");
        }
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn an_fbx_mesh_finds_its_skeleton_and_animation_in_the_folder() {
    let samples = samples();
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str| {
        let from = samples.join(from);
        let to = folder.path().join(from.file_name().unwrap());
        std::fs::copy(from, &to).unwrap();
        to
    };
    let mesh = copy("fbx/pab_arnaud.fbx");
    copy("ozz/pab_walk.ozz");
    let alone = open_file(&mesh, &[], &Report::new()).unwrap();
    assert_eq!(alone.find_clip("walk"), None, "no skeleton says whose it is");
    copy("ozz/pab_skeleton.ozz");
    let model = open_file(&mesh, &[], &Report::new()).unwrap();
    let walk = model.find_clip("walk").unwrap();
    let spec = PoseSpec::linear(walk, 0.4);
    let (rest, walking) = (posed_bounds(&model, &PoseSpec::default()), posed_bounds(&model, &spec));
    // The arms come down from the T-pose.
    assert!(walking.size().x < 0.6 * rest.size().x, "{rest:?} {walking:?}");
    // The skeleton of another character isn't used.
    let other = copy("gltf/Fox.glb");
    assert_eq!(open_file(&other, &[], &Report::new()).unwrap().find_clip("walk"), None);
}
