//! BonesPro exports, compared with the vertex positions that one of them contains.

use rigscope_core::model::{ClipId, MeshId};
use std::sync::Arc;

use glam::Vec3;
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_io::files::DiskFolder;
use rigscope_io::formats::{ReadError, ReadOptions, RelatedFile, Source, open};

use crate::support::{sample_files, samples};
use rigscope_testing::*;

const STRUCTURE: &str = "fox_structure.txt";
const VERTICES: &str = "fox_walk_mesh_absolute.txt";
const BONES: [&str; 3] = [
    "fox_walk_bones_abs_matrix.txt",
    "fox_walk_bones_rel_euler.txt",
    "fox_walk_bones_rel_matrix.txt",
];
const BONE_SPACE: &str = "fox_walk_mesh_bones_cs.txt";
/// Relative to the size of the animation's bounds.
const TOLERANCE: f32 = 1e-4;
const FPS: f64 = 24.0;
const NUM_FRAMES: u32 = 22;

fn bytes(name: &str) -> Vec<u8> {
    let path = samples().join("bonespro").join(name);
    std::fs::read(path).unwrap()
}

fn with(name: &str, others: &[&str]) -> Source {
    let related_files = others.iter().map(|other| RelatedFile::new(*other, bytes(other)));
    Source::new(name, bytes(name)).with_related_files(related_files.collect())
}

fn read(source: &Source) -> Result<(Model, Vec<Finding>), ReadError> {
    let report = Report::new();
    let options = ReadOptions { fps: Some(FPS), ..ReadOptions::default() };
    let opened = open(source, &options, &report)?;
    Ok((opened.model, report.findings()))
}

fn has(findings: &[Finding], kind: FindingKind) -> bool {
    findings.iter().any(|finding| finding.kind == kind)
}

fn detail<'a>(model: &'a Model, name: &str) -> Option<&'a str> {
    let found = model.details.iter().find(|(known, _)| *known == name);
    found.and_then(|(_, detail)| match detail {
        Detail::Text(text) => Some(text.as_str()),
        _ => None,
    })
}

fn clip_names(model: &Model) -> Vec<&str> {
    model.clips.iter().map(|clip| clip.name.as_str()).collect()
}

fn frame(model: &Model, clip: &str, frame: u32) -> Vec<Vec3> {
    let spec = PoseSpec::linear(model.find_clip(clip), f64::from(frame) / FPS);
    assert!(spec.clip.is_some(), "{clip}");
    skin_model(model, &spec).remove(0).positions
}

/// Largest distance between the vertices of two clips over all frames, and the size of the known
/// clip's bounds.
fn miss(model: &Model, clip: &str, known: &Model, known_clip: &str) -> (f32, f32) {
    let (mut miss, mut bounds) = (0.0f32, Aabb::EMPTY);
    for at in 0..NUM_FRAMES {
        let (here, there) = (frame(model, clip, at), frame(known, known_clip, at));
        assert_eq!(here.len(), there.len());
        for (a, b) in here.into_iter().zip(there) {
            miss = miss.max(a.distance(b));
            bounds.add(b);
        }
    }
    (miss, bounds.extent())
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_bone_export_matches_the_vertex_export() {
    let known = with(VERTICES, &[]);
    let (known, _) = read(&known).unwrap();
    for name in BONES {
        let (model, findings) = read(&with(STRUCTURE, &[name])).unwrap();
        let clip = name.strip_suffix(".txt").unwrap();
        assert_eq!(clip_names(&model), [clip]);
        let (miss, extent) = miss(&model, clip, &known, "fox_walk_mesh_absolute");
        println!("{name}: {miss} of {extent}");
        assert!(miss < TOLERANCE * extent, "{name}: {miss} of {extent}");
        assert!(
            !has(&findings, FindingKind::AssumedFps)
                && !has(&findings, FindingKind::UnusedRelatedFile)
        );
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn bone_space_vertices_match_the_absolute_positions() {
    let source = with(BONE_SPACE, &[STRUCTURE, BONES[0]]);
    let (known, _) = read(&with(VERTICES, &[])).unwrap();
    let (model, findings) = read(&source).unwrap();
    let (miss, extent) = miss(&model, "fox_walk_mesh_bones_cs", &known, "fox_walk_mesh_absolute");
    println!("{BONE_SPACE}: {miss} of {extent}");
    assert!(miss < TOLERANCE * extent, "{miss} of {extent}");
    assert!(!has(&findings, FindingKind::MissingRelatedFile));
    // Missing bones are reported.
    let (_, findings) = read(&with(BONE_SPACE, &[STRUCTURE])).unwrap();
    assert!(has(&findings, FindingKind::MissingRelatedFile));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_structure_has_named_bones_weights_and_no_faces() {
    let source = with(STRUCTURE, &[]);
    let (model, findings) = read(&source).unwrap();
    assert_eq!((model.skeleton.len(), model.num_vertices()), (24, 290));
    assert_eq!(model.skeleton.bones()[BoneId(1)].name, "b_Root_00");
    assert_eq!(model.skeleton.bones()[BoneId(1)].parent.map(|parent| parent.0), Some(0));
    assert_eq!(model.num_triangles(), 0);
    assert!(has(&findings, FindingKind::NoTriangles) && !has(&findings, FindingKind::NotFinite));
    // The whole text is preserved.
    let kept = model.preserved("bonespro", "structure").unwrap();
    assert_eq!(&**kept, &bytes(STRUCTURE)[..]);
    // At rest, each vertex is at its stored position.
    let rest = skin_model(&model, &PoseSpec::default()).remove(0).positions;
    for (vertex, position) in rest.into_iter().enumerate() {
        let stored = model.meshes[MeshId(0)].position(vertex).unwrap();
        assert!(position.abs_diff_eq(stored, 1e-3), "vertex {vertex}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn matching_exports_are_found_in_the_folder_and_conventions_measured() {
    let source = with(STRUCTURE, &[]);
    let folder = samples().join("bonespro");
    let source = source.with_folders(vec![Arc::new(DiskFolder::new(&folder, u64::MAX))]);
    let (model, findings) = read(&source).unwrap();
    assert_eq!(model.clips.len(), 5);
    let convention = detail(&model, "convention").unwrap();
    assert!(convention.contains("row") && convention.contains("static"), "{convention}");
    println!("{}", detail(&model, "convention error").unwrap());
    assert!(!has(&findings, FindingKind::OtherConvention));
    assert!(has(&findings, FindingKind::AddedClips));
    // An animation finds its structure, but doesn't load the other animations.
    let animation = Source::new(BONES[2], bytes(BONES[2]));
    let animation = animation.with_folders(vec![Arc::new(DiskFolder::new(&folder, u64::MAX))]);
    let (model, _) = read(&animation).unwrap();
    assert_eq!(clip_names(&model), ["fox_walk_bones_rel_matrix"]);
    assert_eq!(model.skeleton.bones()[BoneId(1)].name, "b_Root_00");
    assert_eq!(detail(&model, "structure file"), Some(STRUCTURE));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_given_folder_adds_each_clip_once() {
    let all = [STRUCTURE, VERTICES, BONES[0], BONES[1], BONES[2], BONE_SPACE];
    for name in [STRUCTURE, BONES[1], VERTICES] {
        let source = with(name, &all);
        let (model, findings) = read(&source).unwrap();
        assert_eq!(model.clips.len(), 5, "{name}: {:?}", clip_names(&model));
        assert!(!has(&findings, FindingKind::UnusedRelatedFile), "{name}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn an_animation_without_a_structure_is_bones_or_a_point_cloud() {
    let source = with(BONES[0], &[]);
    let (model, findings) = read(&source).unwrap();
    assert_eq!((model.skeleton.len(), model.meshes.len()), (24, 0));
    assert!(has(&findings, FindingKind::MissingSkeleton));
    let (model, _) = read(&with(VERTICES, &[])).unwrap();
    assert_eq!(model.num_vertices(), 290);
    assert!(matches!(model.clips[ClipId(0)].motion, Motion::VertexAnimation(_)));
    let options = ReadOptions::default();
    let report = Report::new();
    let model = open(&with(VERTICES, &[]), &options, &report).unwrap().model;
    assert!((model.clips[ClipId(0)].duration_secs - 21.0 / 30.0).abs() < 1e-9);
    assert!(has(&report.findings(), FindingKind::AssumedFps));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn faces_are_borrowed_from_a_related_mesh() {
    let source = with(STRUCTURE, &["fox_companion.obj", BONES[0], VERTICES]);
    let (model, findings) = read(&source).unwrap();
    assert!(model.num_triangles() > 300, "{}", model.num_triangles());
    assert!(!has(&findings, FindingKind::UnmatchedVertices));
    assert!(detail(&model, "faces").unwrap().contains("fox_companion.obj"));
    let (miss, extent) =
        miss(&model, "fox_walk_bones_abs_matrix", &model, "fox_walk_mesh_absolute");
    assert!(miss < TOLERANCE * extent, "{miss} of {extent}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn truncated_files_are_refused_and_changed_files_never_panic() {
    let mut random = Random(20_261_120);
    let mut below = |limit| random.below(limit);
    for path in sample_files("bonespro", "txt") {
        let bytes = std::fs::read(&path).unwrap();
        for _ in 0..60 {
            let len = below(bytes.len() - 8);
            let cut = Source::new("cut.txt", bytes[..len].to_vec());
            assert!(read(&cut).is_err(), "{} cut to {len}", path.display());
        }
        for _ in 0..60 {
            let mut changed = bytes.clone();
            for _ in 0..=below(6) {
                let reach = [200, changed.len()][below(2)].min(changed.len());
                let at = below(reach);
                changed[at] = b"0179-.*<>/ \n\"eN\xe4"[below(16)];
            }
            if let Ok((model, _)) = read(&Source::new("changed.txt", changed)) {
                let spec = PoseSpec::at_secs(None, 0.1);
                assert_eq!(skin_model(&model, &spec).len(), model.meshes.len());
            }
        }
    }
}
