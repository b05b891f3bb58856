//! Real OBJ files.

use glam::Vec3;
use std::collections::HashSet;
use std::sync::Arc;

use rigscope_core::model::{Report, Severity};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_io::formats::{
    OutputPlace, ReadOptions, RelatedFile, Source, WriteOptions, by_id, open, write,
};

use crate::support::{files_below, open_file, readable_samples, samples};

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_sample_has_its_original_points_faces_and_unit() {
    let folder = samples();
    let is_obj = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "obj");
    let files: Vec<_> = files_below(&folder).into_iter().filter(is_obj).collect();
    assert!(files.len() > 20);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let report = Report::new();
        let source = Source::new("x.obj", text.clone().into_bytes());
        let model = open(&source, &ReadOptions::default(), &report).unwrap().model;
        let name = file.display();
        assert_ne!(report.worst(), Some(Severity::Error), "{name}");
        assert_eq!(model.axes.unit_meters, None, "{name}");
        let points: Vec<Vec3> = text
            .lines()
            .filter_map(|line| line.strip_prefix("v "))
            .map(|line| {
                let n: Vec<f32> = line.split_whitespace().map(|n| n.parse().unwrap()).collect();
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
                found[at.unwrap_or_else(|| panic!("{name}: no point at {position}"))] = true;
            }
        }
        // Of several points at the same position, only the first is found.
        let hidden = |at: usize| points[..at].contains(&points[at]);
        let missing = (0..points.len()).filter(|&at| !found[at] && !hidden(at));
        assert_eq!(missing.count(), 0, "{name}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_sample_reads_back_with_bit_exact_display_positions() {
    let format = by_id("obj").unwrap();
    let options = WriteOptions { stem: "trip".into(), ..WriteOptions::default() };
    let mut num = 0;
    for path in readable_samples() {
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        if model.num_triangles() == 0 || path.metadata().unwrap().len() > 2 << 20 {
            continue;
        }
        let name = path.display();
        let mut files = write(&model, format, &options, &Report::new()).unwrap();
        let related_files = files.split_off(1).into_iter().map(|file| RelatedFile {
            name: match file.place {
                OutputPlace::Named(name) => name,
                other => panic!("{other:?}"),
            },
            bytes: Arc::new(file.bytes),
        });
        let source = Source::new("trip.obj", files.remove(0).bytes);
        let source = source.with_related_files(related_files.collect());
        let read = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
        let display_from_file = model.axes.display_from_file();
        let shown = skin_model(&model, &PoseSpec::default());
        let shown: HashSet<[u32; 3]> = (shown.iter().flat_map(|mesh| &mesh.positions))
            .map(|p| bits(display_from_file.transform_point3(*p)))
            .collect();
        for mesh in &read.model.meshes {
            for vertex in 0..mesh.num_vertices() {
                let position = mesh.position(vertex).unwrap();
                assert!(shown.contains(&bits(position)), "{name}: {position}");
            }
        }
        num += 1;
    }
    assert!(num > 20);
}

/// The bits of a position, with negative zero as zero.
fn bits(p: Vec3) -> [u32; 3] {
    (p + Vec3::ZERO).to_array().map(f32::to_bits)
}
