//! The Sims: all known values of the samples, equivalent text and binary files, and related files
//! in folders and archives.

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Affine3A, Vec3};
use rigscope_core::model::{
    BoneId, ClipId, Element, Finding, FindingKind, IdVec, MeshId, Model, Provenance, Report,
    Severity,
};
use rigscope_core::pose::{PoseSpec, sample, skin_model};
use rigscope_io::formats::{Opened, ReadError, ReadOptions, RelatedFile, Source, open};
use serde_json::Value;

use crate::support::folder::InMemory;
use crate::support::samples;

/// Tolerance of the known values, in feet.
const TOLERANCE: f32 = 1e-4;
const BODY: &str = "xskin-b900mafit_mannequin-PELVIS-BODY";
const HEAD: &str = "xskin-c900ma_mannequin-HEAD-HEAD";

pub(super) fn folder() -> PathBuf {
    samples().join("sims")
}

pub(super) fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

fn related_file(name: &str) -> RelatedFile {
    RelatedFile { name: name.to_owned(), bytes: Arc::new(bytes(name)) }
}

/// Opens a sample in a folder with those samples that `is_beside` selects, and with `given` as
/// related files.
fn try_open(
    name: &str,
    is_beside: impl Fn(&str) -> bool,
    given: &[&str],
) -> (Result<Opened, ReadError>, Vec<Finding>) {
    let beside = InMemory::copy(&folder(), is_beside);
    let source = Source::new(name, bytes(name))
        .with_folders(vec![Arc::new(beside)])
        .with_related_files(given.iter().map(|name| related_file(name)).collect());
    let report = Report::new();
    let options = ReadOptions { images: true, ..ReadOptions::default() };
    let opened = open(&source, &options, &report);
    (opened, report.findings())
}

fn opened(name: &str, is_beside: impl Fn(&str) -> bool, given: &[&str]) -> (Model, Vec<Finding>) {
    let (opened, findings) = try_open(name, is_beside, given);
    (opened.unwrap().model, findings)
}

fn beside_all(name: &str) -> Model {
    opened(name, |_| true, &[]).0
}

fn count(findings: &[Finding], kind: FindingKind) -> u64 {
    findings.iter().find(|n| n.kind == kind).map_or(0, |n| n.count)
}

fn expected() -> Value {
    serde_json::from_slice(&bytes("expected.json")).unwrap()
}

fn vec3(value: &Value) -> Vec3 {
    let numbers: [f32; 3] = serde_json::from_value(value.clone()).unwrap();
    numbers.into()
}

/// Compares bone positions by name. Returns the largest distance.
fn compare_bones(model: &Model, spec: &PoseSpec, expected: &Value) -> f32 {
    let pose = sample(model, spec);
    let bones = expected.as_object().unwrap();
    assert!(bones.len() >= 9);
    let mut worst = 0.0f32;
    for (name, expected) in bones {
        let at = model.skeleton.bones().iter().position(|b| b.name == *name);
        let found = Vec3::from(pose.model_from_bone[BoneId::from_index(at.unwrap())].translation);
        let distance = found.distance(vec3(expected));
        assert!(distance < TOLERANCE, "{name} is at {found}");
        worst = worst.max(distance);
    }
    worst
}

/// Compares the bounds and selected vertices of mesh 0. Returns the largest distance.
fn compare_mesh(model: &Model, spec: &PoseSpec, expected: &Value) -> f32 {
    let skinned = skin_model(model, spec).remove(0);
    let positions = || skinned.positions.iter().copied();
    let mut worst = 0.0f32;
    let mut check = |what: &str, found: Vec3, expected: Vec3| {
        let distance = (found - expected).abs().max_element();
        assert!(distance < TOLERANCE, "{what} is {found}, not {expected}");
        worst = worst.max(distance);
    };
    check("min", positions().reduce(Vec3::min).unwrap(), vec3(&expected["min"]));
    check("max", positions().reduce(Vec3::max).unwrap(), vec3(&expected["max"]));
    for (index, vertex) in expected["vertices"].as_object().unwrap() {
        let at: usize = index.parse().unwrap();
        check(index, skinned.positions[at], vec3(&vertex["p"]));
        // In the known values, blended normals aren't normalised.
        let normal = vec3(&vertex["n"]).normalize_or_zero();
        check(index, skinned.normals[at], normal);
    }
    worst
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn counts_match_the_expected_values() {
    for (name, counts) in expected()["counts"].as_object().unwrap() {
        for extension in ["skn", "bmf"] {
            let model = beside_all(&format!("{name}.{extension}"));
            let count = |key: &str| usize::try_from(counts[key].as_u64().unwrap()).unwrap();
            let mesh = &model.meshes[MeshId(0)];
            assert_eq!(mesh.num_vertices(), count("raw"), "{name}");
            assert_eq!(mesh.num_triangles(), count("faces"), "{name}");
            let rigscope_core::model::Skin::BoneLocal(skin) = &mesh.skin else {
                panic!("{name} is bone-local");
            };
            assert_eq!(skin.influences.len(), count("vertices"), "{name}");
            assert_eq!(count("raw") + count("blends"), count("vertices"));
            assert_eq!(mesh.name, *name);
        }
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn the_rest_pose_matches_the_known_positions() {
    let expected = expected();
    let rest = PoseSpec::default();
    let mut worst = 0.0f32;
    for extension in ["skn", "bmf"] {
        let body = beside_all(&format!("{BODY}.{extension}"));
        assert_eq!(body.skeleton.len(), 29);
        worst = worst.max(compare_bones(&body, &rest, &expected["rest"]["bones"]));
        worst = worst.max(compare_mesh(&body, &rest, &expected["rest"]["body"]));
        // The mesh's own positions, for use without a pose, are the same.
        let skinned = skin_model(&body, &rest).remove(0);
        for (at, position) in skinned.positions.iter().enumerate() {
            assert_eq!(body.meshes[MeshId(0)].position(at), Some(*position));
        }
        let tiny = beside_all(&format!("tiny.{extension}"));
        worst = worst.max(compare_mesh(&tiny, &rest, &expected["rest"]["tiny"]));
    }
    for extension in ["cmx", "cmx.bcf"] {
        let skeleton = beside_all(&format!("mannequin-skeleton.{extension}"));
        assert!(skeleton.meshes.is_empty());
        worst = worst.max(compare_bones(&skeleton, &rest, &expected["rest"]["bones"]));
    }
    println!("greatest distance at rest: {worst}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn both_skills_match_every_known_pose() {
    let expected = expected();
    let mut worst = 0.0f32;
    for skills in ["mannequin-skills.cmx", "mannequin-skills.cmx.bcf"] {
        let (model, findings) = opened(&format!("{BODY}.bmf"), |_| true, &[skills]);
        assert_eq!(count(&findings, FindingKind::AddedClips), 2, "{findings:?}");
        assert_eq!(count(&findings, FindingKind::UnmatchedBones), 0, "{findings:?}");
        let clips = [("walk", "mannequin-walk-loop", 30.0), ("wave", "mannequin-wave", 61.0)];
        for (key, name, num_frames) in clips {
            let clip = model.find_clip(name).unwrap();
            let duration = model.clips[clip].duration_secs;
            for (frame, expected) in expected[key].as_object().unwrap() {
                let spec =
                    PoseSpec::linear(clip, frame.parse::<f64>().unwrap() * duration / num_frames);
                worst = worst.max(compare_bones(&model, &spec, &expected["bones"]));
                worst = worst.max(compare_mesh(&model, &spec, &expected["body"]));
            }
        }
    }
    println!("greatest distance of both skills: {worst}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn looping_skills_return_to_the_start_and_others_hold_the_last_frame() {
    let model = beside_all("mannequin-skills.cmx");
    let at = |clip: &str, secs: f64| {
        let spec = PoseSpec::linear(model.find_clip(clip), secs);
        sample(&model, &spec).parent_from_bone
    };
    let check = |a: IdVec<BoneId, Affine3A>, b: IdVec<BoneId, Affine3A>| {
        let mut pairs = a.iter().zip(&b);
        assert!(pairs.all(|(a, b)| a.abs_diff_eq(*b, 1e-6)));
    };
    check(at("mannequin-walk-loop", 0.999), at("mannequin-walk-loop", 0.0));
    let last_frame = 2.0 * 60.0 / 61.0;
    check(at("mannequin-wave", 2.0), at("mannequin-wave", last_frame));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn text_and_binary_files_give_equal_models() {
    let skins = [BODY, HEAD, "xskin-h900lo-L_HAND-HAND", "xskin-h900ro-R_HAND-HAND", "tiny"];
    let characters = [
        "b900mafit_mannequin",
        "c900ma_mannequin",
        "h900_mannequin",
        "mannequin-skeleton",
        "mannequin-skills",
    ];
    let skins = skins.map(|name| (format!("{name}.skn"), format!("{name}.bmf")));
    let characters = characters.map(|name| (format!("{name}.cmx"), format!("{name}.cmx.bcf")));
    for (text, binary) in skins.into_iter().chain(characters) {
        let described = |name: &str| {
            let mut model = beside_all(name);
            model.name.clear();
            // Offsets differ between text and binary files.
            model.provenance = Provenance::default();
            // Only text has line ends and comments.
            let is_spelling = |what| matches!(what, "line end" | "head");
            model.preserved.retain(|kept| !is_spelling(kept.what));
            format!("{model:?}")
        };
        assert!(described(&text) == described(&binary), "{text}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_suit_loads_its_skins_skeleton_and_textures() {
    let cases = [
        ("b900mafit_mannequin.cmx", vec!["b900mafitlgt_mannequin.bmp"]),
        ("c900ma_mannequin.cmx.bcf", vec!["c900malgt_mannequin.bmp"]),
        ("h900_mannequin.cmx", vec!["hmlomannequin.bmp", "hmromannequin.bmp"]),
    ];
    for (name, textures) in cases {
        let (model, findings) = opened(name, |_| true, &[]);
        assert_eq!(model.skeleton.len(), 29, "{name}");
        assert_eq!(model.meshes.len(), textures.len(), "{name}");
        for (mesh, texture) in model.meshes.iter().zip(&textures) {
            let material = &model.materials[mesh.subsets[0].material.unwrap()];
            let image = material.textures[0].image.unwrap();
            assert_eq!(model.images[image].name, *texture, "{name}");
        }
        let worst = findings.first().map(Finding::severity);
        let only = [FindingKind::NoClips, FindingKind::UnreferencedBone];
        assert!(findings.iter().all(|n| only.contains(&n.kind)), "{findings:?}");
        assert!(worst <= Some(Severity::Warning));
    }
    // Without the binary files, the text files are found; without either, the missing files are
    // reported.
    let (model, _) = opened("h900_mannequin.cmx", |name| !name.ends_with("mf"), &[]);
    assert_eq!(model.meshes.len(), 2);
    let (opened, findings) = try_open("h900_mannequin.cmx", |_| false, &[]);
    let model = opened.unwrap().model;
    assert!(model.meshes.is_empty() && !model.skeleton.is_empty());
    assert_eq!(count(&findings, FindingKind::MissingRelatedFile), 2);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn without_a_skeleton_one_bone_suffices_and_several_are_reported() {
    let (head, findings) = opened(&format!("{HEAD}.bmf"), |_| false, &[]);
    assert_eq!(head.skeleton.bones()[BoneId(0)].name, "HEAD");
    assert_eq!(count(&findings, FindingKind::MissingSkeleton), 0);
    let (body, findings) = opened(&format!("{BODY}.skn"), |_| false, &[]);
    let finding = findings.iter().find(|n| n.kind == FindingKind::MissingSkeleton);
    let message = &finding.unwrap().message;
    assert!(message.contains("18 bones (PELVIS, "), "{message}");
    assert!(message.contains("--with FILE"), "{message}");
    assert_eq!(body.skeleton.len(), 18);
    assert!(!body.skeleton.has_hierarchy());
    // A skeleton that is passed explicitly is enough, and is used.
    let given = ["mannequin-skeleton.cmx.bcf"];
    let (body, findings) = opened(&format!("{BODY}.skn"), |_| false, &given);
    assert_eq!(body.skeleton.len(), 29);
    assert_eq!(count(&findings, FindingKind::UnusedRelatedFile), 0, "{findings:?}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn related_files_may_be_given_in_any_order() {
    let given = [
        "xskill-mannequin-wave.cfp",
        "mannequin-skills.cmx",
        "xskill-mannequin-walk-loop.cfp",
        "mannequin-skeleton.cmx",
    ];
    let (model, findings) = opened(&format!("{BODY}.skn"), |_| false, &given);
    assert_eq!(model.clips.len(), 2);
    assert_eq!(model.skeleton.len(), 29);
    assert_eq!(count(&findings, FindingKind::UnusedRelatedFile), 0, "{findings:?}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn skills_without_a_skeleton_have_named_bones_events_and_details() {
    let is_values = |name: &str| name.ends_with(".cfp");
    let (model, findings) = opened("mannequin-skills.cmx", is_values, &[]);
    assert_eq!(model.clips.len(), 2);
    assert_eq!(model.skeleton.len(), 29);
    assert!(model.skeleton.bones().iter().all(|bone| !bone.name.is_empty()));
    assert_eq!(count(&findings, FindingKind::MissingSkeleton), 1);
    let walk = &model.clips[ClipId(0)];
    let events: Vec<_> = (walk.events.iter()).map(|e| (e.time_secs, &*e.name, &*e.value)).collect();
    let known = [(0.0, "interruptable", "0"), (0.25, "footstep", "2"), (0.75, "footstep", "1")];
    assert_eq!(events, known);
    let root = walk.events[0].bone.unwrap();
    assert_eq!(model.skeleton.bones()[root].name, "ROOT");
    let details = format!("{:?}", model.details);
    assert!(details.contains("mannequin-walk-loop: 4 feet, moving"), "{details}");
    let (model, findings) = opened("mannequin-skills.cmx", |name| !is_values(name), &[]);
    assert!(model.clips.is_empty());
    assert_eq!(count(&findings, FindingKind::MissingRelatedFile), 2);
}

/// An archive of all samples; each name includes a folder.
pub(super) fn archive() -> Vec<u8> {
    let mut entries: Vec<(String, Vec<u8>)> = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        entries.push((format!("Skins\\{name}"), std::fs::read(path).unwrap()));
    }
    entries.sort();
    let word = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
    let mut bytes = b"FAR!byAZ\x01\0\0\0\0\0\0\0".to_vec();
    let mut directory = word(entries.len()).to_vec();
    for (name, content) in entries {
        let parts = [content.len(), content.len(), bytes.len(), name.len()];
        directory.extend(parts.into_iter().flat_map(word));
        directory.extend(name.as_bytes());
        bytes.extend(content);
    }
    let start = bytes.len();
    bytes[12..16].copy_from_slice(&word(start));
    bytes.extend(directory);
    bytes
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn an_archive_can_be_opened_given_or_found_in_the_folder() {
    let archive = archive();
    let read = |source: &Source| {
        let report = Report::new();
        let opened = open(source, &ReadOptions::default(), &report).unwrap();
        (opened.model, report.findings())
    };
    let (model, findings) = read(&Source::new("figure.far", archive.clone()));
    assert_eq!(model.meshes.len(), 1);
    assert_eq!(model.skeleton.len(), 29);
    assert_eq!(model.images.len(), 1, "textures come out of the archive too");
    assert_eq!(count(&findings, FindingKind::PartShown), 1, "{findings:?}");
    assert_eq!(count(&findings, FindingKind::MissingTexture), 0, "{findings:?}");
    let body = || Source::new(format!("{BODY}.skn"), bytes(&format!("{BODY}.skn")));
    let given = body().with_related_files(vec![RelatedFile::new("figure.far", archive.clone())]);
    let beside = InMemory::of([("GameData/Figure.FAR".to_owned(), archive)]);
    let beside = body().with_folders(vec![Arc::new(beside)]);
    for source in [given, beside] {
        let (model, findings) = read(&source);
        assert_eq!(model.skeleton.len(), 29);
        assert_eq!(count(&findings, FindingKind::UnusedRelatedFile), 0, "{findings:?}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn provenance_finds_the_bytes_of_a_vertex() {
    let model = beside_all("tiny.bmf");
    // Its texture coordinate, then the vertex itself.
    let records = model.provenance.of(Element::Vertex { mesh: 0 }, 2);
    let record = records.last().unwrap();
    let range = usize::try_from(record.start).unwrap()..usize::try_from(record.end).unwrap();
    let known: Vec<u8> =
        [0.0f32, 0.0, 3.0, 0.0, 1.0, 0.0].into_iter().flat_map(f32::to_le_bytes).collect();
    assert_eq!(bytes("tiny.bmf")[range], known);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn file_space_is_left_handed_and_has_no_unit() {
    let model = beside_all(&format!("{BODY}.bmf"));
    assert!(model.axes.is_mirrored() && model.axes.reverses_winding());
    assert_eq!(model.axes.unit_meters, None);
    // In stored coordinates, the corners are counter-clockwise around the normal.
    let mesh = &model.meshes[MeshId(0)];
    let at = |index: u32| mesh.position(index as usize).unwrap();
    let (mut agreeing, mut all) = (0, 0);
    for [a, b, c] in mesh.triangles(0..mesh.indices.len()) {
        let face = (at(b) - at(a)).cross(at(c) - at(a));
        agreeing += usize::from(face.dot(mesh.normal(a as usize).unwrap()) > 0.0);
        all += 1;
    }
    assert!(agreeing * 100 > all * 95, "{agreeing} of {all}");
}
