//! Round trips of unchanged files and of other models.

use glam::{Vec2, Vec3, Vec4};
use rigscope_core::model::{MaterialId, MeshId};

use super::ID;
use super::contents::int;
use super::tests::{built, built_with, count, put, read, stored};
use crate::formats::{WriteError, WriteOptions};
use rigscope_testing::*;

fn write_with(model: &Model, options: &WriteOptions) -> (Vec<u8>, Report) {
    let report = Report::new();
    let mut files = super::write::write(model, options, &report).unwrap();
    assert_eq!(files.len(), 1);
    (files.remove(0).bytes, report)
}

fn write(model: &Model) -> Vec<u8> {
    write_with(model, &WriteOptions::default()).0
}

fn rewritten(bytes: &[u8]) -> Vec<u8> {
    write(&read(bytes.to_vec()).unwrap().0)
}

fn streams(model: &Model) -> &Streams {
    rigscope_testing::streams(&model.meshes[MeshId(0)])
}

fn indices(model: &Model) -> Vec<u32> {
    model.meshes[MeshId(0)].indices.iter().collect()
}

/// A square in the plane z = `z` facing +z, with UVs along x and y.
fn square(name: &str, z: f32, material: Option<u32>) -> Mesh {
    let uvs = [(0.0, 1.0), (1.0, 1.0), (0.0, 0.0), (1.0, 0.0)].map(Vec2::from);
    let quad = ModelBuilder::new().quad(Vec3::Z * z).name(name).uvs(uvs);
    quad.subsets(&[(6, material)]).into_mesh()
}

fn cube(name: &str, size: f32) -> Mesh {
    ModelBuilder::new().cube(size).name(name).into_mesh()
}

#[test]
fn an_unchanged_file_is_written_byte_for_byte() {
    let plain = built();
    let mut extended = built_with(b"adjacency");
    put(&mut extended, 0x10, 7);
    put(&mut extended, 0x14, 42);
    extended.extend_from_slice(b"end");
    // 1 - (1 - v) doesn't equal v.
    let mut odd_uv = built();
    let at = stored(&odd_uv, 0x48) + 4;
    put(&mut odd_uv, at, i32::from_le_bytes(0.1f32.to_le_bytes()));
    let mut not_utf8 = built();
    let at = stored(&not_utf8, 0x60) + 8;
    not_utf8[at] = 0xff;
    let mut shared = built();
    let at = stored(&shared, 0x70);
    put(&mut shared, at + 8, 2);
    put(&mut shared, at + 12, 3);
    let mut overlapping = built();
    let positions = i32::try_from(stored(&overlapping, 0x44)).unwrap();
    put(&mut overlapping, 0x78, positions);
    let mut no_hulls = built();
    put(&mut no_hulls, 0x6c, 0);
    put(&mut no_hulls, 0x70, -5);
    for (number, bytes) in
        [plain, extended, odd_uv, not_utf8, shared, overlapping, no_hulls].into_iter().enumerate()
    {
        assert_eq!(rewritten(&bytes), bytes, "{number}");
    }
}

#[test]
fn wrong_bounds_are_corrected_even_in_unchanged_files() {
    let mut bytes = built();
    put(&mut bytes, 0x24, i32::from_le_bytes(0.1f32.to_le_bytes()));
    let (model, report) = read(bytes).unwrap();
    assert!(count(&report, FindingKind::BoundsMismatch) > 0);
    let (again, report) = read(write(&model)).unwrap();
    assert_eq!(count(&report, FindingKind::BoundsMismatch), 0);
    assert_eq!(streams(&again), streams(&model));
}

#[test]
fn meshes_are_merged_with_all_attributes_and_sorted_by_material() {
    let model = Model {
        meshes: vec![
            square("near", 0.0, Some(1)),
            square("far", -1.0, Some(0)),
            square("near too", 2.0, Some(1)),
        ]
        .into(),
        ..ModelBuilder::new().textured("wood", "textures/oak.png").materials(&["stone"]).build()
    };
    let (bytes, report) = write_with(&model, &WriteOptions::default());
    let findings = report.findings();
    let [made] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!((made.kind, made.count), (FindingKind::NormalsMade, 3));
    assert_eq!((stored(&bytes, 0x10), stored(&bytes, 0x14)), (1, 0));
    let (read, report) = read(bytes).unwrap();
    for kind in [
        FindingKind::UncoveredIndices,
        FindingKind::BoundsMismatch,
        FindingKind::OverlappingArrays,
        FindingKind::TrailingBytes,
    ] {
        assert_eq!(count(&report, kind), 0, "{kind:?}");
    }
    assert_eq!((read.num_vertices(), read.num_triangles()), (12, 6));
    let names: Vec<&str> = read.materials.iter().map(|m| &*m.name).collect();
    assert_eq!(names, ["stone", "oak.png"]);
    let ranges = read.meshes[MeshId(0)].subsets.iter();
    let ranges: Vec<_> = ranges.map(|s| (s.first_index, s.index_count)).collect();
    assert_eq!(ranges, [(0, 12), (12, 6)]);
    let own = streams(&read);
    for (number, vertex) in indices(&read).into_iter().enumerate() {
        let vertex = vertex as usize;
        let position = own.positions[vertex];
        assert_eq!(position.z == -1.0, number >= 12, "by material");
        assert_eq!(own.uv_sets[0].coords[vertex], Vec2::new(position.x, 1.0 - position.y));
        assert_eq!(own.normals[vertex], Vec3::Z);
        assert!(own.tangents[vertex].distance(Vec4::new(1.0, 0.0, 0.0, 1.0)) < 1e-6);
    }
    let bounds = read.stored_bounds.unwrap();
    assert_eq!(bounds.aabb.min, Vec3::new(0.0, 0.0, -1.0));
    assert_eq!(bounds.aabb.max, Vec3::new(1.0, 1.0, 2.0));
    assert_eq!(bounds.sphere_center, Vec3::splat(0.5));
    assert!((bounds.sphere_radius - 2.75f32.sqrt()).abs() < 1e-6);
    assert!(read.hulls.is_empty() && read.occluder.is_none());
    // Nothing has changed.
    assert_eq!(rewritten(&write(&model)), write(&model));
}

#[test]
fn missing_attributes_are_filled_in_and_sharp_edges_split() {
    let (read, _) =
        read(write(&Model { meshes: vec![cube("", 1.0)].into(), ..Model::default() })).unwrap();
    assert_eq!((read.num_vertices(), read.num_triangles()), (24, 12));
    let own = streams(&read);
    for corners in indices(&read).as_chunks::<3>().0 {
        let [a, b, c] = corners.map(|v| own.positions[v as usize]);
        let side = (b - a).cross(c - a);
        for &vertex in corners {
            let vertex = vertex as usize;
            assert!(own.normals[vertex].distance(side) < 1e-6);
            let tangent = own.tangents[vertex];
            assert!((tangent.truncate().length() - 1.0).abs() < 1e-6);
            assert!(tangent.truncate().dot(side).abs() < 1e-6);
            assert_eq!(tangent.w, 1.0);
            assert_eq!(own.uv_sets[0].coords[vertex], Vec2::Y);
        }
    }
}

#[test]
fn vertices_at_mirrored_uvs_are_split() {
    let mut mesh = square("", 0.0, None);
    let own = streams_mut(&mut mesh);
    // The corner at 1, 1 gets the UV of 0, 0: mirrored along the diagonal.
    own.uv_sets[0].coords[3] = own.uv_sets[0].coords[0];
    let model = Model { meshes: vec![mesh].into(), ..Model::default() };
    let (read, _) = read(write(&model)).unwrap();
    assert_eq!(read.num_vertices(), 6);
    let signs = streams(&read).tangents.iter().map(|tangent| tangent.w);
    assert_eq!(signs.filter(|w| *w < 0.0).count(), 3);
}

#[test]
fn meshes_become_hulls_and_the_occlusion_mesh_by_name() {
    let mut flat = square("collision flat", 5.0, None);
    flat.subsets.clear();
    let model = Model {
        meshes: vec![
            square("floor", 0.0, None),
            cube("COLLISION.001", 3.0),
            flat,
            cube("Occlusion_mesh", 2.0),
            square("my collision", 1.0, None),
        ]
        .into(),
        hulls: vec![Hull { points: vec![Vec3::ONE] }],
        ..Model::default()
    };
    let (bytes, report) = write_with(&model, &WriteOptions::default());
    assert_eq!(count(&report, FindingKind::HullWithoutVolume), 1);
    assert_eq!(count(&report, FindingKind::UncoveredNotWritten), 0);
    let (read, _) = read(bytes).unwrap();
    assert_eq!(read.num_triangles(), 4);
    let sizes: Vec<usize> = read.hulls.iter().map(|hull| hull.points.len()).collect();
    assert_eq!(sizes, [1, 8, 4]);
    assert!(read.hulls[1].points.contains(&Vec3::splat(3.0)));
    let occluder = read.occluder.unwrap();
    assert_eq!((occluder.positions.len(), occluder.indices.len()), (8, 36));
    assert_eq!(read.stored_bounds.unwrap().aabb.max, Vec3::ONE, "of the drawn mesh");
}

#[test]
fn missing_hulls_and_occlusion_meshes_are_generated_on_request() {
    let options = WriteOptions { make_hulls: true, make_occluder: true, ..WriteOptions::default() };
    let mut model =
        Model { meshes: vec![cube("a", 1.0), cube("b", 2.0)].into(), ..Model::default() };
    let (bytes, report) = write_with(&model, &options);
    assert_eq!(count(&report, FindingKind::OccluderMade), 1);
    let (made, _) = read(bytes).unwrap();
    assert_eq!(made.hulls.len(), 2);
    assert_eq!(made.occluder.as_ref().unwrap().indices.len(), 72);
    // A file of the format, with and without.
    assert_eq!(write_with(&made, &options).0, write(&made));
    let (plain, _) = read(write(&model)).unwrap();
    let (again, _) = read(write_with(&plain, &options).0).unwrap();
    assert_eq!((again.hulls.len(), again.hulls[0].points.len()), (1, 8));
    assert_eq!(streams(&again), streams(&plain));
    assert!(again.occluder.is_some());
    model.meshes.as_mut_vec().clear();
    let (nothing, _) = read(write_with(&model, &options).0).unwrap();
    assert!(nothing.hulls.is_empty() && nothing.occluder.is_none());
}

#[test]
fn axes_are_converted_to_the_default_of_the_format() {
    let model = Model {
        meshes: vec![square("", 1.0, None)].into(),
        axes: Axes {
            up: UpAxis::Z,
            handedness: Handedness::Left,
            unit_meters: Some(0.5),
            ..Axes::default()
        },
        ..Model::default()
    };
    let (read, _) = read(write(&model)).unwrap();
    assert_eq!(read.axes, Axes::default());
    let own = streams(&read);
    assert!(own.positions.iter().all(|p| p.y == 0.5 && p.x <= 0.0));
    for corners in indices(&read).as_chunks::<3>().0 {
        let [a, b, c] = corners.map(|v| own.positions[v as usize]);
        let side = (b - a).cross(c - a).normalize_or_zero();
        assert!(side.distance(own.normals[corners[0] as usize]) < 1e-6);
    }
}

#[test]
fn long_names_are_truncated_between_characters() {
    let model = Model {
        meshes: vec![square("", 0.0, Some(0))].into(),
        ..ModelBuilder::new().materials(&[&"ä".repeat(200)]).build()
    };
    let (bytes, report) = write_with(&model, &WriteOptions::default());
    assert_eq!(count(&report, FindingKind::NameCut), 1);
    let (read, report) = read(bytes).unwrap();
    assert_eq!(read.materials[MaterialId(0)].name, "ä".repeat(127));
    assert_eq!(count(&report, FindingKind::NameNotUtf8), 0);
}

#[test]
fn unused_vertices_are_written_and_triangles_outside_subsets_reported() {
    let mut points = square("", 3.0, None);
    points.indices = Indices::U32(Vec::new());
    points.subsets.clear();
    let mut half = square("", 0.0, None);
    half.subsets[0].index_count = 3;
    let model = Model { meshes: vec![points, half].into(), ..Model::default() };
    let (bytes, report) = write_with(&model, &WriteOptions::default());
    assert_eq!(count(&report, FindingKind::UncoveredNotWritten), 1);
    let (read, _) = read(bytes).unwrap();
    assert_eq!((read.num_vertices(), read.num_triangles()), (7, 1));
    assert!(streams(&read).positions[3..].iter().all(|p| p.z == 3.0));
}

#[test]
fn counts_beyond_31_bits_are_refused() {
    assert_eq!(int("vertices", i32::MAX as u64).unwrap(), i32::MAX);
    let error = int("vertices", 1 << 31).unwrap_err();
    assert!(matches!(error, WriteError::TooMany { format: ID, .. }));
}
