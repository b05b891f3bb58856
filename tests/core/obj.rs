//! Real OBJ files.

use glam::Vec3;
use rigscope::formats::{ReadOptions, Source, open};
use rigscope::model::{Report, Severity};

use crate::support::{files_below, samples};

#[test]
fn every_sample_has_its_own_points_and_faces_in_its_own_unit() {
    let Some(folder) = samples() else { return };
    let is_obj = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "obj");
    let files: Vec<_> = files_below(&folder).into_iter().filter(is_obj).collect();
    assert!(files.len() > 20);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let report = Report::new();
        let source = Source::new("x.obj", text.clone().into_bytes());
        let model = open(&source, &ReadOptions::default(), &report)
            .unwrap()
            .model;
        let name = file.display();
        assert_ne!(report.worst(), Some(Severity::Error), "{name}");
        assert_eq!(model.axes.unit_meters, None, "{name}");
        let points: Vec<Vec3> = text
            .lines()
            .filter_map(|line| line.strip_prefix("v "))
            .map(|line| {
                let n: Vec<f32> = line
                    .split_whitespace()
                    .map(|n| n.parse().unwrap())
                    .collect();
                Vec3::new(n[0], n[1], n[2])
            })
            .collect();
        let faces = text.lines().filter_map(|line| line.strip_prefix("f "));
        let triangles = faces.map(|face| face.split_whitespace().count() - 2);
        assert_eq!(model.num_triangles(), triangles.sum::<usize>(), "{name}");
        let mut found = vec![false; points.len()];
        for mesh in &model.meshes {
            for vertex in 0..mesh.num_vertices() {
                let position = mesh.position(vertex).unwrap();
                let at = points.iter().position(|&point| point == position);
                found[at.unwrap_or_else(|| panic!("{name}: {position} is no point"))] = true;
            }
        }
        // Points at the same place hide each other.
        let hidden = |at: usize| points[..at].contains(&points[at]);
        let missing = (0..points.len()).filter(|&at| !found[at] && !hidden(at));
        assert_eq!(missing.count(), 0, "{name}");
    }
}
