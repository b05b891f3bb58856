//! Real IQM files, compared with the results of an independent reader.

use glam::Vec3;
use rigscope_core::model::{
    Aabb, Finding, FindingKind, MaterialId, Mesh, MeshId, Model, Report, Severity, Skin,
};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_io::formats::{ReadOptions, RelatedFile, Source, open};

use crate::support::{bitangents, samples};

fn sample(stem: &str) -> Vec<u8> {
    std::fs::read(samples().join(format!("iqm/{stem}.iqm"))).unwrap()
}

fn read(source: &Source) -> Option<(Model, Vec<Finding>)> {
    let report = Report::new();
    let opened = open(source, &ReadOptions::default(), &report).ok()?;
    Some((opened.model, report.findings()))
}

fn posed(model: &Model, clip: usize, time_secs: f64) -> Vec<Vec3> {
    let spec = PoseSpec::linear(model.find_clip(&clip.to_string()), time_secs);
    skin_model(model, &spec).remove(0).positions
}

/// Number of triangles that are clockwise around their normals, and number of those that aren't.
fn clockwise(mesh: &Mesh) -> (usize, usize) {
    let mut counts = (0, 0);
    for corners in mesh.triangles(0..mesh.indices.len()) {
        let [a, b, c] = corners.map(|i| mesh.position(i as usize).unwrap());
        let normal: Vec3 = corners.iter().map(|&i| mesh.normal(i as usize).unwrap()).sum();
        if (b - a).cross(c - a).dot(normal) < 0.0 { counts.0 += 1 } else { counts.1 += 1 }
    }
    counts
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn guy_has_the_known_counts_and_winding() {
    let bytes = sample("guy");
    let (model, findings) = read(&Source::new("guy.iqm", bytes)).unwrap();
    assert_eq!((model.num_vertices(), model.num_triangles(), model.num_subsets()), (240, 120, 1));
    assert_eq!(model.skeleton.len(), 14);
    assert_eq!(model.materials[MaterialId(0)].name, "Materialcube");
    let clips: Vec<_> = model
        .clips
        .iter()
        .map(|clip| (clip.name.as_str(), clip.uniform_keys().unwrap().0, clip.duration_secs))
        .collect();
    assert_eq!(clips, [("jump", 61, 2.5), ("dance", 61, 2.5)]);
    assert_eq!(clockwise(&model.meshes[MeshId(0)]), (120, 0));
    assert_eq!(bitangents(&model.meshes[MeshId(0)]), (360, 0));
    let worst = findings.iter().map(Finding::severity).max();
    assert_eq!(worst, Some(Severity::Info), "{findings:?}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn the_rest_pose_of_guy_leaves_the_vertices_unchanged() {
    let bytes = sample("guy");
    let (model, _) = read(&Source::new("guy.iqm", bytes)).unwrap();
    let mesh = &model.meshes[MeshId(0)];
    assert!(matches!(mesh.skin, Skin::InverseBind(_)));
    let rest = skin_model(&model, &PoseSpec::default()).remove(0).positions;
    for (vertex, position) in rest.iter().enumerate() {
        assert!(position.abs_diff_eq(mesh.position(vertex).unwrap(), 1e-5));
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_separate_animation_file_moves_guy_the_same_way() {
    let (guy, animation) = (sample("guy"), sample("guyanim"));
    let (alone, _) = read(&Source::new("guyanim.iqm", animation.clone())).unwrap();
    assert!(alone.meshes.is_empty());
    assert_eq!((alone.skeleton.len(), alone.clips.len()), (14, 2));
    let source = Source::new("guy.iqm", guy)
        .with_related_files(vec![RelatedFile::new("guyanim.iqm", animation)]);
    let (model, findings) = read(&source).unwrap();
    assert_eq!(model.clips.len(), 4);
    assert!(!findings.iter().any(|n| n.kind == FindingKind::UnmatchedBones));
    let rest = skin_model(&model, &PoseSpec::default()).remove(0).positions;
    for clip in [0, 1] {
        let mut farthest = 0.0f32;
        for step in 0..=50 {
            let secs = f64::from(step) * 0.05;
            let (own, added) = (posed(&model, clip, secs), posed(&model, clip + 2, secs));
            for ((own, added), rest) in own.iter().zip(&added).zip(&rest) {
                assert!(added.is_finite());
                assert!(own.abs_diff_eq(*added, 1e-6), "clip {clip} at {secs}");
                farthest = farthest.max(added.distance(*rest));
            }
        }
        assert!((1.0..20.0).contains(&farthest), "clip {clip}: {farthest}");
    }
}

/// The exporter stored the bounding box of each frame, which the reader doesn't use. The boxes were
/// computed before the channels were rounded to 16 bits, which amounts to a few 1e-4 over nine
/// units.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_frame_of_guy_matches_its_stored_bounds() {
    let bytes = sample("guy");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let bounds_at = word(16 + 4 * 22) as usize;
    let vec3 = |at: usize| Vec3::from([0, 4, 8].map(|i| f32::from_bits(word(at + i))));
    let (model, _) = read(&Source::new("guy.iqm", bytes.clone())).unwrap();
    let mut worst = 0.0f32;
    for frame in 0..122u32 {
        let secs = f64::from(frame % 61) / 24.0;
        let positions = posed(&model, frame as usize / 61, secs);
        let own = Aabb::from_points(positions);
        let at = bounds_at + frame as usize * 32;
        worst = worst.max(own.min.distance(vec3(at)));
        worst = worst.max(own.max.distance(vec3(at + 12)));
    }
    assert!(worst < 3e-4, "a corner is off by {worst}");
}
