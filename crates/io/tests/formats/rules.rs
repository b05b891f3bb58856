//! The rules of `validate` for skins and meshes, on real files: no findings for well-made files,
//! and known findings for the others.

use std::collections::HashSet;
use std::path::Path;

use rigscope_core::model::{Finding, FindingGroup, FindingKind, MeshId, Report, Severity};
use rigscope_core::validate::validate;

use crate::support::{open_file, readable_samples, samples};

/// The findings of the rules about a sample's skin and meshes, without those of the reader.
fn findings(path: &Path) -> Option<Vec<Finding>> {
    let model = open_file(path, &[], &Report::new()).ok()?;
    let report = Report::new();
    validate(&model, &report).unwrap();
    let is_ours = |finding: &Finding| {
        matches!(finding.kind.info().group, FindingGroup::Skin | FindingGroup::Mesh)
    };
    Some(report.findings().into_iter().filter(is_ours).collect())
}

/// Files without any finding above `Info`.
const GOOD: &[&str] = &[
    "bonespro/fox_walk_mesh_absolute.txt",
    "bsm2/Hat.bsm2",
    "bsm2/Rabbit.bsm2",
    "bsm2/diamond.bsm2",
    "bsm2/eyelash.bsm2",
    "bsm2/eyes.bsm2",
    "bsm2/head.bsm2",
    "bsm2/metro.bsm2",
    "bsm2/necklace_1.bsm2",
    "bsm2/rectangular.bsm2",
    "bsm2/tri.bsm2",
    "fbx/blender_279_sausage_7400_binary.fbx",
    "fbx/blender_293_barbarian_7400_binary.fbx",
    "fbx/maya_game_sausage_7500_ascii_wiggle.fbx",
    "fbx/motionbuilder_sausage_rrss_7700_binary.fbx",
    "fbx/pab_arnaud.fbx",
    "gltf/cesium_man.gltf",
    "gltf/raylib_robot.glb",
    "iqm/guy.iqm",
    "ozz/arnaud_mesh.ozz",
    "ozz/arnaud_mesh_4.ozz",
    "ozz/floor.ozz",
    "sims/xskin-b900mafit_mannequin-PELVIS-BODY.skn",
];

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn well_made_files_have_no_finding_above_info() {
    let samples = samples();
    for name in GOOD {
        let findings = findings(&samples.join(name)).unwrap();
        let bad = findings.iter().find(|finding| finding.severity() > Severity::Info);
        assert_eq!(bad, None, "{name}");
    }
}

/// (file, finding, number of places), each verified in the file's data.
const KNOWN: &[(&str, FindingKind, u64)] = &[
    // 30 of 2904 corners face away from their own normals; by the mean of the three normals, only
    // these triangles do.
    ("bsm/suzanne.bsm", FindingKind::FlippedTriangle, 2),
    // Its vertices aren't split at the seams of mirrored UVs.
    ("bsm/suzanne.bsm", FindingKind::TangentHandedness, 91),
    // A part whose normals point in all directions.
    ("bsm2/Gangster.bsm2", FindingKind::FlippedTriangle, 1414),
    ("bsm2/Gangster.bsm2", FindingKind::DuplicateVertex, 573),
    ("bsm2/hades.bsm2", FindingKind::SkewedTangent, 8),
    ("bsm2/necklace_1.bsm2", FindingKind::ZeroAreaTriangle, 12),
    ("bsm2/octopus.bsm2", FindingKind::ClampedUv, 312),
    // The file's own normals, one per vertex: a quarter of the faces don't fit them.
    ("fbx/maya_kenney_character_7700_binary.fbx", FindingKind::FlippedTriangle, 170),
    // A closed body with outward winding and inward normals.
    ("fbx/pab_skeleton.fbx", FindingKind::ReversedWinding, 1),
    // Its mesh of 58.7 cm has a scale of 107.
    ("fbx/animation_with_skeleton.fbx", FindingKind::ScaleNotInBind, 1),
    // 155 units long; glTF has one unit per metre.
    ("gltf/Fox.glb", FindingKind::OddBodySize, 1),
    ("gltf/derived_Fox.quant.glb", FindingKind::OddBodySize, 1),
    // The rest position of its tip is 1 cm away from the bind position.
    ("fbx/maya_dual_quaternion_7500_ascii.fbx", FindingKind::DislocatedJoint, 1),
    // Not indexed.
    ("gltf/Fox.glb", FindingKind::DuplicateVertex, 1294),
    ("ozz/floor.ozz", FindingKind::NonManifoldEdge, 4),
    ("sims/xskin-c900ma_mannequin-HEAD-HEAD.skn", FindingKind::UnusedVertex, 2),
];

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn known_faults_are_found_and_counted() {
    let samples = samples();
    for &(name, kind, count) in KNOWN {
        let findings = findings(&samples.join(name)).unwrap();
        let finding = findings.iter().find(|finding| finding.kind == kind);
        assert_eq!(finding.map(|finding| finding.count), Some(count), "{name} {kind:?}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn suzanne_has_30_flipped_corners() {
    let samples = samples();
    let model = open_file(&samples.join("bsm/suzanne.bsm"), &[], &Report::new()).unwrap();
    let mesh = &model.meshes[MeshId(0)];
    let mut num_flipped = 0;
    for corners in mesh.triangles(0..mesh.indices.len()) {
        let corners = corners.map(|corner| corner as usize);
        let [a, b, c] = corners.map(|corner| mesh.position(corner).unwrap());
        let face = (b - a).cross(c - a);
        let normals = corners.map(|corner| mesh.normal(corner).unwrap());
        num_flipped += normals.iter().filter(|n| face.dot(**n) < 0.0).count();
    }
    assert_eq!(num_flipped, 30);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn samples_have_no_structural_warnings() {
    let mut num = 0;
    for path in readable_samples() {
        let report = Report::new();
        if open_file(&path, &[], &report).is_err() {
            continue;
        }
        num += 1;
        let findings = report.findings();
        let is_fault = |finding: &&Finding| {
            finding.severity() > Severity::Info
                && rigscope_core::model::STRUCTURE.contains(&finding.kind)
        };
        assert_eq!(findings.iter().find(is_fault), None, "{}", path.display());
    }
    assert!(num > 60, "only {num} samples");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn samples_have_only_known_errors() {
    for path in readable_samples() {
        let Some(findings) = findings(&path) else { continue };
        for finding in findings {
            let is_known =
                KNOWN.iter().any(|(name, kind, _)| path.ends_with(name) && *kind == finding.kind);
            assert!(
                finding.severity() < Severity::Error || is_known,
                "{}: {finding:?}",
                path.display()
            );
        }
    }
}

/// Messages are written by the rules, examples are in the table: a reworded message makes its example wrong.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn examples_of_findings_resemble_their_messages() {
    /// The shared fraction of the shorter text's words.
    const MIN_SHARED: f32 = 0.4;
    /// Messages that quote or depend on the file.
    const VARIED: [&str; 2] = ["unreadable", "face-left-out"];
    let words = |text: &str| -> HashSet<String> {
        let unquoted: Vec<&str> = text.split('"').step_by(2).collect();
        let unquoted = unquoted.join(" ").to_lowercase();
        let words = unquoted.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 2);
        words.map(str::to_owned).collect()
    };
    let mut num_seen = 0;
    for path in readable_samples() {
        for finding in findings(&path).unwrap_or_default() {
            let info = finding.kind.info();
            if VARIED.contains(&info.code) {
                continue;
            }
            let (example, message) = (words(info.example), words(&finding.message));
            let num_shared = example.intersection(&message).count();
            let shared = num_shared as f32 / example.len().min(message.len()).max(1) as f32;
            assert!(
                shared >= MIN_SHARED,
                "{}: {:?} {:?}",
                info.code,
                finding.message,
                info.example
            );
            num_seen += 1;
        }
    }
    assert!(num_seen > 100, "{num_seen}");
}
