//! The real BSM file, compared with the results of an independent reader.

use glam::Vec3;
use rigscope_core::model::MeshId;
use rigscope_io::formats::{Opened, ReadOptions, Source, WriteOptions, by_id, open, write};

use crate::support::{bitangents, sample_files};
use rigscope_testing::*;

fn read(bytes: Vec<u8>) -> Option<(Opened, Vec<Finding>)> {
    let report = Report::new();
    let source = Source::new("x.bsm", bytes);
    let opened = open(&source, &ReadOptions::default(), &report).ok()?;
    Some((opened, report.findings()))
}

fn suzanne() -> Vec<u8> {
    std::fs::read(&sample_files("bsm", "bsm")[0]).unwrap()
}

/// Number of corners at which the triangle's winding agrees with the normal, and number at which it
/// doesn't.
fn winding(mesh: &Mesh) -> (usize, usize) {
    let mut counts = (0, 0);
    for corners in mesh.triangles(0..mesh.indices.len()) {
        let [a, b, c] = corners.map(|i| mesh.position(i as usize).unwrap());
        let side = (b - a).cross(c - a);
        for corner in corners {
            if side.dot(mesh.normal(corner as usize).unwrap()) > 0.0 {
                counts.0 += 1
            } else {
                counts.1 += 1
            }
        }
    }
    counts
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn suzanne_has_the_known_counts_bounds_and_winding() {
    let bytes = suzanne();
    let (opened, findings) = read(bytes).unwrap();
    let model = opened.model;
    assert_eq!(opened.format.info.id, "bsm");
    assert_eq!((model.num_vertices(), model.num_triangles(), model.num_subsets()), (1049, 968, 1));
    let mesh = &model.meshes[MeshId(0)];
    let bounds = Aabb::from_points((0..mesh.num_vertices()).filter_map(|v| mesh.position(v)));
    let stored = model.stored_bounds.unwrap();
    assert_eq!(bounds, stored.aabb);
    assert_eq!(bounds.max, Vec3::new(1.3671875, 0.984375, 0.8515625));
    assert!(!findings.iter().any(|n| n.kind == FindingKind::BoundsMismatch));
    assert_eq!(winding(mesh), (2874, 30));
    assert_eq!(bitangents(mesh), (2770, 110));
    let streams = streams(mesh);
    let zero = streams.tangents.iter().filter(|t| t.truncate() == Vec3::ZERO);
    assert_eq!(zero.count(), 1);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn suzanne_truncated_anywhere_is_refused() {
    let bytes = suzanne();
    for len in (0..2000).chain((2000..bytes.len()).step_by(61)) {
        assert!(read(bytes[..len].to_vec()).is_none(), "{len}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn suzanne_is_rewritten_byte_for_byte() {
    let bytes = suzanne();
    let model = read(bytes.clone()).unwrap().0.model;
    let format = by_id("bsm").unwrap();
    let files = write(&model, format, &WriteOptions::default(), &Report::new()).unwrap();
    assert!(files[0].bytes == bytes);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_sample_converts_to_a_valid_file_with_hulls_and_an_occlusion_mesh() {
    let options = WriteOptions { make_hulls: true, make_occluder: true, ..WriteOptions::default() };
    let format = by_id("bsm").unwrap();
    let mut num = 0;
    for path in crate::support::readable_samples() {
        let Ok(model) = crate::support::open_file(&path, &[], &Report::new()) else { continue };
        if model.num_triangles() == 0 || path.metadata().unwrap().len() > 2 << 20 {
            continue;
        }
        let name = path.display();
        let files = write(&model, format, &options, &Report::new()).unwrap();
        let (opened, findings) = read(files[0].bytes.clone()).unwrap();
        let sound = opened.model;
        for kind in [
            FindingKind::BoundsMismatch,
            FindingKind::IndexOutOfRange,
            FindingKind::UncoveredIndices,
            FindingKind::TangentSign,
            FindingKind::TrailingBytes,
        ] {
            let is_own = path.extension().is_some_and(|e| e == "bsm");
            assert!(is_own || !findings.iter().any(|n| n.kind == kind), "{name}: {findings:?}");
        }
        let mesh = &sound.meshes[MeshId(0)];
        let bounds = Aabb::from_points((0..mesh.num_vertices()).filter_map(|v| mesh.position(v)));
        let occluder = sound.occluder.as_ref().unwrap();
        let room = Vec3::splat(1e-6 * bounds.extent());
        for position in occluder.positions.iter().chain(sound.hulls.iter().flat_map(|h| &h.points))
        {
            let is_inside =
                position.cmpge(bounds.min - room).all() && position.cmple(bounds.max + room).all();
            assert!(is_inside, "{name}: {position}");
        }
        assert!(!sound.hulls.is_empty(), "{name}");
        assert!(occluder.indices.len() <= mesh.indices.len(), "{name}");
        num += 1;
    }
    assert!(num > 20);
}
